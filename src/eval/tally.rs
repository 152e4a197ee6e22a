//! Receivers for the counts that the terms report.

use super::{
    danger::{self, Cause},
    feature::{Feature, LEN},
    weights::Weights,
};
use crate::chess::score::Tapered;
use shakmaty::{ByColor, Color};

/// Receives the counts of the terms.
pub trait Tally {
    /// Adds `count` occurrences of `feature` for `side`, at `index` of its table.
    fn add(&mut self, side: Color, feature: Feature, index: usize, count: i32);

    /// Returns the units of `count` occurrences of `cause`, at `index` of its table, for the king of
    /// `side`.
    #[inline]
    fn danger(&mut self, _side: Color, cause: Cause, index: usize, count: i32) -> i32 {
        cause.units()[index] * count
    }
}

/// Adds up the weights of all counts, from White's point of view. This is the tally used in play.
#[derive(Debug)]
pub struct Sum<'w> {
    pub weights: &'w ByColor<Weights>,
    pub total: Tapered,
}

impl Tally for Sum<'_> {
    #[inline]
    fn add(&mut self, side: Color, feature: Feature, index: usize, count: i32) {
        debug_assert!(index < feature.spec().len, "{feature:?} has no index {index}");
        // a sign instead of a branch: sides alternate, so a branch would be mispredicted
        let sign = side.fold_wb(1, -1);
        self.total += self.weights.get(side).0[feature.start() + index] * (count * sign);
    }
}

/// Keeps every count, for the `eval` command, tuning and reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    counts: ByColor<[i32; LEN]>,
    causes: ByColor<[i32; danger::LEN]>,
}

impl Default for Trace {
    fn default() -> Self {
        Self {
            counts: ByColor { black: [0; LEN], white: [0; LEN] },
            causes: ByColor { black: [0; danger::LEN], white: [0; danger::LEN] },
        }
    }
}

impl Tally for Trace {
    #[inline]
    fn add(&mut self, side: Color, feature: Feature, index: usize, count: i32) {
        self.counts.get_mut(side)[feature.start() + index] += count;
    }

    #[inline]
    fn danger(&mut self, side: Color, cause: Cause, index: usize, count: i32) -> i32 {
        self.causes.get_mut(side)[cause.start() + index] += count;
        cause.units()[index] * count
    }
}

impl Trace {
    /// Returns the counts of `side`, in the order of the flat table of weights.
    #[must_use]
    pub fn counts(&self, side: Color) -> &[i32; LEN] {
        self.counts.get(side)
    }

    /// Returns the counts of the causes of danger to the king of `side`, in the order of their flat
    /// table.
    #[must_use]
    pub fn causes(&self, side: Color) -> &[i32; danger::LEN] {
        self.causes.get(side)
    }

    /// Returns the total of these counts under `weights`. It equals [`Sum::total`] of the same
    /// position.
    #[must_use]
    pub fn under(&self, weights: &ByColor<Weights>) -> Tapered {
        let mut total = Tapered::default();
        for i in 0..LEN {
            total += weights.white.0[i] * self.counts.white[i];
            total -= weights.black.0[i] * self.counts.black[i];
        }
        total
    }
}
