//! Means over many games, with confidence intervals.
//!
//! A measure is a ratio of sums, such as captures per move. The statistical unit is a game, or all
//! games from one opening position, because neither the moves of a game nor such games are
//! independent.
//!
//! Its variance is estimated as for a cluster sample, Σ(sum - ratio·of)² / (Σ of)². Comparisons of
//! two players include the covariance of the units that both share (Cochran, Sampling
//! Techniques, 1977, chapters 6 and 9). The effective number of equal units is Kish's
//! (Σ of)² / Σ of² (Survey Sampling, 1965).

use super::{Measure, MeasureCount, Style};
use crate::support::noise::{DEVIATIONS_99, student};

/// The minimum number of units for an interval.
///
/// With fewer units, even "always" and "never" may differ by chance once in a hundred times.
const LEAST_UNITS: f64 = 5.0;

/// The statistics of one player: moments of each measure, in the order of [`Measure::ALL`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerMoments([Moments; Measure::COUNT]);

/// A mean with its confidence interval, in the unit of the measure.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Estimate {
    pub mean: f64,
    /// Half the width of the interval, or `None` with too few units.
    pub error: Option<f64>,
}

/// The units that two players share: games against each other, and openings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SharedUnits([Products; Measure::COUNT]);

/// Sums over all units with at least one observation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    pub units: u64,
    pub total: MeasureCount,
    squares: Products,
}

/// Sums of the products of two counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Products {
    sum_sum: f64,
    sum_of: f64,
    of_sum: f64,
    of_of: f64,
}

impl Products {
    fn add(&mut self, a: MeasureCount, b: MeasureCount) {
        self.sum_sum += a.sum * b.sum;
        self.sum_of += a.sum * b.of;
        self.of_sum += a.of * b.sum;
        self.of_of += a.of * b.of;
    }

    /// Returns Σ(sum - a·of)·(sum - b·of), for the ratios `a` and `b` of the two counts.
    fn about(&self, a: f64, b: f64) -> f64 {
        self.sum_sum - b * self.sum_of - a * self.of_sum + a * b * self.of_of
    }
}

impl Moments {
    /// Adds a unit. Units without observations are ignored.
    pub fn add(&mut self, count: MeasureCount) {
        if count.of > 0.0 {
            self.units += 1;
            self.total.sum += count.sum;
            self.total.of += count.of;
            self.squares.add(count, count);
        }
    }

    /// Returns the mean with its interval, or `None` without units.
    ///
    /// With infinitely many units, the interval would extend `deviations` standard deviations to
    /// either side. With fewer it is wider, by Student's t.
    #[must_use]
    pub fn estimate(&self, deviations: f64) -> Option<Estimate> {
        let mean = self.ratio()?;
        let units = self.equal_units();
        let error =
            (units >= LEAST_UNITS).then(|| student(deviations, units) * self.variance(mean).sqrt());
        Some(Estimate { mean, error })
    }

    fn ratio(&self) -> Option<f64> {
        (self.units > 0).then(|| self.total.sum / self.total.of)
    }

    fn variance(&self, ratio: f64) -> f64 {
        let about = self.squares.about(ratio, ratio).max(0.0);
        self.correction() * about / (self.total.of * self.total.of)
    }

    /// Returns Bessel's correction n / (n - 1): a sample underestimates the variance by this
    /// factor.
    fn correction(&self) -> f64 {
        let units = self.units as f64;
        units / (units - 1.0)
    }

    /// Returns the effective number of units: the equal-sized units with the same information.
    fn equal_units(&self) -> f64 {
        self.total.of * self.total.of / self.squares.of_of
    }
}

impl PlayerMoments {
    /// Adds a unit.
    pub fn add(&mut self, style: &Style) {
        for (moments, measure) in self.0.iter_mut().zip(Measure::ALL) {
            moments.add(style.count(measure));
        }
    }

    /// Returns the mean of a measure with its 99 % interval, or `None` without observations.
    #[must_use]
    pub fn estimate(&self, measure: Measure) -> Option<Estimate> {
        let Estimate { mean, error } = self.0[measure.index()].estimate(DEVIATIONS_99)?;
        let scale = measure.unit().scale();
        Some(Estimate { mean: scale * mean, error: error.map(|error| scale * error) })
    }

    /// Returns whether two players differ significantly in a measure, at the 99 % level.
    ///
    /// `common` holds the units shared by both, with this sample's player first.
    #[must_use]
    pub fn differs(&self, other: &Self, common: &SharedUnits, measure: Measure) -> bool {
        let [ours, theirs] = [self, other].map(|sample| sample.0[measure.index()]);
        let (Some(our_ratio), Some(their_ratio)) = (ours.ratio(), theirs.ratio()) else {
            return false;
        };
        let about = common.0[measure.index()].about(our_ratio, their_ratio);
        let correction = (ours.correction() * theirs.correction()).sqrt();
        let together = correction * about / (ours.total.of * theirs.total.of);
        let variance = ours.variance(our_ratio) + theirs.variance(their_ratio) - 2.0 * together;
        let units = ours.equal_units().min(theirs.equal_units());
        units >= LEAST_UNITS
            && (our_ratio - their_ratio).abs()
                > student(DEVIATIONS_99, units) * variance.max(0.0).sqrt()
    }
}

impl SharedUnits {
    /// Adds a unit that both players share.
    pub fn add(&mut self, first: &Style, second: &Style) {
        for (products, measure) in self.0.iter_mut().zip(Measure::ALL) {
            let [ours, theirs] = [first, second].map(|style| style.count(measure));
            if ours.of > 0.0 && theirs.of > 0.0 {
                products.add(ours, theirs);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a player with the given captures per game of 40 moves.
    fn sample(captures: &[f64]) -> PlayerMoments {
        let mut sample = PlayerMoments::default();
        for &captures in captures {
            sample.add(&game(captures));
        }
        sample
    }

    fn game(captures: f64) -> Style {
        let mut style = Style::default();
        style.0[Measure::Capture.index()] = MeasureCount { sum: captures, of: 40.0 };
        style
    }

    #[test]
    fn intervals_follow_students_t() {
        // by hand: mean 10, variance of the mean (4 + 1 + 0 + 1 + 4) / 4 / 5, per 40 moves
        let estimate = sample(&[8.0, 9.0, 10.0, 11.0, 12.0]).estimate(Measure::Capture).unwrap();
        assert!((estimate.mean - 25.0).abs() < 1e-12);
        let expected = student(DEVIATIONS_99, 5.0) * 0.5_f64.sqrt() / 40.0 * 100.0;
        assert!((estimate.error.unwrap() - expected).abs() < 1e-9, "{estimate:?}");
        let few = sample(&[8.0, 9.0, 10.0, 11.0]).estimate(Measure::Capture).unwrap();
        assert_eq!(few.error, None);
        assert_eq!(sample(&[1.0; 9]).estimate(Measure::Intensity), None);
    }

    #[test]
    fn long_games_weigh_more_than_short_ones() {
        let mut sample = sample(&[10.0]);
        let mut short = Style::default();
        short.0[Measure::Capture.index()] = MeasureCount { sum: 5.0, of: 10.0 };
        sample.add(&short);
        let mean = sample.estimate(Measure::Capture).unwrap().mean;
        assert!((mean - 30.0).abs() < 1e-12, "{mean}");
    }

    #[test]
    fn only_differences_beyond_noise_count() {
        let low = [8.0, 9.0, 10.0, 11.0, 12.0, 9.0, 11.0, 10.0];
        let high = low.map(|captures| captures + 1.0);
        let higher = low.map(|captures| captures + 3.0);
        let [low_, high_, higher_] = [low, high, higher].map(|captures| sample(&captures));
        let nothing = SharedUnits::default();
        assert!(!low_.differs(&high_, &nothing, Measure::Capture));
        assert!(low_.differs(&higher_, &nothing, Measure::Capture));
        assert!(higher_.differs(&low_, &nothing, Measure::Capture));
        assert!(!low_.differs(&higher_, &nothing, Measure::Check));
        // the same surplus in every shared unit is significant
        let meet = |other: &[f64]| {
            let mut met = SharedUnits::default();
            low.iter().zip(other).for_each(|(&a, &b)| met.add(&game(a), &game(b)));
            met
        };
        assert!(low_.differs(&high_, &meet(&high), Measure::Capture));
        // negatively correlated captures double the noise
        let fewer = low.map(|captures| 22.5 - captures);
        let fewer_ = sample(&fewer);
        assert!(low_.differs(&fewer_, &nothing, Measure::Capture));
        assert!(!low_.differs(&fewer_, &meet(&fewer), Measure::Capture));
    }

    #[test]
    fn one_large_unit_gives_no_interval() {
        let mut sample = sample(&[8.0, 9.0, 10.0, 11.0]);
        let mut large = Style::default();
        large.0[Measure::Capture.index()] = MeasureCount { sum: 9_000.0, of: 40_000.0 };
        sample.add(&large);
        let estimate = sample.estimate(Measure::Capture).unwrap();
        assert!(estimate.mean < 23.0 && estimate.error.is_none(), "{estimate:?}");
    }

    #[test]
    fn always_and_never_differ_with_five_games_or_more() {
        for (games, differ) in [(4, false), (5, true)] {
            let [never, always] = [0.0, 40.0].map(|captures| sample(&vec![captures; games]));
            assert_eq!(
                never.differs(&always, &SharedUnits::default(), Measure::Capture),
                differ,
                "{games}"
            );
        }
    }
}
