//! The interface between the search and the evaluation.

use crate::chess::score::Score;
use shakmaty::{Chess, Move};

/// A static evaluation with sums that are updated move by move.
pub trait Evaluator {
    /// Sums carried down the tree with the position. They are copied for each move, so no move has
    /// to be undone.
    type Sums: Copy + PartialEq + std::fmt::Debug;

    /// Computes the sums of a position from scratch: at the root, and to check [`Self::after`].
    fn sums(&self, position: &Chess) -> Self::Sums;

    /// Returns the sums after the legal move `m` is played in `before`.
    fn after(&self, sums: Self::Sums, before: &Chess, m: Move) -> Self::Sums;

    /// Returns the static score from the side to move's point of view. It is never a mate score.
    fn evaluate(&mut self, position: &Chess, sums: Self::Sums) -> Score;
}

#[cfg(test)]
pub mod stub {
    //! A constant evaluator, for tests that do not depend on the evaluation.

    use crate::chess::{evaluator::Evaluator, score::Score};
    use shakmaty::{Chess, Move};

    /// Scores every position as a draw.
    #[derive(Clone)]
    pub struct DrawEvaluator;

    impl Evaluator for DrawEvaluator {
        type Sums = ();

        fn sums(&self, _: &Chess) {}

        fn after(&self, (): (), _: &Chess, _: Move) {}

        fn evaluate(&mut self, _: &Chess, (): ()) -> Score {
            Score::DRAW
        }
    }
}
