//! Rooks and queens: open files, the seventh rank, trapped rooks, and exposed or active queens.

use super::{Attacker, Side, View};
use crate::eval::{
    feature::Feature,
    geometry::{ahead, beside, ranks},
    tally::Tally,
};
use shakmaty::{Bitboard, Square, attacks};

/// Rewards a rook on open and half-open files, on the seventh rank, and on the file of a queen or
/// near the enemy king. Penalises a rook shut in by its own king.
pub(super) fn rook(view: View<'_, impl Side>, piece: Attacker, tally: &mut impl Tally) {
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

/// Penalises a queen exposed to a discovered attack or pin, and rewards one in the enemy half.
///
/// The queen is exposed if exactly one piece is between it and an enemy rook or bishop. In the enemy
/// half, it is rewarded only if no enemy pawn attacks it or can chase it away.
pub(super) fn queen(view: View<'_, impl Side>, queen: Square, tally: &mut impl Tally) {
    let (board, attacks, side) = view.parts();
    let enemy = board.by_color(!side);
    let snipers = (attacks::rook_attacks(queen, Bitboard::EMPTY) & board.rooks() & enemy)
        | (attacks::bishop_attacks(queen, Bitboard::EMPTY) & board.bishops() & enemy);
    let exposed = snipers.into_iter().any(|sniper| {
        (attacks::between(queen, sniper) & board.occupied()).single_square().is_some()
    });
    if exposed {
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
