//! Means over many games, and how far chance alone may move them.
//!
//! A measure is a ratio of sums ("captures of moves") over units of chance: a game, or all games from
//! one opening position, for neither the moves of a game nor such games are independent of one another.
//! The variance of such a ratio is that of a cluster sample, Σ(sum - ratio·of)² / (Σ of)²; what goes
//! together in units that two players have in common is taken into account. Cochran, Sampling
//! Techniques (1977), chapters 6 and 9. Units of unequal size count as so many equal ones as Kish's
//! (Σ of)² / Σ of² tells (Survey Sampling, 1965).

use super::{Count, Measure, Style};
use crate::support::noise::{DEVIATIONS_99, student};

/// Units without which nothing is said about noise: of fewer, even "always" and "never" may differ by
/// chance once in a hundred times.
const LEAST_UNITS: f64 = 5.0;

/// How one player plays: moments of each measure, in the order of [`Measure::ALL`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample([Moments; Measure::COUNT]);

/// A mean, in the measure's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub mean: f64,
    /// Half the interval; none of too few units.
    pub error: Option<f64>,
}

/// What two players have in common: games with one another, and openings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meetings([Products; Measure::COUNT]);

/// Sums over units in which there was anything to count of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    pub units: u64,
    pub total: Count,
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
    fn add(&mut self, a: Count, b: Count) {
        self.sum_sum += a.sum * b.sum;
        self.sum_of += a.sum * b.of;
        self.of_sum += a.of * b.sum;
        self.of_of += a.of * b.of;
    }

    /// Σ(sum - ratio·of)·(sum - ratio·of), for the ratios of the two.
    fn about(&self, a: f64, b: f64) -> f64 {
        self.sum_sum - b * self.sum_of - a * self.of_sum + a * b * self.of_of
    }
}

impl Moments {
    /// Adds a unit.
    pub fn add(&mut self, count: Count) {
        if count.of > 0.0 {
            self.units += 1;
            self.total.sum += count.sum;
            self.total.of += count.of;
            self.squares.add(count, count);
        }
    }

    /// The mean, within an interval that were so many standard `deviations` wide to either side, were
    /// there no end of units; none of nothing.
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

    /// As many units as there are say too little about their own spread by this factor.
    fn correction(&self) -> f64 {
        let units = self.units as f64;
        units / (units - 1.0)
    }

    /// As many units of equal size tell as much.
    fn equal_units(&self) -> f64 {
        self.total.of * self.total.of / self.squares.of_of
    }
}

impl Sample {
    /// Adds a unit.
    pub fn add(&mut self, style: &Style) {
        for (moments, measure) in self.0.iter_mut().zip(Measure::ALL) {
            moments.add(style.count(measure));
        }
    }

    /// The mean of a measure; none if there was nothing to count of.
    #[must_use]
    pub fn estimate(&self, measure: Measure) -> Option<Estimate> {
        let Estimate { mean, error } = self.0[measure.index()].estimate(DEVIATIONS_99)?;
        let scale = measure.unit().scale();
        Some(Estimate { mean: scale * mean, error: error.map(|error| scale * error) })
    }

    /// Whether two players differ in a measure by more than noise does once in a hundred times.
    /// `common` is what the first and the second have in common.
    #[must_use]
    pub fn differs(&self, other: &Self, common: &Meetings, measure: Measure) -> bool {
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

impl Meetings {
    /// Adds a unit that both have.
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

    /// A player whose captures of 40 moves in each game are these.
    fn sample(captures: &[f64]) -> Sample {
        let mut sample = Sample::default();
        for &captures in captures {
            sample.add(&game(captures));
        }
        sample
    }

    fn game(captures: f64) -> Style {
        let mut style = Style::default();
        style.0[Measure::Capture.index()] = Count { sum: captures, of: 40.0 };
        style
    }

    #[test]
    fn intervals_are_those_of_students_t() {
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
        short.0[Measure::Capture.index()] = Count { sum: 5.0, of: 10.0 };
        sample.add(&short);
        let mean = sample.estimate(Measure::Capture).unwrap().mean;
        assert!((mean - 30.0).abs() < 1e-12, "{mean}");
    }

    #[test]
    fn a_difference_counts_if_noise_does_not_explain_it() {
        let low = [8.0, 9.0, 10.0, 11.0, 12.0, 9.0, 11.0, 10.0];
        let high = low.map(|captures| captures + 1.0);
        let higher = low.map(|captures| captures + 3.0);
        let [low_, high_, higher_] = [low, high, higher].map(|captures| sample(&captures));
        let nothing = Meetings::default();
        assert!(!low_.differs(&high_, &nothing, Measure::Capture));
        assert!(low_.differs(&higher_, &nothing, Measure::Capture));
        assert!(higher_.differs(&low_, &nothing, Measure::Capture));
        assert!(!low_.differs(&higher_, &nothing, Measure::Check));
        // unit by unit the same surplus: that is no chance
        let meet = |other: &[f64]| {
            let mut met = Meetings::default();
            low.iter().zip(other).for_each(|(&a, &b)| met.add(&game(a), &game(b)));
            met
        };
        assert!(low_.differs(&high_, &meet(&high), Measure::Capture));
        // what one takes the other cannot take: twice the noise
        let fewer = low.map(|captures| 22.5 - captures);
        let fewer_ = sample(&fewer);
        assert!(low_.differs(&fewer_, &nothing, Measure::Capture));
        assert!(!low_.differs(&fewer_, &meet(&fewer), Measure::Capture));
    }

    #[test]
    fn one_large_unit_tells_no_more_than_one() {
        let mut sample = sample(&[8.0, 9.0, 10.0, 11.0]);
        let mut large = Style::default();
        large.0[Measure::Capture.index()] = Count { sum: 9_000.0, of: 40_000.0 };
        sample.add(&large);
        let estimate = sample.estimate(Measure::Capture).unwrap();
        assert!(estimate.mean < 23.0 && estimate.error.is_none(), "{estimate:?}");
    }

    #[test]
    fn always_and_never_differ_from_five_games_on() {
        for (games, differ) in [(4, false), (5, true)] {
            let [never, always] = [0.0, 40.0].map(|captures| sample(&vec![captures; games]));
            assert_eq!(
                never.differs(&always, &Meetings::default(), Measure::Capture),
                differ,
                "{games}"
            );
        }
    }
}
