//! Moves reduced to piece and target square: the indices of the histories.

use shakmaty::{Move, Square};

/// A moved piece and its target square: the index of continuation history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct Step(usize);

impl Step {
    /// The number of steps.
    pub(in crate::search) const COUNT: usize = 6 * 64;

    pub(in crate::search) fn of(m: Move) -> Self {
        Self((m.role() as usize - 1) * 64 + m.to().to_usize())
    }

    /// Returns the index, from 0 to 6 · 64 − 1.
    pub(in crate::search) fn number(self) -> usize {
        self.0
    }

    /// Returns the target square.
    pub(in crate::search) fn to(self) -> Square {
        Square::new((self.0 % 64) as u32)
    }
}

/// The moves one, two and four plies before: one by the opponent, two by the side to move.
pub(in crate::search) type Steps = [Option<Step>; 3];

/// The distances of [`Steps`], in plies.
pub(in crate::search) const STEPS_BACK: [usize; 3] = [1, 2, 4];
