//! What a fit to human choices did, goal by goal.

use super::{
    super::report::{Fitted, cells, columns, means},
    Settings,
    logit::{Choice, Foretold},
};
use crate::{
    lab::style::{Count, Estimate, Moments},
    support::noise::DEVIATIONS_95,
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fmt, ops::RangeInclusive};

/// How well choices are foretold under a goal in fear, or in relief.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub fitted: Fitted,
    /// The mean logarithm of the chance given to what was chosen, of choices held out (of those to
    /// train on, if there are none under any goal), in nats: without feeling, with one set of ratios for all goals,
    /// and with those of this goal. `None` where there is no choice.
    pub likelihoods: Option<[f64; 3]>,
    /// The share of choices that were given the best chance, likewise.
    pub hits: Option<[f64; 3]>,
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
    pub fn as_json(&self) -> Value {
        let row = |row: &Row| {
            let [[without, one, with], hits] = [row.likelihoods, row.hits].map(columns);
            row.fitted.as_json(json!({
                "likelihood_without": without, "likelihood_one": one, "likelihood_with": with,
                "top1_without": hits[0], "top1_one": hits[1], "top1_with": hits[2],
            }))
        };
        let rows: Vec<_> = self.rows.iter().map(row).collect();
        let choices: usize = self.rows.iter().flat_map(|row| row.fitted.counts).sum();
        let gain = |gain: Option<Estimate>| -> Value {
            gain.map(|gain| json!({"mean": gain.mean, "error": gain.error})).into()
        };
        json!({
            "gain_over_none": gain(self.gains[0]), "gain_over_one": gain(self.gains[1]),
            "target": "human", "band": [self.band.start(), self.band.end()], "moves": self.met,
            "choices": choices,
            "goals": rows,
        })
    }

    /// The means of some columns over all choices that were watched.
    fn means(&self, columns: impl Fn(&Row) -> Option<[f64; 3]>) -> Option<[f64; 3]> {
        means(self.rows.iter().map(|row| (row.fitted.watched(), columns(row))))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = (self.band.start(), self.band.end());
        writeln!(f, "{} moves of players from {low} to {high}", self.met)?;
        writeln!(
            f,
            "mean log-likelihood in nats, and top-1 share in percent, {}: without feeling, with one set \
             of percentages for all goals, with those of each goal\n",
            Fitted::watched_of(self.rows.iter().map(|row| &row.fitted))
        )?;
        let heads = ["without", "one set", "its own"];
        let [likely, hit] =
            [9, 8].map(|width| heads.map(|head| format!("{head:>width$}")).concat());
        writeln!(f, "{}", Fitted::head(&format!("{likely} {hit}")))?;
        let figures = |likelihoods, hits: Option<[f64; 3]>| {
            let percents = hits.map(|shares| shares.map(|share| 100.0 * share));
            format!("{} {}", cells(likelihoods, 9, 4), cells(percents, 8, 1))
        };
        for row in &self.rows {
            writeln!(f, "{}", row.fitted.line(&figures(row.likelihoods, row.hits)))?;
        }
        let (likelihoods, hits) = (self.means(|row| row.likelihoods), self.means(|row| row.hits));
        write!(f, "{}", Fitted::foot(&figures(likelihoods, hits)))?;
        for (gain, over) in self.gains.iter().zip(["no feeling", "one set for all goals"]) {
            let Some(Estimate { mean, error: Some(error) }) = gain else { continue };
            write!(f, "\ngain over {over}: {mean:+.5} ± {error:.5} nats a choice (95 %, by game)")?;
        }
        Ok(())
    }
}
