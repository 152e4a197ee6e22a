//! Fits the relevance of each goal to the moves that humans chose.
//!
//! A one-ply search with quiescence and without emotion gives the quiet position that each move
//! leads to. An optional longer search continues from the best moves. The score of that position is
//! linear in the ratios. So are the log-odds of choosing one move rather than another.
//!
//! Different weights might predict the choices better whatever the emotion. Therefore each fit has
//! a control: one set of ratios for all goals, in fear and in relief. Only the gain over this
//! control is evidence for emotions about goals.

mod logit;
mod report;
mod sample;

pub use report::{ChoicesReport, ChoicesRow};
pub use sample::ChoiceSample;

use super::{
    FEWEST, FitScope, STEEPNESS, bends, bends_for_all_goals, refit_all, report::Fitted, set_ratios,
};
use crate::{
    chess_mind::{Goal, RelevanceTable, SideGroup},
    lab::tune::TuneError,
    profile::{EvaluatorKind, Profile},
};
use logit::{HumanChoice, Prediction, fit, fit_at, predictions};
use report::Gains;
use std::{num::NonZeroU64, ops::RangeInclusive};

/// The choices to fit to and the regularisation of the fit.
#[derive(Clone, Debug, PartialEq)]
pub struct ChoicesOptions {
    /// Ratings of the players whose moves are used.
    pub band: RangeInclusive<u16>,
    /// Uses one of this many moves in each game, at least 1.
    pub every: usize,
    /// Nodes of a search without emotion after each of the best moves. `None` stops after the
    /// one-ply search.
    pub nodes: Option<NonZeroU64>,
    /// Share of games that are held out, from 0 to 1.
    pub holdout: f64,
    pub scope: FitScope,
}

/// The fitted ratios and the report of the fit.
#[derive(Clone, Debug)]
pub struct TunedChoices {
    pub relevance: RelevanceTable,
    pub report: ChoicesReport,
}

impl ChoicesOptions {
    /// Checks these settings before games are read.
    ///
    /// # Errors
    /// Returns an error if `start` evaluates with measures, a group name is unknown, or all groups
    /// are frozen.
    pub fn check(&self, start: &Profile) -> Result<(), TuneError> {
        if start.evaluator == EvaluatorKind::Measures {
            return Err(TuneError::Measures(start.name.clone()));
        }
        self.scope.free_ratios().map(|_| ())
    }
}

/// Fits the relevance of `start`. Its weights stay unchanged.
///
/// # Errors
/// Returns an error if the settings are invalid, or if `sample` has no choices to train on.
pub fn tune(
    start: &Profile,
    settings: &ChoicesOptions,
    sample: &ChoiceSample<'_>,
) -> Result<TunedChoices, TuneError> {
    settings.check(start)?;
    let free = settings.scope.free_ratios()?;
    if sample.choices.iter().all(|choice| choice.is_held_out) {
        return Err(TuneError::NoChoice(sample.moves));
    }
    let bounds = &start.mind.relevance;
    let pull = settings.scope.pull;
    let everyone: Vec<_> = sample.choices.iter().filter(|choice| !choice.is_held_out).collect();
    let shared = bends_for_all_goals(&fit(&everyone, STEEPNESS, pull, &free), bounds);
    let mut relevance = bounds.clone();
    let mut gains = Gains::default();
    let holds_out = sample.choices.iter().any(|choice| choice.is_held_out);
    let rows = refit_all(&mut relevance, |goal, is_relief, ratios| {
        let of = |is_held_out| sample.of(goal, is_relief, is_held_out);
        let [training, held_out] = [false, true].map(of);
        let is_enough = training.len() >= FEWEST;
        if is_enough {
            set_ratios(ratios, &fit(&training, STEEPNESS, pull, &free), bounds);
        }
        let watched = if holds_out { &held_out } else { &training };
        let predicted = [[0.0; SideGroup::COUNT], shared, bends(ratios)]
            .map(|bends| predictions(watched, STEEPNESS, &fit_at(&training, STEEPNESS, &bends)));
        gains.add(watched, &predicted);
        let counts = [training.len(), held_out.len()];
        ChoicesRow {
            fitted: Fitted { goal, is_relief, is_enough, counts, ratios: *ratios },
            likelihoods: means(&predicted, |prediction| prediction.likelihood),
            hits: means(&predicted, |prediction| f64::from(u8::from(prediction.is_hit))),
        }
    });
    Ok(TunedChoices { relevance, report: ChoicesReport::new(settings, sample.moves, rows, &gains) })
}

/// Returns the mean of a figure under each set of ratios, or `None` if there is no choice.
fn means(predicted: &[Vec<Prediction>; 3], of: impl Fn(&Prediction) -> f64) -> Option<[f64; 3]> {
    let mean = |all: &Vec<Prediction>| all.iter().map(&of).sum::<f64>() / all.len() as f64;
    (!predicted[0].is_empty()).then(|| predicted.each_ref().map(mean))
}

impl ChoiceSample<'_> {
    /// Returns the training or held-out choices made under `goal`, in fear or in relief.
    fn of(&self, goal: Goal, is_relief: bool, is_held_out: bool) -> Vec<&HumanChoice> {
        let matches = |choice: &&HumanChoice| {
            (choice.goal, choice.intensity > 0.0, choice.is_held_out)
                == (goal, is_relief, is_held_out)
        };
        self.choices.iter().filter(matches).collect()
    }
}
