//! How the pawns hold together, and which of them nothing stops.

use crate::eval::{attacks::pawn_attacks, feature::Feature, tally::Tally};
use shakmaty::{Bitboard, Chess, Color, Position, Square};

/// Counts the pawn terms of `side`.
pub(super) fn count(position: &Chess, side: Color, tally: &mut impl Tally) {
    let board = position.board();
    let own = board.by_piece(side.pawn());
    let theirs = board.by_piece((!side).pawn());
    let guarded = pawn_attacks(own, side);
    let attacked = pawn_attacks(theirs, !side);
    for pawn in own {
        let ahead = ahead(pawn, side);
        let neighbours = own & beside(pawn);
        if (own & ahead & file(pawn)).any() {
            tally.add(side, Feature::DoubledPawn, 0, 1);
        }
        if neighbours.is_empty() {
            tally.add(side, Feature::IsolatedPawn, 0, 1);
        } else if (neighbours & !ahead).is_empty() && attacked.contains(stop(pawn, side)) {
            // every neighbour has gone past, and the step to join them loses the pawn
            tally.add(side, Feature::BackwardPawn, 0, 1);
        }
        let rank = side.relative_rank(pawn.rank()).to_usize();
        let phalanx = (neighbours & Bitboard::from_rank(pawn.rank())).any();
        if phalanx || guarded.contains(pawn) {
            tally.add(side, Feature::ConnectedPawn, rank, 1);
        }
        if (theirs & ahead & (file(pawn) | beside(pawn))).is_empty()
            && (own & ahead & file(pawn)).is_empty()
        {
            tally.add(side, Feature::PassedPawn, rank, 1);
        }
    }
}

fn file(square: Square) -> Bitboard {
    Bitboard::from_file(square.file())
}

/// The files to the left and to the right.
fn beside(square: Square) -> Bitboard {
    let file = file(square).0;
    Bitboard((file & !Bitboard::from_file(shakmaty::File::H).0) << 1)
        | Bitboard((file & !Bitboard::from_file(shakmaty::File::A).0) >> 1)
}

/// All ranks beyond that of `square`, as `side` goes.
fn ahead(square: Square, side: Color) -> Bitboard {
    let rank = square.rank().to_u32();
    match side {
        Color::White => Bitboard(u64::MAX.checked_shl(8 * (rank + 1)).unwrap_or(0)),
        Color::Black => Bitboard(!(u64::MAX << (8 * rank))),
    }
}

/// The square in front of a pawn; pawns never stand on the last rank.
fn stop(pawn: Square, side: Color) -> Square {
    side.fold_wb(pawn.offset(8), pawn.offset(-8)).unwrap_or(pawn)
}
