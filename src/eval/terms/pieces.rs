//! What knights and bishops can be proud or ashamed of, and where knights, not rooks, are at home.

use super::{Side, View};
use crate::eval::{
    attacks::Attacks,
    feature::Feature,
    geometry::{distance, fill_files, forward, front_spans, pawn_attacks, ranks},
    tally::Tally,
};
use shakmaty::{Bitboard, Board, Color, Rank, Role, Square, attacks};

/// Counts the terms about the minor pieces of `view.side`.
pub(super) fn count(view: View<'_, impl Side>, tally: &mut impl Tally) {
    let (board, attacks, side) = view.parts();
    let own = attacks.get(side);
    let outposts = outposts(view);
    // a pawn before a minor piece shields it
    let minors = board.by_color(side) & (board.knights() | board.bishops());
    let shielded = minors & forward(board.pawns(), !side);
    tally.add(side, Feature::MinorBehindPawn, 0, shielded.count() as i32);
    for knight in own.attackers(Role::Knight) {
        let distance = distance(own.king, knight.square);
        tally.add(side, Feature::KnightKingDistance, distance, 1);
        if outposts.contains(knight.square) {
            tally.add(side, Feature::KnightOutpost, 0, 1);
        } else if (knight.attacks & outposts & !board.by_color(side)).any() {
            tally.add(side, Feature::ReachableOutpost, 0, 1);
        }
    }
    for piece in own.attackers(Role::Bishop) {
        let distance = distance(own.king, piece.square);
        tally.add(side, Feature::BishopKingDistance, distance, 1);
        if outposts.contains(piece.square) {
            tally.add(side, Feature::BishopOutpost, 0, 1);
        }
        bishop(view, piece.square, tally);
    }
}

/// Where many pawns stand and block each other, and few files are open, knights are worth more and
/// rooks less. For both sides at once.
pub(super) fn closed(board: &Board, attacks: &Attacks, tally: &mut impl Tally) {
    const MOST: i32 = Feature::KnightByClosure.spec().len as i32 - 1;
    let pawns = board.pawns();
    let rammed = forward(pawns & board.white(), Color::White) & pawns & board.black();
    let open = !fill_files(pawns) & Bitboard::from_rank(Rank::First);
    let closure = pawns.count() as i32 + 3 * rammed.count() as i32 - 4 * open.count() as i32;
    let closure = (closure / 3).clamp(0, MOST) as usize;
    for side in Color::ALL {
        let number = |role: Role| attacks.get(side).attackers(role).len() as i32;
        tally.add(side, Feature::KnightByClosure, closure, number(Role::Knight));
        tally.add(side, Feature::RookByClosure, closure, number(Role::Rook));
    }
}

/// Squares in the enemy's half, guarded by an own pawn, that no enemy pawn can ever attack.
fn outposts(view: View<'_, impl Side>) -> Bitboard {
    let (board, attacks, side) = view.parts();
    let theirs = board.pawns() & board.by_color(!side);
    let reached = pawn_attacks(theirs | front_spans(theirs, !side), !side);
    ranks(side, [3, 4, 5]) & attacks.get(side).by.pawn & !reached
}

/// Own pawns on its colour shut a bishop in; enemy pawns on its diagonals stand in its way even
/// behind others; a fianchettoed one wants to see both squares of the centre.
fn bishop(view: View<'_, impl Side>, square: Square, tally: &mut impl Tally) {
    let (board, _, side) = view.parts();
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
