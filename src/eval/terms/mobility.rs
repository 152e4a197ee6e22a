//! Where the pieces can go.

use super::{Side, View};
use crate::eval::{feature::Feature, geometry::ranks, tally::Tally};
use shakmaty::{Bitboard, Role};

/// Each piece by the number of safe squares it reaches.
pub(super) fn count(view: View<'_, impl Side>, tally: &mut impl Tally) {
    let safe = area(view);
    for (role, feature) in [
        (Role::Knight, Feature::KnightMobility),
        (Role::Bishop, Feature::BishopMobility),
        (Role::Rook, Feature::RookMobility),
        (Role::Queen, Feature::QueenMobility),
    ] {
        for piece in view.attacks.get(view.side()).attackers(role) {
            tally.add(view.side(), feature, (piece.attacks & safe).count(), 1);
        }
    }
}

/// The squares worth going to: not where enemy pawns guard, nor the own king, queen, or pawns that
/// are blocked or still at home stand. Other own pieces do not count against: they can move away.
fn area(view: View<'_, impl Side>) -> Bitboard {
    let (board, attacks, side) = view.parts();
    let own = board.by_color(side);
    let pawns = own & board.pawns();
    let occupied = board.occupied().0;
    let blocked = Bitboard(side.fold_wb(occupied >> 8, occupied << 8));
    let stuck = pawns & (blocked | ranks(side, [1, 2]));
    !(stuck | (own & (board.kings() | board.queens())) | attacks.get(!side).by.pawn)
}
