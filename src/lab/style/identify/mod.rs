//! Names the built-in temperament that played some games, from the moves alone.
//!
//! A search without feelings lists the best moves of each position. Each temperament likes some of
//! them more than others: by the bonus that its taste gives them, and by its own evaluation of the
//! end of the line minus the neutral one. These likings count somewhat more than scores, and captures,
//! checks and castling get a bonus from every temperament, because the search here is short.
//!
//! A temperament plays move k with the probability `exp((score[k] + liking[k]) / T)`, divided by the
//! sum over the listed moves. The scale T stands for everything that the search here cannot know,
//! such as the nodes of the player. Each temperament gets the T that suits it best. The probability
//! of a temperament is proportional to the probability of the moves. This is ours.
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

mod preferences;
mod report;

pub use report::{Identification, IdentificationRecord, PlayerIdentity};

use crate::{
    pgn::PlayedGame,
    player::OptionsError,
    profile::{Profile, ProfileError},
};
use preferences::{Preferences, Reader};
use shakmaty::{Color, Position};
use std::num::NonZeroU64;

/// The scales T that are tried, in centipawns.
const SCALES: [f64; 4] = [18.0, 27.0, 40.0, 60.0];
/// The probability that a move has other reasons, such as an opening book.
const NOISE: f64 = 0.02;

/// The temperaments that may have played.
#[derive(Clone, Debug)]
pub struct Candidates {
    all: Vec<(&'static str, Profile)>,
    neutral: Profile,
}

/// What the moves of one player tell about the temperaments.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    pub games: u64,
    /// The number of moves that were judged.
    pub moves: u64,
    /// The logarithm of the probability of all moves, for each candidate and scale.
    logs: Vec<[f64; SCALES.len()]>,
}

impl Candidates {
    /// Returns all built-in temperaments.
    ///
    /// # Errors
    /// Never, because built-in profiles are valid.
    pub fn builtin() -> Result<Self, ProfileError> {
        let named = |name| Ok((name, Profile::builtin(name)?));
        let all = Profile::BUILTIN.into_iter().map(named).collect::<Result<_, _>>()?;
        Ok(Self { all, neutral: Profile::builtin("neutral")? })
    }

    /// Returns what the moves of `side` in `game` tell. Each position is searched with `nodes`.
    ///
    /// # Errors
    /// If the engine cannot be created.
    pub fn judge(
        &self,
        game: &PlayedGame,
        side: Color,
        nodes: NonZeroU64,
    ) -> Result<Evidence, OptionsError> {
        let mut reader = Reader::new(self.neutral.clone(), nodes)?;
        let logs = vec![[0.0; SCALES.len()]; self.all.len()];
        let mut evidence = Evidence { games: 1, moves: 0, logs };
        let mut now = game.start.clone();
        for played in &game.moves {
            if now.chess.turn() == side
                && let Some(preferences) = reader.read(&now, played.m)
            {
                evidence.moves += 1;
                for (logs, (_, profile)) in evidence.logs.iter_mut().zip(&self.all) {
                    add(logs, &preferences, &preferences.likings(profile, &now.chess));
                }
            }
            now.push(played.m);
        }
        Ok(evidence)
    }

    /// Returns the probability of each candidate, the likeliest first. All candidates are equally
    /// likely before the first move.
    #[must_use]
    pub fn probabilities(&self, evidence: &Evidence) -> Vec<(&'static str, f64)> {
        let best = |logs: &[f64; SCALES.len()]| logs.iter().copied().fold(f64::MIN, f64::max);
        let logs: Vec<f64> = evidence.logs.iter().map(best).collect();
        let most = logs.iter().copied().fold(f64::MIN, f64::max);
        let weights: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
        let total: f64 = weights.iter().sum();
        let mut all: Vec<_> = self
            .all
            .iter()
            .zip(weights)
            .map(|((name, _), weight)| (*name, weight / total))
            .collect();
        all.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        all
    }
}

impl Evidence {
    /// Adds the evidence of other games of the same player.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.moves += other.moves;
        self.logs.resize(self.logs.len().max(other.logs.len()), [0.0; SCALES.len()]);
        for (log, more) in self.logs.as_flattened_mut().iter_mut().zip(other.logs.as_flattened()) {
            *log += more;
        }
    }
}

/// Adds the logarithm of the probability of the played move, at each scale.
fn add(logs: &mut [f64; SCALES.len()], preferences: &Preferences, likings: &[f64]) {
    let both = preferences.lines.iter().zip(likings);
    let scores: Vec<f64> = both.map(|(line, liking)| f64::from(line.score) + liking).collect();
    for (log, scale) in logs.iter_mut().zip(SCALES) {
        *log += log_probability(&scores, preferences.played, scale);
    }
}

/// Returns the logarithm of the probability of the move at `played`, given the scores of all moves
/// in centipawns.
fn log_probability(scores: &[f64], played: usize, scale: f64) -> f64 {
    let best = scores.iter().copied().fold(f64::MIN, f64::max);
    let weight = |score: f64| ((score - best) / scale).exp();
    let total: f64 = scores.iter().copied().map(weight).sum();
    let share = weight(scores[played]) / total;
    ((1.0 - NOISE) * share + NOISE / scores.len() as f64).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_better_move_is_likelier_and_no_move_is_impossible() {
        let scores = [0.0, 40.0, -2000.0];
        let log = |played| log_probability(&scores, played, 40.0);
        assert!(log(1) > log(0) && log(0) > log(2) && log(2) > -6.0);
        let sum: f64 = (0..3).map(|played| log(played).exp()).sum();
        assert!((sum - 1.0).abs() < 1e-9);
    }

    #[test]
    fn the_evidence_of_games_adds_up() {
        let candidates = Candidates::builtin().unwrap();
        let count = candidates.all.len();
        let of = |log: f64| Evidence {
            games: 1,
            moves: 2,
            logs: (0..count).map(|i| [if i == 3 { log } else { -9.0 }; SCALES.len()]).collect(),
        };
        let mut both = Evidence::default();
        both.add(&of(-9.0));
        assert!(
            candidates
                .probabilities(&both)
                .iter()
                .all(|(_, p)| (p * count as f64 - 1.0).abs() < 1e-9)
        );
        both.add(&of(-2.0));
        assert_eq!((both.games, both.moves), (2, 4));
        let (name, most) = candidates.probabilities(&both)[0];
        assert_eq!(name, Profile::BUILTIN[3]);
        assert!(most > 0.98 && most < 1.0, "{most}");
    }
}
