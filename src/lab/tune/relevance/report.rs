//! Reports the outcome of a relevance fit, goal by goal.

use super::FEWEST;
use crate::{
    chess_mind::{Goal, Ratios},
    eval::group::Group,
    explain::schema::ByName,
};
use serde::Serialize;
use std::{
    fmt::{self, Write},
    path::Path,
};

/// The ratios fitted for a goal in fear or in relief.
#[derive(Clone, Copy, Debug)]
pub struct Fitted {
    pub goal: Goal,
    pub is_relief: bool,
    /// Whether there was enough training data. If not, the ratios are unchanged.
    pub is_enough: bool,
    /// Number of training and held-out positions or choices.
    pub counts: [usize; 2],
    pub ratios: Ratios,
}

/// The JSON form of [`Fitted`]. Ratios are in percent.
#[derive(Clone, Debug, Serialize)]
pub(super) struct FittedRecord {
    goal: &'static str,
    feeling: &'static str,
    fitted: bool,
    training: usize,
    held_out: usize,
    own: ByName<f64>,
    other: ByName<f64>,
}

/// The quality of the predicted results under a goal in fear or in relief.
#[derive(Clone, Copy, Debug)]
pub struct RelevanceRow {
    pub fitted: Fitted,
    /// Mean loss in nats: without emotion, with one set of ratios for all goals, and with the
    /// ratios of this goal. Measured on held-out positions, or on training positions if no goal has
    /// any held out. `None` if there is no position.
    pub losses: Option<[f64; 3]>,
}

impl Fitted {
    /// Returns the number of positions or choices that the losses are means of.
    pub(super) fn watched(&self) -> usize {
        let [training, held_out] = self.counts;
        if held_out > 0 { held_out } else { training }
    }

    /// Returns the goal and its ratios for JSON.
    pub(super) fn record(&self) -> FittedRecord {
        FittedRecord {
            goal: self.goal.name(),
            feeling: self.feeling(),
            fitted: self.is_enough,
            training: self.counts[0],
            held_out: self.counts[1],
            own: percents(&self.ratios.own),
            other: percents(&self.ratios.other),
        }
    }

    /// Returns a phrase for the data that the losses of `rows` are measured on.
    pub(super) fn describe_data<'r>(mut rows: impl Iterator<Item = &'r Self>) -> &'static str {
        if rows.any(|fitted| fitted.counts[1] > 0) {
            "on held-out data"
        } else {
            "on training data (nothing is held out)"
        }
    }

    /// Returns a table row that contains `figures`.
    pub(super) fn line(&self, figures: &str) -> String {
        let [training, held_out] = self.counts;
        let note = if self.is_enough {
            changes(&self.ratios)
        } else {
            format!("fewer than {FEWEST}: unchanged")
        };
        let (goal, feeling) = (self.goal.name(), self.feeling());
        format!("{goal:<20}{feeling:<8}{training:>9}{held_out:>9} {figures}  {note}")
    }

    /// Returns the table header. `figures` are the column titles of the figures.
    pub(super) fn header(figures: &str) -> String {
        format!("{:<20}{:<8}{:>9}{:>9} {figures}", "goal", "feeling", "training", "held out")
    }

    /// Returns the last row of the table, with the means over all goals in `figures`.
    pub(super) fn footer(figures: &str) -> String {
        format!("{:<46} {figures}", "all")
    }

    fn feeling(&self) -> &'static str {
        if self.is_relief { "relief" } else { "fear" }
    }
}

/// Returns the mean of each column over all rows, weighted by the counts of the rows; `None` if no
/// row has figures.
pub(super) fn means<const N: usize>(
    rows: impl Iterator<Item = (usize, Option<[f64; N]>)>,
) -> Option<[f64; N]> {
    let (mut all, mut sums) = (0.0, [0.0; N]);
    for (count, figures) in rows {
        let Some(figures) = figures else { continue };
        all += count as f64;
        for (sum, figure) in sums.iter_mut().zip(figures) {
            *sum += count as f64 * figure;
        }
    }
    (all > 0.0).then(|| sums.map(|sum| sum / all))
}

/// Returns right-aligned table cells: the numbers, or dashes if there are none.
pub(super) fn cells(figures: Option<[f64; 3]>, width: usize, decimals: usize) -> String {
    match figures {
        Some(figures) => figures.map(|figure| format!("{figure:>width$.decimals$}")).concat(),
        None => format!("{:>width$}", "-").repeat(3),
    }
}

/// The outcome of a relevance fit.
#[derive(Clone, Debug)]
pub struct RelevanceReport {
    files: Vec<String>,
    positions: usize,
    /// K, per centipawn.
    slope: f64,
    rows: Vec<RelevanceRow>,
}

impl RelevanceReport {
    pub(super) fn new(
        files: &[&Path],
        positions: usize,
        slope: f64,
        rows: Vec<RelevanceRow>,
    ) -> Self {
        let files = files.iter().map(|file| file.display().to_string()).collect();
        Self { files, positions, slope, rows }
    }

    /// Returns the report for JSON.
    pub fn record(&self) -> ReportRecord<'_> {
        let row = |row: &RelevanceRow| {
            let [loss_without, loss_one, loss_with] = columns(row.losses);
            RowRecord { fitted: row.fitted.record(), loss_without, loss_one, loss_with }
        };
        ReportRecord {
            files: &self.files,
            positions: self.positions,
            k: self.slope,
            goals: self.rows.iter().map(row).collect(),
        }
    }
}

/// The JSON form of [`RelevanceReport`].
#[derive(Clone, Debug, Serialize)]
pub struct ReportRecord<'a> {
    files: &'a [String],
    positions: usize,
    k: f64,
    goals: Vec<RowRecord>,
}

#[derive(Clone, Debug, Serialize)]
struct RowRecord {
    #[serde(flatten)]
    fitted: FittedRecord,
    loss_without: Option<f64>,
    loss_one: Option<f64>,
    loss_with: Option<f64>,
}

/// Returns the figures as separate options for JSON, which become `null` if there are none.
pub(super) fn columns(figures: Option<[f64; 3]>) -> [Option<f64>; 3] {
    figures.map_or([None; 3], |figures| figures.map(Some))
}

/// Returns the ratio of each group in percent.
fn percents(ratios: &[f64; Group::COUNT]) -> ByName<f64> {
    let named = Group::ALL.into_iter().zip(ratios);
    named.map(|(group, ratio)| (group.name(), (ratio * 100.0).round())).collect()
}

impl fmt::Display for RelevanceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} positions, K = {:.6}", self.positions, self.slope)?;
        writeln!(
            f,
            "mean loss in nats {}: without emotion, with one set of percentages for all goals, \
             with one set per goal\n",
            Fitted::describe_data(self.rows.iter().map(|row| &row.fitted))
        )?;
        let titles = ["without", "one set", "its own"].map(|title| format!("{title:>9}"));
        writeln!(f, "{}", Fitted::header(&titles.concat()))?;
        let figures = |losses| cells(losses, 9, 5);
        for row in &self.rows {
            writeln!(f, "{}", row.fitted.line(&figures(row.losses)))?;
        }
        let all = means(self.rows.iter().map(|row| (row.fitted.watched(), row.losses)));
        write!(f, "{}", Fitted::footer(&figures(all)))
    }
}

/// Lists the percentages other than 100.
fn changes(ratios: &Ratios) -> String {
    let mut text = String::new();
    for (side, ratios) in [("own", &ratios.own), ("other", &ratios.other)] {
        for (group, ratio) in Group::ALL.into_iter().zip(ratios) {
            let percent = (ratio * 100.0).round();
            let is_first = text.is_empty();
            if (percent - 100.0).abs() > 0.5 {
                // writing to a String cannot fail
                let _ = write!(
                    text,
                    "{}{side} {} {percent}",
                    if is_first { "" } else { ", " },
                    group.name()
                );
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn rows_without_positions_show_dashes_and_do_not_affect_the_means() {
        let row = |counts: [usize; 2], losses| {
            let (goal, ratios) = (Goal::Castle, Ratios::NEUTRAL);
            let fitted = Fitted { goal, is_relief: false, is_enough: false, counts, ratios };
            RelevanceRow { fitted, losses }
        };
        let rows =
            vec![row([9, 0], None), row([9, 1], Some([0.5; 3])), row([9, 3], Some([0.7; 3]))];
        let report = RelevanceReport::new(&[Path::new("a.csv")], 31, 0.004, rows);
        let text = report.to_string();
        assert!(text.contains("        0         -        -        -  fewer than"), "{text}");
        assert!(text.ends_with("  0.65000  0.65000  0.65000"), "{text}");
        let goals = &serde_json::to_value(report.record()).unwrap()["goals"];
        assert_eq!((&goals[0]["loss_with"], &goals[1]["loss_with"]), (&Value::Null, &json!(0.5)));

        let text = RelevanceReport::new(&[], 0, 0.004, vec![row([0, 0], None)]).to_string();
        assert!(!text.contains("NaN") && text.ends_with("        -        -        -"), "{text}");
    }
}
