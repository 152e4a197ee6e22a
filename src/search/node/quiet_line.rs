//! Finds the line of captures that leads to a quiet position: a plain quiescence search without a
//! transposition table.

use super::see::see_ge;
use crate::chess::{
    evaluator::Evaluator,
    node::{Node, noisy_moves},
    score::{Score, Window},
};
use shakmaty::{Chess, Move, Position, Role};

/// The maximum length of the line, in plies.
const MAX_PLIES: u32 = 16;

/// Returns the best line of captures, promotions and check evasions, after which nothing hangs. It
/// is empty if no capture is worth making.
pub fn quiet_line<E: Evaluator>(chess: Chess, evaluator: &mut E) -> Vec<Move> {
    let node = Node::new(evaluator, chess);
    let (_, mut line) = search(evaluator, &node, Window::FULL, MAX_PLIES);
    line.reverse();
    line
}

/// Returns the score of `node` and its principal variation in reverse.
fn search<E: Evaluator>(
    evaluator: &mut E,
    node: &Node<E::Sums>,
    mut window: Window,
    depth: u32,
) -> (Score, Vec<Move>) {
    let chess = &node.chess;
    let in_check = node.in_check();
    let stand = if in_check && depth > 0 {
        Score::mated_in((MAX_PLIES - depth) as usize)
    } else {
        evaluator.evaluate(chess, node.sums)
    };
    let mut best = (stand, Vec::new());
    if depth == 0 || window.fails_high(stand) {
        return best;
    }
    window.raise(stand);
    let mut moves = if in_check { chess.legal_moves() } else { noisy_moves(chess) };
    moves.sort_by_key(|m| std::cmp::Reverse(mvv_lva(*m)));
    for m in moves {
        if !in_check && !see_ge(chess, m, 0) {
            continue;
        }
        let child = node.play(evaluator, m, node.key_after(m));
        let (score, mut line) = search(evaluator, &child, window.flip(), depth - 1);
        if -score > best.0 {
            line.push(m);
            best = (-score, line);
            window.raise(best.0);
            if window.is_empty() {
                break;
            }
        }
    }
    best
}

/// Ranks moves by MVV-LVA: most valuable victim first, then least valuable attacker.
/// <https://www.chessprogramming.org/MVV-LVA>
fn mvv_lva(m: Move) -> i32 {
    let worth = |role: Option<Role>| role.map_or(0, |role| role as i32);
    16 * (worth(m.capture()) + worth(m.promotion())) - m.role() as i32
}
