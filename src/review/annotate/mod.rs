//! Games annotated: the same PGN, with what the engine thinks and feels of every move.
//!
//! Nothing of a game is made anew but the comments of its moves: tags, words, variations and glyphs
//! stay byte for byte as they were. Each annotated game is read again before it is handed out, and a
//! game that does not read as before, or cannot be read at all, stays as it was.

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

/// A game as it is to be written, and what is wrong with it if it is as it was.
#[derive(Clone, Debug)]
pub struct Annotated {
    pub bytes: Vec<u8>,
    pub broken: Option<BrokenGame>,
}

/// Annotates games, one after another.
#[derive(Debug)]
pub struct Annotator {
    reviewer: Reviewer,
    /// Whose moves; of both sides if none.
    side: Option<Color>,
}

impl Annotator {
    /// Writes what this reviewer finds, of the moves of one side or of both.
    pub fn new(reviewer: Reviewer, side: Option<Color>) -> Self {
        Self { reviewer, side }
    }

    /// The game annotated; none if told to stop on the way.
    pub fn annotate(&mut self, raw: RawGame, signals: &Signals) -> Option<Annotated> {
        let as_it_was = |raw: RawGame, reason: Option<String>| {
            let number = raw.number;
            let broken = reason.map(|reason| BrokenGame { number, reason, is_end: false });
            Some(Annotated { bytes: raw.bytes, broken })
        };
        let game = match read(&raw) {
            Ok(Some(game)) => game,
            Ok(None) => return as_it_was(raw, None),
            Err(reason) => return as_it_was(raw, Some(reason)),
        };
        let review = self.reviewer.review(&game, signals)?;
        let mut notes = notes::of(&review, self.reviewer.profile());
        for (note, reviewed) in notes.iter_mut().zip(&review.plies) {
            if self.side.is_some_and(|side| side != reviewed.mover()) {
                *note = None;
            }
        }
        let Some(bytes) = rewrite::rewrite(&raw.bytes, &game, &notes) else {
            let reason = "its moves cannot be told from what stands between them";
            return as_it_was(raw, Some(reason.into()));
        };
        if reads_like(&bytes, &game) {
            return Some(Annotated { bytes, broken: None });
        }
        as_it_was(raw, Some("it would not read as before".into()))
    }
}

/// The one game of `raw`; none if there is but blank text.
fn read(raw: &RawGame) -> Result<Option<PlayedGame>, String> {
    let mut games = games_in(raw).into_iter();
    let game = games.next().transpose()?;
    match games.next() {
        None => Ok(game),
        Some(_) => Err("another game begins within it".into()),
    }
}

/// Whether these bytes are one game, with the same tags and moves.
fn reads_like(bytes: &[u8], game: &PlayedGame) -> bool {
    let mut raws = RawGames::of(Box::new(Cursor::new(bytes.to_vec())));
    let raw = raws.next().and_then(Result::ok).filter(|_| raws.next().is_none());
    let Some(Ok(Some(again))) = raw.as_ref().map(read) else { return false };
    again.tags == game.tags
        && again.start.chess == game.start.chess
        && again.moves.iter().map(|played| played.m).eq(game.moves.iter().map(|played| played.m))
}

/// Whether an annotated game is that of `raw`, as far as tags and moves tell.
pub fn is_of(annotated: &RawGame, raw: &RawGame) -> bool {
    match (read(annotated), read(raw)) {
        (Ok(Some(_)), Ok(Some(game))) => reads_like(&annotated.bytes, &game),
        _ => annotated.bytes == raw.bytes,
    }
}
