//! Perft: counts move sequences to verify the move generation.
//! <https://www.chessprogramming.org/Perft>

use crate::chess::node::{CompactMoves, Generator};
use shakmaty::{Chess, Move, MoveList, Position};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The largest depth accepted, in plies.
pub const DEEPEST: u32 = 20;

/// Counts the legal move sequences of `depth` plies (at least 1) from `chess`. Calls `each` for
/// every root move with the number of sequences that start with it. Returns `None` if `stop` is set
/// before the count is complete.
pub fn divide(
    chess: &Chess,
    depth: u32,
    stop: &AtomicBool,
    mut each: impl FnMut(Move, u64),
) -> Option<u64> {
    let mut total = 0;
    for m in moves(chess) {
        if stop.load(Relaxed) {
            return None;
        }
        let lines = count(&after(chess, m), depth.saturating_sub(1), stop)?;
        each(m, lines);
        total += lines;
    }
    Some(total)
}

fn count(chess: &Chess, depth: u32, stop: &AtomicBool) -> Option<u64> {
    /// Subtrees of this depth are counted without checking `stop`. They take some milliseconds.
    const UNCHECKED_DEPTH: u32 = 3;
    if depth > UNCHECKED_DEPTH && stop.load(Relaxed) {
        return None;
    }
    if depth == 0 {
        return Some(1);
    }
    let moves = moves(chess);
    if depth == 1 {
        return Some(moves.len() as u64);
    }
    moves.into_iter().map(|m| count(&after(chess, m), depth - 1, stop)).sum()
}

/// Returns the legal moves as the search generates them, stage by stage.
fn moves(chess: &Chess) -> MoveList {
    let generator = Generator::new(chess, chess.checkers());
    let mut moves = CompactMoves::new();
    generator.noisy(&mut moves);
    generator.quiet(&mut moves);
    moves.into_iter().map(Into::into).collect()
}

fn after(chess: &Chess, m: Move) -> Chess {
    let mut after = chess.clone();
    after.play_unchecked(m);
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_match_published_values() {
        let stop = AtomicBool::new(false);
        let start = Chess::default();
        for (depth, known) in [(1, 20), (2, 400), (5, 4_865_609)] {
            let mut sum = 0;
            let total = divide(&start, depth, &stop, |_, lines| sum += lines);
            assert_eq!((total, sum), (Some(known), known));
        }
        stop.store(true, Relaxed);
        assert_eq!(divide(&start, 1, &stop, |_, _| {}), None);
    }
}
