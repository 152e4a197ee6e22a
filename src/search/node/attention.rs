//! Reduces late moves by less if they touch squares that the caller finds interesting.
//!
//! The search only reads a table of bonuses. Emotions decide its contents elsewhere.

use shakmaty::{ByRole, Move, Role, Square};

/// Bonuses, in 1024ths of a ply, that are subtracted from late move reductions of the side to move
/// at the root. A move gets the larger of the bonuses for its from-square and its to-square.
#[derive(Clone, Debug)]
pub struct AttentionBonus {
    leaving: [i16; 64],
    arriving: ByRole<[i16; 64]>,
}

impl AttentionBonus {
    /// Builds the table from the bonus for leaving a square and the bonus for a piece arriving on a
    /// square.
    pub fn new(leaving: impl Fn(Square) -> i16, arriving: impl Fn(Role, Square) -> i16) -> Self {
        let each = |role| Square::ALL.map(|square| arriving(role, square));
        Self { leaving: Square::ALL.map(leaving), arriving: ByRole::new_with(each) }
    }

    /// Returns the bonus of `m`.
    pub(super) fn of(&self, m: Move) -> i32 {
        let arriving = self.arriving.get(m.promotion().unwrap_or(m.role()))[usize::from(m.to())];
        let leaving = m.from().map_or(0, |from| self.leaving[usize::from(from)]);
        arriving.max(leaving).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position};

    #[test]
    fn a_move_gets_the_bonus_of_either_square() {
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
