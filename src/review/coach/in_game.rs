//! Lessons from one reviewed game, for both players.

use super::{
    decision::{CoachError, DecisionReader, Spot},
    lesson::{Lesson, lessons},
    miss::Miss,
};
use crate::{
    explain::schema,
    player::human::{cue::ERROR, reading::Reader},
    profile::Profile,
    review::{Review, Reviewed},
};
use serde::Serialize;
use shakmaty::Color;

/// The lessons of one player of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerLessons {
    /// `white` or `black`.
    pub side: &'static str,
    /// The number of errors: moves that lost at least 15 percentage points of winning chance.
    pub errors: usize,
    /// At most three, the most expensive first.
    pub lessons: Vec<Lesson>,
}

/// Returns the lessons of White and of Black. Only errors are read again, so this is quick.
///
/// # Errors
/// If the weights of the human style are broken, or a transposition table cannot be allocated.
pub fn lessons_of(review: &Review, profile: &Profile) -> Result<[PlayerLessons; 2], CoachError> {
    let decisions = DecisionReader::new(profile)?;
    let mut reader = Reader::new().map_err(|_| CoachError::Memory)?;
    let mut game = review.start.clone();
    let mut errors: Vec<(Color, Miss, Spot)> = Vec::new();
    for (index, ply) in review.plies.iter().enumerate() {
        if let Some(spot) = error(review.number, ply, review.plies.get(index + 1)) {
            let view = decisions.view(&game, &mut reader);
            let place = |m| view.readings.moves.iter().position(|reading| reading.m == m);
            let miss = place(ply.m)
                .zip(place(ply.best))
                .and_then(|(played, best)| Miss::of(&ply.before, &view, played, best));
            errors.extend(miss.map(|miss| (ply.mover(), miss, spot)));
        }
        game.push(ply.m);
    }
    Ok(Color::ALL.map(|side| {
        let own = errors.iter().filter(|(mover, ..)| *mover == side);
        let own: Vec<(Miss, &Spot)> = own.map(|(_, miss, spot)| (*miss, spot)).collect();
        let lessons = lessons(&own, 1, None);
        PlayerLessons { side: schema::side(side), errors: own.len(), lessons }
    }))
}

/// Returns the spot of a move if it is an error. `next` is the move after it.
fn error(game: usize, ply: &Reviewed, next: Option<&Reviewed>) -> Option<Spot> {
    let loss = ply.chance_before - ply.chance_after;
    (loss >= ERROR && ply.m != ply.best).then(|| Spot {
        game,
        before: ply.before.clone(),
        played: ply.m,
        best: ply.best,
        reply: next.map(|next| next.best),
        loss,
        goal: ply.appraisal.goal,
        intensity: ply.appraisal.intensity,
    })
}
