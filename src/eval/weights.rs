//! Weights of the evaluation, and the factors by which an appraisal bends them.

use super::{
    feature::{Feature, LEN},
    group::Group,
};
use crate::chess::score::Tapered;

/// Weights are in 256ths of a centipawn, so that scaling by a factor keeps quarter points.
pub const UNITS_PER_CENTIPAWN: i32 = 256;

/// The multiplier of a group of features, in 256ths. It may be negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factor(i32);

impl Factor {
    /// The factor that leaves every weight unchanged.
    pub const ONE: Self = Self(256);

    /// Rounds `ratio` to the nearest factor, clamped to ±64. Only here does a float affect play.
    #[must_use]
    #[allow(clippy::float_arithmetic)]
    pub fn from_ratio(ratio: f64) -> Self {
        Self((ratio.clamp(-64.0, 64.0) * 256.0).round() as i32)
    }

    /// Returns the factor as a ratio, for display.
    #[must_use]
    #[allow(clippy::float_arithmetic)]
    pub fn ratio(self) -> f64 {
        f64::from(self.0) / 256.0
    }

    const fn apply(self, weight: i32) -> i32 {
        let product = weight as i64 * self.0 as i64;
        ((product + if product < 0 { -128 } else { 128 }) / 256) as i32
    }
}

/// The factors of one side's groups of features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relevance(pub [Factor; Group::COUNT]);

impl Relevance {
    /// All factors are 1.
    pub const NEUTRAL: Self = Self([Factor::ONE; Group::COUNT]);
}

/// The group of each weight.
const GROUP_OF: [Group; LEN] = {
    let mut of = [Group::Material; LEN];
    let mut f = 0;
    while f < Feature::ALL.len() {
        let spec = Feature::ALL[f].spec();
        let mut i = 0;
        while i < spec.len {
            of[Feature::ALL[f].start() + i] = spec.group;
            i += 1;
        }
        f += 1;
    }
    of
};

/// The flat table of all weights, in 256ths of a centipawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights(pub [Tapered; LEN]);

impl Weights {
    /// Returns these weights multiplied by the factors in `relevance`.
    #[must_use]
    pub fn under(&self, relevance: &Relevance) -> Self {
        Self(std::array::from_fn(|i| {
            let factor = relevance.0[GROUP_OF[i] as usize];
            Tapered::new(factor.apply(self.0[i].mg()), factor.apply(self.0[i].eg()))
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neutral_is_identity_and_factors_round_to_nearest() {
        let weights = Weights(std::array::from_fn(|i| {
            let i = i32::try_from(i).unwrap();
            Tapered::new(i * 77 - 9000, 5000 - i * 31)
        }));
        assert_eq!(weights.under(&Relevance::NEUTRAL), weights);
        assert_eq!(Factor::from_ratio(1.0), Factor::ONE);
        assert_eq!(Factor::from_ratio(1.5).apply(3), 5);
        assert_eq!(Factor::from_ratio(1.5).apply(-3), -5);
        assert_eq!(Factor::from_ratio(-0.5).apply(256), -128);
    }
}
