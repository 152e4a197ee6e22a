//! Annotates PGN games with the score and the feeling of every move.
//!
//! It rewrites the comments of moves, and adds glyphs and better lines. All other bytes are kept:
//! tags, text, and variations and glyphs that it did not write. Each annotated game is parsed again
//! before it is returned. A game that cannot be parsed, or whose tags or moves would change, is
//! returned unchanged.

mod notes;
pub mod record;
mod rewrite;
mod turning;

use crate::{
    pgn::{
        BrokenGame, PlayedGame, games_in,
        raw::{RawGame, RawGames},
    },
    review::Reviewer,
    search::Signals,
};
use shakmaty::Color;
use std::io::Cursor;

/// An annotated game, or an unchanged one with the reason why it was not annotated.
#[derive(Clone, Debug)]
pub struct Annotated {
    /// The bytes to write.
    pub bytes: Vec<u8>,
    /// Why the game is unchanged, if there is a reason to report.
    pub broken: Option<BrokenGame>,
}

/// An engine that annotates one game after another.
#[derive(Debug)]
pub struct Annotator {
    reviewer: Reviewer,
    /// The side whose moves are annotated, or `None` for both.
    side: Option<Color>,
}

impl Annotator {
    /// Creates an annotator for the moves of `side`, or of both sides if it is `None`.
    pub fn new(reviewer: Reviewer, side: Option<Color>) -> Self {
        Self { reviewer, side }
    }

    /// Annotates a game. Returns `None` if `signals` stops the review.
    pub fn annotate(&mut self, raw: RawGame, signals: &Signals) -> Option<Annotated> {
        let unchanged = |raw: RawGame, reason: Option<String>| {
            let number = raw.number;
            let broken = reason.map(|reason| BrokenGame { number, reason, is_end: false });
            Some(Annotated { bytes: raw.bytes, broken })
        };
        let game = match read(&raw) {
            Ok(Some(game)) => game,
            Ok(None) => return unchanged(raw, None),
            Err(reason) => return unchanged(raw, Some(reason)),
        };
        let review = self.reviewer.review(&game, signals)?;
        let mut notes = notes::of(&review, self.reviewer.profile());
        for (note, reviewed) in notes.iter_mut().zip(&review.plies) {
            if self.side.is_some_and(|side| side != reviewed.mover()) {
                *note = None;
            }
        }
        let Some(bytes) = rewrite::rewrite(&raw.bytes, &game, &notes) else {
            let reason = "its moves cannot be located in the text";
            return unchanged(raw, Some(reason.into()));
        };
        if reads_like(&bytes, &game) {
            return Some(Annotated { bytes, broken: None });
        }
        unchanged(raw, Some("annotating it would change its tags or moves".into()))
    }
}

/// Parses the only game in `raw`. Returns `None` if there is no game.
fn read(raw: &RawGame) -> Result<Option<PlayedGame>, String> {
    let mut games = games_in(raw).into_iter();
    let game = games.next().transpose()?;
    match games.next() {
        None => Ok(game),
        Some(_) => Err("another game begins inside it".into()),
    }
}

/// Returns whether `bytes` hold exactly one game, with the tags and moves of `game`.
fn reads_like(bytes: &[u8], game: &PlayedGame) -> bool {
    let mut raws = RawGames::of(Box::new(Cursor::new(bytes.to_vec())));
    let raw = raws.next().and_then(Result::ok).filter(|_| raws.next().is_none());
    let Some(Ok(Some(again))) = raw.as_ref().map(read) else { return false };
    again.tags == game.tags
        && again.start.chess == game.start.chess
        && again.moves.iter().map(|played| played.m).eq(game.moves.iter().map(|played| played.m))
}

/// Returns whether an annotated game has the same tags and moves as `raw`.
pub fn is_of(annotated: &RawGame, raw: &RawGame) -> bool {
    match (read(annotated), read(raw)) {
        (Ok(Some(_)), Ok(Some(game))) => reads_like(&annotated.bytes, &game),
        _ => annotated.bytes == raw.bytes,
    }
}
