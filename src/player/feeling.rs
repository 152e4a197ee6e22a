//! What the engine feels about a position, and what it remembers of it.

use super::{Engine, Listener, last_felt::LastFelt};
use crate::{chess::game::Game, mind::appraisal::Appraisal};
use shakmaty::{Chess, Color, Position};

impl Engine {
    /// What the side to move would feel if the position were searched now, with the engine's profile,
    /// emotion strength and last intensity. `None` if emotion is off.
    pub fn appraise(&self, game: &Game) -> Option<Appraisal> {
        if !self.emotion {
            return None;
        }
        let chess = &game.chess;
        let last = self.last_felt(chess, chess.turn());
        let mind = &self.profile.mind;
        let mut appraisal = mind.appraise(chess, chess.turn(), self.emotion_strength, last);
        if self.analysis {
            appraisal.leaning.draw = 0;
        }
        Some(appraisal)
    }

    /// The last intensity of `side`, before rounding, that inertia carries over to its feeling about
    /// `chess`. `None` if `side` has felt nothing yet in this game.
    pub fn last_felt(&self, chess: &Chess, side: Color) -> Option<f64> {
        self.last_felt.before(chess, side)
    }

    /// Forgets what was felt for the last search: of a position that did not come to be.
    pub fn forget_feeling(&mut self) {
        self.last_felt.take_back();
    }

    /// Appraises the position, reports the appraisal and remembers it. Without emotion, earlier
    /// intensities are forgotten.
    pub(super) fn feel(&mut self, game: &Game, listener: &mut dyn Listener) -> Option<Appraisal> {
        let appraisal = self.appraise(game);
        match &appraisal {
            Some(appraisal) => {
                self.last_felt.note(&game.chess, appraisal.felt);
                listener.appraised(appraisal);
            }
            None => self.last_felt = LastFelt::default(),
        }
        appraisal
    }
}
