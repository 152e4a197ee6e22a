//! What the games of a duel say about the players' strength.
//!
//! The unit is the pair of games from one opening with colours changed: how lopsided an opening is
//! cancels out within it. <https://www.chessprogramming.org/Match_Statistics>
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

use crate::support::noise::{DEVIATIONS_95, student};

/// The spread of pairs is not known from fewer.
const LEAST_PAIRS: f64 = 8.0;
/// Both kinds of error of a sequential test, 5 %, as the logarithm of a likelihood ratio: ln(19).
const BOUND: f64 = 2.944_438_979_166_44;

/// Counts of finished games, from the first player's point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Pairs by the first player's half points in them, 0 to 4.
    pub pairs: [u64; 5],
    /// Games lost on time, by either player.
    pub forfeits: [u64; 2],
    /// Half points in a pair whose second game is still to come.
    half_pair: Option<u8>,
}

impl Tally {
    /// Adds a game in which the first player had so many half points, 0 to 2.
    pub fn add(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
        match self.half_pair.take() {
            Some(before) => self.pairs[usize::from(before + half_points)] += 1,
            None => self.half_pair = Some(half_points),
        }
    }

    /// Games so far.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The Elo difference and half its 95 % interval; none before there are eight pairs, or if all
    /// ended alike.
    pub fn elo(&self) -> Option<(f64, f64)> {
        let (mean, variance) = self.moments(0.0)?;
        let pairs = self.finished_pairs();
        let error = student(DEVIATIONS_95, pairs) * (variance / (pairs - 1.0)).sqrt();
        let within = |score: f64| (1e-6..=1.0 - 1e-6).contains(&score);
        if variance <= 0.0 || !within(mean) || pairs < LEAST_PAIRS {
            return None;
        }
        let [low, high] = [mean - error, mean + error].map(|score| score.clamp(1e-6, 1.0 - 1e-6));
        Some((elo_of(mean), (elo_of(high) - elo_of(low)) / 2.0))
    }

    /// Mean and variance of the score of a pair, 0 to 1, with so much added to each count.
    fn moments(&self, prior: f64) -> Option<(f64, f64)> {
        let counts = self.pairs.map(|count| count as f64 + prior);
        let all: f64 = counts.iter().sum();
        let scored = || counts.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]);
        let mean = scored().map(|(count, score)| count * score).sum::<f64>() / all;
        let square = |score: f64| (score - mean) * (score - mean);
        let variance = scored().map(|(count, score)| count * square(score)).sum::<f64>() / all;
        (self.finished_pairs() > 0.0).then_some((mean, variance))
    }

    fn finished_pairs(&self) -> f64 {
        self.pairs.iter().sum::<u64>() as f64
    }
}

/// A sequential probability ratio test of one Elo difference against another, by the normal
/// approximation for pairs. <https://www.chessprogramming.org/Sequential_Probability_Ratio_Test>
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference that is refuted if the test passes …
    pub elo0: f64,
    /// … and the greater one that is refuted if it fails.
    pub elo1: f64,
}

/// What a sequential test has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// At least `elo1` is far more likely.
    Passed,
    /// At most `elo0` is.
    Failed,
    Open,
}

impl Sprt {
    /// The logarithm of the likelihood ratio, of two normal distributions with either mean and the
    /// spread that each leaves to the pairs: a few games that end alike decide nothing.
    pub fn llr(self, tally: &Tally) -> f64 {
        // a thousandth of a pair of each kind: no variance is nought
        let Some((mean, variance)) = tally.moments(1e-3) else { return 0.0 };
        if tally.finished_pairs() < LEAST_PAIRS {
            return 0.0;
        }
        let [score0, score1] = [self.elo0, self.elo1].map(score_of);
        let spread = |score: f64| variance + (mean - score).powi(2);
        tally.finished_pairs() / 2.0 * (spread(score0) / spread(score1)).ln()
    }

    /// Whether that is enough for a decision, at 5 % error either way.
    pub fn decision(self, tally: &Tally) -> Decision {
        let llr = self.llr(tally);
        if llr >= BOUND {
            Decision::Passed
        } else if llr <= -BOUND {
            Decision::Failed
        } else {
            Decision::Open
        }
    }
}

fn elo_of(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: [u64; 5]) -> Tally {
        Tally { pairs, ..Tally::default() }
    }

    #[test]
    fn two_games_make_a_pair() {
        let mut tally = Tally::default();
        for half_points in [2, 1, 0, 0, 2] {
            tally.add(half_points);
        }
        assert_eq!((tally.wins, tally.draws, tally.losses), (2, 1, 2));
        assert_eq!(tally.pairs, [1, 0, 0, 1, 0]);
        assert_eq!(tally.games(), 5);
    }

    #[test]
    fn elo_is_that_of_the_score_and_shrinks_with_games() {
        // three quarters of the points: 190.85 Elo
        let (elo, error) = tally([0, 0, 50, 0, 50]).elo().unwrap();
        assert!((elo - 190.848).abs() < 0.01, "{elo}");
        let (_, later) = tally([0, 0, 200, 0, 200]).elo().unwrap();
        assert!(later < 0.6 * error, "{later} {error}");
        // by hand: eight pairs of mean 0.5 and variance 5/64, over 7 degrees of freedom t = 2.365
        let few = tally([1, 1, 4, 1, 1]).elo().unwrap().1;
        let high = 0.5 + 2.365 * (5.0_f64 / 64.0 / 7.0).sqrt();
        assert!((few - elo_of(high)).abs() < 0.5, "{few}");
        assert_eq!(tally([0; 5]).elo(), None);
        assert_eq!(tally([0, 0, 0, 0, 9]).elo(), None);
        assert_eq!(tally([0, 2, 2, 2, 1]).elo(), None);
        assert!(tally([0, 2, 2, 2, 2]).elo().is_some());
    }

    #[test]
    fn a_sequential_test_ends_when_the_games_say_so() {
        let sprt = Sprt { elo0: 0.0, elo1: 5.0 };
        assert_eq!(sprt.decision(&tally([0; 5])), Decision::Open);
        assert_eq!(sprt.decision(&tally([20, 60, 100, 70, 25])), Decision::Open);
        assert_eq!(sprt.decision(&tally([500, 1500, 3000, 2000, 800])), Decision::Passed);
        assert_eq!(sprt.decision(&tally([800, 2000, 3000, 1500, 500])), Decision::Failed);
        // two pairs that end alike are no proof
        assert_eq!(sprt.decision(&tally([0, 0, 0, 2, 0])), Decision::Open);
        let wide = Sprt { elo0: 0.0, elo1: 200.0 };
        assert_eq!(wide.decision(&tally([0, 0, 0, 7, 0])), Decision::Open);
        assert_eq!(wide.decision(&tally([0, 0, 0, 8, 0])), Decision::Passed);
        // by hand: mean 0.52, variance 0.0546, 100 pairs, scores 0.5 and 0.507195
        let llr = sprt.llr(&tally([5, 20, 42, 28, 5]));
        assert!((llr - 0.21501).abs() < 1e-4, "{llr}");
    }
}
