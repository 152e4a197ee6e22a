//! What a fit to human choices did, goal by goal.

use super::{
    super::report::{changes, feeling, percents},
    Settings,
};
use crate::mind::{goal::Goal, relevance::Ratios};
use serde_json::json;
use std::{fmt, ops::RangeInclusive};

/// A goal in fear, or in relief.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub goal: Goal,
    pub is_relief: bool,
    /// Choices to train on, and held out.
    pub positions: [usize; 2],
    /// The mean logarithm of the chance given to what was chosen, of those held out (of those to train
    /// on, if there are none), in nats, without and with feeling. Not a number where there is none.
    pub likelihoods: [f64; 2],
    /// The share of choices that were given the best chance, likewise.
    pub hits: [f64; 2],
    pub ratios: Ratios,
}

/// All of it.
#[derive(Clone, Debug)]
pub struct Report {
    band: RangeInclusive<u16>,
    /// Moves of the band met.
    met: usize,
    rows: Vec<Row>,
}

impl Report {
    pub(super) fn new(settings: &Settings, met: usize, rows: Vec<Row>) -> Self {
        Self { band: settings.band.clone(), met, rows }
    }

    /// For programs.
    pub fn as_json(&self) -> serde_json::Value {
        let rows: Vec<_> = self
            .rows
            .iter()
            .map(|row| {
                json!({
                    "goal": row.goal.name(), "feeling": feeling(row.is_relief),
                    "training": row.positions[0], "held_out": row.positions[1],
                    "likelihood_without": row.likelihoods[0], "likelihood_with": row.likelihoods[1],
                    "top1_without": row.hits[0], "top1_with": row.hits[1],
                    "own": percents(&row.ratios.own), "other": percents(&row.ratios.other),
                })
            })
            .collect();
        json!({
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
            "mean log-likelihood in nats, and top-1 share in percent, of choices held out, without \
             and with feeling"
        )?;
        writeln!(
            f,
            "\n{:<20}{:<8}{:>9}{:>9} {:>9}{:>9} {:>8}{:>8}",
            "goal", "feeling", "training", "held out", "without", "with", "without", "with"
        )?;
        for row in &self.rows {
            let [training, held_out] = row.positions;
            let [without, with] = row.likelihoods;
            let [hits_without, hits_with] = row.hits.map(|share| 100.0 * share);
            writeln!(
                f,
                "{:<20}{:<8}{training:>9}{held_out:>9} {without:>9.4}{with:>9.4} \
                 {hits_without:>8.1}{hits_with:>8.1}  {}",
                row.goal.name(),
                feeling(row.is_relief),
                changes(&row.ratios)
            )?;
        }
        let likelihoods = [0, 1].map(|side: usize| self.mean(|row| row.likelihoods[side]));
        let hits = [0, 1].map(|side: usize| 100.0 * self.mean(|row| row.hits[side]));
        let ([without, with], [hits_without, hits_with]) = (likelihoods, hits);
        write!(f, "{:<46} {without:>9.4}{with:>9.4} {hits_without:>8.1}{hits_with:>8.1}", "all")
    }
}
