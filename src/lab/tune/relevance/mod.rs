//! Fits what each goal makes relevant to the results of games: for each goal, and for fear and relief
//! apart, the ratio of every group of either side's terms.
//!
//! The evaluation is linear in these ratios. Positions are those in which the goal is active; each
//! has an offset and a slope of its own, so that what is fitted is only how groups weigh against each
//! other under a feeling: that the side to move stands better than it seems under some goal is no
//! reason to play another move.

mod felt;
pub mod human;
mod newton;
pub mod report;

use super::{Choice, Progress, Source, TuneError, dataset::Part, load};
use crate::{
    chess::wdl::logistic,
    eval::group::Group,
    mind::{
        goal::Goal,
        knob::Knob,
        relevance::{GoalRelevance, Ratios, RelevanceTable},
    },
    profile::{EvaluatorKind, Profile, error::unknown},
};
use felt::{Felt, Gathered};
use newton::{Case, Fit, fit, fit_at};
use report::{Fitted, Report, Row};
use shakmaty::ByColor;
use std::{path::Path, sync::atomic::AtomicBool};

/// What to fit to, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    pub sources: Vec<Source>,
    pub choice: Choice,
    /// The share of the score in the target where there is a score, 0 to 1; the rest is the result.
    pub mix: f64,
    /// K, per centipawn; fitted if none is given.
    pub slope: Option<f64>,
    pub hold: Hold,
}

/// Which ratios may turn, and how hard they are held.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hold {
    /// What a ratio of 0 or 2 adds to the sum of losses, in nats, where scores carry as far as K says:
    /// so what hardly occurs stays at 1.
    pub pull: f64,
    /// Groups to fit, all if empty, and those of them not to; what is not fitted stands at 1.
    pub only: Vec<String>,
    pub freeze: Vec<String>,
}

/// Ratios fitted, and what that did.
#[derive(Clone, Debug)]
pub struct Tuned {
    pub relevance: RelevanceTable,
    pub report: Report,
}

/// A feeling under a goal with fewer positions to train on keeps the ratios it has.
const FEWEST: usize = 1000;
/// The steepness at which fits begin, per centipawn.
const STEEPNESS: f64 = 0.004;

/// Fits the relevance of `start`, its weights as they are.
///
/// # Errors
/// If files are wrong, or the positions cannot teach anything.
pub fn tune(
    start: &Profile,
    settings: &Settings,
    stop: &AtomicBool,
    progress: &mut dyn Progress,
) -> Result<Tuned, TuneError> {
    if start.evaluator == EvaluatorKind::Measures {
        return Err(TuneError::Measures(start.name.clone()));
    }
    let turns = settings.hold.turns()?;
    let weights = ByColor { white: start.weights.clone(), black: start.weights.clone() };
    let empty = || Gathered::empty(&start.mind, &weights);
    let Settings { sources, choice, .. } = settings;
    let (Gathered { rows, .. }, read) =
        load::load_all(sources, *choice, &start.weights, empty, stop, progress)?;
    let k = steepness(&rows, settings, &start.name, read)?;
    let mut relevance = start.mind.relevance.clone();
    let bounds = relevance.clone();
    let all: Vec<_> = Goal::ALL
        .into_iter()
        .flat_map(|goal| [(goal, false), (goal, true)])
        .flat_map(|(goal, is_relief)| cases(&rows, goal, is_relief, Part::Training, settings, k))
        .collect();
    let one = of_all(&fit(&all, k, settings.hold.pull, &turns), &bounds);
    let teaches = |felt: &Felt| felt.goal.is_some() && felt.intensity != 0.0;
    let holds_out = rows.iter().any(|felt| felt.part == Part::HeldOut && teaches(felt));
    let table = refitted(&mut relevance, |goal, is_relief, ratios| {
        let of = |part| cases(&rows, goal, is_relief, part, settings, k);
        let [training, held_out] = [Part::Training, Part::HeldOut].map(of);
        let is_enough = training.len() >= FEWEST;
        if is_enough {
            turn(ratios, &fit(&training, k, settings.hold.pull, &turns), &bounds);
        }
        let watched = if holds_out { &held_out } else { &training };
        let mass: f64 = watched.iter().map(|case| case.mass).sum();
        let loss = |bends| fit_at(&training, k, &bends).loss(watched, k) / mass;
        let sets = [[0.0; Knob::COUNT], one, bends(ratios)];
        let losses = (mass > 0.0).then(|| sets.map(loss));
        let counts = [training.len(), held_out.len()];
        let fitted = Fitted { goal, is_relief, is_enough, counts, ratios: *ratios };
        Row { fitted, losses }
    });
    let files: Vec<&Path> = sources.iter().map(|source| source.path.as_path()).collect();
    Ok(Tuned { relevance, report: Report::new(&files, rows.len(), k, table) })
}

/// Has `fit` change the ratios of every goal, in fear and in relief, and gathers what it tells.
fn refitted<R>(
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

/// The steepness at which scores without feeling foretell the results.
fn steepness(
    rows: &[Felt],
    settings: &Settings,
    name: &str,
    read: usize,
) -> Result<f64, TuneError> {
    let count = |result: f32| {
        let is_it = |row: &&Felt| row.part == Part::Training && (row.result - result).abs() < 0.25;
        rows.iter().filter(is_it).count()
    };
    match [count(0.0), count(0.5), count(1.0)] {
        [0, 0, 0] => return Err(TuneError::Empty(read)),
        [losses, draws, wins] if losses == 0 || wins == 0 => {
            return Err(TuneError::OneSided { wins, draws, losses });
        }
        _ => {}
    }
    if let Some(slope) = settings.slope {
        return Ok(slope);
    }
    let training = rows.iter().filter(|row| row.part == Part::Training);
    let cases: Vec<Case<'_>> = training
        .map(|felt| Case { felt, target: felt.result.into(), mass: mass(felt, settings) })
        .collect();
    let k = fit(&cases, STEEPNESS, 1.0, &[false; Knob::COUNT]).steepness(STEEPNESS);
    // the fit keeps K above a twentieth of where it starts: one that stays there was going nowhere
    (STEEPNESS / 19.0..0.1).contains(&k).then_some(k).ok_or_else(|| TuneError::NoSlope(name.into()))
}

fn mass(felt: &Felt, settings: &Settings) -> f64 {
    f64::from(settings.sources[usize::from(felt.file)].weight)
}

/// The positions of `part` in which `goal` is active in fear, or in relief.
fn cases<'f>(
    rows: &'f [Felt],
    goal: Goal,
    is_relief: bool,
    part: Part,
    settings: &Settings,
    k: f64,
) -> Vec<Case<'f>> {
    let is_felt = |felt: &&Felt| {
        let felt_so = if is_relief { felt.intensity > 0.0 } else { felt.intensity < 0.0 };
        felt.part == part && felt.goal == Some(goal) && felt_so
    };
    let case = |felt: &'f Felt| {
        let result = f64::from(felt.result);
        let target = felt.cp.map_or(result, |cp| {
            settings.mix * logistic(k * f64::from(cp)) + (1.0 - settings.mix) * result
        });
        Case { felt, target, mass: mass(felt, settings) }
    };
    rows.iter().filter(is_felt).map(case).collect()
}

impl Hold {
    /// Which knobs the names of groups leave to fit; the others stand at 100 %.
    fn turns(&self) -> Result<[bool; Knob::COUNT], TuneError> {
        let names: Vec<_> = Group::ALL.into_iter().map(Group::name).collect();
        let mut given = self.only.iter().chain(&self.freeze);
        if let Some(name) = given.find(|name| !names.contains(&name.as_str())) {
            return Err(TuneError::UnknownName(unknown("group", name, &names)));
        }
        let mut turns = [true; Knob::COUNT];
        for (turns, knob) in turns.iter_mut().zip(Knob::all()) {
            let among = |names: &[String]| names.iter().any(|name| name == knob.group.name());
            *turns = (self.only.is_empty() || among(&self.only)) && !among(&self.freeze);
        }
        if turns.contains(&true) { Ok(turns) } else { Err(TuneError::AllFrozen) }
    }
}

/// How far each ratio is from 1.
fn bends(ratios: &Ratios) -> [f64; Knob::COUNT] {
    let mut bends = [0.0; Knob::COUNT];
    for (bend, knob) in bends.iter_mut().zip(Knob::all()) {
        *bend = knob.of(ratios) - 1.0;
    }
    bends
}

/// The bends of one set of ratios for all goals, within the same bounds.
fn of_all(fitted: &Fit, bounds: &RelevanceTable) -> [f64; Knob::COUNT] {
    let mut ratios = Ratios::NEUTRAL;
    turn(&mut ratios, fitted, bounds);
    bends(&ratios)
}

/// Takes over what was fitted, in whole percents within what the profile allows.
fn turn(ratios: &mut Ratios, fitted: &Fit, bounds: &RelevanceTable) {
    let (floor, ceiling) = (bounds.floor.unwrap_or(0.0), bounds.ceiling.unwrap_or(10.0));
    for (knob, bend) in Knob::all().zip(fitted.bends) {
        let percent = (100.0 * (1.0 + bend).clamp(floor, ceiling)).round();
        knob.turn(ratios, percent / 100.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_choose_groups() {
        let turns = |only: &[&str], freeze: &[&str]| {
            let [only, freeze] =
                [only, freeze].map(|names| names.iter().map(ToString::to_string).collect());
            Hold { pull: 1.0, only, freeze }.turns()
        };
        let count = |only, freeze| turns(only, freeze).unwrap().into_iter().filter(|&t| t).count();
        assert_eq!(count(&[], &[]), Knob::COUNT);
        assert_eq!(count(&["king"], &[]), 2);
        assert_eq!(count(&[], &["material"]), Knob::COUNT - 1);
        assert_eq!(turns(&["king"], &["king"]).unwrap_err(), TuneError::AllFrozen);
        let error = turns(&["kng"], &[]).unwrap_err().to_string();
        assert!(error.ends_with("did you mean `king`?"), "{error}");
    }
}
