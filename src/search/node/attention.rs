//! Moves that somebody outside takes an interest in: as late moves they are reduced less. The search
//! asks a table and does not know why.

use crate::{chess::evaluator::Evaluator, search::Worker};
use shakmaty::{ByRole, Move, Role, Square};

/// How much less the moves of the side to move at the root are reduced, in 1024ths of a ply: the more
/// of what the square that a move leaves and the one that it goes to are worth.
#[derive(Clone, Debug)]
pub struct AttentionBonus {
    leaving: [i16; 64],
    arriving: ByRole<[i16; 64]>,
}

impl AttentionBonus {
    /// A table of what it is worth to leave a square, and to arrive on one as this piece.
    pub fn new(leaving: impl Fn(Square) -> i16, arriving: impl Fn(Role, Square) -> i16) -> Self {
        let each = |role| Square::ALL.map(|square| arriving(role, square));
        Self { leaving: Square::ALL.map(leaving), arriving: ByRole::new_with(each) }
    }

    fn of(&self, m: Move) -> i32 {
        let arriving = self.arriving.get(m.promotion().unwrap_or(m.role()))[usize::from(m.to())];
        let leaving = m.from().map_or(0, |from| self.leaving[usize::from(from)]);
        arriving.max(leaving).into()
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// How much less the move `m`, `ply` half-moves from the root, is reduced, in 1024ths of a ply.
    pub(in crate::search) fn attention(&self, m: Move, ply: usize) -> i32 {
        match &self.shared.attention {
            Some(attention) if ply.is_multiple_of(2) => attention.of(m),
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position};

    #[test]
    fn a_move_is_worth_what_either_of_its_squares_is() {
        let attention = AttentionBonus::new(
            |from| if from == Square::G1 { 100 } else { 0 },
            |role, to| if (role, to) == (Role::Pawn, Square::E4) { 200 } else { 0 },
        );
        let worth = |from, to| {
            let moves = Chess::default().legal_moves();
            let is_it = |m: &&Move| m.from() == Some(from) && m.to() == to;
            attention.of(*moves.iter().find(is_it).unwrap())
        };
        assert_eq!(worth(Square::E2, Square::E4), 200);
        assert_eq!(worth(Square::E2, Square::E3), 0);
        assert_eq!(worth(Square::G1, Square::F3), 100);
        assert_eq!(worth(Square::B1, Square::C3), 0);
    }
}
