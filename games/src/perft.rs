//! Counts of move sequences ("lines"), the standard check of a move generator.
//! <https://www.chessprogramming.org/Perft>

use crate::game::Game;

/// Returns the number of sequences of exactly `plies` moves. A passed turn is not a move.
pub fn lines<G: Game>(position: &G, plies: u32) -> u64 {
    let moves = position.moves();
    match plies {
        0 => 1,
        1 => moves.as_ref().len() as u64,
        _ => moves.into_iter().map(|m| lines(&position.after(m), plies - 1)).sum(),
    }
}
