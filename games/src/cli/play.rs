//! The `play` command: a game in the terminal.

use super::{AgentArgs, PositionArgs};
use crate::{
    agent::Thought,
    game::{Outcome, Side},
    level::{Playable, PlayerSpec},
    session::Session,
};
use anyhow::Context;
use clap::Args;
use deepfeeling::mind::{
    appraisal::{Appraisal, emotion_word},
    listed::Listed,
};
use std::{
    fs::OpenOptions,
    io::{self, BufRead, Write},
    path::PathBuf,
};

/// Play a game in the terminal
///
/// Enter a move as listed, or one of: undo, board, position, quit.
#[derive(Args, Debug)]
pub(super) struct PlayArgs {
    /// The level of the opponent: one of 'list', or a search depth
    #[arg(long, value_name = "LEVEL")]
    level: Option<String>,
    /// The temperament of the opponent: a name, the path of a TOML file, or none to play without
    /// feelings
    #[arg(long, default_value = "standard", value_name = "NAME|TOML")]
    temperament: String,
    /// Your side [default: the side that people play in the source]
    #[arg(long, value_name = "SIDE")]
    side: Option<String>,
    #[command(flatten)]
    from: PositionArgs,
    /// Append the record of the game to this file
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    agents: AgentArgs,
}

pub(super) fn run<G: Playable>(
    args: &PlayArgs,
    rules: G::Rules,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut name = args.level.clone().unwrap_or_else(|| G::EXPLAINED.into());
    if args.temperament != "none" {
        name = format!("{name}+{}", args.temperament);
    }
    let player = PlayerSpec::<G>::parse(&name)?;
    let person = args.side.as_deref().map_or(Ok(G::PERSON), G::parse_side)?;
    let start = args.from.position(rules)?;
    let mut session = Session::new(&player, args.agents.options(), start, person, args.from.seed);
    let opponent = G::side_name(person.other());
    writeln!(out, "You play {}, {name} plays {opponent}.\n", G::side_name(person))?;
    let mut lines = io::stdin().lock().lines();
    writeln!(out, "{}", start.draw())?;
    loop {
        while let Some(thought) = session.reply() {
            writeln!(out, "{opponent} plays {}", said(&thought, person.other()))?;
        }
        if !session.is_persons_turn() {
            break;
        }
        prompt(&session.position(), out)?;
        let Some(line) = lines.next().transpose()? else { break };
        match line.trim() {
            "" => {}
            "quit" => break,
            "board" => writeln!(out, "{}", session.position().draw())?,
            "position" => writeln!(out, "{}", session.position())?,
            "undo" if session.undo() => writeln!(out, "{}", session.position().draw())?,
            "undo" => writeln!(out, "there is no move of yours to take back")?,
            text => match session.play(text) {
                Ok(()) => {}
                Err(error) => writeln!(out, "{error}; or undo, board, position, quit")?,
            },
        }
        if !session.is_persons_turn() {
            writeln!(out)?;
        }
    }
    finish(args, &session, out)
}

/// Draws the board and asks for a move.
fn prompt<G: Playable>(position: &G, out: &mut impl Write) -> io::Result<()> {
    let moves: Vec<String> = position.moves().into_iter().map(|m| m.to_string()).collect();
    write!(out, "{} to move ({}): ", G::side_name(position.turn()), moves.join(" "))?;
    out.flush()
}

/// Describes a move of the opponent: how it was found, and what was felt.
fn said<G: Playable>(thought: &Thought<G>, mover: Side) -> String {
    let mut text = thought.m.to_string();
    if let Some(verdict) = thought.verdict(mover) {
        text += &format!(", {verdict}");
    } else if let (Some(depth), Some(value)) = (thought.depth, thought.value) {
        text += &format!(", {depth} moves deep, value {value:+.2}");
    }
    if let Some(appraisal) = &thought.appraisal {
        text += &format!("\n  feels {}", felt(appraisal));
    }
    text
}

fn felt<G: Playable>(appraisal: &Appraisal<G>) -> String {
    let emotion = emotion_word(appraisal.intensity);
    match appraisal.goal {
        Some(goal) => format!("{emotion} ({}): {}", goal.name(), G::description(goal)),
        None => emotion.into(),
    }
}

/// Prints the result of a finished game, and writes the record if requested.
fn finish<G: Playable>(
    args: &PlayArgs,
    session: &Session<'_, G>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let last = session.position();
    if let Some(outcome) = last.outcome() {
        let unit = G::UNIT;
        let result = match outcome {
            Outcome::Win(side) => {
                format!("{} wins, {} {unit} ahead", G::side_name(side), last.lead(side))
            }
            Outcome::Draw => "a draw".into(),
        };
        writeln!(out, "\n{}The game is over: {result}.", last.draw())?;
    } else {
        writeln!(out)?;
    }
    if let Some(path) = &args.out {
        let failed = || format!("{} cannot be written", path.display());
        let file = OpenOptions::new().create(true).append(true).open(path);
        writeln!(file.with_context(failed)?, "{}", session.record()).with_context(failed)?;
    }
    Ok(())
}
