//! The `style` command: measures and compares the playing style of players.

use super::{TableArgs, played::PlayedArgs};
use crate::{
    lab::style::{
        Players, Style,
        identify::{Candidates, Evidence, Identification},
        is_name,
    },
    pgn::PlayedGame,
};
use anyhow::ensure;
use clap::Args;
use rayon::prelude::*;
use shakmaty::{ByColor, Color};
use std::{io::Write, num::NonZeroU64};

#[derive(Args, Debug)]
pub(super) struct StyleArgs {
    #[command(flatten)]
    games: PlayedArgs,
    /// Show only this player, as named in the White and Black tags; may be repeated [default: the
    /// players with the most games]
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,
    /// Name the built-in temperament of each player from the moves alone, with probabilities
    #[arg(long)]
    identify: bool,
    /// Nodes for each position (with --identify)
    #[arg(long, value_name = "N", default_value_t = NODES, requires = "identify")]
    nodes: NonZeroU64,
    #[command(flatten)]
    table: TableArgs,
}

/// The default nodes for each position.
const NODES: NonZeroU64 = NonZeroU64::new(10_000).unwrap();
/// Games per batch. With the default nodes, each side of a game takes about a second.
const BATCH: usize = 64;

pub(super) fn run(args: &StyleArgs, out: &mut impl Write) -> anyhow::Result<()> {
    if args.identify {
        return identify(args, out);
    }
    let of_both = |game: &PlayedGame| ByColor::new_with(|side| Style::of(game, side));
    let mut players = Players::default();
    args.games.read(|games| {
        let styles: Vec<_> = games.par_iter().map(of_both).collect();
        for (game, styles) in games.iter().zip(&styles) {
            players.add(game, styles);
        }
    })?;
    ensure!(!players.is_empty(), "no game names its players (tags White and Black)");
    let comparison = players.compare(&args.player)?;
    Ok(super::print(out, args.table, &comparison.record(), &comparison)?)
}

fn identify(args: &StyleArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let candidates = Candidates::builtin()?;
    let mut found = Identification::default();
    let mut fault = None;
    args.games.read_by(BATCH, |games| {
        let sides = games.iter().flat_map(|game| Color::ALL.map(|side| (game, side)));
        let named: Vec<_> =
            sides.filter(|(game, side)| is_name(game.tags.players.get(*side))).collect();
        let judge = |(game, side): &(&PlayedGame, Color)| {
            let is_wanted =
                args.player.is_empty() || args.player.contains(game.tags.players.get(*side));
            if is_wanted {
                candidates.judge(game, *side, args.nodes)
            } else {
                Ok(Evidence::default())
            }
        };
        match named.par_iter().map(judge).collect::<Result<Vec<_>, _>>() {
            Ok(judged) => {
                for ((game, side), evidence) in named.iter().zip(&judged) {
                    found.add(game.tags.players.get(*side), evidence);
                }
            }
            Err(error) => fault = Some(error),
        }
    })?;
    fault.map_or(Ok(()), Err)?;
    found.check(&args.player)?;
    let record = found.record(&candidates);
    ensure!(!record.is_empty(), "no game names its players (tags White and Black)");
    Ok(super::print(out, args.table, &record, &record)?)
}
