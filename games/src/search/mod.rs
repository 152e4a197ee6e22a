//! The searches: plain minimax, alpha-beta to a fixed depth, and iterative deepening with a table
//! of positions.
//!
//! All values are seen from one side, the side of the evaluation. Positions where that side moves
//! are maximised and all others minimised, so a side may move several times in a row.

pub mod deepening;
pub mod table;

use crate::{
    evaluation::{Evaluation, Terms},
    game::Game,
};

/// A move at the root of a search, with its value for the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootMove<M> {
    /// The move.
    pub m: M,
    /// Its value, in units of the evaluation.
    pub value: f64,
}

/// Returns the value of `position` by plain minimax, `depth` moves deep. [`alpha_beta`] must return
/// the same value.
pub fn minimax<G: Terms>(position: &G, depth: u8, evaluation: &Evaluation<G>) -> f64 {
    let moves = position.moves();
    if moves.as_ref().is_empty() {
        return evaluation.end(position);
    }
    if depth == 0 {
        return evaluation.leaf(position);
    }
    let values = moves.into_iter().map(|m| minimax(&position.after(m), depth - 1, evaluation));
    if position.turn() == evaluation.side {
        values.fold(f64::NEG_INFINITY, f64::max)
    } else {
        values.fold(f64::INFINITY, f64::min)
    }
}

/// Returns the value of `position`, `depth` moves deep, if it is between `alpha` and `beta`.
///
/// A value of at most `alpha` is an upper bound, a value of at least `beta` a lower bound
/// (fail-soft). <https://www.chessprogramming.org/Alpha-Beta>
pub fn alpha_beta<G: Terms>(
    position: &G,
    depth: u8,
    (mut alpha, mut beta): (f64, f64),
    evaluation: &Evaluation<G>,
) -> f64 {
    let moves = position.moves();
    if moves.as_ref().is_empty() {
        return evaluation.end(position);
    }
    if depth == 0 {
        return evaluation.leaf(position);
    }
    let maximises = position.turn() == evaluation.side;
    let mut best = if maximises { f64::NEG_INFINITY } else { f64::INFINITY };
    for m in moves {
        let value = alpha_beta(&position.after(m), depth - 1, (alpha, beta), evaluation);
        if maximises {
            best = best.max(value);
            alpha = alpha.max(best);
        } else {
            best = best.min(value);
            beta = beta.min(best);
        }
        if alpha >= beta {
            break;
        }
    }
    best
}

/// Returns all moves of `position` with their exact values, `depth` moves deep including the first.
///
/// The evaluation must be for the side to move.
pub fn root_moves<G: Terms>(
    position: &G,
    depth: u8,
    evaluation: &Evaluation<G>,
) -> Vec<RootMove<G::Move>> {
    let open = (f64::NEG_INFINITY, f64::INFINITY);
    let below = depth.saturating_sub(1);
    let value = |m| alpha_beta(&position.after(m), below, open, evaluation);
    position.moves().into_iter().map(|m| RootMove { m, value: value(m) }).collect()
}

/// Returns the best moves of `position`, all with the same value: the value of [`minimax`].
///
/// The evaluation must be for the side to move. The list is empty only if the game is over.
pub fn best_moves<G: Terms>(
    position: &G,
    depth: u8,
    evaluation: &Evaluation<G>,
) -> Vec<RootMove<G::Move>> {
    best_above(position, |m, most| {
        // with this window, an equal value is exact and every lower value is a bound
        let window = (most.next_down(), f64::INFINITY);
        alpha_beta(&position.after(m), depth.saturating_sub(1), window, evaluation)
    })
}

/// Returns the moves of `position` with the largest `value`.
pub fn best_by<G: Game>(position: &G, value: impl Fn(G::Move) -> f64) -> Vec<RootMove<G::Move>> {
    best_above(position, |m, _| value(m))
}

/// Returns the moves of `position` with the largest `value`. It gets the largest value so far, below
/// which it need not be exact.
fn best_above<G: Game>(
    position: &G,
    value: impl Fn(G::Move, f64) -> f64,
) -> Vec<RootMove<G::Move>> {
    let mut best: Vec<RootMove<G::Move>> = Vec::new();
    for m in position.moves() {
        let most = best.first().map_or(f64::NEG_INFINITY, |best| best.value);
        let value = value(m, most);
        if value > most {
            best.clear();
        }
        if value >= most {
            best.push(RootMove { m, value });
        }
    }
    best
}
