//! Reads PGN files game by game, compressed or not.
//! <https://www.chessprogramming.org/Portable_Game_Notation>
//!
//! The reader is lenient. It accepts any line endings, a byte order mark, Latin-1, variations,
//! glyphs, comments to the end of the line, and missing results. A game that cannot be replayed is
//! reported, and reading continues with the next game.

mod annotation;
mod chosen;
mod clocks;
mod games;
pub mod movetext;
mod own_games;
pub mod raw;
mod replay;
mod stage;

pub use annotation::clock;
pub use chosen::{Chosen, FIRST_PLY, is_sampled};
pub use clocks::Clocks;
pub use games::{Games, games_in, read};
pub use own_games::{NoOwnGames, OwnGame, OwnGames};
pub use stage::GameStage;

use crate::{chess::game::Game, chess_mind::Goal};
use shakmaty::{ByColor, Chess, KnownOutcome, Move, Position};

/// A game with its tags and moves.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The number of the game in its source, from 1. Broken games are counted too.
    pub number: usize,
    pub tags: Tags,
    /// The initial position.
    pub start: Game,
    pub moves: Vec<PlayedMove>,
}

/// The tags of a game. Missing tags are empty or `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    pub players: ByColor<String>,
    pub elos: ByColor<Option<u16>>,
    pub event: String,
    /// The place of the game.
    pub site: String,
    /// The date as `YYYY.MM.DD`. Unknown digits are question marks.
    pub date: String,
    pub round: String,
    /// How the game ended, for example `Normal` or `Time forfeit`.
    pub termination: String,
    /// Base time and increment in seconds, for example `180+2`.
    pub time_control: String,
    /// The result from the tag, or else from the end of the movetext.
    pub result: Option<KnownOutcome>,
}

/// A move and its annotations.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedMove {
    pub m: Move,
    /// The text of the comments after the move. Comments to the end of the line (`;`) are ignored.
    pub comment: String,
    /// The score in the comment, if any.
    pub eval: Option<Eval>,
    /// The feeling in the comment, if any.
    pub felt: Option<EmotionTag>,
}

/// `[%eval …]`: the score after the move, from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eval {
    /// A score in centipawns.
    Centipawns(i32),
    /// Number of moves to mate; negative if Black mates.
    Mate(i32),
}

/// `[%emo …]`: what the mover felt before the move, as written by `duel` and `annotate`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EmotionTag {
    /// The intensity from -1 (fear) to 1 (relief).
    pub intensity: f64,
    /// The goal, if any.
    pub goal: Option<Goal>,
}

/// An error: a game that cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {number}: {reason}")]
pub struct BrokenGame {
    /// The number of the game, from 1, as in [`PlayedGame::number`].
    pub number: usize,
    /// The error message, in one line.
    pub reason: String,
    /// Whether the rest of the source cannot be read.
    pub is_end: bool,
}

impl PlayedGame {
    /// Returns every move with the position before it.
    pub fn walk(&self) -> impl Iterator<Item = (Chess, &PlayedMove)> {
        let mut chess = self.start.chess.clone();
        self.moves.iter().map(move |played| {
            let before = chess.clone();
            chess.play_unchecked(played.m);
            (before, played)
        })
    }

    /// Returns the position after the last move.
    pub fn end(&self) -> Chess {
        let mut chess = self.start.chess.clone();
        self.moves.iter().for_each(|played| chess.play_unchecked(played.m));
        chess
    }
}
