//! Fits what each goal makes relevant to the moves that humans chose.
//!
//! Every move leads to a quiet end, by a search of one ply with quiescence and without feeling; from the
//! best of them a longer search may go on. What that end is worth to the mover is linear in the ratios of
//! its feeling, as for results: so are the logarithms of the odds with which one move is chosen before
//! another.
//!
//! Other weights might foretell choices better whatever is felt. So a fit has a control: one set of
//! ratios for all goals, in fear and in relief alike. Only what the ratios of each goal foretell beyond
//! these speaks for a feeling about something.

mod logit;
mod report;
mod sample;

pub use report::{Report, Row};
pub use sample::Sample;

use super::{FEWEST, Hold, STEEPNESS, bends, of_all, refitted, report::Fitted, turn};
use crate::{
    lab::tune::TuneError,
    mind::{goal::Goal, knob::Knob, relevance::RelevanceTable},
    profile::{EvaluatorKind, Profile},
};
use logit::{Choice, Foretold, fit, fit_at, foretold};
use report::Gains;
use std::{num::NonZeroU64, ops::RangeInclusive};

/// Whose choices to fit to, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Ratings of the movers.
    pub band: RangeInclusive<u16>,
    /// One move of so many in each game.
    pub every: usize,
    /// Nodes of a search, without feeling too, that goes on from each of the best moves; none: a search of
    /// one ply is all.
    pub nodes: Option<NonZeroU64>,
    /// The share of games that is held out, 0 to 1.
    pub holdout: f64,
    pub hold: Hold,
}

/// Ratios fitted, and what that did.
#[derive(Clone, Debug)]
pub struct Tuned {
    pub relevance: RelevanceTable,
    pub report: Report,
}

impl Settings {
    /// Refuses, before games are read, what cannot be fitted.
    ///
    /// # Errors
    /// If the profile of `start` has no groups, or a name is none of a group.
    pub fn check(&self, start: &Profile) -> Result<(), TuneError> {
        if start.evaluator == EvaluatorKind::Measures {
            return Err(TuneError::Measures(start.name.clone()));
        }
        self.hold.turns().map(|_| ())
    }
}

/// Fits the relevance of `start`, its weights as they are.
///
/// # Errors
/// If the settings are wrong, or there is no choice to learn from.
pub fn tune(start: &Profile, settings: &Settings, sample: &Sample<'_>) -> Result<Tuned, TuneError> {
    settings.check(start)?;
    let turns = settings.hold.turns()?;
    if sample.choices.iter().all(|choice| choice.is_held_out) {
        return Err(TuneError::NoChoice(sample.met));
    }
    let bounds = &start.mind.relevance;
    let pull = settings.hold.pull;
    let everyone: Vec<_> = sample.choices.iter().filter(|choice| !choice.is_held_out).collect();
    let one = of_all(&fit(&everyone, STEEPNESS, pull, &turns), bounds);
    let mut relevance = bounds.clone();
    let mut gains = Gains::default();
    let holds_out = sample.choices.iter().any(|choice| choice.is_held_out);
    let rows = refitted(&mut relevance, |goal, is_relief, ratios| {
        let of = |is_held_out| sample.of(goal, is_relief, is_held_out);
        let [training, held_out] = [false, true].map(of);
        let is_enough = training.len() >= FEWEST;
        if is_enough {
            turn(ratios, &fit(&training, STEEPNESS, pull, &turns), bounds);
        }
        let watched = if holds_out { &held_out } else { &training };
        let foretold = [[0.0; Knob::COUNT], one, bends(ratios)]
            .map(|bends| foretold(watched, STEEPNESS, &fit_at(&training, STEEPNESS, &bends)));
        gains.add(watched, &foretold);
        let counts = [training.len(), held_out.len()];
        Row {
            fitted: Fitted { goal, is_relief, is_enough, counts, ratios: *ratios },
            likelihoods: means(&foretold, |one| one.likelihood),
            hits: means(&foretold, |one| f64::from(u8::from(one.is_hit))),
        }
    });
    Ok(Tuned { relevance, report: Report::new(settings, sample.met, rows, &gains) })
}

/// Returns the mean of a figure under each set of ratios; `None` if there is no choice.
fn means(foretold: &[Vec<Foretold>; 3], of: impl Fn(&Foretold) -> f64) -> Option<[f64; 3]> {
    let mean = |all: &Vec<Foretold>| all.iter().map(&of).sum::<f64>() / all.len() as f64;
    (!foretold[0].is_empty()).then(|| foretold.each_ref().map(mean))
}

impl Sample<'_> {
    /// The choices made under `goal` in fear, or in relief.
    fn of(&self, goal: Goal, is_relief: bool, is_held_out: bool) -> Vec<&Choice> {
        let is_it = |choice: &&Choice| {
            (choice.goal, choice.intensity > 0.0, choice.is_held_out)
                == (goal, is_relief, is_held_out)
        };
        self.choices.iter().filter(is_it).collect()
    }
}
