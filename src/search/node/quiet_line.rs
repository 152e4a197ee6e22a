//! Where a position comes to rest: plain quiescence that keeps its line, and needs no table.

use crate::{
    chess::{
        evaluator::Evaluator,
        node::{Node, noisy_moves},
        score::{Score, Window},
    },
    search::see_ge,
};
use shakmaty::{Chess, Move, Position, Role};

/// Lines of captures and evasions are followed this far, in plies.
const DEEPEST: u32 = 16;

/// The best line of captures, promotions and answers to checks, after which nothing hangs; empty if
/// it is best to leave everything as it is.
pub fn quiet_line<E: Evaluator>(chess: Chess, evaluator: &mut E) -> Vec<Move> {
    let node = Node::new(evaluator, chess);
    let (_, mut line) = search(evaluator, &node, Window::FULL, DEEPEST);
    line.reverse();
    line
}

/// The score of `node`, and its principal line, last move first.
fn search<E: Evaluator>(
    evaluator: &mut E,
    node: &Node<E::Sums>,
    mut window: Window,
    depth: u32,
) -> (Score, Vec<Move>) {
    let chess = &node.chess;
    let in_check = node.in_check();
    let stand = if in_check && depth > 0 {
        Score::mated_in((DEEPEST - depth) as usize)
    } else {
        evaluator.evaluate(chess, node.sums)
    };
    let mut best = (stand, Vec::new());
    if depth == 0 || window.fails_high(stand) {
        return best;
    }
    window.raise(stand);
    let mut moves = if in_check { chess.legal_moves() } else { noisy_moves(chess) };
    moves.sort_by_key(|m| std::cmp::Reverse(victim_first(*m)));
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

/// The most valuable victim first, and of its attackers the least valuable.
fn victim_first(m: Move) -> i32 {
    let worth = |role: Option<Role>| role.map_or(0, |role| role as i32);
    16 * (worth(m.capture()) + worth(m.promotion())) - m.role() as i32
}
