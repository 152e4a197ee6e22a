//! Perft: the search's move generation counted. <https://www.chessprogramming.org/Perft>

use crate::chess::node::Generator;
use shakmaty::{Chess, Move, MoveList, Position};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The deepest count that may be asked for, in plies.
pub const DEEPEST: u32 = 20;

/// Counts the lines of `depth` plies, at least 1, from `chess`; `each` hears of every legal move and
/// the lines behind it. `None` if `stop` is raised before all is counted.
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
    /// Plies that are counted without a look at `stop`: some milliseconds.
    const BLIND: u32 = 3;
    if depth > BLIND && stop.load(Relaxed) {
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

/// The legal moves as the search makes them: not one list from shakmaty, but kind by kind.
fn moves(chess: &Chess) -> MoveList {
    let generator = Generator::new(chess, chess.checkers());
    let mut moves = MoveList::new();
    generator.noisy(&mut moves);
    generator.quiet(&mut moves);
    moves
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
    fn the_counts_are_the_known_ones() {
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
