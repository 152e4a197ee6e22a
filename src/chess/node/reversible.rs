//! Finds the reversible move that leads from one position to another, given only their keys.
//!
//! The difference of two Zobrist keys is known for every move of a piece on an empty board. A table
//! of all differences shows whether two positions are one move apart.
//! <https://www.chessprogramming.org/Repetitions>

use shakmaty::{
    Bitboard, Color, Role, Square, attacks,
    zobrist::{Zobrist64, ZobristValue},
};
use std::sync::LazyLock;

/// The table of all reversible moves.
pub(super) static REVERSIBLE_MOVES: LazyLock<ReversibleMoves> = LazyLock::new(ReversibleMoves::new);

/// Number of bits of a key that index the filter.
const FILTER_BITS: u32 = 16;

/// The moves of all pieces between two empty squares, in either direction, by the difference that
/// they make to the key.
#[derive(Debug)]
pub(super) struct ReversibleMoves {
    /// One bit for the upper bits of a difference. Most differences of keys are excluded by it.
    filter: Box<[u64]>,
    /// Sorted by difference.
    moves: Vec<(u64, Square, Square)>,
}

impl ReversibleMoves {
    fn new() -> Self {
        let mut moves = Vec::new();
        let mut filter = vec![0; 1 << (FILTER_BITS - 6)].into_boxed_slice();
        for piece in Color::ALL.iter().flat_map(|color| Role::ALL[1..].iter().map(|r| r.of(*color)))
        {
            for from in Square::ALL {
                let reached = attacks::attacks(from, piece, Bitboard::EMPTY);
                for to in reached.into_iter().filter(|to| *to > from) {
                    let difference = Zobrist64::zobrist_for_piece(from, piece)
                        ^ Zobrist64::zobrist_for_piece(to, piece)
                        ^ Zobrist64::zobrist_for_white_turn();
                    let (word, bit) = filter_bit(difference.0);
                    filter[word] |= bit;
                    moves.push((difference.0, from, to));
                }
            }
        }
        moves.sort_unstable();
        Self { filter, moves }
    }

    /// Returns the squares of the move between two positions whose keys differ by `difference`.
    pub(super) fn find(&self, difference: Zobrist64) -> Option<(Square, Square)> {
        let (word, bit) = filter_bit(difference.0);
        if self.filter[word] & bit == 0 {
            return None;
        }
        let found = self.moves.binary_search_by_key(&difference.0, |entry| entry.0).ok()?;
        let (_, from, to) = self.moves[found];
        Some((from, to))
    }
}

/// Returns the index of the word and the bit of a difference in the filter.
const fn filter_bit(difference: u64) -> (usize, u64) {
    let index = difference >> (64 - FILTER_BITS);
    ((index >> 6) as usize, 1 << (index & 63))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Piece;

    #[test]
    fn every_move_of_a_piece_has_a_difference_of_its_own() {
        // 168 pairs of squares for a knight, 280 for a bishop, 448 for a rook, 210 for a king
        let pairs = 168 + 280 + 448 + (280 + 448) + 210;
        let differences: std::collections::HashSet<_> =
            REVERSIBLE_MOVES.moves.iter().map(|entry| entry.0).collect();
        assert_eq!((REVERSIBLE_MOVES.moves.len(), differences.len()), (2 * pairs, 2 * pairs));
    }

    #[test]
    fn moves_of_pieces_are_found_in_both_directions_and_those_of_pawns_are_not() {
        let key = |square, role| {
            Zobrist64::zobrist_for_piece(square, Piece { color: Color::White, role })
        };
        let turn = Zobrist64::zobrist_for_white_turn();
        let found = |role, from, to| REVERSIBLE_MOVES.find(key(from, role) ^ key(to, role) ^ turn);
        let expected = Some((Square::G1, Square::F3));
        assert_eq!(found(Role::Knight, Square::G1, Square::F3), expected);
        assert_eq!(found(Role::Knight, Square::F3, Square::G1), expected);
        assert_eq!(found(Role::Rook, Square::G1, Square::F3), None);
        assert_eq!(found(Role::Pawn, Square::E2, Square::E3), None);
    }
}
