//! Mobility: the number of useful squares that each piece reaches.

use super::{Attacker, Side, View};
use crate::eval::{feature::Feature, geometry::ranks, tally::Tally};
use shakmaty::Bitboard;

const FEATURES: [Feature; 4] = [
    Feature::KnightMobility,
    Feature::BishopMobility,
    Feature::RookMobility,
    Feature::QueenMobility,
];

/// Counts a piece by the number of squares of `area` that it reaches.
///
/// `index` is the piece's index in tables of four: knight, bishop, rook, queen.
pub(super) fn count(
    view: View<'_, impl Side>,
    index: usize,
    piece: Attacker,
    area: Bitboard,
    tally: &mut impl Tally,
) {
    tally.add(view.side(), FEATURES[index], (piece.attacks & area).count(), 1);
}

/// Returns the mobility area: the squares worth moving to.
///
/// It excludes squares attacked by enemy pawns, and those of own king, queen, blocked pawns, and
/// pawns on the second and third rank. Other own pieces can move away, so their squares count.
pub(super) fn area(view: View<'_, impl Side>) -> Bitboard {
    let (board, attacks, side) = view.parts();
    let own = board.by_color(side);
    let pawns = own & board.pawns();
    let occupied = board.occupied().0;
    let blocked = Bitboard(side.fold_wb(occupied >> 8, occupied << 8));
    let stuck = pawns & (blocked | ranks(side, [1, 2]));
    !(stuck | (own & (board.kings() | board.queens())) | attacks.get(!side).by.pawn)
}
