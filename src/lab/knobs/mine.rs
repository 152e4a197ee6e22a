//! Mining: for every knob the position of the strongest feeling in which it changes the move. Feelings
//! cost little, searches much, so all positions are appraised first, and searched are only those in
//! which the knob's goal is pursued with its feeling.

use super::{Feeling, Knob, Part, Player};
use crate::{chess::game::Game, mind::goal::Goal, player::HashError, profile::Profile};
use rayon::prelude::*;
use shakmaty::Position;
use std::{
    num::NonZeroU64,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

/// Where and how far to look.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'s> {
    pub positions: &'s [Game],
    /// Of each search.
    pub nodes: NonZeroU64,
    /// Positions to search, at most, for each goal and feeling.
    pub tries: usize,
    /// Stop early: knobs not found so far are told as such.
    pub stop: &'s AtomicBool,
}

/// A position in which a knob changes the move, and a change that means nothing does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    pub nodes: NonZeroU64,
    pub fen: String,
    /// The move with the knob as it stands in the profile, as UCI writes it.
    pub with: String,
    /// The move with the knob alone at 100 %.
    pub without: String,
}

/// What is known of a knob.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Where the profile comes from: a built-in name, or a path.
    pub profile: String,
    pub knob: Knob,
    /// [`Knob::percent`].
    pub percent: Option<f64>,
    /// Or why there is none.
    pub witness: Result<Witness, String>,
}

/// The positions in which a goal is pursued with one feeling: places in the list, those of the
/// strongest feeling first, and how many there are in all.
#[derive(Clone, Debug, Default)]
struct Vein {
    places: Vec<usize>,
    all: usize,
}

/// The findings for every knob of `profiles`, in their order. They do not depend on the number of
/// threads of the pool that this runs in. `each` hears of every goal that is done: how many knobs it
/// has, and how many of them were found.
///
/// # Errors
/// If a table cannot be had.
pub fn mine(
    profiles: &[Profile],
    settings: &Settings<'_>,
    each: impl Fn(usize, usize) + Sync,
) -> Result<Vec<Finding>, HashError> {
    let mut seams: Vec<(&Profile, Goal, [Vein; 2])> = Vec::new();
    for profile in profiles {
        let mut goals: Vec<_> = Knob::all(&profile.mind).iter().map(|knob| knob.goal).collect();
        goals.dedup();
        if !goals.is_empty() {
            let veins = appraise(profile, settings);
            seams.extend(
                goals.into_iter().map(|goal| (profile, goal, veins[goal as usize].clone())),
            );
        }
    }
    let dug: Result<Vec<_>, _> = seams
        .par_iter()
        .map(|(profile, goal, veins)| {
            let findings = dig(profile, *goal, veins, settings)?;
            each(findings.len(), findings.iter().filter(|one| one.witness.is_ok()).count());
            Ok(findings)
        })
        .collect();
    Ok(dug?.concat())
}

/// The veins of every goal, of fear and of relief.
fn appraise(profile: &Profile, settings: &Settings<'_>) -> Vec<[Vein; 2]> {
    let feel = |game: &Game| {
        if settings.stop.load(Relaxed) || game.chess.legal_moves().len() < 2 {
            return None;
        }
        let appraisal = profile.mind.appraise(&game.chess, game.chess.turn(), 100, None);
        let feeling = Feeling::of(appraisal.intensity)?;
        Some((appraisal.goal?, feeling, appraisal.intensity.abs()))
    };
    let felt: Vec<_> = settings.positions.par_iter().map(feel).collect();
    let vein = |goal: Goal, feeling: Feeling| {
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
        Vein { places, all }
    };
    Goal::ALL.map(|goal| Feeling::ALL.map(|feeling| vein(goal, feeling))).into()
}

/// A knob that is being looked at, and what it would be like without it.
struct Trial {
    knob: Knob,
    turned_back: Profile,
    witness: Option<Witness>,
}

/// Searches the positions of one goal until all of its knobs are found.
fn dig(
    profile: &Profile,
    goal: Goal,
    veins: &[Vein; 2],
    settings: &Settings<'_>,
) -> Result<Vec<Finding>, HashError> {
    let mut player = Player::new(profile.clone(), settings.nodes)?;
    let mut trials: Vec<_> = Knob::all(&profile.mind)
        .into_iter()
        .filter(|knob| knob.goal == goal)
        .map(|knob| Trial { knob, turned_back: knob.turned_back(profile), witness: None })
        .collect();
    for (feeling, vein) in Feeling::ALL.into_iter().zip(veins) {
        for &place in &vein.places {
            let game = &settings.positions[place];
            let open = |trial: &Trial| trial.witness.is_none() && trial.knob.works_in(feeling);
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
                // a move that any change turns proves nothing of this one
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
    let finding = |trial: Trial| Finding {
        profile: profile.source.clone(),
        knob: trial.knob,
        percent: trial.knob.percent(&profile.mind),
        witness: trial.witness.ok_or_else(|| reason(trial.knob, veins, settings)),
    };
    Ok(trials.into_iter().map(finding).collect())
}

/// Why a knob was not found.
fn reason(knob: Knob, veins: &[Vein; 2], settings: &Settings<'_>) -> String {
    if settings.stop.load(Relaxed) {
        return "interrupted".into();
    }
    let of = Feeling::ALL.into_iter().zip(veins).filter(|(feeling, _)| knob.works_in(*feeling));
    let (searched, all) = of
        .fold((0, 0), |(searched, all), (_, vein)| (searched + vein.places.len(), all + vein.all));
    let goal = knob.goal.name();
    let felt = match knob.part {
        Part::Whole => "any feeling",
        Part::Percentage { feeling, .. } => feeling.name(),
    };
    let positions = settings.positions.len();
    if all == 0 {
        format!("in none of {positions} positions {goal} is pursued with {felt}")
    } else {
        format!(
            "changes no steady move in {searched} of the {all} positions with {goal} and {felt}"
        )
    }
}
