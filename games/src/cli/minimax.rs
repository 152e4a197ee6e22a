//! The `minimax` command: shows the textbook algorithm at work on a position of a game.

use super::{PositionArgs, TableArgs};
use crate::{lesson::EvaluatedTree, level::Playable};
use anyhow::ensure;
use clap::Args;
use deepfeeling::explain::minimax::{Horizon, Lesson};
use serde::Serialize;
use std::{io::Write, sync::atomic::Ordering::Relaxed};

/// Show plain minimax and alpha-beta at work on a position
#[derive(Args, Debug)]
pub(super) struct MinimaxArgs {
    #[command(flatten)]
    from: PositionArgs,
    /// Depth in moves
    #[arg(long, default_value_t = 4, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Search to depth 1, 2 and so on, and show the first depth at which the chosen move changes
    #[arg(long)]
    horizon: bool,
    /// Stop a search after this many leaves
    #[arg(long, default_value_t = 50_000_000, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..))]
    leaves: u64,
    #[command(flatten)]
    table: TableArgs,
}

/// The JSON form of the output.
#[derive(Debug, Serialize)]
struct MinimaxRecord {
    position: String,
    #[serde(flatten)]
    lesson: Lesson,
    horizon: Option<Horizon>,
}

pub(super) fn run<G: Playable>(
    args: &MinimaxArgs,
    rules: G::Rules,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let position: G = args.from.position(rules)?;
    let tree = EvaluatedTree::new(&position);
    let stop = super::stop_flag()?;
    let mut watch = |leaves: u64| leaves < args.leaves && !stop.load(Relaxed);
    let lesson = Lesson::of(&tree, &position, args.depth, &mut watch);
    let horizon = args.horizon && !stop.load(Relaxed);
    let horizon = horizon.then(|| Horizon::of(&tree, &position, args.depth, &mut watch));
    let is_empty = lesson.is_stopped() && horizon.is_none();
    ensure!(!is_empty || !stop.load(Relaxed), "interrupted before a search ended");
    ensure!(
        !is_empty,
        "depth {} needs more than {} leaves, even with alpha-beta; use a smaller --depth or more --leaves",
        args.depth,
        args.leaves
    );
    let mut text = format!(
        "{position}\n{0} to move, {1} moves deep. Values are the evaluation of the game, seen from {0}.\n\n{lesson}",
        G::side_name(position.turn()),
        args.depth
    );
    if let Some(horizon) = &horizon {
        text = format!("{text}\n\n{horizon}");
    }
    let record = MinimaxRecord { position: position.to_string(), lesson, horizon };
    super::print(out, args.table, &record, text)
}
