//! Turns games into choices: the cues of every legal move, and which one was played.
#![allow(clippy::cast_precision_loss, reason = "values are far within what floats hold")]

use crate::{
    eval::{TermEvaluator, weights::Weights},
    pgn::{Chosen, GameStage, PlayedGame},
    player::human::{
        book::{Book, BookCounts, PLIES, follow},
        cue::{Cue, Cues},
        habit::{HabitCounts, Habits},
        policy::{Policy, relative},
        reading::Reader,
        view::View,
    },
    profile::Profile,
    search::memory::pages::OutOfMemory,
    support::random::hashed,
};
use rayon::prelude::*;
use shakmaty::{ByColor, Position};
use std::ops::RangeInclusive;

/// One choice of a person.
#[derive(Clone, Debug)]
pub struct PolicyChoice {
    /// The cues of all legal moves. The move played is first.
    pub moves: Vec<Cues>,
    /// How often people played each of them, if the position is in the book.
    pub book: Option<Vec<f64>>,
    /// The rating of the player.
    pub rating: u16,
    /// The stage of the game.
    pub stage: GameStage,
    /// Whether the player is held out of the fit.
    pub is_held_out: bool,
}

impl PolicyChoice {
    /// Returns the probabilities of the moves by `policy` and the book.
    #[must_use]
    pub fn chances(&self, policy: &Policy) -> Vec<f64> {
        self.chances_at(policy, self.rating)
    }

    /// Returns the probabilities of the moves if somebody of this `rating` were to move. The book
    /// still counts for the rating of the player.
    #[must_use]
    pub fn chances_at(&self, policy: &Policy, rating: u16) -> Vec<f64> {
        let mut chances = policy.probabilities(rating, &self.moves);
        if let Some(counts) = &self.book {
            follow(&mut chances, counts);
        }
        chances
    }

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
    /// Only one move in this many of players who are not held out.
    every_other: usize,
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
        Self { choices: Vec::new(), profile, weights, band, every, holdout, every_other: 1 }
    }

    /// Keeps only one move in `every` of those by players who are not held out.
    #[must_use]
    pub const fn thinned(mut self, every: usize) -> Self {
        self.every_other = every;
        self
    }

    /// Adds the choices of `games`. Feelings and habits are as in play.
    ///
    /// # Errors
    /// If a transposition table cannot be allocated.
    pub fn add(
        &mut self,
        games: &[PlayedGame],
        habits: &Habits,
        book: &Book,
    ) -> Result<(), OutOfMemory> {
        self.choices.extend(self.by_game(games, habits, book)?.into_iter().flatten());
        Ok(())
    }

    /// Returns the choices of each of `games` without adding them.
    ///
    /// # Errors
    /// If a transposition table cannot be allocated.
    pub fn by_game(
        &self,
        games: &[PlayedGame],
        habits: &Habits,
        book: &Book,
    ) -> Result<Vec<Vec<PolicyChoice>>, OutOfMemory> {
        games
            .par_iter()
            .map_init(Reader::new, |reader, game| {
                let reader = reader.as_mut().map_err(|error| *error)?;
                let mut evaluator = TermEvaluator::new(self.weights.clone());
                let chosen = game.chosen(self.every);
                let chosen = chosen.filter(|chosen| self.band.contains(&chosen.elo));
                let chosen = chosen.enumerate().filter(|(place, chosen)| {
                    (place + game.number).is_multiple_of(self.every_other)
                        || is_held_out(&chosen.human, self.holdout)
                });
                let chosen = chosen.map(|(_, chosen)| chosen);
                let mut learnt = (habits, book, &mut evaluator);
                Ok(chosen.filter_map(|c| self.choice(&c, reader, &mut learnt)).collect())
            })
            .collect()
    }

    fn choice(
        &self,
        chosen: &Chosen,
        reader: &mut Reader,
        (habits, book, evaluator): &mut (&Habits, &Book, &mut TermEvaluator),
    ) -> Option<PolicyChoice> {
        let chess = &chosen.game.chess;
        let View { readings, cues: mut moves, .. } =
            View::of(&chosen.game, self.profile, habits, (reader, &**evaluator));
        let place = readings.moves.iter().position(|reading| reading.m == chosen.m)?;
        moves.swap(0, place);
        let all: Vec<_> = readings.moves.iter().map(|reading| reading.m).collect();
        let mut book = book.counts(chess, chosen.elo, &all);
        if let Some(counts) = &mut book {
            counts.swap(0, place);
        }
        let is_held_out = is_held_out(&chosen.human, self.holdout);
        Some(PolicyChoice {
            moves,
            book,
            rating: chosen.elo,
            stage: GameStage::of(chess.board()),
            is_held_out,
        })
    }
}

/// Counts the choices of `games` by players who are not held out.
#[must_use]
pub fn count_habits(games: &[PlayedGame], holdout: f64) -> HabitCounts {
    let count = |mut counts: HabitCounts, game: &PlayedGame| {
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
    games.par_iter().fold(HabitCounts::default, count).reduce(HabitCounts::default, merge)
}

/// Counts the opening moves of `games` by players who are not held out.
#[must_use]
pub fn count_openings(games: &[PlayedGame], holdout: f64) -> BookCounts {
    let mut counts = BookCounts::default();
    for game in games {
        let mut chess = game.start.chess.clone();
        for played in game.moves.iter().take(PLIES) {
            let (name, elo) =
                (game.tags.players.get(chess.turn()), game.tags.elos.get(chess.turn()));
            if let Some(elo) = elo.filter(|_| !is_held_out(name, holdout)) {
                counts.add(&chess, played.m, name, elo);
            }
            chess.play_unchecked(played.m);
        }
    }
    counts
}

/// Returns whether a player is held out, decided by the name.
pub(in crate::lab::tune) fn is_held_out(name: &str, share: f64) -> bool {
    let bits = hashed(0, name);
    (bits >> 32) as f64 / f64::from(u32::MAX) < share
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Games;
    use std::io::Cursor;

    #[test]
    fn only_players_who_are_not_held_out_are_thinned() {
        let named = |held_out: bool| {
            let names = ('a'..='z').map(String::from);
            names.into_iter().find(|name| is_held_out(name, 0.5) == held_out).unwrap()
        };
        let text = format!(
            "[White \"{}\"]\n[Black \"{}\"]\n[WhiteElo \"1500\"]\n[BlackElo \"1700\"]\n\n\
             1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 O-O *\n",
            named(true),
            named(false)
        );
        let game = Games::of(Box::new(Cursor::new(text))).next().unwrap().unwrap();
        let profile = Profile::builtin("standard").unwrap();
        let (habits, book) = (Habits::counted(), Book::counted());
        for (every, others) in [(1, 3), (3, 1)] {
            let mut sample = PolicySample::new(&profile, 0..=4000, 1, 0.5).thinned(every);
            sample.add(std::slice::from_ref(&game), &habits, &book).unwrap();
            let held_out = sample.choices.iter().filter(|choice| choice.is_held_out).count();
            assert_eq!((held_out, sample.choices.len() - held_out), (3, others));
        }
    }
}
