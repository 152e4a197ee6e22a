//! Fits the relevance of each goal to the results of games.
//!
//! Relevance is a ratio for every group of terms of either side, separately for fear and relief.
//! The evaluation is linear in these ratios. Each goal is fitted to the positions where it is
//! active, with its own offset and slope. So only the balance between groups is fitted: if
//! positions under a goal are simply better than their scores, that is no reason to play another
//! move.

mod felt;
pub mod human;
mod newton;
pub mod report;

use super::{FitData, Progress, TuneError, dataset::Split, load};
use crate::{
    chess::wdl::logistic,
    chess_mind::{Goal, GoalRelevance, Ratios, RelevanceTable, SideGroup},
    eval::group::Group,
    profile::{EvaluatorKind, Profile, error::unknown},
};
use felt::{FeltPosition, FeltPositions};
use newton::{Fit, FitPosition, fit, fit_at};
use report::{Fitted, RelevanceReport, RelevanceRow};
use shakmaty::ByColor;
use std::{path::Path, sync::atomic::AtomicBool};

/// The options of a relevance fit.
#[derive(Clone, Debug, PartialEq)]
pub struct RelevanceOptions {
    pub data: FitData,
    pub scope: FitScope,
}

/// The ratios to fit and the strength of their regularisation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FitScope {
    /// L2 regularisation towards 1. A ratio of 0 or 2 adds this many nats to the sum of losses (at
    /// a fitted slope equal to K). It keeps ratios of rare groups near 1.
    pub pull: f64,
    /// Names of the groups to fit. Empty means all. The ratios of other groups become 1.
    pub only: Vec<String>,
    /// Names of the groups not to fit. Overrides `only`. Their ratios become 1.
    pub freeze: Vec<String>,
}

/// The fitted ratios and the report of the fit.
#[derive(Clone, Debug)]
pub struct TunedRelevance {
    pub relevance: RelevanceTable,
    pub report: RelevanceReport,
}

/// Minimum number of training positions of a goal in fear or relief. With fewer, it keeps its
/// ratios.
const FEWEST: usize = 1000;
/// Initial slope K of fits, per centipawn.
const STEEPNESS: f64 = 0.004;

/// Fits the relevance of `start`. Its weights stay unchanged.
///
/// # Errors
/// Returns an error if a group name is unknown, all groups are frozen, a file cannot be read, or
/// the positions are too few or too one-sided for a fit.
pub fn tune(
    start: &Profile,
    settings: &RelevanceOptions,
    stop: &AtomicBool,
    progress: &mut dyn Progress,
) -> Result<TunedRelevance, TuneError> {
    if start.evaluator == EvaluatorKind::Measures {
        return Err(TuneError::Measures(start.name.clone()));
    }
    let free = settings.scope.free_ratios()?;
    let weights = ByColor { white: start.weights.clone(), black: start.weights.clone() };
    let empty = || FeltPositions::empty(&start.mind, &weights);
    let FitData { sources, filter, .. } = &settings.data;
    let (FeltPositions { rows, .. }, read) =
        load::load_all(sources, *filter, &start.weights, empty, stop, progress)?;
    let k = steepness(&rows, settings, &start.name, read)?;
    let mut relevance = start.mind.relevance.clone();
    let bounds = relevance.clone();
    let all: Vec<_> = Goal::ALL
        .into_iter()
        .flat_map(|goal| [(goal, false), (goal, true)])
        .flat_map(|(goal, is_relief)| cases(&rows, goal, is_relief, Split::Training, settings, k))
        .collect();
    let shared = bends_for_all_goals(&fit(&all, k, settings.scope.pull, &free), &bounds);
    let has_emotion = |felt: &FeltPosition| felt.goal.is_some() && felt.intensity != 0.0;
    let holds_out = rows.iter().any(|felt| felt.part == Split::HeldOut && has_emotion(felt));
    let table = refit_all(&mut relevance, |goal, is_relief, ratios| {
        let of = |part| cases(&rows, goal, is_relief, part, settings, k);
        let [training, held_out] = [Split::Training, Split::HeldOut].map(of);
        let is_enough = training.len() >= FEWEST;
        if is_enough {
            set_ratios(ratios, &fit(&training, k, settings.scope.pull, &free), &bounds);
        }
        let watched = if holds_out { &held_out } else { &training };
        let mass: f64 = watched.iter().map(|case| case.mass).sum();
        let loss = |bends| fit_at(&training, k, &bends).loss(watched, k) / mass;
        let sets = [[0.0; SideGroup::COUNT], shared, bends(ratios)];
        let losses = (mass > 0.0).then(|| sets.map(loss));
        let counts = [training.len(), held_out.len()];
        let fitted = Fitted { goal, is_relief, is_enough, counts, ratios: *ratios };
        RelevanceRow { fitted, losses }
    });
    let files: Vec<&Path> = sources.iter().map(|source| source.path.as_path()).collect();
    Ok(TunedRelevance { relevance, report: RelevanceReport::new(&files, rows.len(), k, table) })
}

/// Calls `fit` with the ratios of every goal, for fear and then relief, and collects its results.
fn refit_all<R>(
    relevance: &mut RelevanceTable,
    mut fit: impl FnMut(Goal, bool, &mut Ratios) -> R,
) -> Vec<R> {
    let mut table = Vec::new();
    for goal in Goal::ALL {
        let GoalRelevance::Sides { fear, relief } = &mut relevance.goals[goal as usize] else {
            continue;
        };
        table.push(fit(goal, false, fear));
        table.push(fit(goal, true, relief));
    }
    table
}

/// Returns the slope K that best predicts the results from scores without emotion.
fn steepness(
    rows: &[FeltPosition],
    settings: &RelevanceOptions,
    name: &str,
    read: usize,
) -> Result<f64, TuneError> {
    let count = |result: f32| {
        let has_result =
            |row: &&FeltPosition| row.part == Split::Training && (row.result - result).abs() < 0.25;
        rows.iter().filter(has_result).count()
    };
    match [count(0.0), count(0.5), count(1.0)] {
        [0, 0, 0] => return Err(TuneError::Empty(read)),
        [losses, draws, wins] if losses == 0 || wins == 0 => {
            return Err(TuneError::OneSided { wins, draws, losses });
        }
        _ => {}
    }
    if let Some(slope) = settings.data.slope.map(f64::from) {
        return Ok(slope);
    }
    let training = rows.iter().filter(|row| row.part == Split::Training);
    let cases: Vec<FitPosition<'_>> = training
        .map(|felt| FitPosition { felt, target: felt.result.into(), mass: mass(felt, settings) })
        .collect();
    let k = fit(&cases, STEEPNESS, 1.0, &[false; SideGroup::COUNT]).steepness(STEEPNESS);
    // `Fit` keeps K above 1/20 of its initial value; a K near that bound means no correlation
    (STEEPNESS / 19.0..0.1).contains(&k).then_some(k).ok_or_else(|| TuneError::NoSlope(name.into()))
}

fn mass(felt: &FeltPosition, settings: &RelevanceOptions) -> f64 {
    f64::from(settings.data.sources[usize::from(felt.file)].weight)
}

/// Returns the positions of `part` in which `goal` is active, in fear or in relief.
fn cases<'f>(
    rows: &'f [FeltPosition],
    goal: Goal,
    is_relief: bool,
    part: Split,
    settings: &RelevanceOptions,
    k: f64,
) -> Vec<FitPosition<'f>> {
    let is_felt = |felt: &&FeltPosition| {
        let has_feeling = if is_relief { felt.intensity > 0.0 } else { felt.intensity < 0.0 };
        felt.part == part && felt.goal == Some(goal) && has_feeling
    };
    let mix = f64::from(settings.data.mix);
    let case = |felt: &'f FeltPosition| {
        let result = f64::from(felt.result);
        let target =
            felt.cp.map_or(result, |cp| mix * logistic(k * f64::from(cp)) + (1.0 - mix) * result);
        FitPosition { felt, target, mass: mass(felt, settings) }
    };
    rows.iter().filter(is_felt).map(case).collect()
}

impl FitScope {
    /// Returns which ratios to fit, given the group names in `only` and `freeze`.
    fn free_ratios(&self) -> Result<[bool; SideGroup::COUNT], TuneError> {
        let names: Vec<_> = Group::ALL.into_iter().map(Group::name).collect();
        let mut given = self.only.iter().chain(&self.freeze);
        if let Some(name) = given.find(|name| !names.contains(&name.as_str())) {
            return Err(TuneError::UnknownName(unknown("group", name, &names)));
        }
        let mut free = [true; SideGroup::COUNT];
        for (is_free, side_group) in free.iter_mut().zip(SideGroup::all()) {
            let among = |names: &[String]| names.iter().any(|name| name == side_group.group.name());
            *is_free = (self.only.is_empty() || among(&self.only)) && !among(&self.freeze);
        }
        if free.contains(&true) { Ok(free) } else { Err(TuneError::AllFrozen) }
    }
}

/// Returns each ratio minus 1.
fn bends(ratios: &Ratios) -> [f64; SideGroup::COUNT] {
    let mut bends = [0.0; SideGroup::COUNT];
    for (bend, side_group) in bends.iter_mut().zip(SideGroup::all()) {
        *bend = side_group.of(ratios) - 1.0;
    }
    bends
}

/// Returns the bends of one set of ratios for all goals, within the bounds of the profile.
fn bends_for_all_goals(fitted: &Fit, bounds: &RelevanceTable) -> [f64; SideGroup::COUNT] {
    let mut ratios = Ratios::NEUTRAL;
    set_ratios(&mut ratios, fitted, bounds);
    bends(&ratios)
}

/// Sets `ratios` to the fitted ones, rounded to whole percents and clamped to the bounds of the
/// profile.
fn set_ratios(ratios: &mut Ratios, fitted: &Fit, bounds: &RelevanceTable) {
    let (floor, ceiling) = (bounds.floor.unwrap_or(0.0), bounds.ceiling.unwrap_or(10.0));
    for (side_group, bend) in SideGroup::all().zip(fitted.bends) {
        let percent = (100.0 * (1.0 + bend).clamp(floor, ceiling)).round();
        side_group.turn(ratios, percent / 100.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_and_freeze_select_groups() {
        let free = |only: &[&str], freeze: &[&str]| {
            let [only, freeze] =
                [only, freeze].map(|names| names.iter().map(ToString::to_string).collect());
            FitScope { pull: 1.0, only, freeze }.free_ratios()
        };
        let count = |only, freeze| {
            free(only, freeze).unwrap().into_iter().filter(|&is_free| is_free).count()
        };
        assert_eq!(count(&[], &[]), SideGroup::COUNT);
        assert_eq!(count(&["king"], &[]), 2);
        assert_eq!(count(&[], &["material"]), SideGroup::COUNT - 1);
        assert_eq!(free(&["king"], &["king"]).unwrap_err(), TuneError::AllFrozen);
        let error = free(&["kng"], &[]).unwrap_err().to_string();
        assert!(error.ends_with("did you mean `king`?"), "{error}");
    }
}
