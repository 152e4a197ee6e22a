//! What a fit of relevance did, goal by goal.

use super::FEWEST;
use crate::{
    eval::group::Group,
    mind::{goal::Goal, relevance::Ratios},
};
use serde_json::json;
use std::{
    fmt::{self, Write},
    path::Path,
};

/// A goal in fear, or in relief.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub goal: Goal,
    pub is_relief: bool,
    /// There were enough positions to fit to; else the ratios are as they were.
    pub is_fitted: bool,
    /// To train on, and held out.
    pub positions: [usize; 2],
    /// The mean loss of those held out (of those to train on, if there are none), in nats: without
    /// feeling, with one set of ratios for all goals, and with those of this goal. Not a number where
    /// there is no position.
    pub losses: [f64; 3],
    pub ratios: Ratios,
}

/// All of it.
#[derive(Clone, Debug)]
pub struct Report {
    files: Vec<String>,
    positions: usize,
    /// K, per centipawn.
    slope: f64,
    rows: Vec<Row>,
}

impl Report {
    pub(super) fn new(files: &[&Path], positions: usize, slope: f64, rows: Vec<Row>) -> Self {
        let files = files.iter().map(|file| file.display().to_string()).collect();
        Self { files, positions, slope, rows }
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
                    "loss_without": row.losses[0], "loss_one": row.losses[1],
                    "loss_with": row.losses[2],
                    "own": percents(&row.ratios.own), "other": percents(&row.ratios.other),
                })
            })
            .collect();
        json!({ "files": self.files, "positions": self.positions, "k": self.slope, "goals": rows })
    }

    /// Mean losses over all positions that are felt in.
    fn total(&self) -> [f64; 3] {
        let watched = |row: &Row| {
            let [training, held_out] = row.positions;
            (if held_out > 0 { held_out } else { training }) as f64
        };
        let rows = || self.rows.iter().filter(|row| row.losses[0].is_finite());
        let all: f64 = rows().map(watched).sum();
        [0, 1, 2]
            .map(|set: usize| rows().map(|row| row.losses[set] * watched(row)).sum::<f64>() / all)
    }
}

pub(super) fn feeling(is_relief: bool) -> &'static str {
    if is_relief { "relief" } else { "fear" }
}

pub(super) fn percents(ratios: &[f64; Group::COUNT]) -> serde_json::Value {
    let named = Group::ALL.into_iter().zip(ratios);
    named.map(|(group, ratio)| (group.name().to_owned(), json!((ratio * 100.0).round()))).collect()
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} positions, K = {:.6}", self.positions, self.slope)?;
        writeln!(
            f,
            "mean loss in nats of those held out: without feeling, with one set of percentages for all \
             goals, with those of each goal"
        )?;
        writeln!(
            f,
            "\n{:<20}{:<8}{:>9}{:>9} {:>9}{:>9}{:>9}",
            "goal", "feeling", "training", "held out", "without", "one set", "its own"
        )?;
        for row in &self.rows {
            let [training, held_out] = row.positions;
            let [without, one, with] = row.losses;
            writeln!(
                f,
                "{:<20}{:<8}{training:>9}{held_out:>9} {without:>9.5}{one:>9.5}{with:>9.5}  {}",
                row.goal.name(),
                feeling(row.is_relief),
                told(row.is_fitted, &row.ratios)
            )?;
        }
        let [without, one, with] = self.total();
        write!(f, "{:<46} {without:>9.5}{one:>9.5}{with:>9.5}", "all")
    }
}

/// What was fitted, or that nothing was.
pub(super) fn told(is_fitted: bool, ratios: &Ratios) -> String {
    if is_fitted { changes(ratios) } else { format!("too few (of {FEWEST}): as it was") }
}

/// The percentages that are not 100.
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
