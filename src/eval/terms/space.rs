//! Space: safe squares in one's own half where pieces can manoeuvre.

use super::{Side, View};
use crate::eval::{
    feature::Feature,
    geometry::{forward, ranks},
    tally::Tally,
};
use shakmaty::{Bitboard, File};

/// Rewards safe squares on the files c to f, second to fourth rank.
///
/// A square is safe if it has no own pawn and no enemy pawn attacks it. It counts twice if it is at
/// most three ranks behind an own pawn and not attacked at all. Space is worth more with more
/// pieces, and is not counted with fewer than three.
pub(super) fn count(view: View<'_, impl Side>, tally: &mut impl Tally) {
    let (board, attacks, side) = view.parts();
    let pieces = board.by_color(side) & !board.pawns() & !board.kings();
    if pieces.count() < 3 {
        return;
    }
    let middle = [File::C, File::D, File::E, File::F]
        .into_iter()
        .fold(Bitboard::EMPTY, |all, file| all | Bitboard::from_file(file));
    let own_pawns = board.pawns() & board.by_color(side);
    let safe = middle & ranks(side, [1, 2, 3]) & !own_pawns & !attacks.get(!side).by.pawn;
    let mut behind = forward(own_pawns, !side);
    behind |= forward(behind, !side);
    behind |= forward(behind, !side);
    let squares = safe.count() + (safe & behind & !attacks.get(!side).all).count();
    tally.add(side, Feature::Space, pieces.count().min(16), squares as i32);
}
