//! Passed pawns: pawns that no enemy pawn can block or capture on their way.

use super::{Side, View};
use crate::eval::{
    feature::Feature,
    geometry::{distance, front_spans, path, relative_rank, sideways, step},
    tally::Tally,
};
use shakmaty::{Bitboard, Board, Color, Rank, Square, attacks};

/// Counts the passed pawns of `view.side`. `to_move` is whether that side is to move, which decides
/// races.
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

/// Rewards what helps one passed pawn and penalises what hinders it.
///
/// Support comes from an own pawn, a safe or defended next square, a free path, a near own king or
/// a rook behind it. A blocker, a near enemy king or an enemy rook behind it hinders.
fn passed(view: View<'_, impl Side>, pawn: Square, tally: &mut impl Tally) {
    let (board, attacks, side) = view.parts();
    let rank = relative_rank(pawn, side);
    let (stop, path) = (step(pawn, side), path(pawn, side));
    let (own, enemy) = (attacks.get(side), attacks.get(!side));
    let behind = heavy_behind(board, pawn, side);
    let attacked = if (behind & board.by_color(!side)).any() { path } else { path & enemy.all };
    tally.add(side, Feature::PassedPawn, rank, 1);
    if board.occupied().contains(stop) {
        tally.add(side, Feature::PassedBlocked, rank, 1);
    } else if !attacked.contains(stop) {
        tally.add(side, Feature::PassedSafeStep, rank, 1);
    } else if own.all.contains(stop) || (behind & board.by_color(side)).any() {
        tally.add(side, Feature::PassedGuardedStep, rank, 1);
    }
    if own.by.pawn.contains(pawn) {
        tally.add(side, Feature::PassedSupported, rank, 1);
    }
    if ((path & board.by_color(!side)) | attacked).is_empty() {
        tally.add(side, Feature::PassedFreePath, rank, 1);
    }
    // the kings matter more as the pawn advances
    let nearness = [0, 0, 0, 1, 2, 3, 4, 0][rank];
    if nearness > 0 {
        tally.add(side, Feature::PassedOwnKing, distance(own.king, stop), nearness);
        tally.add(side, Feature::PassedEnemyKing, distance(enemy.king, stop), nearness);
    }
    let rooks = board.rooks() & self::path(pawn, !side);
    if (rooks & board.by_color(side)).any() {
        tally.add(side, Feature::RookBehindPassed, 0, 1);
    }
    if (rooks & board.by_color(!side)).any() {
        tally.add(side, Feature::EnemyRookBehindPassed, 0, 1);
    }
}

/// Returns the rooks and queens of both sides that see `pawn` from behind.
fn heavy_behind(board: &Board, pawn: Square, side: Color) -> Bitboard {
    let heavy = board.rooks_and_queens() & self::path(pawn, !side);
    if heavy.is_empty() {
        return heavy;
    }
    heavy & attacks::rook_attacks(pawn, board.occupied())
}

/// Returns whether the enemy, left with king and pawns, cannot stop the pawn.
///
/// The path must be free. The enemy king must be outside the square of the pawn, or the pawn's king
/// must cover the whole path. See <https://www.chessprogramming.org/Rule_of_the_Square>.
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
