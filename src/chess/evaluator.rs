//! What the search may ask of an evaluation, and all it knows about one.

use crate::chess::score::Score;
use shakmaty::{Chess, Move, MoveList, Square};

/// A static evaluation with sums that follow the moves.
pub trait Evaluator {
    /// Sums carried down the tree with the position: copied, never undone.
    type Sums: Copy + PartialEq + std::fmt::Debug;

    /// Counts a position from nothing: at the root, and to check [`Self::after`].
    fn sums(&self, position: &Chess) -> Self::Sums;

    /// The sums after the legal move `m` is played in `before`.
    fn after(&self, sums: Self::Sums, before: &Chess, m: Move) -> Self::Sums;

    /// The static score, from the side to move's point of view; never a mate score.
    fn evaluate(&mut self, position: &Chess, sums: Self::Sums) -> Score;

    /// The legal moves of a position `ply` half-moves from the root, in which the last move went to
    /// `last`, that are worth a thought. `None`: all, as it is unless attention is narrow.
    fn attended(&self, _: &Chess, _ply: usize, _last: Option<Square>) -> Option<MoveList> {
        None
    }
}

#[cfg(test)]
pub mod stub {
    //! For tests of what does not depend on what a position is worth.

    use crate::chess::{evaluator::Evaluator, score::Score};
    use shakmaty::{Chess, Move};

    /// Says of every position that it is even.
    #[derive(Clone)]
    pub struct Even;

    impl Evaluator for Even {
        type Sums = ();

        fn sums(&self, _: &Chess) {}

        fn after(&self, (): (), _: &Chess, _: Move) {}

        fn evaluate(&mut self, _: &Chess, (): ()) -> Score {
            Score::DRAW
        }
    }
}
