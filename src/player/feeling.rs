//! How the engine appraises a position and remembers the intensity of its emotion.

use super::{Engine, Listener, last_felt::LastFelt};
use crate::{chess::game::Game, chess_mind::Appraisal};
use shakmaty::{Chess, Color, Position};

impl Engine {
    /// Returns the appraisal that a search of this position would start with, for the side to move.
    /// It depends on the profile, the emotion strength, the last intensity and, if the profile has the
    /// key `memory`, on the known games. Returns `None` if
    /// emotion is off.
    pub fn appraise(&self, game: &Game) -> Option<Appraisal> {
        if !self.options.emotion {
            return None;
        }
        let chess = &game.chess;
        let last = self.last_felt(chess, chess.turn());
        let (side, strength) = (chess.turn(), self.options.emotion_strength);
        let given = self.remembered_feeling(chess);
        let mut appraisal = self.profile.mind.appraise_given(chess, side, strength, last, &given);
        if self.options.analysis {
            appraisal.effects.draw = 0;
        }
        // several lines are for analysis too, and are sorted by score
        if self.options.analysis || self.options.multi_pv > 1 {
            (appraisal.effects.taste, appraisal.effects.empathy) = (0, 0);
        }
        Some(appraisal)
    }

    /// Returns the last intensity of `side`, unrounded, from which inertia starts its next emotion
    /// in the position `chess`. Returns `None` if `side` has not been appraised yet in this game.
    pub fn last_felt(&self, chess: &Chess, side: Color) -> Option<f64> {
        self.last_felt.before(chess, side)
    }

    /// Forgets the intensity recorded by the last search, because its position was not reached in
    /// the game.
    pub fn forget_feeling(&mut self) {
        self.last_felt.take_back();
    }

    /// Appraises the position, reports the appraisal and records its intensity. If emotion is off,
    /// all recorded intensities are forgotten.
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
