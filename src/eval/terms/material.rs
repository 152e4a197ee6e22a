//! Material combinations: how the value of a piece depends on the other pieces and pawns.
//!
//! The value of single pieces is kept by [`crate::eval::sums`].

use super::{Side, View};
use crate::eval::{feature::Feature, tally::Tally};
use shakmaty::{Color, Role};

/// Counts the material terms of `view.side`.
pub(super) fn count(view: View<'_, impl Side>, tally: &mut impl Tally) {
    let (board, _, side) = view.parts();
    let number = |role: Role| board.by_piece(role.of(side)).count();
    let pawns = number(Role::Pawn);
    // knights gain value with many pawns, rooks lose value
    for (role, feature) in [
        (Role::Knight, Feature::KnightByPawns),
        (Role::Bishop, Feature::BishopByPawns),
        (Role::Rook, Feature::RookByPawns),
        (Role::Queen, Feature::QueenByPawns),
    ] {
        let pieces = number(role);
        if pieces > 0 {
            tally.add(side, feature, pawns.min(8), pieces as i32);
        }
    }
    // two bishops complement each other, while two knights or rooks partly duplicate each other
    for (role, feature) in [
        (Role::Bishop, Feature::BishopPair),
        (Role::Knight, Feature::SecondKnight),
        (Role::Rook, Feature::SecondRook),
    ] {
        if number(role) >= 2 {
            tally.add(side, feature, 0, 1);
        }
    }
}

/// Rewards the right to move.
pub(super) fn tempo(turn: Color, tally: &mut impl Tally) {
    tally.add(turn, Feature::Tempo, 0, 1);
}
