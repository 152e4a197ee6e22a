//! Imitates one player: fits how the player's choices depart from the choices of people of the
//! same rating.
//!
//! The earlier games are used to fit, the later ones to test.
#![allow(clippy::cast_precision_loss, reason = "values are far within what floats hold")]

mod fit;
mod report;

pub use report::{ImitationRecord, TasteRecord};

use crate::{
    lab::{
        style::{MeasureCount, Moments},
        tune::policy::{PolicyChoice, PolicySample},
    },
    pgn::{OwnGame, PlayedGame},
    player::human::{
        book::{Book, follow},
        cue::Cue,
        habit::Habits,
        policy::{Policy, PolicyError, shares},
    },
    profile::{HumanTaste, Profile},
    search::memory::pages::OutOfMemory,
    support::noise::DEVIATIONS_95,
};
use fit::{certain, fit, utilities};
use strum::{EnumCount, IntoEnumIterator};

/// With fewer games, no player is imitated.
pub const LEAST_GAMES: usize = 20;
/// With fewer games, the fit rarely finds anything.
pub const ENOUGH_GAMES: usize = 200;
/// The pulls to choose from, in nats for an addition of 1.
const PULLS: [f64; 5] = [5.0, 20.0, 80.0, 320.0, 1280.0];
/// Number of parts of the cross-validation that chooses the pull.
const PARTS: usize = 4;

/// A choice of the player, and what people of the same rating think of it.
#[derive(Clone, Debug)]
struct Tasted {
    choice: PolicyChoice,
    /// The utility of each move to people of this rating, in nats.
    base: Vec<f64>,
}

/// Why a player cannot be imitated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ImitateError {
    /// There are too few games.
    #[error("found {found} games of the player, needed: at least {LEAST_GAMES}")]
    FewGames { found: usize },
    /// There are no moves after the opening, in the games for the fit or in those that judge it.
    #[error("found no moves after the opening in the {0} games of the player")]
    NoMoves(&'static str),
    /// The weights of the human style are broken.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// A transposition table cannot be allocated.
    #[error("the transposition tables cannot be allocated")]
    Memory,
    /// The fit does not converge.
    #[error("the weights cannot be fitted")]
    Unfit,
}

/// The fit of one player.
#[derive(Clone, Debug)]
pub struct Imitation {
    /// The taste of the profile, with the additions of the player.
    pub taste: HumanTaste,
    /// The additions whose 95 % interval excludes 0: cue, addition and half its interval.
    pub additions: Vec<(Cue, f64, f64)>,
    /// The pull that was chosen, in nats for an addition of 1.
    pub pull: f64,
    /// Games and moves of the fit.
    pub fitted: [usize; 2],
    /// How well the last games are foretold.
    pub judged: Judgement,
}

/// How well moves are foretold by the fit, compared with the policy of the rating.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// Games and moves.
    pub size: [usize; 2],
    /// Nats per move gained, by game.
    pub gain: Moments,
    /// Mean log-likelihood in nats per move: of the rating, and of the fit.
    pub likelihoods: [f64; 2],
    /// Share of moves that are the likeliest: of the rating, and of the fit.
    pub hits: [f64; 2],
}

/// Fits the taste of a player to `games`, in order. The last share `holdout` of them judges the fit.
///
/// # Errors
/// If there are fewer than [`LEAST_GAMES`] games, or no moves in them.
pub fn imitate(
    profile: &Profile,
    games: &[OwnGame],
    holdout: f64,
) -> Result<Imitation, ImitateError> {
    if games.len() < LEAST_GAMES {
        return Err(ImitateError::FewGames { found: games.len() });
    }
    let games: Vec<PlayedGame> = games.iter().map(|game| game.played.clone()).collect();
    let choices = PolicySample::new(profile, 0..=u16::MAX, 1, 0.0)
        .by_game(&games, &Habits::counted(), &Book::counted())
        .map_err(|OutOfMemory| ImitateError::Memory)?;
    imitate_choices(profile, choices, holdout)
}

/// Like [`imitate`], with the player's choices of each game.
///
/// # Errors
/// If there are no moves.
pub fn imitate_choices(
    profile: &Profile,
    games: Vec<Vec<PolicyChoice>>,
    holdout: f64,
) -> Result<Imitation, ImitateError> {
    let policy = Policy::fitted()?.with(&profile.human);
    let tasted = |choice: PolicyChoice| {
        let base = policy.utilities(choice.rating, &choice.moves);
        Tasted { choice, base }
    };
    let games: Vec<Vec<Tasted>> =
        games.into_iter().map(|game| game.into_iter().map(tasted).collect()).collect();
    let first = ((1.0 - holdout) * games.len() as f64).round() as usize;
    let mut earlier = games;
    let last = earlier.split_off(first.min(earlier.len()));
    // opening moves that people know say little about taste
    for game in &mut earlier {
        game.retain(|tasted| tasted.choice.book.is_none());
    }
    let [earlier, last] = [&earlier, &last].map(|games| {
        games.iter().map(Vec::as_slice).filter(|game| !game.is_empty()).collect::<Vec<_>>()
    });
    if earlier.len() < PARTS {
        return Err(ImitateError::NoMoves("earlier"));
    }
    if last.is_empty() {
        return Err(ImitateError::NoMoves("last"));
    }
    let pull = chosen_pull(&earlier).ok_or(ImitateError::Unfit)?;
    let (cues, found) = certain(&earlier, pull, DEVIATIONS_95).ok_or(ImitateError::Unfit)?;
    let mut taste = profile.human.clone();
    let mut added = [0.0; Cue::COUNT];
    let mut additions = Vec::new();
    for cue in cues {
        // what the profile says, rounded as in its file
        let addition = rounded(found.added[cue as usize] / taste.sharpness);
        added[cue as usize] = addition * taste.sharpness;
        let sum = taste.cues[cue as usize] + addition;
        taste.cues[cue as usize] = rounded(sum.clamp(-HumanTaste::FARTHEST, HumanTaste::FARTHEST));
        additions.push((cue, addition, DEVIATIONS_95 * found.errors[cue as usize]));
    }
    let moves = earlier.iter().map(|game| game.len()).sum();
    let judged = judge(&last, &added);
    Ok(Imitation { taste, additions, pull, fitted: [earlier.len(), moves], judged })
}

/// Rounds to the precision of profile files.
fn rounded(weight: f64) -> f64 {
    (weight * 1000.0).round() / 1000.0
}

/// Returns the pull under which the games of each part are foretold best from the other parts.
fn chosen_pull(games: &[&[Tasted]]) -> Option<f64> {
    let all: Vec<Cue> = Cue::iter().collect();
    let start = [0.0; Cue::COUNT];
    let gain = |pull: f64| -> Option<f64> {
        let parts = (0..PARTS).map(|part| {
            let of = |inside: bool| {
                let numbered = games.iter().enumerate();
                let kept = numbered.filter(move |(number, _)| (number % PARTS == part) == inside);
                kept.map(|(_, game)| *game).collect::<Vec<_>>()
            };
            let added = fit(&of(false), &all, pull, &start)?.added;
            Some(judge(&of(true), &added).gain.total.sum)
        });
        parts.sum()
    };
    let gains: Option<Vec<(f64, f64)>> =
        PULLS.into_iter().map(|pull| Some((pull, gain(pull)?))).collect();
    Some(gains?.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?.0)
}

/// Judges additions by `games`.
fn judge(games: &[&[Tasted]], added: &[f64; Cue::COUNT]) -> Judgement {
    let mut judged = Judgement::default();
    for game in games {
        let mut gain = MeasureCount { sum: 0.0, of: game.len() as f64 };
        for tasted in *game {
            let mut chances = [shares(&tasted.base), shares(&utilities(tasted, added))];
            if let Some(counts) = &tasted.choice.book {
                for chances in &mut chances {
                    follow(chances, counts);
                }
            }
            let [before, after] = [&chances[0], &chances[1]].map(|all| libm::log(all[0]));
            gain.sum += after - before;
            for (index, all) in chances.iter().enumerate() {
                judged.likelihoods[index] += libm::log(all[0]);
                let is_first = all.iter().all(|&chance| chance <= all[0]);
                judged.hits[index] += f64::from(u8::from(is_first));
            }
        }
        judged.gain.add(gain);
        judged.size[0] += 1;
        judged.size[1] += game.len();
    }
    let moves = judged.size[1].max(1) as f64;
    for sum in judged.likelihoods.iter_mut().chain(&mut judged.hits) {
        *sum /= moves;
    }
    judged
}
