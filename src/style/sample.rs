//! Means over many games, and how far chance alone may move them.
//!
//! A measure is a ratio of sums over games ("captures of moves"), and a game is the unit of chance:
//! moves of one game are not independent of one another. The variance of such a ratio is that of a
//! cluster sample, Σ(sum - ratio·of)² / (Σ of)²; players who met have games in common, and what goes
//! together in these is taken into account. Cochran, Sampling Techniques (1977), chapters 6 and 9.

use super::{Count, Measure, Style};

/// Games without which nothing is said about noise: of fewer, even "always" and "never" may differ by
/// chance once in a hundred times.
const LEAST_GAMES: u64 = 5;
/// The standard deviations of a 99 % interval, were there no end of games.
const DEVIATIONS: f64 = 2.575_829_303_548_9;
/// Those of a 95 % interval.
pub const DEVIATIONS_95: f64 = 1.959_963_984_540_1;

/// The games of one player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    pub games: u64,
    /// In the order of [`Measure::ALL`].
    moments: [Moments; Measure::COUNT],
}

/// A mean over games, in the measure's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub mean: f64,
    /// Half the interval; none of too few games.
    pub error: Option<f64>,
}

/// The games that two players played with one another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meetings([Products; Measure::COUNT]);

/// Sums over games in which there was anything to count of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    pub games: u64,
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
    /// Adds a game.
    pub fn add(&mut self, count: Count) {
        if count.of > 0.0 {
            self.games += 1;
            self.total.sum += count.sum;
            self.total.of += count.of;
            self.squares.add(count, count);
        }
    }

    /// The mean, within an interval that were so many standard `deviations` wide to either side, were
    /// there no end of games; none of nothing.
    #[must_use]
    pub fn estimate(&self, deviations: f64) -> Option<Estimate> {
        let mean = self.ratio()?;
        let error = (self.games >= LEAST_GAMES)
            .then(|| student(deviations, self.games) * self.variance(mean).sqrt());
        Some(Estimate { mean, error })
    }

    fn ratio(&self) -> Option<f64> {
        (self.games > 0).then(|| self.total.sum / self.total.of)
    }

    fn variance(&self, ratio: f64) -> f64 {
        let about = self.squares.about(ratio, ratio).max(0.0);
        self.correction() * about / (self.total.of * self.total.of)
    }

    /// As many games as there are say too little about their own spread by this factor.
    fn correction(&self) -> f64 {
        let games = self.games as f64;
        games / (games - 1.0)
    }
}

impl Sample {
    /// Adds a game.
    pub fn add(&mut self, style: &Style) {
        self.games += 1;
        for (moments, measure) in self.moments.iter_mut().zip(Measure::ALL) {
            moments.add(style.count(measure));
        }
    }

    /// The mean of a measure; none if there was nothing to count of in any game.
    #[must_use]
    pub fn estimate(&self, measure: Measure) -> Option<Estimate> {
        let Estimate { mean, error } = self.moments[measure.index()].estimate(DEVIATIONS)?;
        let scale = measure.unit().scale();
        Some(Estimate { mean: scale * mean, error: error.map(|error| scale * error) })
    }

    /// Whether two players differ in a measure by more than noise does once in a hundred times. `met`
    /// are the games of the first with the second, if there are any.
    #[must_use]
    pub fn differs(&self, other: &Self, met: Option<&Meetings>, measure: Measure) -> bool {
        let [ours, theirs] = [self, other].map(|sample| sample.moments[measure.index()]);
        let games = ours.games.min(theirs.games);
        let (Some(our_ratio), Some(their_ratio)) = (ours.ratio(), theirs.ratio()) else {
            return false;
        };
        let together = met.map_or(0.0, |met| {
            let about = met.0[measure.index()].about(our_ratio, their_ratio);
            let correction = (ours.correction() * theirs.correction()).sqrt();
            correction * about / (ours.total.of * theirs.total.of)
        });
        let variance = ours.variance(our_ratio) + theirs.variance(their_ratio) - 2.0 * together;
        games >= LEAST_GAMES
            && (our_ratio - their_ratio).abs()
                > student(DEVIATIONS, games) * variance.max(0.0).sqrt()
    }
}

impl Meetings {
    /// Adds a game of the first player with the second.
    pub fn add(&mut self, first: &Style, second: &Style) {
        for (products, measure) in self.0.iter_mut().zip(Measure::ALL) {
            let [ours, theirs] = [first, second].map(|style| style.count(measure));
            if ours.of > 0.0 && theirs.of > 0.0 {
                products.add(ours, theirs);
            }
        }
    }
}

/// How many standard deviations of a mean over so many games make the interval that `z` make without
/// end of games: Student's t, by the series of Abramowitz and Stegun, 26.7.5; for 99 % and from
/// [`LEAST_GAMES`] on right to a hundredth.
fn student(z: f64, games: u64) -> f64 {
    let [z3, z5, z7, z9] = [3, 5, 7, 9].map(|power| z.powi(power));
    let terms = [
        z,
        (z3 + z) / 4.0,
        (5.0 * z5 + 16.0 * z3 + 3.0 * z) / 96.0,
        (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / 384.0,
        (79.0 * z9 + 776.0 * z7 + 1482.0 * z5 - 1920.0 * z3 - 945.0 * z) / 92160.0,
    ];
    let freedom = games as f64 - 1.0;
    terms.iter().rev().fold(0.0, |sum, term| sum / freedom + term)
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
        for (games, t) in [(6, 4.032), (11, 3.169), (31, 2.750), (1001, 2.581)] {
            assert!(
                (student(DEVIATIONS, games) - t).abs() < 0.01,
                "{games}: {}",
                student(DEVIATIONS, games)
            );
        }
        assert!((student(DEVIATIONS, 5) - 4.604).abs() < 0.02);
        // by hand: mean 10, variance of the mean (4 + 1 + 0 + 1 + 4) / 4 / 5, per 40 moves
        let estimate = sample(&[8.0, 9.0, 10.0, 11.0, 12.0]).estimate(Measure::Capture).unwrap();
        assert!((estimate.mean - 25.0).abs() < 1e-12);
        let expected = student(DEVIATIONS, 5) * 0.5_f64.sqrt() / 40.0 * 100.0;
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
        assert!(!low_.differs(&high_, None, Measure::Capture));
        assert!(low_.differs(&higher_, None, Measure::Capture));
        assert!(higher_.differs(&low_, None, Measure::Capture));
        assert!(!low_.differs(&higher_, None, Measure::Check));
        // game by game the same surplus: that is no chance
        let meet = |other: &[f64]| {
            let mut met = Meetings::default();
            low.iter().zip(other).for_each(|(&a, &b)| met.add(&game(a), &game(b)));
            met
        };
        assert!(low_.differs(&high_, Some(&meet(&high)), Measure::Capture));
        // what one takes the other cannot take: twice the noise
        let fewer = low.map(|captures| 22.5 - captures);
        let fewer_ = sample(&fewer);
        assert!(low_.differs(&fewer_, None, Measure::Capture));
        assert!(!low_.differs(&fewer_, Some(&meet(&fewer)), Measure::Capture));
    }

    #[test]
    fn always_and_never_differ_from_five_games_on() {
        for (games, differ) in [(4, false), (5, true)] {
            let [never, always] = [0.0, 40.0].map(|captures| sample(&vec![captures; games]));
            assert_eq!(never.differs(&always, None, Measure::Capture), differ, "{games}");
        }
    }
}
