//! A fuzzy cognitive map of `N` concepts, and how it settles. Knows no chess.
//!
//! Activations flow along weighted links and are squashed back into bounds, step by step, until they
//! rest, return or run out of steps (Kosko 1986; Laureano-Cruces et al. 2012, section "map"). Only
//! matrix-vector products, and `exp` and `tanh` from `libm`: the same bits on every machine.

use nalgebra::{SMatrix, SVector};

/// How strongly each concept is felt, from -1 to 1.
pub type Activation<const N: usize> = SVector<f64, N>;

/// Keeps an activation within its bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Squash {
    /// `2 / (1 + exp(-slope · x)) - 1`: the article's, with slope 5.
    BipolarLogistic { slope: f64 },
    /// `tanh(slope · x)`.
    Tanh { slope: f64 },
    /// `1 / (1 + exp(-slope · x))`, in [0, 1].
    Logistic { slope: f64 },
    /// `x` within [-1, 1], cut off beyond.
    Saturation,
    /// 1 above 0, else 0.
    Bivalent,
    /// The sign of `x`: -1, 0 or 1.
    Trivalent,
}

impl Squash {
    /// The name in profiles.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::BipolarLogistic { .. } => "bipolar-logistic",
            Self::Tanh { .. } => "tanh",
            Self::Logistic { .. } => "logistic",
            Self::Saturation => "saturation",
            Self::Bivalent => "bivalent",
            Self::Trivalent => "trivalent",
        }
    }

    /// The parameter of those functions that have one.
    #[must_use]
    pub const fn slope(self) -> Option<f64> {
        match self {
            Self::BipolarLogistic { slope } | Self::Tanh { slope } | Self::Logistic { slope } => {
                Some(slope)
            }
            Self::Saturation | Self::Bivalent | Self::Trivalent => None,
        }
    }

    /// The activation that an influence of `x` makes.
    #[must_use]
    pub fn of(self, x: f64) -> f64 {
        match self {
            // the same curve as the quotient, but odd to the last bit: fear mirrors relief
            Self::BipolarLogistic { slope } => libm::tanh(slope * x / 2.0),
            Self::Tanh { slope } => libm::tanh(slope * x),
            Self::Logistic { slope } => 1.0 / (1.0 + libm::exp(-slope * x)),
            Self::Saturation => x.clamp(-1.0, 1.0),
            Self::Bivalent => f64::from(u8::from(x > 0.0)),
            Self::Trivalent => f64::from(i8::from(x > 0.0) - i8::from(x < 0.0)),
        }
    }
}

/// How the next activation of a concept follows from the links into it and from itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// `S(c·E)`: nothing but the links; the article's.
    Kosko,
    /// `S(c + c·E)`: each concept also remembers itself.
    ModifiedKosko,
    /// `S((2c - 1) + (2c - 1)·E)`: for maps in [0, 1], where 0.5 is "nothing known".
    Rescaled,
}

impl Rule {
    /// The name in profiles.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kosko => "kosko",
            Self::ModifiedKosko => "modified-kosko",
            Self::Rescaled => "rescaled",
        }
    }
}

/// Where relaxation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settling {
    /// Nothing moved any more after this many steps.
    FixedPoint { steps: u16 },
    /// The same states return; the mean of one round is reported.
    Cycle { period: u16 },
    /// Neither within the step limit: no appraisal may be built on it.
    Unsettled,
}

impl Settling {
    /// `felt` if the map settled, else nothing felt.
    #[must_use]
    pub const fn trusted(self, felt: f64) -> f64 {
        match self {
            Self::FixedPoint { .. } | Self::Cycle { .. } => felt,
            Self::Unsettled => 0.0,
        }
    }
}

/// Concepts and the influence of each on each.
#[derive(Clone, Debug, PartialEq)]
pub struct FuzzyCognitiveMap<const N: usize> {
    /// `influence[(to, from)]`.
    pub influence: SMatrix<f64, N, N>,
    pub squash: Squash,
    pub rule: Rule,
    /// The map has settled once no activation moves by this much in a step.
    pub tolerance: f64,
    pub step_limit: u16,
}

/// The longest round that is looked for, within the tolerance, when the steps have run out.
const LONGEST_LATE_ROUND: u16 = 64;

impl<const N: usize> FuzzyCognitiveMap<N> {
    /// The next activation; concepts in `held` keep theirs.
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

    /// Relaxes from `start`; concepts in `held` keep their value throughout.
    #[must_use]
    pub fn relax(&self, start: &Activation<N>, held: &[bool; N]) -> (Activation<N>, Settling) {
        self.relax_watched(start, held, |_| ())
    }

    /// [`Self::relax`], and the state after each step, for people: table 5 is such a list. The start
    /// comes first.
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

    /// Steps until rest, until an earlier state returns exactly, or until the limit.
    ///
    /// Returns are found with one remembered state that is renewed at every power of two (Brent
    /// 1980): it needs no list, and the first return gives the shortest period.
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

    /// The shortest round, within the tolerance, that `last` is part of; at least two steps.
    fn late_period(&self, last: &Activation<N>, held: &[bool; N]) -> Option<u16> {
        let mut now = *last;
        for period in 1..=LONGEST_LATE_ROUND {
            now = self.step(&now, held);
            if self.same(last, &now) {
                // a single step is a rest that came too late
                return (period > 1).then_some(period);
            }
        }
        None
    }

    /// Whether every activation is within the tolerance of what it was; NaN never is, and what does
    /// not move at all is at any tolerance.
    fn same(&self, before: &Activation<N>, after: &Activation<N>) -> bool {
        let tolerance = self.tolerance.max(f64::MIN_POSITIVE);
        before.iter().zip(after.iter()).all(|(b, a)| (a - b).abs() < tolerance)
    }

    /// The mean of the round of `period` states that begins at `now`.
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
    fn squashes_have_their_shapes_and_bounds() {
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
    fn a_map_that_makes_no_sense_is_unsettled_not_at_rest() {
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
