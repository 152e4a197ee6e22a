//! Searches for positions that prove that each knob of a profile has an effect.
//!
//! For each knob it finds the position of strongest emotion in which the knob changes the move.
//! Appraisals are cheap and searches are expensive. All positions are therefore appraised first.
//! Only those in which the knob's goal is pursued with the knob's feeling are searched.

use super::{EmotionSign, Knob, KnobPart, MoveChooser};
use crate::{chess::game::Game, chess_mind::Goal, player::OptionsError, profile::Profile};
use rayon::prelude::*;
use shakmaty::Position;
use std::{
    num::NonZeroU64,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

/// The positions and limits for mining.
#[derive(Clone, Copy, Debug)]
pub struct MineOptions<'s> {
    pub positions: &'s [Game],
    /// Nodes per search.
    pub nodes: NonZeroU64,
    /// Searches at most this many positions per goal and feeling.
    pub tries: usize,
    /// Stops mining early. The remaining knobs are reported as not found ("interrupted").
    pub stop: &'s AtomicBool,
}

/// A position in which a knob changes the move, but a negligible change of the profile does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    pub nodes: NonZeroU64,
    pub fen: String,
    /// The move played with the unchanged profile, in UCI notation.
    pub with: String,
    /// The move played with this knob set to 100 %, in UCI notation.
    pub without: String,
}

/// The result of mining for one knob.
#[derive(Clone, Debug, PartialEq)]
pub struct KnobFinding {
    /// The profile's built-in name or path.
    pub profile: String,
    pub knob: Knob,
    /// The knob's percentage in the profile, see [`Knob::percent`].
    pub percent: Option<f64>,
    /// The position that proves the knob's effect, or the reason why none was found.
    pub witness: Result<Witness, String>,
}

/// The positions in which a goal is pursued with one feeling.
#[derive(Clone, Debug, Default)]
struct Candidates {
    /// Indices of the positions to search, strongest emotion first.
    places: Vec<usize>,
    /// Number of such positions, including those beyond [`MineOptions::tries`].
    all: usize,
}

/// Returns the findings for every knob of `profiles`, in order.
///
/// The findings do not depend on the number of threads in the current pool. After each goal, `each`
/// is called with the number of its knobs and the number of knobs found.
///
/// # Errors
/// If a hash table cannot be allocated.
pub fn mine(
    profiles: &[Profile],
    settings: &MineOptions<'_>,
    each: impl Fn(usize, usize) + Sync,
) -> Result<Vec<KnobFinding>, OptionsError> {
    let mut tasks: Vec<(&Profile, Goal, [Candidates; 2])> = Vec::new();
    for profile in profiles {
        let mut goals: Vec<_> = Knob::all(&profile.mind).iter().map(|knob| knob.goal).collect();
        goals.dedup();
        if !goals.is_empty() {
            let candidates = appraise(profile, settings);
            tasks.extend(
                goals.into_iter().map(|goal| (profile, goal, candidates[goal as usize].clone())),
            );
        }
    }
    let findings: Result<Vec<_>, _> = tasks
        .par_iter()
        .map(|(profile, goal, candidates)| {
            let findings = search(profile, *goal, candidates, settings)?;
            each(findings.len(), findings.iter().filter(|one| one.witness.is_ok()).count());
            Ok::<_, OptionsError>(findings)
        })
        .collect();
    Ok(findings?.concat())
}

/// Returns the candidate positions of every goal, for fear and for relief.
fn appraise(profile: &Profile, settings: &MineOptions<'_>) -> Vec<[Candidates; 2]> {
    let feel = |game: &Game| {
        if settings.stop.load(Relaxed) || game.chess.legal_moves().len() < 2 {
            return None;
        }
        let appraisal = profile.mind.appraise(&game.chess, game.chess.turn(), 100, None);
        let feeling = EmotionSign::of(appraisal.intensity)?;
        Some((appraisal.goal?, feeling, appraisal.intensity.abs()))
    };
    let felt: Vec<_> = settings.positions.par_iter().map(feel).collect();
    let candidates = |goal: Goal, feeling: EmotionSign| {
        let mut found: Vec<_> = felt
            .iter()
            .enumerate()
            .filter_map(|(place, felt)| {
                let (of, with, strength) = (*felt)?;
                (of == goal && with == feeling).then_some((place, strength))
            })
            .collect();
        found.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let all = found.len();
        let places = found.into_iter().take(settings.tries).map(|(place, _)| place).collect();
        Candidates { places, all }
    };
    Goal::ALL.map(|goal| EmotionSign::ALL.map(|feeling| candidates(goal, feeling))).into()
}

/// A knob under test, with the profile in which this knob is set to 100 %.
struct KnobTrial {
    knob: Knob,
    turned_back: Profile,
    witness: Option<Witness>,
}

/// Searches the candidate positions of `goal` until a witness is found for each of its knobs.
fn search(
    profile: &Profile,
    goal: Goal,
    candidates: &[Candidates; 2],
    settings: &MineOptions<'_>,
) -> Result<Vec<KnobFinding>, OptionsError> {
    let mut player = MoveChooser::new(profile.clone(), settings.nodes)?;
    let mut trials: Vec<_> = Knob::all(&profile.mind)
        .into_iter()
        .filter(|knob| knob.goal == goal)
        .map(|knob| KnobTrial { knob, turned_back: knob.turned_back(profile), witness: None })
        .collect();
    for (feeling, group) in EmotionSign::ALL.into_iter().zip(candidates) {
        for &place in &group.places {
            let game = &settings.positions[place];
            let open = |trial: &KnobTrial| trial.witness.is_none() && trial.knob.works_in(feeling);
            if settings.stop.load(Relaxed) || !trials.iter().any(open) {
                break;
            }
            let Some(with) = player.choose(profile, game) else { continue };
            let mut is_steady = None;
            for trial in trials.iter_mut().filter(|trial| open(trial)) {
                let Some(without) = player.choose(&trial.turned_back, game) else { continue };
                if without.best == with.best {
                    continue;
                }
                // a move that changes with any small perturbation proves nothing about this knob
                let mut stays = |units| {
                    let choice = player.choose(&profile.barely_changed(units), game);
                    choice.is_some_and(|choice| choice.best == with.best)
                };
                if *is_steady.get_or_insert_with(|| stays(1) && stays(-1)) {
                    trial.witness = Some(Witness {
                        nodes: settings.nodes,
                        fen: game.fen(),
                        with: with.best.clone(),
                        without: without.best,
                    });
                }
            }
        }
    }
    let finding = |trial: KnobTrial| KnobFinding {
        profile: profile.source.clone(),
        knob: trial.knob,
        percent: trial.knob.percent(&profile.mind),
        witness: trial.witness.ok_or_else(|| reason(trial.knob, candidates, settings)),
    };
    Ok(trials.into_iter().map(finding).collect())
}

/// Returns the reason why no witness was found for `knob`.
fn reason(knob: Knob, candidates: &[Candidates; 2], settings: &MineOptions<'_>) -> String {
    if settings.stop.load(Relaxed) {
        return "interrupted".into();
    }
    let groups =
        EmotionSign::ALL.into_iter().zip(candidates).filter(|(feeling, _)| knob.works_in(*feeling));
    let (searched, all) = groups.fold((0, 0), |(searched, all), (_, group)| {
        (searched + group.places.len(), all + group.all)
    });
    let goal = knob.goal.name();
    let felt = match knob.part {
        KnobPart::Whole => "any feeling",
        KnobPart::Percentage { feeling, .. } => feeling.name(),
    };
    let positions = settings.positions.len();
    if all == 0 {
        format!("{goal} is never pursued with {felt} in {positions} positions")
    } else {
        format!(
            "changes no steady move in {searched} of the {all} positions with {goal} and {felt}"
        )
    }
}
