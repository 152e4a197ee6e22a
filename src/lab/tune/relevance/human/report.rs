//! Reports the outcome of a fit to human choices, goal by goal.

use super::{
    super::report::{Fitted, FittedRecord, cells, columns, means},
    ChoicesOptions,
    logit::{HumanChoice, Prediction},
};
use crate::{
    lab::style::{Estimate, MeasureCount, Moments},
    support::noise::DEVIATIONS_95,
};
use serde::Serialize;
use std::{collections::BTreeMap, fmt, ops::RangeInclusive};

/// The quality of the predicted choices under a goal in fear or in relief.
#[derive(Clone, Copy, Debug)]
pub struct ChoicesRow {
    pub fitted: Fitted,
    /// Mean log-likelihood of the chosen moves in nats: without emotion, with one set of ratios for
    /// all goals, and with the ratios of this goal. Measured on held-out choices, or on training
    /// choices if nothing is held out. `None` if there is no choice.
    pub likelihoods: Option<[f64; 3]>,
    /// Share of choices that were predicted as the most probable move, in the same order.
    pub hits: Option<[f64; 3]>,
}

/// The log-likelihood gains of each game from the ratios of each goal: over no emotion, and over
/// one set of ratios for all goals.
#[derive(Debug, Default)]
pub(super) struct Gains(BTreeMap<usize, [MeasureCount; 2]>);

impl Gains {
    /// Adds choices with their predictions: without emotion, with one set of ratios for all goals,
    /// and with the ratios of each goal.
    pub(super) fn add(
        &mut self,
        choices: &[&HumanChoice],
        [without, one, with]: &[Vec<Prediction>; 3],
    ) {
        for (((choice, without), one), with) in choices.iter().zip(without).zip(one).zip(with) {
            let game = self.0.entry(choice.game).or_default();
            for (count, other) in game.iter_mut().zip([without, one]) {
                count.sum += with.likelihood - other.likelihood;
                count.of += 1.0;
            }
        }
    }

    /// Returns the mean gains in nats per choice: over no emotion, and over one set of ratios. The
    /// errors are half-widths of 95 % confidence intervals from the variance between games.
    fn estimates(&self) -> [Option<Estimate>; 2] {
        [0, 1].map(|which: usize| {
            let mut moments = Moments::default();
            self.0.values().for_each(|counts| moments.add(counts[which]));
            moments.estimate(DEVIATIONS_95)
        })
    }
}

/// The outcome of a fit to human choices.
#[derive(Clone, Debug)]
pub struct ChoicesReport {
    band: RangeInclusive<u16>,
    /// Number of sampled moves by players in the rating band.
    moves: usize,
    rows: Vec<ChoicesRow>,
    /// Mean gains, in the order of [`Gains::estimates`].
    gains: [Option<Estimate>; 2],
}

impl ChoicesReport {
    pub(super) fn new(
        settings: &ChoicesOptions,
        moves: usize,
        rows: Vec<ChoicesRow>,
        gains: &Gains,
    ) -> Self {
        Self { band: settings.band.clone(), moves, rows, gains: gains.estimates() }
    }

    /// Returns the report for JSON.
    pub fn record(&self) -> ReportRecord {
        let row = |row: &ChoicesRow| {
            let [[likelihood_without, likelihood_one, likelihood_with], hits] =
                [row.likelihoods, row.hits].map(columns);
            let [top1_without, top1_one, top1_with] = hits;
            RowRecord {
                fitted: row.fitted.record(),
                likelihood_without,
                likelihood_one,
                likelihood_with,
                top1_without,
                top1_one,
                top1_with,
            }
        };
        ReportRecord {
            gain_over_none: self.gains[0],
            gain_over_one: self.gains[1],
            target: "human",
            band: [*self.band.start(), *self.band.end()],
            moves: self.moves,
            choices: self.rows.iter().flat_map(|row| row.fitted.counts).sum(),
            goals: self.rows.iter().map(row).collect(),
        }
    }

    /// Returns the means of some columns over all choices measured.
    fn means(&self, columns: impl Fn(&ChoicesRow) -> Option<[f64; 3]>) -> Option<[f64; 3]> {
        means(self.rows.iter().map(|row| (row.fitted.watched(), columns(row))))
    }
}

/// The JSON form of [`ChoicesReport`].
#[derive(Clone, Debug, Serialize)]
pub struct ReportRecord {
    gain_over_none: Option<Estimate>,
    gain_over_one: Option<Estimate>,
    target: &'static str,
    band: [u16; 2],
    moves: usize,
    choices: usize,
    goals: Vec<RowRecord>,
}

#[derive(Clone, Debug, Serialize)]
struct RowRecord {
    #[serde(flatten)]
    fitted: FittedRecord,
    likelihood_without: Option<f64>,
    likelihood_one: Option<f64>,
    likelihood_with: Option<f64>,
    top1_without: Option<f64>,
    top1_one: Option<f64>,
    top1_with: Option<f64>,
}

impl fmt::Display for ChoicesReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = (self.band.start(), self.band.end());
        writeln!(f, "{} moves of players rated {low} to {high}", self.moves)?;
        writeln!(
            f,
            "mean log-likelihood in nats and top-1 accuracy in percent, {}: without emotion, with \
             one set of percentages for all goals, with one set per goal\n",
            Fitted::describe_data(self.rows.iter().map(|row| &row.fitted))
        )?;
        let titles = ["without", "one set", "its own"];
        let [likelihood_titles, hit_titles] =
            [9, 8].map(|width| titles.map(|title| format!("{title:>width$}")).concat());
        writeln!(f, "{}", Fitted::header(&format!("{likelihood_titles} {hit_titles}")))?;
        let figures = |likelihoods, hits: Option<[f64; 3]>| {
            let percents = hits.map(|shares| shares.map(|share| 100.0 * share));
            format!("{} {}", cells(likelihoods, 9, 4), cells(percents, 8, 1))
        };
        for row in &self.rows {
            writeln!(f, "{}", row.fitted.line(&figures(row.likelihoods, row.hits)))?;
        }
        let (likelihoods, hits) = (self.means(|row| row.likelihoods), self.means(|row| row.hits));
        write!(f, "{}", Fitted::footer(&figures(likelihoods, hits)))?;
        for (gain, over) in self.gains.iter().zip(["no emotion", "one set for all goals"]) {
            let Some(Estimate { mean, error: Some(error) }) = gain else { continue };
            write!(
                f,
                "\ngain over {over}: {mean:+.5} ± {error:.5} nats per choice (95 %, by game)"
            )?;
        }
        Ok(())
    }
}
