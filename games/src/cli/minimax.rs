//! The `minimax` command: shows the textbook algorithm at work on a position of a game.

use super::{PositionArgs, TableArgs};
use crate::{lesson::EvaluatedTree, level::Playable};
use clap::Args;
use deepfeeling::cli::minimax::{Demonstration, LessonArgs};
use serde::Serialize;
use std::io::Write;

/// Show plain minimax and alpha-beta at work on a position
#[derive(Args, Debug)]
pub(super) struct MinimaxArgs {
    #[command(flatten)]
    from: PositionArgs,
    /// Depth in moves
    #[arg(long, default_value_t = 4, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    #[command(flatten)]
    lesson: LessonArgs,
    #[command(flatten)]
    table: TableArgs,
}

/// The JSON form of the output.
#[derive(Debug, Serialize)]
struct MinimaxRecord {
    position: String,
    #[serde(flatten)]
    demonstration: Demonstration,
}

pub(super) fn run<G: Playable>(
    args: &MinimaxArgs,
    rules: G::Rules,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let position: G = args.from.position(rules)?;
    let tree = EvaluatedTree::new(&position);
    let stop = super::stop_flag()?;
    let (lesson, depth) = (&args.lesson, args.depth);
    let demonstration = lesson.demonstrate(&tree, &position, depth, &stop, |_| {})?;
    let text = format!(
        "{position}\n{0} to move, {depth} moves deep. Values are the evaluation of the game, seen from {0}.\n\n{demonstration}",
        G::side_name(position.turn())
    );
    let record = MinimaxRecord { position: position.to_string(), demonstration };
    super::print(out, args.table, &record, text)
}
