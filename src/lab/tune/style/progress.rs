//! The progress of a fit of style: present likings, the spread of measures, and what each iteration achieved.
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

use super::{
    MOST_WEIGHT, StyleFitOptions, WEIGHT_RATE,
    likings::{self, Likings},
};
use crate::{
    lab::{
        duel::{StyledGame, elo_of},
        style::{Measure, Style},
    },
    profile::Profile,
    support::{
        noise::DEVIATIONS_95,
        state_file::{self, StateError},
    },
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt, path::Path};

/// The first line of each file.
const HEADER: &str = "State of a fit of style by deepfeeling tune. The same command continues it.";
/// The weight of points at the start, in standard deviations of style.
const FIRST_WEIGHT: f64 = 4.0;

/// Sums over the games of a player: number, sum and sum of squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Sums {
    games: u64,
    sum: f64,
    squares: f64,
}

impl Sums {
    fn add(&mut self, value: f64) {
        self.games += 1;
        self.sum += value;
        self.squares += value * value;
    }

    fn with(&mut self, other: Self) {
        self.games += other.games;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    fn mean(self) -> f64 {
        self.sum / self.games.max(1) as f64
    }

    fn deviation(self) -> f64 {
        let variance = self.squares / self.games.max(1) as f64 - self.mean().powi(2);
        variance.max(0.0).sqrt()
    }

    /// Returns half the 95 % interval of the mean.
    fn error(self) -> f64 {
        DEVIATIONS_95 * self.deviation() / (self.games.max(2) as f64 - 1.0).sqrt()
    }
}

/// The measures of a player and of its opponent over the games of an iteration, and the player's points.
#[derive(Clone, Debug)]
pub(super) struct Aims {
    measures: Vec<(Measure, bool)>,
    own: Vec<Sums>,
    opponent: Vec<Sums>,
    points: Sums,
}

impl Aims {
    pub(super) fn new(measures: &[(Measure, bool)]) -> Self {
        let none = vec![Sums::default(); measures.len()];
        Self {
            measures: measures.to_vec(),
            own: none.clone(),
            opponent: none,
            points: Sums::default(),
        }
    }

    pub(super) fn add(&mut self, game: &StyledGame) {
        self.points.add(f64::from(game.half_points) / 2.0);
        for (sums, style) in [(&mut self.own, &game.first), (&mut self.opponent, &game.second)] {
            for (sum, (measure, _)) in sums.iter_mut().zip(&self.measures) {
                if let Some(value) = of_game(style, *measure) {
                    sum.add(value);
                }
            }
        }
    }

    /// Returns the sum of the measures in standard deviations from the mean of `neutral`.
    fn style(&self, neutral: &[Sums]) -> f64 {
        let each = self.measures.iter().zip(&self.own).zip(neutral);
        let deviations = each.map(|(((_, rises), own), neutral)| {
            let by = if neutral.deviation() > 0.0 && own.games > 0 {
                (own.mean() - neutral.mean()) / neutral.deviation()
            } else {
                0.0
            };
            if *rises { by } else { -by }
        });
        deviations.sum()
    }
}

/// Returns the mean of a measure in one game, or `None` if it was not observed.
fn of_game(style: &Style, measure: Measure) -> Option<f64> {
    let count = style.count(measure);
    (count.of > 0.0).then(|| count.sum / count.of)
}

/// What both players of an iteration achieved on average.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Achieved {
    style: f64,
    points: f64,
}

/// How far a fit is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Progress {
    /// What the games depend on.
    conditions: String,
    /// The number of finished iterations.
    pub(super) iteration: u64,
    /// The weight of points, in standard deviations of style.
    weight: f64,
    pub(super) likings: Likings,
    /// The measures of `neutral` in all games, in the order of the aims.
    neutral: Vec<Sums>,
    achieved: Vec<Achieved>,
}

impl Progress {
    /// Reads the progress of a run in the file at `path`. If the file does not exist, starts a new run.
    ///
    /// # Errors
    /// If the file is not the state of a run with these conditions.
    pub(super) fn resume(
        path: &Path,
        conditions: &str,
        profile: &Profile,
    ) -> Result<Self, StateError> {
        let start = likings::start(profile);
        let Some(found) = state_file::read::<Self>(path)? else {
            return Ok(Self {
                conditions: conditions.into(),
                iteration: 0,
                weight: FIRST_WEIGHT,
                likings: start,
                neutral: Vec::new(),
                achieved: Vec::new(),
            });
        };
        let refuse = |reason| Err(state_file::unusable(path, reason));
        if found.conditions != conditions {
            return refuse(format!("found a run with {}, expected {conditions}", found.conditions));
        }
        let is_finite =
            found.likings.values().chain([&found.weight]).all(|value| value.is_finite());
        if !found.likings.keys().eq(start.keys()) || !is_finite {
            return refuse("its likings are unknown to this version".into());
        }
        Ok(found)
    }

    /// Writes the progress to the file at `path`.
    ///
    /// # Errors
    /// If this fails. The file then keeps its content.
    pub(super) fn write(&self, path: &Path) -> Result<(), StateError> {
        state_file::write(path, HEADER, self)
    }

    /// Counts an iteration: `aims` of the player with the signed steps and of its opposite.
    pub(super) fn take(&mut self, aims: [Aims; 2], seed: u64, rate: f64, price: f64) {
        self.neutral.resize(aims[0].opponent.len(), Sums::default());
        for aim in &aims {
            self.neutral.iter_mut().zip(&aim.opponent).for_each(|(all, more)| all.with(*more));
        }
        let [plus, minus] =
            aims.map(|aim| Achieved { style: aim.style(&self.neutral), points: aim.points.mean() });
        let lead = plus.style - minus.style + self.weight * (plus.points - minus.points);
        likings::update(&mut self.likings, seed, self.iteration, rate * lead);
        let points = f64::midpoint(plus.points, minus.points);
        self.weight = (self.weight + WEIGHT_RATE * (price - points)).clamp(0.0, MOST_WEIGHT);
        self.achieved.push(Achieved { style: f64::midpoint(plus.style, minus.style), points });
        self.iteration += 1;
    }

    /// Returns the fitted profile, and what the last quarter of the iterations achieved.
    pub(super) fn fit(&self, options: &StyleFitOptions) -> StyleFit {
        let recent = self.achieved.len().div_ceil(4);
        let (mut style, mut points) = (Sums::default(), Sums::default());
        for achieved in self.achieved.iter().rev().take(recent) {
            style.add(achieved.style);
            points.add(achieved.points);
        }
        let (score, half) = (points.mean().clamp(0.01, 0.99), points.error());
        let ends = [score - half, score + half].map(|end| elo_of(end.clamp(0.001, 0.999)));
        let report = StyleFitReport {
            iterations: [self.iteration, options.iterations],
            games: 4 * options.pairs * self.iteration,
            style: [style.mean(), style.error()],
            elo: [elo_of(score), (ends[1] - ends[0]) / 2.0],
            weight: self.weight,
            likings: self
                .likings
                .iter()
                .map(|(name, value)| (name.clone(), likings::shown(name, *value)))
                .collect(),
        };
        StyleFit { profile: likings::applied(&options.profile, &self.likings), report }
    }
}

/// A fitted profile and its report.
#[derive(Clone, Debug, PartialEq)]
pub struct StyleFit {
    pub profile: Profile,
    pub report: StyleFitReport,
}

/// The state of a fit, for display.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StyleFitReport {
    /// Finished iterations, and the total number.
    pub iterations: [u64; 2],
    pub games: u64,
    /// How far the measures moved in the last quarter of the iterations: the sum in standard deviations
    /// between games, and half its 95 % interval.
    pub style: [f64; 2],
    /// Elo against `neutral` in these games, and half its 95 % interval.
    pub elo: [f64; 2],
    /// The weight of points, in standard deviations of style.
    pub weight: f64,
    /// The present likings: the change of all percentages of a group, or the taste.
    pub likings: BTreeMap<String, String>,
}

impl fmt::Display for StyleFitReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { iterations: [done, all], games, style, elo, weight, likings } = self;
        writeln!(f, "{done} of {all} iterations, {games} games\n")?;
        writeln!(f, "last quarter of the iterations, with 95 % intervals:")?;
        writeln!(f, "  style  {:+.3} ± {:.3} standard deviations", style[0], style[1])?;
        writeln!(f, "  Elo    {:+.0} ± {:.0} against neutral", elo[0], elo[1])?;
        writeln!(f, "weight of a point: {weight:.1} standard deviations\n")?;
        write!(f, "{:<20}{:>8}", "liking", "now")?;
        likings.iter().try_for_each(|(name, value)| write!(f, "\n{name:<20}{value:>8}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_give_mean_deviation_and_error() {
        let mut sums = Sums::default();
        for value in [1.0, 2.0, 3.0, 6.0] {
            sums.add(value);
        }
        assert!((sums.mean() - 3.0).abs() < 1e-12);
        assert!((sums.deviation() - 3.5_f64.sqrt()).abs() < 1e-12);
        assert!((sums.error() - DEVIATIONS_95 * (3.5_f64 / 3.0).sqrt()).abs() < 1e-12);
    }

    fn aims(style: f64, points: f64) -> Aims {
        let sums =
            |value: f64| Sums { games: 2, sum: 2.0 * value, squares: 2.0 * (value * value + 1.0) };
        Aims {
            measures: vec![(Measure::Check, true)],
            own: vec![sums(style)],
            opponent: vec![sums(0.0)],
            points: sums(points),
        }
    }

    #[test]
    fn the_weight_of_points_follows_the_price() {
        let profile = Profile::builtin("attacker").unwrap();
        let path = Path::new("missing/state.toml");
        let fresh = || Progress::resume(path, "a test", &profile).unwrap();
        let (mut dear, mut cheap) = (fresh(), fresh());
        dear.take([aims(0.1, 0.3), aims(0.1, 0.3)], 1, 0.1, 0.45);
        cheap.take([aims(0.1, 0.6), aims(0.1, 0.6)], 1, 0.1, 0.45);
        assert!(dear.weight > FIRST_WEIGHT && cheap.weight < FIRST_WEIGHT);
        // equal players move nothing
        assert_eq!(dear.likings, fresh().likings);
    }

    #[test]
    fn likings_move_towards_the_better_aim() {
        let profile = Profile::builtin("attacker").unwrap();
        let fresh =
            || Progress::resume(Path::new("missing/state.toml"), "a test", &profile).unwrap();
        let [plus, minus] = likings::players(&fresh().likings, 1, 0);
        for (ours, theirs, better) in [(0.5, 0.1, &plus), (0.1, 0.5, &minus)] {
            let mut progress = fresh();
            progress.take([aims(ours, 0.5), aims(theirs, 0.5)], 1, 0.1, 0.45);
            for (name, value) in &progress.likings {
                let (from, to) = (fresh().likings[name], better[name]);
                assert!((value - from) * (to - from) > 0.0, "{name}: {from} {value} {to}");
            }
        }
    }
}
