//! Ending terms: winning chances of the side that is ahead, driving a bare king to the edge, and
//! the king's distance to pawns.

use super::{Side, View};
use crate::eval::{
    feature::Feature,
    geometry::{distance, edge_distance, files_of, ranks},
    tally::Tally,
};
use shakmaty::{Bitboard, Board, Color, File, Role, Square};

/// Counts the ending terms of `view.side`, which is `lead` half pawns ahead.
pub(super) fn count(view: View<'_, impl Side>, lead: i32, tally: &mut impl Tally) {
    let (board, _, side) = view.parts();
    if lead < PAWN {
        return;
    }
    initiative(view, tally);
    // a pawn first has to promote
    if board.pawns().is_empty() && (is_bare(board, !side) || is_queen_against_rook(board, side)) {
        bare_king(view, tally);
    }
}

/// A pawn in the units of [`lead`]. A side that is at least a pawn ahead tries to win.
const PAWN: i32 = 2;

/// Returns White's material minus Black's, in half pawns.
pub(super) fn lead(board: &Board) -> i32 {
    [(Role::Pawn, PAWN), (Role::Knight, 6), (Role::Bishop, 7), (Role::Rook, 10), (Role::Queen, 19)]
        .into_iter()
        .map(|(role, halves)| {
            let number = |side: Color| board.by_piece(role.of(side)).count() as i32;
            halves * (number(Color::White) - number(Color::Black))
        })
        .sum()
}

/// Rewards winning chances: many pawns, pawns on both wings, open own pawns, a king in the enemy
/// half, and a pure pawn ending.
fn initiative(view: View<'_, impl Side>, tally: &mut impl Tally) {
    let (board, attacks, side) = view.parts();
    let pawns = board.pawns();
    tally.add(side, Feature::InitiativePawns, 0, pawns.count() as i32);
    let queens_wing = files([File::A, File::B, File::C, File::D]);
    if (pawns & queens_wing).any() && (pawns & !queens_wing).any() {
        tally.add(side, Feature::InitiativeFlanks, 0, 1);
    }
    let open = files_of(pawns & board.by_color(side)) & !files_of(pawns & board.by_color(!side));
    let majority = open.count() as i32;
    if majority > 0 {
        tally.add(side, Feature::InitiativePassed, 0, majority);
    }
    if ranks(side, [4, 5, 6, 7]).contains(attacks.get(side).king) {
        tally.add(side, Feature::InitiativeInfiltration, 0, 1);
    }
    if (pawns | board.kings()) == board.occupied() {
        tally.add(side, Feature::InitiativePawnEnding, 0, 1);
    }
}

/// Rewards a king near the nearest pawn of either side, which it can support or attack in the
/// ending.
pub(super) fn king_to_pawns(view: View<'_, impl Side>, tally: &mut impl Tally) {
    let king = view.attacks.get(view.side()).king;
    let pawns = view.board.pawns().into_iter();
    if let Some(nearest) = pawns.map(|pawn| distance(king, pawn)).min() {
        tally.add(view.side(), Feature::KingPawnDistance, nearest, 1);
    }
}

fn files<const N: usize>(files: [File; N]) -> Bitboard {
    files.into_iter().fold(Bitboard::EMPTY, |all, file| all | Bitboard::from_file(file))
}

fn is_bare(board: &Board, side: Color) -> bool {
    !board.by_color(side).more_than_one()
}

/// Whether `side` has only a queen and the other side only a rook. The rook falls when its king is
/// driven to the edge.
fn is_queen_against_rook(board: &Board, side: Color) -> bool {
    let pieces = board.occupied() & !board.kings();
    pieces.count() == 2
        && pieces
            == (board.queens() & board.by_color(side)) | (board.rooks() & board.by_color(!side))
}

/// Rewards what leads to mate: the enemy king near an edge and a corner, and the attacker's king near it.
///
/// Bishop and knight can force mate only in a corner of the bishop's colour. The weights exceed all
/// others, because nothing else matters.
fn bare_king(view: View<'_, impl Side>, tally: &mut impl Tally) {
    let (board, attacks, side) = view.parts();
    let (own, bare) = (attacks.get(side).king, attacks.get(!side).king);
    tally.add(side, Feature::BareKingDistance, distance(own, bare), 1);
    let pieces = board.by_color(side) & !board.kings();
    let (knights, bishops) = (pieces & board.knights(), pieces & board.bishops());
    if let (Some(_), Some(bishop)) = (knights.single_square(), bishops.single_square())
        && pieces == knights | bishops
    {
        tally.add(side, Feature::BareKingCorner, steps_to_corner(bare, bishop.is_dark()), 1);
    } else {
        let rank = bare.rank().to_usize();
        let steps = edge_distance(bare.file()) + rank.min(7 - rank);
        tally.add(side, Feature::BareKingEdge, steps, 1);
    }
}

/// Returns how many diagonals lie between `square` and the nearest corner of one colour, 0 to 7. On
/// the long diagonal of the other colour, the result is 7.
fn steps_to_corner(square: Square, is_dark: bool) -> usize {
    let file = square.file().to_usize();
    // seen in a mirror, light corners become dark ones
    let file = if is_dark { file } else { 7 - file };
    let diagonal = file + square.rank().to_usize();
    diagonal.min(14 - diagonal)
}
