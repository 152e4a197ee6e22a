//! What rooks and queens can be proud or ashamed of.

use super::{Officer, Side, View};
use crate::eval::{
    feature::Feature,
    geometry::{ahead, beside, ranks},
    tally::Tally,
};
use shakmaty::{Bitboard, Square, attacks};

/// Rooks want files without pawns, the rank where the enemy's pawns began, and files where a
/// queen or the enemy king stands. Shut in beside the own king they are hardly rooks.
pub(super) fn rook(view: View<'_, impl Side>, piece: Officer, tally: &mut impl Tally) {
    let (board, attacks, side) = view.parts();
    let file = Bitboard::from_file(piece.square.file());
    let own_pawns = board.pawns() & board.by_color(side);
    let king = attacks.get(side).king;
    if (file & board.pawns()).is_empty() {
        tally.add(side, Feature::RookOpenFile, 0, 1);
    } else if (file & own_pawns).is_empty() {
        tally.add(side, Feature::RookHalfOpenFile, 0, 1);
    } else if (piece.attacks & !board.by_color(side)).count() <= 3
        && (king.file() < shakmaty::File::E) == (piece.square.file() < king.file())
    {
        tally.add(side, Feature::RookTrapped, 0, 1);
    }
    if ranks(side, [6]).contains(piece.square) {
        tally.add(side, Feature::RookSeventh, 0, 1);
    }
    if (file & board.queens()).any() {
        tally.add(side, Feature::RookOnQueenFile, 0, 1);
    }
    let enemy_king = attacks.get(!side).king.file();
    if (file & (Bitboard::from_file(enemy_king) | beside(enemy_king))).any()
        && (file & own_pawns).is_empty()
    {
        tally.add(side, Feature::RookOnKingFile, 0, 1);
    }
}

/// A queen behind a lone piece on the line of an enemy rook or bishop can be surprised; one deep in
/// the enemy's half, where no pawn will ever chase it, is a nuisance.
pub(super) fn queen(view: View<'_, impl Side>, queen: Square, tally: &mut impl Tally) {
    let (board, attacks, side) = view.parts();
    let enemy = board.by_color(!side);
    let snipers = (attacks::rook_attacks(queen, Bitboard::EMPTY) & board.rooks() & enemy)
        | (attacks::bishop_attacks(queen, Bitboard::EMPTY) & board.bishops() & enemy);
    let surprised = snipers.into_iter().any(|sniper| {
        (attacks::between(queen, sniper) & board.occupied()).single_square().is_some()
    });
    if surprised {
        tally.add(side, Feature::QueenWeak, 0, 1);
    }
    let theirs = board.pawns() & enemy;
    let chased = attacks.get(!side).by.pawn.contains(queen)
        || (theirs & beside(queen.file()) & ahead(queen, side)).any();
    let deep = ranks(side, [4, 5, 6, 7]).contains(queen);
    if deep && !chased {
        tally.add(side, Feature::QueenInfiltration, 0, 1);
    }
}
