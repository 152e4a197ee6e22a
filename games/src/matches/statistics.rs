//! The result of a match: counts, and means with 95 % intervals.
//!
//! The statistical unit is a pair of games from one start with sides exchanged, so that a start
//! that favours one side cancels out.
#![expect(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

use super::{GamePair, SIDES_OF_FIRST};
use crate::{game::Game, record::GameRecord};
use deepfeeling::{
    lab::duel::MatchScore,
    support::noise::{DEVIATIONS_95, student},
};
use serde::Serialize;

/// The mean of a sample, with its error.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SampleMean {
    units: u64,
    sum: f64,
    squares: f64,
}

impl SampleMean {
    /// Adds a unit.
    pub fn add(&mut self, value: f64) {
        self.units += 1;
        self.sum += value;
        self.squares += value * value;
    }

    /// Returns the mean, 0 for an empty sample.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.sum / self.units.max(1) as f64
    }

    /// Returns half the 95 % interval of the mean. `None` with fewer than two units.
    #[must_use]
    pub fn error(&self) -> Option<f64> {
        let units = self.units as f64;
        let variance = (self.squares - self.sum * self.mean()).max(0.0) / (units - 1.0);
        (self.units > 1).then(|| student(DEVIATIONS_95, units) * (variance / units).sqrt())
    }
}

/// What is known of a match, from the first player's point of view.
#[derive(Clone, Debug, Default)]
pub struct MatchTally {
    /// Wins, draws, losses and pairs.
    pub score: MatchScore,
    /// The share of the points, 0 to 1.
    pub share: SampleMean,
    /// The lead at the end of a game, in the unit of the game.
    pub lead: SampleMean,
    /// The share of the points of the first mover.
    pub first_mover: SampleMean,
    /// The number of moves of a game.
    pub moves: SampleMean,
    /// What is remarkable about finished games: its name, and how often it happened to the first
    /// player, to the second, and to neither.
    pub remarks: Option<(&'static str, [u64; 3])>,
}

impl MatchTally {
    /// Adds a finished pair.
    pub fn add<G: Game>(&mut self, GamePair(games): &GamePair<G>) {
        let mut sums = [0.0; 4];
        for (record, side) in games.iter().zip(SIDES_OF_FIRST) {
            let last = record.last();
            let half_points = |side| last.outcome().map_or(1, |outcome| outcome.half_points(side));
            self.score.add(half_points(side));
            let first_mover = half_points(record.start.turn());
            let moves = record.moves.len() as f64;
            let lead = f64::from(last.lead(side));
            let found =
                [f64::from(half_points(side)) / 2.0, lead, f64::from(first_mover) / 2.0, moves];
            sums.iter_mut().zip(found).for_each(|(sum, found)| *sum += found);
            self.remark(record, side as usize);
        }
        let [share, lead, first_mover, moves] = sums.map(|sum| sum / 2.0);
        self.share.add(share);
        self.lead.add(lead);
        self.first_mover.add(first_mover);
        self.moves.add(moves);
    }

    /// Counts the remark of a game in which the first player has the side with index `first`.
    fn remark<G: Game>(&mut self, record: &GameRecord<G>, first: usize) {
        if let Some((name, side)) = record.last().remark() {
            let (_, counts) = self.remarks.get_or_insert((name, [0; 3]));
            let whom = side.map_or(2, |side| usize::from(side as usize != first));
            counts[whom] += 1;
        }
    }

    /// Returns the summary for printing.
    #[must_use]
    pub fn report(&self, players: [String; 2], unit: &'static str) -> MatchReport {
        let MatchScore { wins, draws, losses, .. } = self.score;
        MatchReport {
            players,
            games: self.score.games(),
            wins,
            draws,
            losses,
            score: Estimate::of(&self.share),
            lead: Estimate::of(&self.lead),
            unit,
            moves: Estimate::of(&self.moves),
            first_mover: Estimate::of(&self.first_mover),
            remark: self.remarks.map(|(name, _)| name),
            remarks: self.remarks.map(|(_, counts)| counts),
            elo: self.score.elo().map(|(mean, error)| Estimate { mean, error: Some(error) }),
        }
    }
}

/// A mean with half its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Half the 95 % interval. `None` if the sample is too small.
    pub error: Option<f64>,
}

impl Estimate {
    /// Returns the mean of a sample.
    #[must_use]
    pub fn of(sample: &SampleMean) -> Self {
        Self { mean: sample.mean(), error: sample.error() }
    }
}

/// The summary of a match, from the first player's point of view.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchReport {
    /// The two players.
    pub players: [String; 2],
    /// The number of games.
    pub games: u64,
    /// Games won by the first player.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games won by the second player.
    pub losses: u64,
    /// The first player's share of the points, 0 to 1.
    pub score: Estimate,
    /// The first player's lead at the end.
    pub lead: Estimate,
    /// The unit of the lead.
    pub unit: &'static str,
    /// The number of moves of a game.
    pub moves: Estimate,
    /// The share of the points of the first mover, 0 to 1.
    pub first_mover: Estimate,
    /// What is remarkable about finished games.
    pub remark: Option<&'static str>,
    /// How often it happened to the first player, to the second, and to neither.
    pub remarks: Option<[u64; 3]>,
    /// The Elo difference.
    pub elo: Option<Estimate>,
}
