//! Passed pawns: no enemy pawn can stop or take them on their way.

use super::{Side, View};
use crate::eval::{
    feature::Feature,
    geometry::{distance, front_spans, path, relative_rank, sideways, step},
    tally::Tally,
};
use shakmaty::{Bitboard, Rank, Role, Square};

/// Counts the passed pawns of `view.side`; `to_move` tells whose turn it is for races.
pub(super) fn count(view: View<'_, impl Side>, to_move: bool, tally: &mut impl Tally) {
    let (board, _, side) = view.parts();
    let own = board.pawns() & board.by_color(side);
    let theirs = board.pawns() & board.by_color(!side);
    let before_them = front_spans(theirs, !side);
    let stopped = before_them | sideways(before_them) | front_spans(own, !side);
    for pawn in own & !stopped {
        passed(view, pawn, tally);
        if is_unstoppable(view, pawn, to_move) {
            tally.add(side, Feature::UnstoppablePawn, 0, 1);
        }
    }
}

/// What helps and hinders one passed pawn: a blocker, pawn support, a way that is free or safe,
/// how far the kings are from the square before it, and rooks behind it.
fn passed(view: View<'_, impl Side>, pawn: Square, tally: &mut impl Tally) {
    let (board, attacks, side) = view.parts();
    let rank = relative_rank(pawn, side);
    let (stop, path) = (step(pawn, side), path(pawn, side));
    let enemy = attacks.get(!side);
    tally.add(side, Feature::PassedPawn, rank, 1);
    if board.occupied().contains(stop) {
        tally.add(side, Feature::PassedBlocked, rank, 1);
    } else if !enemy.all.contains(stop) {
        tally.add(side, Feature::PassedSafeStep, rank, 1);
    }
    if attacks.get(side).by.pawn.contains(pawn) {
        tally.add(side, Feature::PassedSupported, rank, 1);
    }
    if (path & (board.by_color(!side) | enemy.all)).is_empty() {
        tally.add(side, Feature::PassedFreePath, rank, 1);
    }
    // kings matter the more the further the pawn has come
    let nearness = [0, 0, 0, 1, 2, 3, 4, 0][rank];
    if nearness > 0 {
        let own = distance(attacks.get(side).king, stop);
        let other = distance(enemy.king, stop);
        tally.add(side, Feature::PassedOwnKing, own, nearness);
        tally.add(side, Feature::PassedEnemyKing, other, nearness);
    }
    let behind = self::path(pawn, !side);
    if (board.by_piece(Role::Rook.of(side)) & behind).any() {
        tally.add(side, Feature::RookBehindPassed, 0, 1);
    }
    if (board.by_piece(Role::Rook.of(!side)) & behind).any() {
        tally.add(side, Feature::EnemyRookBehindPassed, 0, 1);
    }
}

/// The enemy has only king and pawns, the way is free, and its king is too far to catch the pawn:
/// <https://www.chessprogramming.org/Rule_of_the_Square>.
fn is_unstoppable(view: View<'_, impl Side>, pawn: Square, to_move: bool) -> bool {
    let (board, attacks, side) = view.parts();
    let enemy = board.by_color(!side) & !board.pawns() & !board.kings();
    let way = path(pawn, side);
    if enemy.any() || (way & board.occupied()).any() {
        return false;
    }
    let goal = Square::from_coords(pawn.file(), side.relative_rank(Rank::Eighth));
    // the double step from the second rank saves a move
    let moves = way.count().min(5);
    let chaser = distance(attacks.get(!side).king, goal);
    let escorted = (way & !attacks.get(side).by.king).is_empty()
        && Bitboard::from(goal).intersects(attacks.get(side).by.king);
    escorted || chaser > moves + usize::from(!to_move)
}
