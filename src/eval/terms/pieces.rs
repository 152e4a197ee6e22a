//! Knights and bishops: outposts, bad bishops, distance to the king, and closed positions.

use super::{Attacker, Side, View};
use crate::eval::{
    feature::Feature,
    geometry::{distance, files_of, forward, front_spans, pawn_attacks, ranks},
    tally::Tally,
};
use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

/// Rewards minor pieces of `view.side` directly behind a pawn.
pub(super) fn count(view: View<'_, impl Side>, tally: &mut impl Tally) {
    let (board, _, side) = view.parts();
    // the pawn in front shields the piece
    let minors = board.by_color(side) & (board.knights() | board.bishops());
    let shielded = minors & forward(board.pawns(), !side);
    tally.add(side, Feature::MinorBehindPawn, 0, shielded.count() as i32);
}

/// Rewards a knight near its own king, on an outpost, or one move from an outpost.
pub(super) fn knight(
    view: View<'_, impl Side>,
    knight: Attacker,
    outposts: Bitboard,
    tally: &mut impl Tally,
) {
    let (board, attacks, side) = view.parts();
    let distance = distance(attacks.get(side).king, knight.square);
    tally.add(side, Feature::KnightKingDistance, distance, 1);
    if outposts.contains(knight.square) {
        tally.add(side, Feature::KnightOutpost, 0, 1);
    } else if (knight.attacks & outposts & !board.by_color(side)).any() {
        tally.add(side, Feature::ReachableOutpost, 0, 1);
    }
}

/// Adjusts the value of knights and rooks of both sides to how closed the position is.
///
/// In closed positions, with many blocked pawns and few open files, knights gain and rooks lose.
pub(super) fn closed(board: &Board, tally: &mut impl Tally) {
    const MOST: i32 = Feature::KnightByClosure.spec().len as i32 - 1;
    let pawns = board.pawns();
    let rammed = forward(pawns & board.white(), Color::White) & pawns & board.black();
    let open = 8 - files_of(pawns).count() as i32;
    let closure = pawns.count() as i32 + 3 * rammed.count() as i32 - 4 * open;
    let closure = (closure / 3).clamp(0, MOST) as usize;
    for side in Color::ALL {
        let number = |role: Role| board.by_piece(role.of(side)).count() as i32;
        tally.add(side, Feature::KnightByClosure, closure, number(Role::Knight));
        tally.add(side, Feature::RookByClosure, closure, number(Role::Rook));
    }
}

/// Returns the outposts of `view.side`: squares on its fourth to sixth rank, defended by an own
/// pawn, that no enemy pawn can attack now or later.
pub(super) fn outposts(view: View<'_, impl Side>) -> Bitboard {
    let (board, attacks, side) = view.parts();
    let theirs = board.pawns() & board.by_color(!side);
    let reached = pawn_attacks(theirs | front_spans(theirs, !side), !side);
    ranks(side, [3, 4, 5]) & attacks.get(side).by.pawn & !reached
}

/// Rewards a bishop near its own king, on an outpost, or with a view of two centre squares.
///
/// Own pawns on its colour and enemy pawns on its diagonals, even behind other pieces, count
/// against it.
pub(super) fn bishop(
    view: View<'_, impl Side>,
    square: Square,
    outposts: Bitboard,
    tally: &mut impl Tally,
) {
    let (board, attacks, side) = view.parts();
    let distance = distance(attacks.get(side).king, square);
    tally.add(side, Feature::BishopKingDistance, distance, 1);
    if outposts.contains(square) {
        tally.add(side, Feature::BishopOutpost, 0, 1);
    }
    let colour = if square.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
    let own_pawns = board.pawns() & board.by_color(side);
    tally.add(side, Feature::BadBishop, (own_pawns & colour).count().min(8), 1);
    let diagonals = attacks::bishop_attacks(square, Bitboard::EMPTY);
    let xrayed = diagonals & board.pawns() & board.by_color(!side);
    tally.add(side, Feature::BishopXrayPawns, 0, xrayed.count() as i32);
    let centre: Bitboard = [Square::D4, Square::E4, Square::D5, Square::E5].into_iter().collect();
    if (attacks::bishop_attacks(square, board.pawns()) & centre).more_than_one() {
        tally.add(side, Feature::LongDiagonal, 0, 1);
    }
}
