//! What pieces are worth together with others, and on which lines they stand.

use crate::eval::{feature::Feature, tally::Tally};
use shakmaty::{Bitboard, Chess, Color, Position, Rank, Role};

/// Counts the piece terms of `side`.
pub(super) fn count(position: &Chess, side: Color, tally: &mut impl Tally) {
    bishop_pair(position, side, tally);
    rooks(position, side, tally);
}

/// The right to move is worth something in itself.
pub(super) fn tempo(position: &Chess, tally: &mut impl Tally) {
    tally.add(position.turn(), Feature::Tempo, 0, 1);
}

/// Two bishops cover both colours of square; pawns cannot hide from a pair.
fn bishop_pair(position: &Chess, side: Color, tally: &mut impl Tally) {
    let bishops = position.board().by_piece(Role::Bishop.of(side));
    if bishops.count() >= 2 {
        tally.add(side, Feature::BishopPair, 0, 1);
    }
}

/// Rooks want files without pawns, and the rank where the enemy's pawns began.
fn rooks(position: &Chess, side: Color, tally: &mut impl Tally) {
    let board = position.board();
    let own_pawns = board.by_piece(side.pawn());
    let seventh = Bitboard::from_rank(side.relative_rank(Rank::Seventh));
    for rook in board.by_piece(side.rook()) {
        let file = Bitboard::from_file(rook.file());
        if (file & board.pawns()).is_empty() {
            tally.add(side, Feature::RookOpenFile, 0, 1);
        } else if (file & own_pawns).is_empty() {
            tally.add(side, Feature::RookHalfOpenFile, 0, 1);
        }
        if seventh.contains(rook) {
            tally.add(side, Feature::RookSeventh, 0, 1);
        }
    }
}
