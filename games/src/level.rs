//! Levels of play, and players as commands name them: a level, with changed weights, errors or a
//! temperament.

use crate::{
    evaluation::{Ends, Evaluation, Terms, Weights},
    game::Side,
    notation::{NotationError, shown},
};
use deepfeeling::{
    mind::{game::FeltGame, listed::Listed, relevance::GoalRelevance},
    profile::{BuiltinMind, MindProfile, ProfileError},
    support::spelling::nearest,
};
use std::{fmt::Debug, path::Path};

/// How a level chooses its moves.
#[derive(Clone, Copy, Debug)]
pub enum Strategy<G: Terms> {
    /// Any legal move, all with the same probability.
    Random,
    /// The move with the best value by a function of position, move and evaluation.
    OnePly(fn(&G, G::Move, &Evaluation<G>) -> f64),
    /// Alpha-beta to a fixed depth, in moves.
    Minimax(u8),
    /// Iterative deepening.
    Deepening,
}

/// A level of a game.
#[derive(Clone, Copy, Debug)]
pub struct Level<G: Terms> {
    /// The name in commands.
    pub name: &'static str,
    /// What the level does, in one line.
    pub summary: &'static str,
    /// How it chooses its moves.
    pub strategy: Strategy<G>,
    /// The weights of its evaluation, before any feeling.
    pub weights: Weights<G>,
    /// What finished games are worth to it.
    pub ends: Ends,
}

/// A game with levels and temperaments.
pub trait Playable:
    Terms
    + FeltGame<
        Thresholds: Send + Sync,
        Fact: Send + Sync,
        Goal: Listed<Each<GoalRelevance<Self>>: Send + Sync> + Send + Sync,
        Group: Send + Sync,
    >
{
    /// The levels, as the source lists them.
    const LEVELS: &'static [Level<Self>];
    /// The level of a depth given as a number. Its strategy is replaced.
    const BY_DEPTH: Level<Self>;
    /// The name of the level that plays and explains unless another is asked for.
    const EXPLAINED: &'static str;
    /// The side that people play in the source.
    const PERSON: Side;
    /// The built-in temperaments.
    const TEMPERAMENTS: &'static [BuiltinMind];
}

/// The greatest depth that a level can be given as, in moves.
pub const DEEPEST: u8 = 12;

/// A player: a level, possibly with changed weights, errors and a temperament.
///
/// In commands it is written `LEVEL[~SHARE][,TERM=WEIGHT…][+TEMPERAMENT]`. SHARE is the probability
/// of a random move. A number as the level is a search to that depth. Without a temperament the
/// player does not feel.
#[derive(Clone, Debug)]
pub struct PlayerSpec<G: Playable> {
    /// The player as written in the command.
    pub name: String,
    /// The level, with its changed weights.
    pub level: Level<G>,
    /// The probability of a random move.
    pub errs: f64,
    /// What the player feels, unless it does not.
    pub temperament: Option<MindProfile<G>>,
}

/// A player that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// The text is not a player.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The temperament is not usable.
    #[error(transparent)]
    Profile(#[from] ProfileError),
}

impl<G: Playable> PlayerSpec<G> {
    /// Reads a player.
    ///
    /// # Errors
    /// If a part of it is unknown or out of range, or its temperament cannot be read.
    pub fn parse(text: &str) -> Result<Self, PlayerError> {
        let (play, temperament) = match text.split_once('+') {
            Some((play, temperament)) => (play, Some(self::temperament(temperament)?)),
            None => (text, None),
        };
        let mut parts = play.split(',');
        let level = parts.next().unwrap_or_default();
        let (level, errs) = match level.split_once('~') {
            Some((level, share)) => (level, self::share(share)?),
            None => (level, 0.0),
        };
        let mut level = self::level::<G>(level)?;
        for change in parts {
            reweigh(&mut level.weights, change)?;
        }
        Ok(Self { name: text.to_owned(), level, errs, temperament })
    }
}

/// Reads a temperament: the name of a built-in one, or the path of a TOML file.
///
/// # Errors
/// If there is no such temperament or file, or the file is wrong.
pub fn temperament<G: Playable>(name: &str) -> Result<MindProfile<G>, ProfileError> {
    let path = Path::new(name);
    if path.extension().is_some_and(|extension| extension == "toml") || name.contains('/') {
        MindProfile::from_file(path, G::TEMPERAMENTS)
    } else {
        MindProfile::builtin(name, G::TEMPERAMENTS)
    }
}

/// Returns the level with this name, or with this number as its depth.
///
/// # Errors
/// If no level has this name.
pub fn level<G: Playable>(name: &str) -> Result<Level<G>, NotationError> {
    if let Some(level) = G::LEVELS.iter().find(|level| level.name == name) {
        return Ok(*level);
    }
    let depth = name.parse().ok().filter(|depth| (1..=DEEPEST).contains(depth));
    if let Some(depth) = depth {
        return Ok(Level { strategy: Strategy::Minimax(depth), ..G::BY_DEPTH });
    }
    let names: Vec<&str> = G::LEVELS.iter().map(|level| level.name).collect();
    let allowed = format!("{}, or a depth from 1 to {DEEPEST}", names.join(", "));
    let near = nearest(name, names.iter().copied());
    Err(NotationError::new("level", shown(name), allowed).with_nearest(near))
}

/// Reads the probability of a random move.
fn share(text: &str) -> Result<f64, NotationError> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| {
        NotationError::new("share of random moves", shown(text), "a number from 0 to 1")
    })
}

/// The largest absolute value of a weight.
const HEAVIEST: f64 = 1000.0;

/// Reads a change such as `mobility=3`, for both sides unless the level counts the term for its own
/// side only.
fn reweigh<G: Playable>(weights: &mut Weights<G>, change: &str) -> Result<(), NotationError> {
    let (name, value) = change.split_once('=').unwrap_or((change, ""));
    let term = G::Group::named(name).ok_or_else(|| {
        let names: Vec<&str> = G::Group::ALL.into_iter().map(Listed::name).collect();
        let near = nearest(name, names.iter().copied());
        NotationError::new("term", shown(name), names.join(", ")).with_nearest(near)
    })?;
    let value = value.parse().ok().filter(|value: &f64| value.abs() <= HEAVIEST);
    let value = value.ok_or_else(|| {
        let allowed = format!("TERM=WEIGHT with a number from -{HEAVIEST} to {HEAVIEST}");
        NotationError::new("weight", shown(change), allowed)
    })?;
    let [own, other] =
        [&mut weights.own, &mut weights.other].map(|row| &mut row.as_mut()[term.index()]);
    if (*own - *other).abs() < f64::EPSILON {
        *other = value;
    }
    *own = value;
    Ok(())
}
