//! Blind games: the engine hides its profile and its feelings, and the player guesses the profile
//! from the moves.

use super::state::GameState;
use crate::{
    serve::{refusal::Refusal, request::Request, temperaments::Temperament},
    support::random::Random,
};
use hyper::StatusCode;
use serde::Serialize;

/// The number of profiles among which the player guesses.
const CANDIDATES: usize = 4;
/// Profiles that are never drawn: the user's own file, which may be anything, the article's map, and
/// `neutral`, which plays nearly like `standard`.
const NEVER: [&str; 3] = ["own", "paper2012", "neutral"];

/// A game in which the player guesses the engine's profile.
#[derive(Clone, Debug)]
pub(super) struct BlindGame {
    /// Indices of the profiles among which the player guesses, in ascending order.
    candidates: Vec<usize>,
    /// The index that the player guessed.
    guess: Option<usize>,
}

/// What the page shows of a blind game.
#[derive(Debug, Serialize)]
pub(super) struct BlindRecord<'a> {
    candidates: Vec<&'a str>,
    /// `None` before the guess. Until then, profile and feelings are hidden.
    guess: Option<&'a str>,
}

impl BlindGame {
    /// Draws candidates, and the index of the one that plays.
    pub(super) fn draw(seed: u64, all: &[Temperament]) -> (Self, usize) {
        let known = all.iter().enumerate().filter(|(_, one)| !NEVER.contains(&one.id.as_str()));
        let mut candidates: Vec<_> = known.map(|(index, _)| index).collect();
        Random::new(seed).shuffle(&mut candidates);
        candidates.truncate(CANDIDATES);
        let plays = candidates.first().copied().unwrap_or_default();
        // sorted, so that the order does not give the answer away
        candidates.sort_unstable();
        (Self { candidates, guess: None }, plays)
    }
}

impl GameState {
    /// Whether profile and feelings are hidden, because the player has not guessed yet.
    pub(super) fn is_blind(&self) -> bool {
        self.order.blind.as_ref().is_some_and(|blind| blind.guess.is_none())
    }

    /// Refuses what would give the profile away before the guess.
    pub(super) fn check_guessed(&self) -> Result<(), Refusal> {
        if self.is_blind() {
            return Err(Refusal::plain(StatusCode::CONFLICT, "Guess first who you are playing."));
        }
        Ok(())
    }

    /// Notes the player's guess. After it, nothing is hidden.
    pub(super) fn guess(&mut self, request: &Request, all: &[Temperament]) -> Result<(), Refusal> {
        let found = request.text("profile", 64)?.unwrap_or_default();
        let blind = self.order.blind.as_mut().filter(|blind| blind.guess.is_none());
        let nothing = || Refusal::plain(StatusCode::CONFLICT, "There is nothing to guess.");
        let blind = blind.ok_or_else(nothing)?;
        let guess = blind.candidates.iter().find(|index| id(all, **index) == found);
        let allowed = || blind.candidates.iter().map(|index| id(all, *index)).collect::<Vec<_>>();
        let guess = guess.ok_or_else(|| Refusal::bad("profile", found, &allowed().join(", ")))?;
        blind.guess = Some(*guess);
        Ok(())
    }

    /// Returns what the page shows of a blind game.
    pub(super) fn blind_record<'a>(&self, all: &'a [Temperament]) -> Option<BlindRecord<'a>> {
        let BlindGame { candidates, guess } = self.order.blind.as_ref()?;
        let candidates = candidates.iter().map(|index| id(all, *index)).collect();
        Some(BlindRecord { candidates, guess: guess.map(|index| id(all, index)) })
    }
}

/// Returns the identifier of the profile at `index`.
fn id(all: &[Temperament], index: usize) -> &str {
    all.get(index).map_or("", |one| one.id.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_profile_with_a_character_is_drawn_and_its_place_tells_nothing() {
        let all = Temperament::all(None).unwrap();
        let (mut drawn, mut places) = (HashSet::new(), [0; CANDIDATES]);
        for seed in 0..400 {
            let (BlindGame { candidates, .. }, plays) = BlindGame::draw(seed, &all);
            assert!(candidates.len() == CANDIDATES && candidates.is_sorted());
            drawn.insert(plays);
            places[candidates.iter().position(|index| *index == plays).unwrap()] += 1;
        }
        let ids: HashSet<_> = drawn.iter().map(|index| all[*index].id.as_str()).collect();
        assert_eq!(ids.len(), all.len() - 2, "all but neutral and paper2012: {ids:?}");
        assert!(NEVER.iter().all(|name| !ids.contains(name)));
        assert!(places.iter().all(|count| (60..140).contains(count)), "{places:?}");
    }
}
