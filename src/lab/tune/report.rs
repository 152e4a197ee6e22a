//! Reports the outcome of a fit: the loss of each file and the features that changed most.

use super::{
    DescentStart,
    dataset::{Dataset, Split},
    descent::{BestModel, DescentEnd},
    model::{FitTargets, ResultModel},
};
use crate::{
    chess::score::Tapered,
    eval::{
        feature::{Feature, LEN},
        weights::{UNITS_PER_CENTIPAWN, Weights},
    },
};
use serde::Serialize;
use std::{fmt, path::Path};

/// The mean losses of one file in nats, before and after the fit.
#[derive(Clone, Debug)]
pub struct FileLoss {
    /// Name of the file, or `all` for the sum of a part.
    pub file: String,
    pub part: Split,
    pub positions: usize,
    /// Loss against the fitted target, before and after.
    pub target: [f64; 2],
    /// Loss against the results alone, before and after.
    pub result: [f64; 2],
}

/// The change of the weights of one feature.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    pub feature: Feature,
    /// Sum of both sides' counts over the training positions.
    pub occurrences: u64,
    /// Mean absolute change of its weights in centipawns, weighted by how often each occurs.
    pub mean: f64,
    /// Index of the weight that changed most, in the table of the feature.
    pub index: usize,
    /// That weight before the fit.
    pub before: Tapered,
    /// That weight after the fit.
    pub after: Tapered,
}

/// The outcome of a fit.
#[derive(Clone, Debug)]
pub struct TuneReport {
    /// K, per centipawn.
    pub slope: f32,
    pub losses: Vec<FileLoss>,
    /// The features that changed, largest mean change first.
    pub changes: Vec<Change>,
    /// Number of weights that never occur in the training positions.
    pub unseen: usize,
    /// Number of finished epochs.
    pub epochs: u32,
    /// Number of the best epoch, or 0 if no epoch improved on the start.
    pub best_epoch: u32,
    pub end: DescentEnd,
}

/// Maximum number of features in the printed table.
const SHOWN: usize = 30;

impl TuneReport {
    pub(super) fn new(
        data: &Dataset,
        aims: &FitTargets,
        files: &[&Path],
        weights: [&Weights; 2],
        beginning: &DescentStart,
        outcome: &BestModel,
    ) -> Self {
        let models = weights.map(|weights| ResultModel::new(weights, beginning.slope));
        let results = FitTargets::new(data, beginning.slope, 0.0, vec![1.0; files.len()]);
        let loss = |file: String, part: Split, positions: &[u32]| FileLoss {
            file,
            part,
            positions: positions.len(),
            target: [0, 1].map(|i: usize| models[i].loss(data, aims, positions)),
            result: [0, 1].map(|i: usize| models[i].loss(data, &results, positions)),
        };
        let mut losses = Vec::new();
        for part in Split::ALL {
            let all = data.of(part);
            let before = losses.len();
            for (number, file) in files.iter().enumerate() {
                let mut positions = all.clone();
                positions.retain(|&p| usize::from(data.label(p as usize).file) == number);
                if !positions.is_empty() {
                    let name = file.file_name().unwrap_or_default().to_string_lossy();
                    losses.push(loss(name.into_owned(), part, &positions));
                }
            }
            if losses.len() > before + 1 {
                losses.push(loss("all".into(), part, &all));
            }
        }
        Self {
            slope: beginning.slope,
            losses,
            changes: changes(weights, data.occurrences()),
            unseen: data.occurrences().iter().filter(|&&n| n == 0).count(),
            epochs: outcome.epochs,
            best_epoch: outcome.best_epoch,
            end: outcome.end,
        }
    }

    /// Returns the report for JSON.
    pub fn record(&self) -> ReportRecord {
        let pair = |[before, after]: [f64; 2]| LossRecord { before, after };
        let loss = |loss: &FileLoss| FileRecord {
            file: loss.file.clone(),
            part: name(loss.part),
            positions: loss.positions,
            loss: pair(loss.target),
            loss_on_results: pair(loss.result),
        };
        ReportRecord {
            k: self.slope,
            epochs: self.epochs,
            best_epoch: self.best_epoch,
            end: reason(self.end),
            losses: self.losses.iter().map(loss).collect(),
            changes: self.changes.iter().map(ChangeRecord::from).collect(),
            weights: LEN,
            weights_that_never_occur: self.unseen,
        }
    }
}

/// The JSON form of [`TuneReport`].
#[derive(Clone, Debug, Serialize)]
pub struct ReportRecord {
    k: f32,
    epochs: u32,
    best_epoch: u32,
    end: &'static str,
    losses: Vec<FileRecord>,
    changes: Vec<ChangeRecord>,
    weights: usize,
    weights_that_never_occur: usize,
}

#[derive(Clone, Debug, Serialize)]
struct FileRecord {
    file: String,
    part: &'static str,
    positions: usize,
    loss: LossRecord,
    loss_on_results: LossRecord,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct LossRecord {
    before: f64,
    after: f64,
}

/// A changed feature. Weights are pairs of centipawns, opening and ending.
#[derive(Clone, Debug, Serialize)]
struct ChangeRecord {
    feature: &'static str,
    occurrences: u64,
    mean_change: f64,
    index: usize,
    before: [f64; 2],
    after: [f64; 2],
}

impl From<&Change> for ChangeRecord {
    fn from(change: &Change) -> Self {
        Self {
            feature: change.feature.spec().name,
            occurrences: change.occurrences,
            mean_change: change.mean,
            index: change.index,
            before: centipawns(change.before),
            after: centipawns(change.after),
        }
    }
}

fn name(part: Split) -> &'static str {
    match part {
        Split::Training => "training",
        Split::HeldOut => "held out",
        Split::Validation => "validation",
    }
}

fn reason(end: DescentEnd) -> &'static str {
    match end {
        DescentEnd::Epochs => "all epochs completed",
        DescentEnd::Patience => "the loss stopped improving",
        DescentEnd::Interrupted => "interrupted",
    }
}

fn centipawns(weight: Tapered) -> [f64; 2] {
    [weight.mg(), weight.eg()].map(|units| f64::from(units) / f64::from(UNITS_PER_CENTIPAWN))
}

/// Returns the distance between two weights in centipawns: the mean over opening and endgame.
fn distance(a: Tapered, b: Tapered) -> f64 {
    let [mg, eg] = centipawns(a - b);
    f64::midpoint(mg.abs(), eg.abs())
}

/// Returns the features that changed, largest mean change first.
fn changes([before, after]: [&Weights; 2], occurrences: &[u64]) -> Vec<Change> {
    let mut changes: Vec<Change> = Feature::ALL
        .into_iter()
        .filter_map(|feature| {
            let range = feature.start()..feature.start() + feature.spec().len;
            let moved = |i: usize| distance(before.0[i], after.0[i]);
            let most = range.clone().max_by(|&a, &b| moved(a).total_cmp(&moved(b)))?;
            let count: u64 = occurrences[range.clone()].iter().sum();
            let sum: f64 = range.clone().map(|i| moved(i) * occurrences[i] as f64).sum();
            (moved(most) > 0.0).then(|| Change {
                feature,
                occurrences: count,
                mean: sum / count.max(1) as f64,
                index: most - range.start,
                before: before.0[most],
                after: after.0[most],
            })
        })
        .collect();
    changes.sort_by(|a, b| b.mean.total_cmp(&a.mean));
    changes
}

impl fmt::Display for TuneReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "K = {:.6} per centipawn", self.slope)?;
        let (epochs, best, end) = (self.epochs, self.best_epoch, reason(self.end));
        writeln!(f, "{epochs} epochs, best epoch {best}: {end}\n")?;
        writeln!(
            f,
            "{:<32} {:<10} {:>9}  {:^23}  {:^23}",
            "mean loss (nats)", "", "positions", "fitted target", "results alone"
        )?;
        for loss in &self.losses {
            let (file, part) = (&loss.file, name(loss.part));
            write!(f, "{file:<32} {part:<10} {:>9}", loss.positions)?;
            for [before, after] in [loss.target, loss.result] {
                write!(f, "  {before:.6} → {after:.6}    ")?;
            }
            writeln!(f)?;
        }
        writeln!(
            f,
            "\n{:<26} {:>10} {:>8}  largest weight change (centipawns)",
            "feature", "occurs", "mean ±"
        )?;
        for change in self.changes.iter().take(SHOWN) {
            let spec = change.feature.spec();
            let [was, is] = [change.before, change.after].map(|weight| {
                let [mg, eg] = centipawns(weight);
                format!("[{mg:.1}, {eg:.1}]")
            });
            let index = if spec.len > 1 { format!("{}: ", change.index) } else { String::new() };
            let (count, mean) = (change.occurrences, change.mean);
            writeln!(f, "{:<26} {count:>10} {mean:>8.2}  {index}{was} → {is}", spec.name)?;
        }
        if let Some(more) = self.changes.len().checked_sub(SHOWN).filter(|&more| more > 0) {
            writeln!(f, "… and {more} more features with smaller changes")?;
        }
        write!(
            f,
            "{} of {LEN} weights never occur in the training positions and were not fitted",
            self.unseen
        )
    }
}
