//! Tests on human games whether the emotion of the map predicts their conduct.
//!
//! Five hypotheses were written down before the data were looked at:
//!
//! | | hypothesis | statistic |
//! |---|---|---|
//! | H1 | relief leads to errors | odds of a blunder by relief, mixed logit |
//! | H2 | fear in time trouble leads to errors | interaction of fear and less than 30 seconds |
//! | H3 | relief leads to longer thought, fear to shorter | logarithm of the time used |
//! | H4 | fear predicts resignation | discrete-time hazard of resignation |
//! | H5 | the emotion says more than its inputs | held-out likelihood against maps with shuffled weights |
//!
//! Data pass through the files in this order: `scores` (from comments or small searches),
//! `observation` (one per move), `covariate` (columns of a model), `fit` (regressions), `hypotheses`
//! and `placebo` (tests), `mood` (an exploration beside them), `report` and `page` (output).
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

mod cache;
mod covariate;
mod ending;
mod figure;
mod findings;
pub(super) mod fit;
mod hypotheses;
mod judge;
mod mood;
mod observation;
mod page;
mod placebo;
mod report;
mod sample;
mod scores;
mod units;

pub use cache::Cache;
pub use judge::JudgeError;

use crate::{
    chess_mind::Mind, pgn::PlayedGame, profile::Profile, support::record_file::RecordError,
};
use findings::Findings;
use judge::Judge;
use observation::{Observation, observations};
use rayon::prelude::*;
use scores::{GameScores, Searched};
use shakmaty::Position;
use std::{
    collections::BTreeMap,
    num::{NonZeroU64, NonZeroUsize},
};
use units::Units;

/// The largest absolute score in centipawns. Mates and larger scores are limited to it.
const MOST_CENTIPAWNS: i16 = 2000;

/// How a study reads games and tests hypotheses.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The profile whose emotion is tested.
    pub profile: Profile,
    /// Nodes per position without a score in a comment.
    pub nodes: NonZeroU64,
    /// Number of maps with shuffled weights.
    pub placebos: NonZeroUsize,
    /// Seed of the shuffled maps and of the split into held-out players.
    pub seed: u64,
}

/// An error that ends a study.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    #[error(transparent)]
    Judge(#[from] JudgeError),
    #[error(transparent)]
    Cache(#[from] RecordError),
}

/// The observations of a study.
#[derive(Debug)]
pub struct Study {
    settings: Settings,
    cache: Cache,
    observations: Vec<Observation>,
    /// The number of each player, by name.
    players: BTreeMap<String, u32>,
    games: u32,
    /// Number of positions that were searched or found in the cache.
    searched: usize,
}

/// The results of a study.
#[derive(Debug)]
pub struct Results {
    profile: String,
    findings: Findings,
    /// See [`mood`].
    moods: [findings::Tested; 2],
    games: u32,
    players: u32,
    moves: usize,
    searched: usize,
    nodes: NonZeroU64,
    /// Names of players whose moves are split by opponent.
    dominant: Vec<String>,
    goals: Vec<sample::GoalCount>,
}

impl Study {
    /// Creates a study without observations. Searched scores are taken from and added to `cache`.
    #[must_use]
    pub fn new(settings: Settings, cache: Cache) -> Self {
        let (observations, players) = (Vec::new(), BTreeMap::new());
        Self { settings, cache, observations, players, games: 0, searched: 0 }
    }

    /// Adds the moves of `games`. The result does not depend on the number of threads.
    ///
    /// # Errors
    /// If memory for the search cannot be allocated or the cache cannot be written.
    pub fn add(&mut self, games: &[PlayedGame]) -> Result<(), StudyError> {
        let (cache, mind, nodes) = (&self.cache, &self.settings.profile.mind, self.settings.nodes);
        let each: Vec<(String, Searched, Vec<Observation>)> = games
            .par_iter()
            .map_init(
                || None,
                |judge, game| {
                    let key = scores::key(game);
                    let searched = searched(game, cache.find(&key), judge, nodes)?;
                    let scores = GameScores::new(game, &searched);
                    let found = observations(game, &scores, mind);
                    Ok((key, searched, found))
                },
            )
            .collect::<Result<_, JudgeError>>()?;
        for (game, (key, searched, found)) in games.iter().zip(each) {
            self.cache.add(&key, &searched)?;
            self.searched += searched.count();
            self.count(game, found);
        }
        Ok(())
    }

    /// Numbers game and players of observations and keeps them.
    fn count(&mut self, game: &PlayedGame, found: Vec<Observation>) {
        if found.is_empty() {
            return;
        }
        self.games += 1;
        let ids = game.tags.players.as_ref().map(|name| self.player(name));
        let first = game.start.chess.turn();
        for one in found {
            let mover = if one.ply % 2 == 0 { first } else { !first };
            let (player, opponent) = (*ids.get(mover), *ids.get(!mover));
            self.observations.push(Observation { player, opponent, game: self.games, ..one });
        }
    }

    /// Returns the number of the player with this name. Each player without a name is another one.
    fn player(&mut self, name: &str) -> u32 {
        let next = self.players.len() as u32;
        let name = if matches!(name, "" | "?") { format!("? {next}") } else { name.to_owned() };
        *self.players.entry(name).or_insert(next)
    }

    /// Returns the number of observed moves.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.observations.len()
    }

    /// Fits the models and returns the results.
    #[must_use]
    pub fn results(&self) -> Results {
        let players = self.players.len() as u32;
        let units = Units::new(&self.observations, players);
        let mind: &Mind = &self.settings.profile.mind;
        let name = |id: u32| self.players.iter().find(|(_, known)| **known == id);
        Results {
            profile: self.settings.profile.name.clone(),
            findings: Findings::new(&self.observations, &units, mind, &self.settings),
            moods: mood::explore(&self.observations, &units),
            games: self.games,
            players,
            moves: self.observations.len(),
            searched: self.searched,
            nodes: self.settings.nodes,
            dominant: units.dominant().filter_map(|id| Some(name(id)?.0.clone())).collect(),
            goals: sample::goals(&self.observations),
        }
    }
}

/// Returns what a search finds in `game`, or what an earlier one has found.
fn searched(
    game: &PlayedGame,
    known: Option<&Searched>,
    judge: &mut Option<Judge>,
    nodes: NonZeroU64,
) -> Result<Searched, JudgeError> {
    if let Some(known) = known {
        return Ok(known.clone());
    }
    let is_rated = game.tags.elos.white.or(game.tags.elos.black).is_some();
    if !is_rated || game.moves.len() <= crate::pgn::FIRST_PLY {
        return Ok(Searched::default());
    }
    let judge = match judge {
        Some(judge) => judge,
        None => judge.insert(Judge::new(nodes)?),
    };
    Ok(Searched::of(game, judge))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An observation in which nothing is remarkable.
    pub(super) fn observation() -> Observation {
        Observation {
            player: 0,
            opponent: 1,
            game: 1,
            is_quiet: true,
            ply: 20,
            elo: 1500,
            perceived: [0.0; 4],
            felt: 0.0,
            mood: 0.0,
            goal: None,
            centipawns: 0,
            chance: 50.0,
            loss: Some(0.0),
            slip: Some(0.0),
            own_slip: Some(0.0),
            moves: 30,
            material: 6000,
            difficulty: Some(0.1),
            clock: None,
            resigns: None,
        }
    }
}
