//! The `replay` command: reads records of games and shows them, move by move with feelings.

use super::{AgentArgs, TableArgs};
use crate::{
    agent::Agent,
    level::{Playable, PlayerSpec},
    record::{self, GameRecord},
};
use anyhow::Context;
use clap::Args;
use serde::Serialize;
use std::{fs, io::Write, path::PathBuf};

/// Read game records and show each move, with what a player feels before it
#[derive(Args, Debug)]
pub(super) struct ReplayArgs {
    /// A file of records, as written by 'match --out' and 'play --out'
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The player that feels, and whose own move is shown beside each move
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,
    /// Show only this game, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    game: Option<u32>,
    #[command(flatten)]
    agents: AgentArgs,
    #[command(flatten)]
    table: TableArgs,
}

/// A move of a game.
#[derive(Debug, Serialize)]
struct MoveRow {
    side: &'static str,
    #[serde(rename = "move")]
    m: String,
    lead: i32,
    feeling: Option<f64>,
    goal: Option<&'static str>,
    own_move: Option<String>,
}

/// A game.
#[derive(Debug, Serialize)]
struct GameRow {
    players: [String; 2],
    start: String,
    moves: Vec<MoveRow>,
    last: String,
}

pub(super) fn run<G: Playable>(args: &ReplayArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let name = args.file.display();
    let text = fs::read_to_string(&args.file).with_context(|| format!("{name} cannot be read"))?;
    let records: Vec<GameRecord<G>> = record::read(&text).with_context(|| name.to_string())?;
    let player = args.player.as_deref().map(PlayerSpec::<G>::parse).transpose()?;
    let wanted = |number: &usize| args.game.is_none_or(|game| game as usize == number + 1);
    let numbered = records.iter().enumerate().filter(|(number, _)| wanted(number));
    let rows: Vec<GameRow> =
        numbered.map(|(_, record)| row(record, player.as_ref(), &args.agents)).collect();
    anyhow::ensure!(!rows.is_empty(), "{name}: no such game, allowed: 1 to {}", records.len());
    let text: Vec<String> = rows.iter().map(self::text).collect();
    super::print(out, args.table, &rows, text.join("\n").trim_end())
}

fn row<G: Playable>(
    record: &GameRecord<G>,
    player: Option<&PlayerSpec<G>>,
    agents: &AgentArgs,
) -> GameRow {
    use deepfeeling::mind::listed::Listed;
    let options = agents.options();
    let mut minds = [0, 1].map(|_| player.map(|player| Agent::new(player, options, 1)));
    let step = |(position, m): (G, &G::Move)| {
        let side = position.turn();
        let thought = minds[side as usize].as_mut().and_then(|agent| agent.choose(&position));
        let appraisal = thought.as_ref().and_then(|thought| thought.appraisal.as_ref());
        MoveRow {
            side: G::side_name(side),
            m: m.to_string(),
            lead: position.after(*m).lead(side),
            feeling: appraisal.map(|appraisal| appraisal.intensity),
            goal: appraisal.and_then(|appraisal| appraisal.goal).map(Listed::name),
            own_move: thought.as_ref().map(|thought| thought.m.to_string()),
        }
    };
    GameRow {
        players: record.players.clone(),
        start: record.start.to_string(),
        moves: record.positions().zip(&record.moves).map(step).collect(),
        last: record.last().to_string(),
    }
}

fn text(game: &GameRow) -> String {
    let [first, second] = &game.players;
    let mut text = format!("{first} against {second}\n{}\n", game.start);
    for (number, row) in (1..).zip(&game.moves) {
        let feeling = row.feeling.map_or(String::new(), |feeling| {
            format!("  {feeling:>5.2} {}", row.goal.unwrap_or("no goal"))
        });
        let own = row.own_move.as_ref().filter(|own| **own != row.m);
        let own = own.map_or(String::new(), |own| format!(", would play {own}"));
        let MoveRow { side, m, lead, .. } = row;
        text += &format!("{number:>3} {side:<6} {m:<5} lead {lead:>3}{feeling}{own}\n");
    }
    text + &format!("{}\n", game.last)
}
