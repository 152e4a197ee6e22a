//! Compares drawn think times with the times that people used.
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

use super::sample::ThinkTime;
use crate::{
    pgn::GameStage,
    player::human::{
        clock::{ClockModel, ClockWeight},
        clock_cue::ClockCue,
    },
    search::root::limits::Clock,
    support::random::Random,
};
use std::{fmt, time::Duration};
use strum::IntoEnumIterator;

/// Seed of the drawn times.
const SEED: u64 = 2;
/// `Move Overhead` of the drawn times, the default of the engine.
const OVERHEAD: Duration = Duration::from_millis(10);

/// The agreement between drawn and human times in one file. Times are in whole seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceReport {
    /// The name of the file.
    pub name: String,
    /// Number of moves.
    pub moves: usize,
    /// Rank correlation of the expected time with people's.
    pub expected: f64,
    /// Rank correlation of a drawn time with people's.
    pub drawn: f64,
    /// Like [`Self::expected`], with all times divided by the time per move of the time control.
    pub relative: f64,
    /// Like [`Self::drawn`], with all times divided by the time per move of the time control.
    pub relative_drawn: f64,
    /// The share of instant moves, by people and drawn.
    pub instant: [f64; 2],
    /// The Kolmogorov-Smirnov distance in the stages of the game and over all.
    pub distances: [Option<f64>; GameStage::ALL.len() + 1],
}

/// The fitted model, and its agreement with people by file.
#[derive(Clone, Debug, PartialEq)]
pub struct ClockReport {
    pub model: ClockModel,
    pub sources: Vec<SourceReport>,
}

impl ThinkTime {
    /// Returns a time drawn from `model` as clocks show it, in whole seconds, limited as in play.
    #[must_use]
    pub fn drawn(&self, model: &ClockModel, unit: f64) -> f64 {
        let duration = |seconds| Duration::try_from_secs_f64(seconds).unwrap_or_default();
        let clock =
            Clock { left: duration(self.left), increment: duration(self.control.increment) };
        let most = crate::player::human::most(clock, None, OVERHEAD, Duration::ZERO).as_secs_f64();
        model.time(&self.cues, self.control, 1.0, unit).min(most).round()
    }
}

impl SourceReport {
    /// Compares `times` with times drawn from `model`, without the first
    /// [`crate::pgn::FIRST_PLY`] plies of games. Returns `None` if no time remains.
    #[must_use]
    pub fn new(name: String, model: &ClockModel, times: &[&ThinkTime]) -> Option<Self> {
        let times: Vec<_> = times.iter().copied().filter(|time| !time.is_early).collect();
        let mut random = Random::new(SEED);
        let drawn: Vec<f64> = times.iter().map(|time| time.drawn(model, random.unit())).collect();
        let used: Vec<f64> = times.iter().map(|time| time.used.round()).collect();
        let expected: Vec<f64> =
            times.iter().map(|time| model.expected(&time.cues, time.control)).collect();
        let relative = |values: &[f64]| -> Vec<f64> {
            let pairs = values.iter().zip(&times);
            pairs.map(|(value, time)| value / time.control.per_move()).collect()
        };
        let instant = |values: &[f64]| values.iter().filter(|value| **value < 0.5).count() as f64;
        let within = |stage: Option<GameStage>| {
            let of = |values: &[f64]| -> Vec<f64> {
                let own = values.iter().zip(&times);
                let own = own.filter(|(_, time)| stage.is_none_or(|stage| time.stage == stage));
                own.map(|(value, _)| *value).collect()
            };
            distance(&of(&used), &of(&drawn))
        };
        let stages = GameStage::ALL.map(|stage| within(Some(stage)));
        (!times.is_empty()).then(|| Self {
            name,
            moves: times.len(),
            expected: rank_correlation(&expected, &used),
            drawn: rank_correlation(&drawn, &used),
            relative: rank_correlation(&relative(&expected), &relative(&used)),
            relative_drawn: rank_correlation(&relative(&drawn), &relative(&used)),
            instant: [&used, &drawn].map(|values| instant(values) / times.len() as f64),
            distances: [stages[0], stages[1], stages[2], within(None)],
        })
    }
}

/// Returns Spearman's rank correlation. It is 0 if all values of one list are equal.
fn rank_correlation(one: &[f64], other: &[f64]) -> f64 {
    let [one, other] = [one, other].map(|values| {
        let ranks = ranks(values);
        let mean = ranks.iter().sum::<f64>() / ranks.len().max(1) as f64;
        ranks.iter().map(|rank| rank - mean).collect::<Vec<_>>()
    });
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let scale = libm::sqrt(product(&one, &one) * product(&other, &other));
    if scale > 0.0 { product(&one, &other) / scale } else { 0.0 }
}

/// Returns the rank of each value. Equal values share their mean rank.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    for run in order.chunk_by(|&a, &b| values[a].total_cmp(&values[b]).is_eq()) {
        let rank = start as f64 + (run.len() - 1) as f64 / 2.0;
        for &at in run {
            ranks[at] = rank;
        }
        start += run.len();
    }
    ranks
}

/// Returns the Kolmogorov-Smirnov distance of two samples: the largest difference between their
/// cumulative distributions. `None` if one is empty.
fn distance(one: &[f64], other: &[f64]) -> Option<f64> {
    let [one, other] = [one, other].map(|values| {
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        values
    });
    let share = |values: &[f64], most: f64| {
        values.partition_point(|value| *value <= most) as f64 / values.len() as f64
    };
    let apart = |most: &f64| (share(&one, *most) - share(&other, *most)).abs();
    let is_known = !one.is_empty() && !other.is_empty();
    is_known.then(|| one.iter().chain(&other).map(apart).fold(0.0, f64::max))
}

impl fmt::Display for ClockReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<20} {:>8} {:>8} {:>8}", "cue", "instant", "mean", "spread")?;
        for (cue, ClockWeight { instant, mean, spread }) in
            ClockCue::iter().zip(&self.model.weights)
        {
            let name: &str = cue.into();
            writeln!(f, "{name:<20} {instant:>8.3} {mean:>8.3} {spread:>8.3}")?;
        }
        writeln!(f, "\nplayers held out: correlation of ranks, distance of distributions")?;
        writeln!(
            f,
            "{:<24} {:>7} {:>8} {:>6} {:>13} {:>10} {:>8} {:>14} {:>7} {:>6} {:>6} {:>6}",
            "file",
            "moves",
            "expected",
            "drawn",
            "expected rel.",
            "drawn rel.",
            "instant",
            "instant, drawn",
            "opening",
            "middle",
            "ending",
            "all"
        )?;
        for (row, source) in self.sources.iter().enumerate() {
            if row > 0 {
                writeln!(f)?;
            }
            write!(f, "{source}")?;
        }
        Ok(())
    }
}

impl fmt::Display for SourceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = self.instant.map(|share| format!("{:.1} %", 100.0 * share));
        let distances = self
            .distances
            .map(|distance| distance.map_or("-".into(), |distance| format!("{distance:.3}")));
        write!(
            f,
            "{:<24} {:>7} {:>8.3} {:>6.3} {:>13.3} {:>10.3} {:>8} {:>14} {:>7} {:>6} {:>6} {:>6}",
            self.name,
            self.moves,
            self.expected,
            self.drawn,
            self.relative,
            self.relative_drawn,
            percent[0],
            percent[1],
            distances[0],
            distances[1],
            distances[2],
            distances[3]
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_correlation_handles_ties_and_constants() {
        // scipy.stats.spearmanr gives 0.948683...
        let found = rank_correlation(&[1.0, 2.0, 2.0, 4.0], &[10.0, 20.0, 30.0, 40.0]);
        assert!((found - 0.948_683_298_050_513_8).abs() < 1e-12, "{found}");
        assert!((rank_correlation(&[3.0, 2.0, 1.0], &[1.0, 2.0, 9.0]) + 1.0).abs() < 1e-12);
        assert!(rank_correlation(&[1.0, 1.0], &[1.0, 2.0]).abs() < 1e-12);
    }

    #[test]
    fn the_distance_is_the_largest_gap_of_the_distributions() {
        assert!(distance(&[1.0, 2.0], &[2.0, 1.0]).unwrap().abs() < 1e-12);
        let found = distance(&[0.0, 0.0, 1.0, 5.0], &[0.0, 1.0, 1.0, 5.0]).unwrap();
        assert!((found - 0.25).abs() < 1e-12);
        assert!((distance(&[1.0], &[2.0]).unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(distance(&[], &[1.0]), None);
    }
}
