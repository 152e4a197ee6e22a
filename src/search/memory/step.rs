//! Moves reduced to piece and target square: the indices of the histories.

use crate::chess::node::CompactMove;
use shakmaty::Square;
use std::num::NonZeroU16;

/// A moved piece and its target square: the index of continuation history. Small, because every node
/// keeps several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct Step(NonZeroU16);

impl Step {
    /// The number of steps.
    pub(in crate::search) const COUNT: usize = 6 * 64;

    #[inline]
    pub(in crate::search) fn of(m: impl Into<CompactMove>) -> Self {
        let m = m.into();
        // one more than the index, so that `Option<Step>` is as small
        let index = (m.role() as u16 - 1) * 64 + m.to().to_u32() as u16;
        Self(NonZeroU16::MIN.saturating_add(index))
    }

    /// Returns 0 for no step, and one more than [`Self::number`] for a step.
    pub(in crate::search) fn row(step: Option<Self>) -> usize {
        step.map_or(0, |step| usize::from(step.0.get()))
    }

    /// Returns the index, from 0 to 6 · 64 − 1.
    pub(in crate::search) fn number(self) -> usize {
        usize::from(self.0.get() - 1)
    }

    /// Returns the target square.
    pub(in crate::search) fn to(self) -> Square {
        Square::new((self.number() % 64) as u32)
    }
}

/// The moves one, two and four plies before: one by the opponent, two by the side to move.
pub(in crate::search) type Steps = [Option<Step>; 3];

/// The distances of [`Steps`], in plies.
pub(in crate::search) const STEPS_BACK: [usize; 3] = [1, 2, 4];
