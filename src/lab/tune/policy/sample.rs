//! Turns games into choices: the cues of every legal move, and which one was played.
#![allow(clippy::cast_precision_loss, reason = "values are far within what floats hold")]

use crate::{
    eval::{TermEvaluator, weights::Weights},
    mind::salience::Focus,
    pgn::{Chosen, PlayedGame},
    player::human::{
        cue::{Cue, Cues, Scene},
        habit::{HabitCounts, Habits},
        policy::relative,
        reading::Reader,
    },
    profile::Profile,
    search::memory::pages::OutOfMemory,
    support::random::mixed,
};
use rayon::prelude::*;
use shakmaty::{ByColor, Position};
use std::ops::RangeInclusive;

/// One choice of a person.
#[derive(Clone, Debug)]
pub struct PolicyChoice {
    /// The cues of all legal moves. The move played is first.
    pub moves: Vec<Cues>,
    /// The rating of the player.
    pub rating: u16,
    /// The phase: 0 opening, 1 middlegame, 2 endgame.
    pub phase: u8,
    /// Whether the player is held out of the fit.
    pub is_held_out: bool,
}

impl PolicyChoice {
    /// Returns the rating relative to the centre of the policy.
    #[must_use]
    pub fn relative(&self) -> f64 {
        relative(self.rating)
    }

    /// Returns whether a search of 1,000 nodes answers with the move played.
    #[must_use]
    pub fn is_search_best(&self) -> bool {
        self.moves[0][Cue::SearchBest as usize] > 0.0
    }
}

/// Collects choices from games.
#[derive(Debug)]
pub struct PolicySample<'p> {
    /// The choices so far.
    pub choices: Vec<PolicyChoice>,
    profile: &'p Profile,
    weights: ByColor<Weights>,
    band: RangeInclusive<u16>,
    every: usize,
    holdout: f64,
}

impl<'p> PolicySample<'p> {
    /// Creates an empty sample of moves by players rated in `band`: one move in `every` of a game.
    /// A share `holdout` of the players is held out. `profile` judges the moves and feels.
    #[must_use]
    pub fn new(
        profile: &'p Profile,
        band: RangeInclusive<u16>,
        every: usize,
        holdout: f64,
    ) -> Self {
        let weights = ByColor { white: profile.weights.clone(), black: profile.weights.clone() };
        Self { choices: Vec::new(), profile, weights, band, every, holdout }
    }

    /// Adds the choices of `games`. Feelings and habits are as in play.
    ///
    /// # Errors
    /// If a transposition table cannot be allocated.
    pub fn add(&mut self, games: &[PlayedGame], habits: &Habits) -> Result<(), OutOfMemory> {
        let each: Vec<Vec<PolicyChoice>> = games
            .par_iter()
            .map_init(Reader::new, |reader, game| {
                let reader = reader.as_mut().map_err(|error| *error)?;
                let mut evaluator = TermEvaluator::new(self.weights.clone());
                let chosen = game.chosen(self.every);
                let chosen = chosen.filter(|chosen| self.band.contains(&chosen.elo));
                Ok(chosen.filter_map(|c| self.choice(&c, reader, &mut evaluator, habits)).collect())
            })
            .collect::<Result<_, _>>()?;
        self.choices.extend(each.into_iter().flatten());
        Ok(())
    }

    fn choice(
        &self,
        chosen: &Chosen,
        reader: &mut Reader,
        evaluator: &mut TermEvaluator,
        habits: &Habits,
    ) -> Option<PolicyChoice> {
        let chess = &chosen.game.chess;
        let readings = reader.read(&chosen.game, evaluator);
        let felt = self.profile.mind.appraise(chess, chess.turn(), 100, None);
        let focus = Focus::of(chess, Some(&felt), 100);
        let scene = Scene::new(&chosen.game, &readings, &focus, felt.intensity, habits);
        let mut moves = Vec::with_capacity(readings.moves.len());
        let place = readings.moves.iter().position(|reading| reading.m == Some(chosen.m))?;
        moves.extend(readings.moves.iter().map(|reading| scene.cues(reading)));
        moves.swap(0, place);
        let is_held_out = is_held_out(&chosen.human, self.holdout);
        Some(PolicyChoice { moves, rating: chosen.elo, phase: phase(chosen), is_held_out })
    }
}

/// Adds the choices of `games` by players who are not held out to `counts`.
pub fn count_habits(counts: &mut HabitCounts, games: &[PlayedGame], holdout: f64) {
    let count = |game: &PlayedGame| {
        let mut counts = HabitCounts::default();
        for chosen in game.chosen(1).filter(|chosen| !is_held_out(&chosen.human, holdout)) {
            let chess = &chosen.game.chess;
            counts.add(chess.turn(), &chess.legal_moves(), chosen.m);
        }
        counts
    };
    let merge = |mut one: HabitCounts, other: HabitCounts| {
        one.merge(&other);
        one
    };
    let fold = |all: HabitCounts, game: &PlayedGame| merge(all, count(game));
    let all = games.par_chunks(64).map(|games| games.iter().fold(HabitCounts::default(), fold));
    counts.merge(&all.reduce(HabitCounts::default, merge));
}

fn phase(chosen: &Chosen) -> u8 {
    let fullness = crate::chess::wdl::fullness(chosen.game.chess.board());
    let is_opening = chosen.game.chess.fullmoves().get() <= 12;
    if fullness < 0.35 { 2 } else { u8::from(!is_opening) }
}

/// Returns whether a player is held out, decided by the name.
fn is_held_out(name: &str, share: f64) -> bool {
    let bits = name.bytes().fold(0, |bits, byte| mixed(bits ^ u64::from(byte)));
    (bits >> 32) as f64 / f64::from(u32::MAX) < share
}
