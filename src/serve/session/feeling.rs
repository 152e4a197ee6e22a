//! What the engine feels in a game: now, earlier, and if it perceived something else.

use super::state::GameState;
use crate::{
    chess::game::Game,
    explain::whatif::{Intervention, WhatIf, WhatIfRecord},
    profile::Profile,
    serve::{line::PageRecord, refusal::Refusal, request::Request, temperaments::Temperament},
    uci::feelings::Notes,
};
use hyper::StatusCode;
use shakmaty::Position;

impl GameState {
    /// Returns the last intensity of the engine's side, from which inertia starts the next one.
    /// Returns `None` before the first one in this game under `profile`.
    pub(super) fn last_felt(&self, profile: &Profile) -> Option<f64> {
        match &self.engine {
            Some(engine) if engine.profile() == profile => {
                engine.last_felt(&self.game.chess, !self.order.human)
            }
            Some(_) => None,
            None => {
                let (choice, last) = self.lent.filter(|_| self.search.is_some())?;
                last.filter(|_| choice == self.order.choice)
            }
        }
    }

    /// Appraises the position for the engine's side, as its next search will.
    pub(super) fn appraise(&mut self, all: &[Temperament]) {
        let Some(Temperament { profile, .. }) = all.get(self.order.choice) else { return };
        self.feeling = Some(self.felt_in(&self.game, profile, self.last_felt(profile)));
    }

    /// Returns what the engine's side feels in `game`, starting from the intensity `last`.
    fn felt_in(&self, game: &Game, profile: &Profile, last: Option<f64>) -> PageRecord {
        let strength = self.order.strength;
        let felt = profile.mind.appraise(&game.chess, !self.order.human, strength, last);
        PageRecord::of(&Notes::of(felt, profile, strength, game), game, profile)
    }

    /// Returns what the engine felt and thought last, after the first `plies` moves of the game.
    /// Before its first search, this is its feeling in the start position.
    pub(super) fn felt_after(&self, plies: usize, all: &[Temperament]) -> Option<PageRecord> {
        let profile = &all.get(self.order.choice)?.profile;
        let mut played = self.plies.get(..plies)?.iter().rev();
        let last = played.find_map(|ply| ply.insight.as_ref());
        let start = || self.felt_in(&self.order.start, profile, None);
        Some(last.map_or_else(start, |insight| insight.record.clone()))
    }

    pub(super) fn what_if(
        &self,
        request: &Request,
        all: &[Temperament],
    ) -> Result<WhatIfRecord, Refusal> {
        let words = request.words();
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let interventions = Intervention::read_all(&words)
            .map_err(|error| Refusal::plain(StatusCode::BAD_REQUEST, error))?;
        let missing = || Refusal::plain(StatusCode::NOT_FOUND, "the profile does not exist");
        let profile = all.get(self.order.choice).ok_or_else(missing)?.profile.clone();
        let (side, strength) = (!self.order.human, self.order.strength);
        let (game, last) = (self.game.clone(), self.last_felt(&profile));
        Ok(WhatIf::of_side(game, profile, side, strength, last, interventions).record())
    }

    /// Imagines what the engine would have felt in the person's place before each of the person's
    /// moves, unless it is already known.
    pub(super) fn imagine(&mut self, all: &[Temperament]) {
        let Some(Temperament { profile, .. }) = all.get(self.order.choice) else { return };
        let mut chess = self.order.start.chess.clone();
        for ply in &mut self.plies {
            if ply.insight.is_none() && ply.imagined.is_none() {
                let strength = self.order.strength;
                let felt = profile.mind.appraise(&chess, chess.turn(), strength, None);
                ply.imagined = Some(felt.intensity);
            }
            chess.play_unchecked(ply.m);
        }
    }
}
