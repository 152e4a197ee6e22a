//! The inputs of the policy for one position: readings, appraisal, and the cues of every legal move.

use super::{
    cue::{Cues, Scene},
    habit::Habits,
    reading::{Reader, Readings},
};
use crate::{
    chess::{evaluator::Evaluator, game::Game},
    chess_mind::{Appraisal, salience::Focus},
    profile::Profile,
};
use shakmaty::Position;

/// The readings of a position, the feeling of the side to move, and the cues of every legal move.
#[derive(Clone, Debug)]
pub struct View {
    /// The readings.
    pub readings: Readings,
    /// The cues of the moves, in the order of the readings.
    pub cues: Vec<Cues>,
    /// What the side to move feels, at an emotion strength of 100 %.
    pub felt: Appraisal,
}

impl View {
    /// Reads `game` with `evaluator`. `profile` gives the feelings.
    pub fn of<E: Evaluator + Clone + Send>(
        game: &Game,
        profile: &Profile,
        habits: &Habits,
        (reader, evaluator): (&mut Reader, &E),
    ) -> Self {
        let chess = &game.chess;
        let readings = reader.read(game, evaluator);
        let felt = profile.mind.appraise(chess, chess.turn(), 100, None);
        let focus = Focus::of(chess, Some(&felt), 100);
        let scene = Scene::new(game, &readings, &focus, felt.intensity, habits);
        let cues = readings.moves.iter().map(|reading| scene.cues(reading)).collect();
        Self { readings, cues, felt }
    }
}
