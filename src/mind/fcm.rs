//! A fuzzy cognitive map of `N` concepts.
//!
//! In each step, activations flow along weighted links and are squashed back into bounds. The map
//! stops when it reaches a fixed point, cycles, or runs out of steps (Kosko 1986; Laureano-Cruces
//! et al. 2012, section "map").
//!
//! Results are identical on every machine: only matrix-vector products are used, and `exp` and
//! `tanh` come from `libm`.

use nalgebra::{SMatrix, SVector};

/// The activation of each concept, from -1 to 1.
pub type Activation<const N: usize> = SVector<f64, N>;

/// The squashing function, which keeps activations within bounds.
#[derive(Clone, Copy, Debug, PartialEq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Squash {
    /// `2 / (1 + exp(-slope · x)) - 1`: the article's function, with slope 5.
    BipolarLogistic { slope: f64 },
    /// `tanh(slope · x)`.
    Tanh { slope: f64 },
    /// `1 / (1 + exp(-slope · x))`, in [0, 1].
    Logistic { slope: f64 },
    /// `x` clamped to [-1, 1].
    Saturation,
    /// 1 if `x` is above 0, else 0.
    Bivalent,
    /// The sign of `x`: -1, 0 or 1.
    Trivalent,
}

impl Squash {
    /// Returns the name used in profiles.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.into_str()
    }

    /// Returns the slope, if the function has one.
    #[must_use]
    pub const fn slope(self) -> Option<f64> {
        match self {
            Self::BipolarLogistic { slope } | Self::Tanh { slope } | Self::Logistic { slope } => {
                Some(slope)
            }
            Self::Saturation | Self::Bivalent | Self::Trivalent => None,
        }
    }

    /// Returns the activation that results from an influence of `x`.
    #[must_use]
    pub fn of(self, x: f64) -> f64 {
        match self {
            // the same curve as the quotient, but exactly odd, so that fear mirrors relief
            Self::BipolarLogistic { slope } => libm::tanh(slope * x / 2.0),
            Self::Tanh { slope } => libm::tanh(slope * x),
            Self::Logistic { slope } => 1.0 / (1.0 + libm::exp(-slope * x)),
            Self::Saturation => x.clamp(-1.0, 1.0),
            Self::Bivalent => f64::from(u8::from(x > 0.0)),
            Self::Trivalent => f64::from(i8::from(x > 0.0) - i8::from(x < 0.0)),
        }
    }
}

/// The update rule: how a concept's next activation follows from its incoming links and itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Rule {
    /// `S(c·E)`: the links only. This is the article's rule.
    Kosko,
    /// `S(c + c·E)`: each concept also keeps its own activation.
    ModifiedKosko,
    /// `S((2c - 1) + (2c - 1)·E)`: for maps in [0, 1], where 0.5 means unknown.
    Rescaled,
}

impl Rule {
    /// Returns the name used in profiles.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.into_str()
    }
}

/// How the map settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settling {
    /// The map reached a fixed point after this many steps.
    FixedPoint { steps: u16 },
    /// The map cycles through this many states. The reported activation is their mean.
    Cycle { period: u16 },
    /// The map did neither within the step limit. Its activations must not be used.
    Unsettled,
}

impl Settling {
    /// Returns `felt` if the map settled or cycles, else 0.
    #[must_use]
    pub const fn trusted(self, felt: f64) -> f64 {
        match self {
            Self::FixedPoint { .. } | Self::Cycle { .. } => felt,
            Self::Unsettled => 0.0,
        }
    }
}

/// A fuzzy cognitive map: concepts and the influence of each on the others.
#[derive(Clone, Debug, PartialEq)]
pub struct FuzzyCognitiveMap<const N: usize> {
    /// The weights of the links, as `influence[(to, from)]`.
    pub influence: SMatrix<f64, N, N>,
    /// The squashing function.
    pub squash: Squash,
    /// The update rule.
    pub rule: Rule,
    /// The map has settled when every activation changes by less than this in a step.
    pub tolerance: f64,
    /// The largest number of steps.
    pub step_limit: u16,
}

/// The longest period searched for, within the tolerance, after the last step.
const LONGEST_LATE_ROUND: u16 = 64;

impl<const N: usize> FuzzyCognitiveMap<N> {
    /// Returns the next activation. Concepts in `held` keep theirs.
    #[must_use]
    pub fn step(&self, now: &Activation<N>, held: &[bool; N]) -> Activation<N> {
        let influence = match self.rule {
            Rule::Kosko => self.influence * now,
            Rule::ModifiedKosko => now + self.influence * now,
            Rule::Rescaled => {
                let known = now.map(|c| 2.0 * c - 1.0);
                known + self.influence * known
            }
        };
        Activation::from_fn(|i, _| if held[i] { now[i] } else { self.squash.of(influence[i]) })
    }

    /// Runs the map from `start` until it settles. Concepts in `held` keep their value throughout.
    #[must_use]
    pub fn relax(&self, start: &Activation<N>, held: &[bool; N]) -> (Activation<N>, Settling) {
        self.relax_watched(start, held, |_| ())
    }

    /// Like [`Self::relax`], but also returns all states, as in the article's table 5. The first
    /// state is `start`.
    #[must_use]
    pub fn relax_traced(
        &self,
        start: &Activation<N>,
        held: &[bool; N],
    ) -> (Vec<Activation<N>>, Activation<N>, Settling) {
        let mut states = vec![*start];
        let (end, settling) = self.relax_watched(start, held, |state| states.push(*state));
        (states, end, settling)
    }

    /// Steps until a fixed point, until an earlier state recurs exactly, or until the step limit.
    ///
    /// Cycles are detected with Brent's algorithm (1980): one remembered state is replaced after
    /// every power of two steps. It needs no list of states and finds the shortest period.
    fn relax_watched(
        &self,
        start: &Activation<N>,
        held: &[bool; N],
        mut watch: impl FnMut(&Activation<N>),
    ) -> (Activation<N>, Settling) {
        let mut now = *start;
        let (mut remembered, mut age, mut renewal) = (now, 0, 1);
        for steps in 1..=self.step_limit {
            let next = self.step(&now, held);
            watch(&next);
            if self.same(&now, &next) {
                return (next, Settling::FixedPoint { steps });
            }
            now = next;
            age += 1;
            if now == remembered {
                return self.round(now, held, age);
            }
            if age == renewal {
                (remembered, age, renewal) = (now, 0, renewal.saturating_mul(2));
            }
        }
        match self.late_period(&now, held) {
            Some(period) => self.round(now, held, period),
            None => (now, Settling::Unsettled),
        }
    }

    /// Returns the shortest period, within the tolerance, of a cycle that contains `last`. The
    /// period is at least 2.
    fn late_period(&self, last: &Activation<N>, held: &[bool; N]) -> Option<u16> {
        let mut now = *last;
        for period in 1..=LONGEST_LATE_ROUND {
            now = self.step(&now, held);
            if self.same(last, &now) {
                // period 1 is a fixed point reached after the step limit
                return (period > 1).then_some(period);
            }
        }
        None
    }

    /// Returns whether every activation changed by less than the tolerance.
    ///
    /// NaN always counts as a change. No change at all is accepted even with a tolerance of 0.
    fn same(&self, before: &Activation<N>, after: &Activation<N>) -> bool {
        let tolerance = self.tolerance.max(f64::MIN_POSITIVE);
        before.iter().zip(after.iter()).all(|(b, a)| (a - b).abs() < tolerance)
    }

    /// Returns the mean of the `period` states of the cycle that contains `now`.
    fn round(
        &self,
        mut now: Activation<N>,
        held: &[bool; N],
        period: u16,
    ) -> (Activation<N>, Settling) {
        let mut sum = Activation::zeros();
        for _ in 0..period {
            sum += now;
            now = self.step(&now, held);
        }
        (sum / f64::from(period), Settling::Cycle { period })
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "these are exact")]

    use super::*;

    #[test]
    fn squashing_functions_match_their_formulas() {
        let logistic = Squash::BipolarLogistic { slope: 5.0 };
        for x in [-3.0, -0.4, 0.0, 0.01, 1.0] {
            let quotient = 2.0 / (1.0 + libm::exp(-5.0 * x)) - 1.0;
            assert!((logistic.of(x) - quotient).abs() < 1e-15, "{x}");
            assert_eq!(logistic.of(-x), -logistic.of(x));
        }
        assert_eq!(
            [-2.0, -0.5, 0.0, 2.0].map(|x| Squash::Saturation.of(x)),
            [-1.0, -0.5, 0.0, 1.0]
        );
        assert_eq!([-2.0, 0.0, 0.1].map(|x| Squash::Bivalent.of(x)), [0.0, 0.0, 1.0]);
        assert_eq!([-2.0, 0.0, 0.1].map(|x| Squash::Trivalent.of(x)), [-1.0, 0.0, 1.0]);
        assert_eq!(Squash::Logistic { slope: 1.0 }.of(0.0), 0.5);
        assert_eq!(Squash::Logistic { slope: 1.0 }.of(-1e9), 0.0);
        assert_eq!(Squash::Tanh { slope: 9.0 }.of(1e9), 1.0);
    }

    #[test]
    fn a_map_with_nan_weights_is_unsettled() {
        let map = FuzzyCognitiveMap {
            influence: SMatrix::<f64, 2, 2>::from_element(f64::NAN),
            squash: Squash::Tanh { slope: 1.0 },
            rule: Rule::Kosko,
            tolerance: 1e-6,
            step_limit: 50,
        };
        let (_, settling) = map.relax(&Activation::from_element(1.0), &[false; 2]);
        assert_eq!(settling, Settling::Unsettled);
        assert_eq!(settling.trusted(0.7), 0.0);
    }
}
