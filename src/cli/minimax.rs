//! The `minimax` command: shows the textbook algorithm at work on a position.

use super::{TableArgs, bars, game, interrupt};
use crate::explain::minimax::{Horizon, Lesson, material::MaterialTree};
use anyhow::ensure;
use clap::Args;
use indicatif::{HumanCount, ProgressBar};
use serde::Serialize;
use shakmaty::Position;
use std::{io::Write, sync::atomic::Ordering::Relaxed};

#[derive(Args, Debug)]
pub(super) struct MinimaxArgs {
    /// FEN or startpos, optionally followed by moves and a list of moves, e.g. startpos moves e4 e5
    #[arg(required = true, num_args = 1.., value_name = "FEN")]
    position: Vec<String>,
    /// Depth in half-moves. Each one makes the search about 30 times as long
    #[arg(long, default_value_t = 3, value_name = "N",
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
    fen: String,
    #[serde(flatten)]
    lesson: Lesson,
    horizon: Option<Horizon>,
}

pub(super) fn run(args: &MinimaxArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let game = game(&args.position)?;
    let stop = interrupt::flag()?;
    let bar = ProgressBar::new_spinner().with_style(bars::style("{spinner} {msg}")?);
    let mut watch = |leaves: u64| {
        bar.set_message(format!("{} leaves", HumanCount(leaves)));
        bar.tick();
        leaves < args.leaves && !stop.load(Relaxed)
    };
    let lesson = Lesson::of(&MaterialTree, &game.chess, args.depth, &mut watch);
    let horizon = args.horizon && !stop.load(Relaxed);
    let horizon = horizon.then(|| Horizon::of(&MaterialTree, &game.chess, args.depth, &mut watch));
    bar.finish_and_clear();
    let is_empty = lesson.is_stopped() && horizon.is_none();
    ensure!(!is_empty || !stop.load(Relaxed), "interrupted before a search ended");
    ensure!(
        !is_empty,
        "depth {} needs more than {} leaves, even with alpha-beta; use a smaller --depth or more --leaves",
        args.depth,
        args.leaves
    );
    let side = game.chess.turn().fold_wb("White", "Black");
    let mut text = format!(
        "{}\n{side} to move, {} half-moves deep. Values are the material of {side} minus the other's:\n\
         pawn 1, knight and bishop 3, rook 5, queen 9.\n\n{lesson}",
        game.fen(),
        args.depth
    );
    if let Some(horizon) = &horizon {
        text = format!("{text}\n\n{horizon}");
    }
    let record = MinimaxRecord { fen: game.fen(), lesson, horizon };
    Ok(super::print(out, args.table, &record, text)?)
}
