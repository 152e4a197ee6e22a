//! Fits the weights of the evaluation to the results of games.
//!
//! The evaluation is linear in its weights, so a position is a row of counts, taken once by
//! [`crate::eval::trace`]: nothing is evaluated a second way. What is fitted is the chance to win
//! that a score stands for.
#![allow(clippy::cast_precision_loss, reason = "counts and units are far within what floats hold")]

pub mod dataset;
pub mod descent;
mod load;
pub mod model;
mod normal;
mod quiet;
pub mod relevance;
pub mod report;
pub mod row;
mod shallow_search;
pub mod wdl;

pub use load::{Choice, Loaded, Source};
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
use dataset::{Dataset, Label, Part};
use descent::{Descent, Epoch};
use load::Gather;
use model::{Aims, Model, fitted_slope};
use report::Report;
use shakmaty::{ByColor, Chess};
use std::{
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

// counts keep the index of a weight in 16 bits
const _: () = assert!(LEN <= 1 << 16);

/// What to fit, to what, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub sources: Vec<Source>,
    pub choice: Choice,
    /// The share of the score in the target where there is a score, 0 to 1; the rest is the result.
    pub mix: f32,
    /// K, per centipawn; fitted if none is given.
    pub slope: Option<f32>,
    pub descent: Descent,
    /// Groups or features to fit, all if empty, and those of them to leave as they are.
    pub only: Vec<String>,
    pub freeze: Vec<String>,
}

/// Why nothing was fitted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TuneError {
    #[error("{}: {reason}", file.display())]
    Unreadable { file: PathBuf, reason: String },
    #[error("no position to train on is left of {0} rows")]
    Empty(usize),
    #[error(
        "all of one side: {wins} wins, {draws} draws and {losses} losses of White among the \
         positions to train on; both wins and losses are needed"
    )]
    OneSided { wins: usize, draws: usize, losses: usize },
    #[error("profile `{0}` evaluates by measures, which have no weights to fit")]
    Measures(String),
    #[error("{0}")]
    UnknownName(String),
    #[error("no weight is left to fit")]
    AllFrozen,
    #[error(
        "no K fits: the results do not follow the scores of profile `{0}`; results must be told \
         from White's point of view (a K can also be given)"
    )]
    NoSlope(String),
    #[error(
        "no model of wins and draws fits: the results do not follow the scores; both must be told \
         from White's point of view"
    )]
    NoModel,
    #[error("no choice to learn from is left of {0} moves of players of the band")]
    NoChoice(usize),
    #[error("interrupted while reading; there is nothing to write yet")]
    Interrupted,
}

/// Who hears of the work while it is done.
pub trait Progress: Send {
    /// So many rows of the file are read, of so many.
    fn rows(&mut self, _file: &Path, _done: usize, _all: usize) {}
    fn loaded(&mut self, _: &Loaded) {}
    /// All is read; the descent begins.
    fn begins(&mut self, _: &Beginning) {}
    fn epoch(&mut self, _: &Epoch) {}
}

/// What is known when the descent begins.
#[derive(Clone, Copy, Debug)]
pub struct Beginning {
    /// Positions by part: training, held out, validation.
    pub positions: [usize; Part::ALL.len()],
    /// Memory that they take, in bytes.
    pub bytes: usize,
    /// K, per centipawn.
    pub slope: f32,
    /// How many epochs there may be.
    pub epochs: u32,
}

/// Weights fitted, and what that did.
#[derive(Clone, Debug)]
pub struct Tuned {
    pub weights: Weights,
    pub report: Report,
}

/// Fits the weights of `start`. When told to `stop`, gives the best so far.
///
/// # Errors
/// If settings or files are wrong, or the positions cannot teach anything.
pub fn tune(
    start: &Profile,
    settings: &Settings,
    stop: &AtomicBool,
    progress: &mut dyn Progress,
) -> Result<Tuned, TuneError> {
    if start.evaluator == EvaluatorKind::Measures {
        return Err(TuneError::Measures(start.name.clone()));
    }
    let free = chosen(&settings.only, &settings.freeze)?;
    let weights = ByColor { white: start.weights.clone(), black: start.weights.clone() };
    let empty = || Counts { data: Dataset::default(), weights: &weights };
    let Settings { sources, choice, .. } = settings;
    let (Counts { data, .. }, rows) =
        load::load_all(sources, *choice, &start.weights, empty, stop, progress)?;
    let parts = Part::ALL.map(|part| data.of(part));
    let [training, held_out, _] = &parts;
    refuse_one_sided(&data, training, rows)?;
    let model = Model::new(&start.weights, 0.0);
    let slope = settings.slope.or_else(|| fitted_slope(&data, &model, training));
    let slope = slope.ok_or_else(|| TuneError::NoSlope(start.name.clone()))?;
    let model = Model { slope, ..model };
    let file_weights = settings.sources.iter().map(|source| source.weight).collect();
    let aims = Aims::new(&data, slope, settings.mix, file_weights);
    let beginning = Beginning {
        positions: [0, 1, 2].map(|part: usize| parts[part].len()),
        bytes: data.bytes(),
        slope,
        epochs: settings.descent.epochs,
    };
    progress.begins(&beginning);
    let bottom =
        settings.descent.run(&model, &data, &aims, [training, held_out], &free, stop, |epoch| {
            progress.epoch(epoch);
        });
    let mut weights = bottom.model.rounded();
    if bottom.best_epoch > 0 {
        normalise(&mut weights, data.occurrences(), &free);
        make_readable(&mut weights, &start.weights);
    }
    let files: Vec<&Path> = settings.sources.iter().map(|source| source.path.as_path()).collect();
    let report = Report::new(&data, &aims, &files, [&start.weights, &weights], &beginning, &bottom);
    Ok(Tuned { weights, report })
}

/// Rounds the weights that differ from those of `start` to halves of a centipawn: finer differences
/// are below what any number of games can teach, and a profile is there to be read.
fn make_readable(weights: &mut Weights, start: &Weights) {
    const HALF: i32 = UNITS_PER_CENTIPAWN / 2;
    // the nearest; between two, the one farther from 0
    let round = |units: i32| (units + units.signum() * HALF / 2) / HALF * HALF;
    for (weight, _) in weights.0.iter_mut().zip(&start.0).filter(|(weight, start)| weight != start)
    {
        *weight = Tapered::new(round(weight.mg()), round(weight.eg()));
    }
}

/// Counts for the descent.
struct Counts<'w> {
    data: Dataset,
    /// The starting ones.
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

/// Which weights the names of groups and features leave to fit.
fn chosen(only: &[String], freeze: &[String]) -> Result<[bool; LEN], TuneError> {
    let mut free = [only.is_empty(); LEN];
    let marks = only.iter().map(|name| (name, true)).chain(freeze.iter().map(|name| (name, false)));
    for (name, mark) in marks {
        let mut known = false;
        for feature in Feature::ALL {
            let spec = feature.spec();
            if spec.name == name || spec.group.name() == name {
                known = true;
                free[feature.start()..feature.start() + spec.len].fill(mark);
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

/// Without wins or without losses there is nothing to tell apart.
fn refuse_one_sided(data: &Dataset, training: &[u32], rows: usize) -> Result<(), TuneError> {
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
    fn what_was_fitted_is_in_halves_of_a_centipawn() {
        let start = Weights([Tapered::new(77, -3); LEN]);
        let mut weights = start.clone();
        weights.0[0] = Tapered::new(63, 64);
        weights.0[1] = Tapered::new(-64, -63);
        weights.0[2] = Tapered::new(12 * 256 + 129, -3 * 256 - 200);
        make_readable(&mut weights, &start);
        assert_eq!(weights.0[0], Tapered::new(0, 128));
        assert_eq!(weights.0[1], Tapered::new(-128, 0));
        assert_eq!(weights.0[2], Tapered::new(12 * 256 + 128, -4 * 256));
        assert_eq!(weights.0[3..], start.0[3..]);
    }

    #[test]
    fn names_choose_groups_and_features() {
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        let count = |free: [bool; LEN]| free.into_iter().filter(|&free| free).count();
        assert_eq!(count(chosen(&[], &[]).unwrap()), LEN);
        assert_eq!(count(chosen(&names(&["piece_value"]), &[]).unwrap()), 5);
        let material = count(chosen(&names(&["material"]), &[]).unwrap());
        assert_eq!(count(chosen(&[], &names(&["material"])).unwrap()), LEN - material);
        let frozen = chosen(&names(&["piece_value"]), &names(&["material"]));
        assert_eq!(frozen.unwrap_err(), TuneError::AllFrozen);
        let error = chosen(&names(&["piece_valeu"]), &[]).unwrap_err().to_string();
        assert!(error.ends_with("did you mean `piece_value`?"), "{error}");
    }
}
