//! Fits the weights of the evaluation to the results of games (Texel tuning).
//!
//! The evaluation is linear in its weights. Each position is therefore stored as its counts, which
//! [`crate::eval::trace`] computes once: the tuner and the engine share one evaluation. The loss
//! compares the win probability that a score implies with the result of the game.
//! <https://www.chessprogramming.org/Texel%27s_Tuning_Method>
#![allow(clippy::cast_precision_loss, reason = "counts and units are far within what floats hold")]

pub mod clock;
pub mod danger;
pub mod dataset;
pub mod descent;
mod load;
pub mod model;
mod normal;
mod objective;
pub mod policy;
mod quiet;
pub mod relevance;
pub mod report;
pub mod row;
mod shallow_search;
mod smooth;
pub mod style;
pub mod wdl;

pub use load::{Loaded, PositionFilter, Source};
pub use normal::normalise;
pub use quiet::{Quiet, Unfit};

use crate::{
    chess::score::Tapered,
    eval::{
        feature::{Feature, LEN},
        group::Group,
        weights::{UNITS_PER_CENTIPAWN, Weights},
    },
    profile::{EvaluatorKind, Profile, error::unknown},
};
use dataset::{Dataset, Label, Split};
use descent::{Descent, Epoch};
use load::Gather;
use model::{FitTargets, ResultModel, fitted_slope};
use objective::Objective;
use report::TuneReport;
use shakmaty::{ByColor, Chess};
use std::{
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

// `WeightCount` stores the index of a weight in 16 bits
const _: () = assert!(LEN <= 1 << 16);

/// The positions of a fit and its targets.
#[derive(Clone, Debug, PartialEq)]
pub struct FitData {
    pub sources: Vec<Source>,
    pub filter: PositionFilter,
    /// Share of the score in the target of positions that have a score, from 0 to 1. The rest of
    /// the target is the result.
    pub mix: f32,
    /// How much positions of one game are compared with each other, from 0 to 1. At 0, every position
    /// counts by itself. At 1, an error that all positions of a game have in common does not count.
    pub compare: f32,
    /// K, per centipawn. `None` fits it to the results.
    pub slope: Option<f32>,
}

impl FitData {
    /// Returns the model of `start`, with K fitted to the results of `training` unless it is set.
    fn model(
        &self,
        start: &Profile,
        data: &Dataset,
        training: &[u32],
    ) -> Result<ResultModel, TuneError> {
        let model = ResultModel::new(&start.weights, 0.0);
        let slope = self.slope.or_else(|| fitted_slope(data, &model, training));
        let slope = slope.ok_or_else(|| TuneError::NoSlope(start.name.clone()))?;
        Ok(ResultModel { slope, ..model })
    }

    /// Returns the targets of all positions for the slope K.
    fn targets(&self, data: &Dataset, slope: f32) -> FitTargets {
        let file_weights = self.sources.iter().map(|source| source.weight).collect();
        FitTargets::new(data, slope, self.mix, file_weights)
    }
}

/// The options of a weight fit.
#[derive(Clone, Debug, PartialEq)]
pub struct TuneOptions {
    pub data: FitData,
    pub descent: Descent,
    /// Names of the groups or features to fit. Empty means all.
    pub only: Vec<String>,
    /// Names of the groups or features to keep unchanged. Overrides `only`.
    pub freeze: Vec<String>,
}

/// The reason why a fit failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TuneError {
    #[error("{}: {reason}", file.display())]
    Unreadable { file: PathBuf, reason: String },
    #[error("no position to train on: none of the {0} rows can be used")]
    Empty(usize),
    #[error(
        "one-sided results: White has {wins} wins, {draws} draws and {losses} losses in the \
         training positions; at least one win and one loss are required (`wdl`: also one draw)"
    )]
    OneSided { wins: usize, draws: usize, losses: usize },
    #[error("profile `{0}` evaluates with measures, which have no weights to fit")]
    Measures(String),
    #[error("{0}")]
    UnknownName(String),
    #[error("no weight is left to fit")]
    AllFrozen,
    #[error(
        "no K fits: the results do not correlate with the scores of profile `{0}`; results must be \
         from White's point of view (or set K)"
    )]
    NoSlope(String),
    #[error(
        "no win/draw/loss model fits: the results do not correlate with the scores; both must be \
         from White's point of view"
    )]
    NoModel,
    #[error(
        "no choice to train on: none of the {0} moves by players in the rating band can be used"
    )]
    NoChoice(usize),
    #[error("interrupted while reading the files; nothing was fitted or written")]
    Interrupted,
}

/// A listener for the progress of a fit.
pub trait Progress: Send {
    /// Called after `done` of `all` rows of `file` have been read.
    fn rows(&mut self, _file: &Path, _done: usize, _all: usize) {}
    /// Called after each file.
    fn loaded(&mut self, _: &Loaded) {}
    /// Called once, after all files are read and before the descent starts.
    fn begins(&mut self, _: &DescentStart) {}
    /// Called after each epoch.
    fn epoch(&mut self, _: &Epoch) {}
}

/// The facts known when the descent starts.
#[derive(Clone, Copy, Debug)]
pub struct DescentStart {
    /// Number of positions per part, in the order of [`Split::ALL`].
    pub positions: [usize; Split::ALL.len()],
    /// Memory used by the positions, in bytes.
    pub bytes: usize,
    /// K, per centipawn.
    pub slope: f32,
    /// Maximum number of epochs.
    pub epochs: u32,
}

/// The fitted weights and the report of the fit.
#[derive(Clone, Debug)]
pub struct TunedWeights {
    pub weights: Weights,
    pub report: TuneReport,
}

/// Fits the weights of `start`. If `stop` is set during the descent, returns the best weights so
/// far.
///
/// # Errors
/// Returns an error if a name in `settings` is unknown, all weights are frozen, a file cannot be
/// read, or the positions are too few or too one-sided for a fit. Setting `stop` while files are
/// being read is also an error.
pub fn tune(
    start: &Profile,
    settings: &TuneOptions,
    stop: &AtomicBool,
    progress: &mut dyn Progress,
) -> Result<TunedWeights, TuneError> {
    if start.evaluator == EvaluatorKind::Measures {
        return Err(TuneError::Measures(start.name.clone()));
    }
    let free = free_weights(&settings.only, &settings.freeze)?;
    let weights = ByColor { white: start.weights.clone(), black: start.weights.clone() };
    let empty = || Counts { data: Dataset::default(), weights: &weights };
    let FitData { sources, filter, .. } = &settings.data;
    let (Counts { data, .. }, rows) =
        load::load_all(sources, *filter, &start.weights, empty, stop, progress)?;
    let parts = Split::ALL.map(|part| data.of(part));
    let [training, ..] = &parts;
    reject_one_sided(&data, training, rows)?;
    let model = settings.data.model(start, &data, training)?;
    let slope = model.slope;
    let aims = settings.data.targets(&data, slope);
    let beginning = DescentStart {
        positions: [0, 1, 2].map(|part: usize| parts[part].len()),
        bytes: data.bytes(),
        slope,
        epochs: settings.descent.epochs,
    };
    progress.begins(&beginning);
    let objective = Objective::new(&data, &aims, settings.data.compare);
    let outcome =
        settings.descent.run(&model, &objective, &free, stop, |epoch| progress.epoch(epoch));
    let mut weights = outcome.model.rounded();
    if outcome.best_epoch > 0 {
        normalise(&mut weights, data.occurrences(), &free);
        round_changed(&mut weights, &start.weights);
    }
    let files: Vec<&Path> = sources.iter().map(|source| source.path.as_path()).collect();
    let report =
        TuneReport::new(&data, &aims, &files, [&start.weights, &weights], &beginning, &outcome);
    Ok(TunedWeights { weights, report })
}

/// Rounds the weights that differ from `start` to half a centipawn. Finer differences are noise,
/// and short numbers keep a profile readable.
fn round_changed(weights: &mut Weights, start: &Weights) {
    const HALF: i32 = UNITS_PER_CENTIPAWN / 2;
    // rounds to nearest, ties away from zero
    let round = |units: i32| (units + units.signum() * HALF / 2) / HALF * HALF;
    for (weight, _) in weights.0.iter_mut().zip(&start.0).filter(|(weight, start)| weight != start)
    {
        *weight = Tapered::new(round(weight.mg()), round(weight.eg()));
    }
}

/// Collects positions as counts for the descent.
struct Counts<'w> {
    data: Dataset,
    /// The starting weights.
    weights: &'w ByColor<Weights>,
}

impl Gather for Counts<'_> {
    const TAKES_CHECKS: bool = false;

    fn push(&mut self, _: &Chess, leaf: &Chess, label: Label) {
        self.data.push(leaf, label, self.weights);
    }

    fn append(&mut self, other: Self) {
        self.data.append(other.data);
    }
}

/// Returns which weights to fit, given the names of groups and features in `only` and `freeze`.
fn free_weights(only: &[String], freeze: &[String]) -> Result<[bool; LEN], TuneError> {
    let mut free = [only.is_empty(); LEN];
    let requested =
        only.iter().map(|name| (name, true)).chain(freeze.iter().map(|name| (name, false)));
    for (name, is_free) in requested {
        let mut known = false;
        for feature in Feature::ALL {
            let spec = feature.spec();
            if spec.name == name || spec.group.name() == name {
                known = true;
                free[feature.start()..feature.start() + spec.len].fill(is_free);
            }
        }
        if !known {
            let groups = Group::ALL.into_iter().map(Group::name);
            let names: Vec<_> = groups.chain(Feature::ALL.map(|f| f.spec().name)).collect();
            return Err(TuneError::UnknownName(unknown("name", name, &names)));
        }
    }
    if free.contains(&true) { Ok(free) } else { Err(TuneError::AllFrozen) }
}

/// Returns an error unless the training positions contain both wins and losses.
fn reject_one_sided(data: &Dataset, training: &[u32], rows: usize) -> Result<(), TuneError> {
    let mut results = [0; 3];
    for &position in training {
        results[usize::from(data.label(position as usize).result)] += 1;
    }
    match results {
        [0, 0, 0] => Err(TuneError::Empty(rows)),
        [losses, draws, wins] if losses == 0 || wins == 0 => {
            Err(TuneError::OneSided { wins, draws, losses })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_weights_are_rounded_to_half_a_centipawn() {
        let start = Weights([Tapered::new(77, -3); LEN]);
        let mut weights = start.clone();
        weights.0[0] = Tapered::new(63, 64);
        weights.0[1] = Tapered::new(-64, -63);
        weights.0[2] = Tapered::new(12 * 256 + 129, -3 * 256 - 200);
        round_changed(&mut weights, &start);
        assert_eq!(weights.0[0], Tapered::new(0, 128));
        assert_eq!(weights.0[1], Tapered::new(-128, 0));
        assert_eq!(weights.0[2], Tapered::new(12 * 256 + 128, -4 * 256));
        assert_eq!(weights.0[3..], start.0[3..]);
    }

    #[test]
    fn only_and_freeze_select_groups_and_features() {
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        let count = |free: [bool; LEN]| free.into_iter().filter(|&free| free).count();
        assert_eq!(count(free_weights(&[], &[]).unwrap()), LEN);
        assert_eq!(count(free_weights(&names(&["piece_value"]), &[]).unwrap()), 5);
        let material = count(free_weights(&names(&["material"]), &[]).unwrap());
        assert_eq!(count(free_weights(&[], &names(&["material"])).unwrap()), LEN - material);
        let frozen = free_weights(&names(&["piece_value"]), &names(&["material"]));
        assert_eq!(frozen.unwrap_err(), TuneError::AllFrozen);
        let error = free_weights(&names(&["piece_valeu"]), &[]).unwrap_err().to_string();
        assert!(error.ends_with("did you mean `piece_value`?"), "{error}");
    }
}
