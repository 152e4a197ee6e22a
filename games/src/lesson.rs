//! The games as trees for the engine's lesson in minimax.
//!
//! The lesson asks for values for the side to move. The evaluation of Horses is not antisymmetric,
//! so every leaf is evaluated from the side of the root, and the sign follows the side to move.

use crate::{
    evaluation::{Ends, Evaluation, WIN},
    level::Playable,
};
use deepfeeling::explain::minimax::GameTree;

/// Positions of a game, valued by the evaluation of the levels without a feeling.
#[derive(Clone, Copy, Debug)]
pub struct EvaluatedTree<G: Playable> {
    evaluation: Evaluation<G>,
}

impl<G: Playable> EvaluatedTree<G> {
    /// Creates the tree of `root`.
    pub fn new(root: &G) -> Self {
        let level = G::BY_DEPTH;
        Self { evaluation: Evaluation::new(root.turn(), level.weights, level.ends) }
    }

    /// Values a position for the side of the root.
    fn of_root(&self, position: &G) -> f64 {
        if position.outcome().is_none() {
            return self.evaluation.leaf(position);
        }
        let value = self.evaluation.end(position);
        let is_decided = self.evaluation.ends == Ends::Ranked && value.abs() > WIN / 2.0;
        if is_decided { value * f64::INFINITY } else { value }
    }
}

impl<G: Playable> GameTree for EvaluatedTree<G> {
    type Position = G;
    type Move = G::Move;

    fn children(&self, position: &G) -> Vec<(G::Move, G)> {
        position.moves().into_iter().map(|m| (m, position.after(m))).collect()
    }

    fn value(&self, position: &G) -> f64 {
        let value = self.of_root(position);
        if position.turn() == self.evaluation.side { value } else { -value }
    }

    fn describe(&self, _: &G, line: &[G::Move]) -> String {
        line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    fn moves_again(&self, before: &G, after: &G) -> bool {
        before.turn() == after.turn()
    }
}
