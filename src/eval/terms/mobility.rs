//! Where the pieces can go.

use super::{Officer, Side, View};
use crate::eval::{feature::Feature, geometry::ranks, tally::Tally};
use shakmaty::Bitboard;

const FEATURES: [Feature; 4] = [
    Feature::KnightMobility,
    Feature::BishopMobility,
    Feature::RookMobility,
    Feature::QueenMobility,
];

/// An piece, of the kind with this `index` of tables of four, by the number of squares of `area`
/// that it reaches.
pub(super) fn count(
    view: View<'_, impl Side>,
    index: usize,
    piece: Officer,
    area: Bitboard,
    tally: &mut impl Tally,
) {
    tally.add(view.side(), FEATURES[index], (piece.attacks & area).count(), 1);
}

/// The squares worth going to: not where enemy pawns guard, nor the own king, queen, or pawns that
/// are blocked or still at home stand. Other own pieces do not count against: they can move away.
pub(super) fn area(view: View<'_, impl Side>) -> Bitboard {
    let (board, attacks, side) = view.parts();
    let own = board.by_color(side);
    let pawns = own & board.pawns();
    let occupied = board.occupied().0;
    let blocked = Bitboard(side.fold_wb(occupied >> 8, occupied << 8));
    let stuck = pawns & (blocked | ranks(side, [1, 2]));
    !(stuck | (own & (board.kings() | board.queens())) | attacks.get(!side).by.pawn)
}
