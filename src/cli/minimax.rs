//! The `minimax` command: shows the textbook algorithm at work on a position. Other games share its
//! options and output.

use super::{TableArgs, bars, game, interrupt};
use crate::explain::minimax::{GameTree, Horizon, Lesson, material::MaterialTree};
use anyhow::ensure;
use clap::Args;
use indicatif::{HumanCount, ProgressBar};
use serde::Serialize;
use shakmaty::Position;
use std::{
    fmt,
    io::Write,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

#[derive(Args, Debug)]
pub(super) struct MinimaxArgs {
    /// FEN or startpos, optionally followed by moves and a list of moves, e.g. startpos moves e4 e5
    #[arg(required = true, num_args = 1.., value_name = "FEN")]
    position: Vec<String>,
    /// Depth in half-moves. Each one makes the search about 30 times as long
    #[arg(long, default_value_t = 3, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    #[command(flatten)]
    lesson: LessonArgs,
    #[command(flatten)]
    table: TableArgs,
}

/// The options of a lesson other than its depth.
#[derive(Args, Debug)]
pub struct LessonArgs {
    /// Search to depth 1, 2 and so on, and show the first depth at which the chosen move changes
    #[arg(long)]
    horizon: bool,
    /// Stop a search after this many leaves
    #[arg(long, default_value_t = 50_000_000, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..))]
    leaves: u64,
}

/// A lesson, and by request what lies beyond its horizon.
#[derive(Debug, Serialize)]
pub struct Demonstration {
    #[serde(flatten)]
    lesson: Lesson,
    horizon: Option<Horizon>,
}

impl fmt::Display for Demonstration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.horizon {
            Some(horizon) => write!(f, "{}\n\n{horizon}", self.lesson),
            None => self.lesson.fmt(f),
        }
    }
}

impl LessonArgs {
    /// Shows both algorithms at work on `root` until `stop` is set. Calls `on_progress` with the
    /// number of leaves so far.
    ///
    /// # Errors
    /// If no search ended.
    pub fn demonstrate<T: GameTree>(
        &self,
        tree: &T,
        root: &T::Position,
        depth: u32,
        stop: &AtomicBool,
        on_progress: impl Fn(u64),
    ) -> anyhow::Result<Demonstration> {
        let mut watch = |leaves: u64| {
            on_progress(leaves);
            leaves < self.leaves && !stop.load(Relaxed)
        };
        let lesson = Lesson::of(tree, root, depth, &mut watch);
        let horizon = self.horizon && !stop.load(Relaxed);
        let horizon = horizon.then(|| Horizon::of(tree, root, depth, &mut watch));
        let is_empty = lesson.is_stopped() && horizon.is_none();
        ensure!(!is_empty || !stop.load(Relaxed), "interrupted before a search ended");
        ensure!(
            !is_empty,
            "depth {depth} needs more than {} leaves, even with alpha-beta; use a smaller --depth or more --leaves",
            self.leaves
        );
        Ok(Demonstration { lesson, horizon })
    }
}

/// The JSON form of the output.
#[derive(Debug, Serialize)]
struct MinimaxRecord {
    fen: String,
    #[serde(flatten)]
    demonstration: Demonstration,
}

pub(super) fn run(args: &MinimaxArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let game = game(&args.position)?;
    let stop = interrupt::flag()?;
    let bar = ProgressBar::new_spinner().with_style(bars::style("{spinner} {msg}")?);
    let on_progress = |leaves| {
        bar.set_message(format!("{} leaves", HumanCount(leaves)));
        bar.tick();
    };
    let demonstration =
        args.lesson.demonstrate(&MaterialTree, &game.chess, args.depth, &stop, on_progress);
    bar.finish_and_clear();
    let demonstration = demonstration?;
    let side = game.chess.turn().fold_wb("White", "Black");
    let text = format!(
        "{}\n{side} to move, {} half-moves deep. Values are the material of {side} minus the other's:\n\
         pawn 1, knight and bishop 3, rook 5, queen 9.\n\n{demonstration}",
        game.fen(),
        args.depth
    );
    let record = MinimaxRecord { fen: game.fen(), demonstration };
    Ok(super::print(out, args.table, &record, text)?)
}
