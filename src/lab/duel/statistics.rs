//! Elo estimates and sequential tests from the results of a duel.
//!
//! The statistical unit is a pair of games from one opening with colours swapped, so that an
//! unbalanced opening cancels out. <https://www.chessprogramming.org/Match_Statistics>
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

use crate::support::noise::{DEVIATIONS_95, student};

/// The minimum number of pairs for estimating a variance.
const LEAST_PAIRS: f64 = 8.0;
/// The log-likelihood bound of a sequential test with 5 % errors of both kinds, ln(0.95 / 0.05).
const BOUND: f64 = 2.944_438_979_166_44;
/// The smallest variance of a pair's score, times the number of pairs. An outcome that was never
/// seen may still occur in three of all pairs (rule of three, 95 %), a quarter away from the mean.
const UNSEEN_VARIANCE: f64 = 3.0 * 0.25 * 0.25;

/// Counts of finished games, from the first player's point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchScore {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// The number of pairs by the first player's half points, 0 to 4 (pentanomial counts).
    pub pairs: [u64; 5],
    /// Games lost on time, per player.
    pub forfeits: [u64; 2],
    /// The first player's half points in the first game of an unfinished pair.
    half_pair: Option<u8>,
}

impl MatchScore {
    /// Adds a game in which the first player scored `half_points`, 0 to 2.
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

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the Elo difference and half its 95 % interval.
    ///
    /// Returns `None` with fewer than eight pairs, or if all pairs ended alike.
    pub fn elo(&self) -> Option<(f64, f64)> {
        let (mean, variance) = self.moments()?;
        let pairs = self.finished_pairs();
        let error = student(DEVIATIONS_95, pairs) * (variance / (pairs - 1.0)).sqrt();
        let within = |score: f64| (1e-6..=1.0 - 1e-6).contains(&score);
        if variance <= 0.0 || !within(mean) || pairs < LEAST_PAIRS {
            return None;
        }
        let [low, high] = [mean - error, mean + error].map(|score| score.clamp(1e-6, 1.0 - 1e-6));
        Some((elo_of(mean), (elo_of(high) - elo_of(low)) / 2.0))
    }

    /// Returns mean and variance of the score of a pair, 0 to 1.
    fn moments(&self) -> Option<(f64, f64)> {
        let (counts, all) = (self.pairs.map(|count| count as f64), self.finished_pairs());
        let scored = || counts.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]);
        let mean = scored().map(|(count, score)| count * score).sum::<f64>() / all;
        let square = |score: f64| (score - mean) * (score - mean);
        let variance = scored().map(|(count, score)| count * square(score)).sum::<f64>() / all;
        (all > 0.0).then_some((mean, variance))
    }

    fn finished_pairs(&self) -> f64 {
        self.pairs.iter().sum::<u64>() as f64
    }
}

/// A sequential probability ratio test (SPRT) of two Elo differences, by the normal approximation
/// for pairs. <https://www.chessprogramming.org/Sequential_Probability_Ratio_Test>
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The Elo difference of the null hypothesis, rejected if the test passes.
    pub elo0: f64,
    /// The Elo difference of the alternative hypothesis, greater than `elo0`, rejected if the test
    /// fails.
    pub elo1: f64,
}

/// The state of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// `elo1` is accepted.
    Passed,
    /// `elo0` is accepted.
    Failed,
    /// More games are needed.
    Open,
}

impl Sprt {
    /// Returns the log-likelihood ratio of `elo1` to `elo0`.
    ///
    /// It compares two normal distributions, each with its own mean and with the variance of the
    /// pairs about that mean. The variance has a floor, so that a few games that end alike decide
    /// nothing.
    pub fn llr(self, tally: &MatchScore) -> f64 {
        let Some((mean, variance)) = tally.moments() else { return 0.0 };
        let pairs = tally.finished_pairs();
        if pairs < LEAST_PAIRS {
            return 0.0;
        }
        let variance = variance.max(UNSEEN_VARIANCE / pairs);
        let [score0, score1] = [self.elo0, self.elo1].map(score_of);
        let spread = |score: f64| variance + (mean - score).powi(2);
        pairs / 2.0 * (spread(score0) / spread(score1)).ln()
    }

    /// Returns the decision, at 5 % error of either kind.
    pub fn decision(self, tally: &MatchScore) -> Decision {
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

/// Returns the Elo difference that a score of 0 to 1 implies.
pub(in crate::lab) fn elo_of(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// Returns the expected score, from 0 to 1, of a player who is `elo` stronger.
pub(in crate::lab) fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: [u64; 5]) -> MatchScore {
        MatchScore { pairs, ..MatchScore::default() }
    }

    #[test]
    fn two_games_make_a_pair() {
        let mut tally = MatchScore::default();
        for half_points in [2, 1, 0, 0, 2] {
            tally.add(half_points);
        }
        assert_eq!((tally.wins, tally.draws, tally.losses), (2, 1, 2));
        assert_eq!(tally.pairs, [1, 0, 0, 1, 0]);
        assert_eq!(tally.games(), 5);
    }

    #[test]
    fn elo_follows_the_score_and_its_interval_shrinks_with_games() {
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
    fn a_sequential_test_ends_when_the_evidence_suffices() {
        let sprt = Sprt { elo0: 0.0, elo1: 5.0 };
        assert_eq!(sprt.decision(&tally([0; 5])), Decision::Open);
        assert_eq!(sprt.decision(&tally([20, 60, 100, 70, 25])), Decision::Open);
        assert_eq!(sprt.decision(&tally([500, 1500, 3000, 2000, 800])), Decision::Passed);
        assert_eq!(sprt.decision(&tally([800, 2000, 3000, 1500, 500])), Decision::Failed);
        // two pairs that end alike prove nothing
        assert_eq!(sprt.decision(&tally([0, 0, 0, 2, 0])), Decision::Open);
        let wide = Sprt { elo0: 0.0, elo1: 200.0 };
        assert_eq!(wide.decision(&tally([0, 0, 0, 7, 0])), Decision::Open);
        assert_eq!(wide.decision(&tally([0, 0, 0, 8, 0])), Decision::Passed);
        // ten pairs that end alike may be chance, hundreds are not
        let at_least_equal = Sprt { elo0: -5.0, elo1: 0.0 };
        assert_eq!(at_least_equal.decision(&tally([0, 0, 10, 0, 0])), Decision::Open);
        assert_eq!(at_least_equal.decision(&tally([0, 0, 300, 0, 0])), Decision::Passed);
        // by hand: mean 0.52, variance 0.0546, 100 pairs, scores 0.5 and 0.507195
        let llr = sprt.llr(&tally([5, 20, 42, 28, 5]));
        assert!((llr - 0.21501).abs() < 1e-4, "{llr}");
    }
}
