//! What a fit to human choices did, goal by goal.

use super::{
    super::report::{feeling, percents, told},
    Settings,
    logit::{Choice, Foretold},
};
use crate::{
    mind::{goal::Goal, relevance::Ratios},
    style::{Count, DEVIATIONS_95, Estimate, Moments},
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fmt, ops::RangeInclusive};

/// A goal in fear, or in relief.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub goal: Goal,
    pub is_relief: bool,
    /// There were enough choices to fit to; else the ratios are as they were.
    pub is_fitted: bool,
    /// Choices to train on, and held out.
    pub positions: [usize; 2],
    /// The mean logarithm of the chance given to what was chosen, of those held out (of those to train
    /// on, if there are none), in nats: without feeling, with one set of ratios for all goals, and with
    /// those of this goal. Not a number where there is none.
    pub likelihoods: [f64; 3],
    /// The share of choices that were given the best chance, likewise.
    pub hits: [f64; 3],
    pub ratios: Ratios,
}

/// By game, how much better the ratios of each goal foretell its choices than none do, and than one
/// set for all goals.
#[derive(Debug, Default)]
pub(super) struct Gains(BTreeMap<usize, [Count; 2]>);

impl Gains {
    /// Adds choices, and how each is foretold without, with one set, and with that of its goal.
    pub(super) fn add(&mut self, choices: &[&Choice], [without, one, with]: &[Vec<Foretold>; 3]) {
        for (((choice, without), one), with) in choices.iter().zip(without).zip(one).zip(with) {
            let game = self.0.entry(choice.game).or_default();
            for (count, other) in game.iter_mut().zip([without, one]) {
                count.sum += with.likelihood - other.likelihood;
                count.of += 1.0;
            }
        }
    }

    /// Over none, and over one set: in nats a choice, with half of a 95 % interval from the spread
    /// between games.
    fn estimates(&self) -> [Option<Estimate>; 2] {
        [0, 1].map(|which: usize| {
            let mut moments = Moments::default();
            self.0.values().for_each(|counts| moments.add(counts[which]));
            moments.estimate(DEVIATIONS_95)
        })
    }
}

/// All of it.
#[derive(Clone, Debug)]
pub struct Report {
    band: RangeInclusive<u16>,
    /// Moves of the band met.
    met: usize,
    rows: Vec<Row>,
    /// As [`Gains::estimates`] has them.
    gains: [Option<Estimate>; 2],
}

impl Report {
    pub(super) fn new(settings: &Settings, met: usize, rows: Vec<Row>, gains: &Gains) -> Self {
        Self { band: settings.band.clone(), met, rows, gains: gains.estimates() }
    }

    /// For programs.
    pub fn as_json(&self) -> serde_json::Value {
        let rows: Vec<_> = self
            .rows
            .iter()
            .map(|row| {
                json!({
                    "goal": row.goal.name(), "feeling": feeling(row.is_relief),
                    "fitted": row.is_fitted,
                    "training": row.positions[0], "held_out": row.positions[1],
                    "likelihood_without": row.likelihoods[0], "likelihood_one": row.likelihoods[1],
                    "likelihood_with": row.likelihoods[2],
                    "top1_without": row.hits[0], "top1_one": row.hits[1], "top1_with": row.hits[2],
                    "own": percents(&row.ratios.own), "other": percents(&row.ratios.other),
                })
            })
            .collect();
        let gain = |gain: Option<Estimate>| -> Value {
            gain.map(|gain| json!({"mean": gain.mean, "error": gain.error})).into()
        };
        json!({
            "gain_over_none": gain(self.gains[0]), "gain_over_one": gain(self.gains[1]),
            "target": "human", "band": [self.band.start(), self.band.end()], "moves": self.met,
            "choices": self.rows.iter().map(|row| row.positions[0] + row.positions[1]).sum::<usize>(),
            "goals": rows,
        })
    }

    /// The mean of a column over all choices that were watched.
    fn mean(&self, column: impl Fn(&Row) -> f64) -> f64 {
        let (mut sum, mut all) = (0.0, 0.0);
        for row in self.rows.iter().filter(|row| column(row).is_finite()) {
            let [training, held_out] = row.positions;
            let watched = if held_out > 0 { held_out } else { training } as f64;
            sum += watched * column(row);
            all += watched;
        }
        sum / all
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = (self.band.start(), self.band.end());
        writeln!(f, "{} moves of players from {low} to {high}", self.met)?;
        writeln!(
            f,
            "mean log-likelihood in nats, and top-1 share in percent, of choices held out: without \
             feeling, with one set of percentages for all goals, with those of each goal"
        )?;
        writeln!(
            f,
            "\n{:<20}{:<8}{:>9}{:>9} {:>9}{:>9}{:>9} {:>8}{:>7}{:>7}",
            "goal",
            "feeling",
            "training",
            "held out",
            "without",
            "one set",
            "its own",
            "without",
            "one",
            "own"
        )?;
        let figures = |likelihoods: [f64; 3], hits: [f64; 3]| {
            let [without, one, with] = likelihoods;
            let [hits_without, hits_one, hits_with] = hits.map(|share| 100.0 * share);
            format!(
                "{without:>9.4}{one:>9.4}{with:>9.4} {hits_without:>8.1}{hits_one:>7.1}{hits_with:>7.1}"
            )
        };
        for row in &self.rows {
            let [training, held_out] = row.positions;
            writeln!(
                f,
                "{:<20}{:<8}{training:>9}{held_out:>9} {}  {}",
                row.goal.name(),
                feeling(row.is_relief),
                figures(row.likelihoods, row.hits),
                told(row.is_fitted, &row.ratios)
            )?;
        }
        let likelihoods = [0, 1, 2].map(|set: usize| self.mean(|row| row.likelihoods[set]));
        let hits = [0, 1, 2].map(|set: usize| self.mean(|row| row.hits[set]));
        write!(f, "{:<46} {}", "all", figures(likelihoods, hits))?;
        for (gain, over) in self.gains.iter().zip(["no feeling", "one set for all goals"]) {
            let Some(Estimate { mean, error: Some(error) }) = gain else { continue };
            write!(f, "\ngain over {over}: {mean:+.5} ± {error:.5} nats a choice (95 %, by game)")?;
        }
        Ok(())
    }
}
