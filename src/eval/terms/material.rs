//! What pieces are worth together with others; alone, [`crate::eval::sums`] keeps it.

use super::{Side, View};
use crate::eval::{feature::Feature, tally::Tally};
use shakmaty::{Color, Role};

/// Counts the material terms of `view.side`.
pub(super) fn count(view: View<'_, impl Side>, tally: &mut impl Tally) {
    let (board, _, side) = view.parts();
    let number = |role: Role| board.by_piece(role.of(side)).count();
    let pawns = number(Role::Pawn);
    // knights like a crowd of pawns, rooks do not
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
    // two bishops cover both colours of square; two of the others do part of each other's work
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

/// The right to move is worth something in itself.
pub(super) fn tempo(turn: Color, tally: &mut impl Tally) {
    tally.add(turn, Feature::Tempo, 0, 1);
}
