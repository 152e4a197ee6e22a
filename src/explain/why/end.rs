//! The position at the end of a line, and whether the game is over there.

use crate::chess::{game::Game, score::Score};
use shakmaty::Position;

/// The reason why a position needs no evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoEvaluation {
    /// Mate, or a forced mate.
    Mate,
    Stalemate,
    /// Neither side has enough material to mate.
    Dead,
    FiftyMoves,
    Repetition,
}

impl NoEvaluation {
    /// Returns the reason in words.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::Stalemate => "stalemate",
            Self::Dead => "insufficient material",
            Self::FiftyMoves => "fifty-move rule",
            Self::Repetition => "repetition",
        }
    }

    pub(super) const fn is_draw(self) -> bool {
        match self {
            Self::Mate => false,
            Self::Stalemate | Self::Dead | Self::FiftyMoves | Self::Repetition => true,
        }
    }
}

/// The position at the end of a line.
#[derive(Clone, Debug)]
pub(super) struct LineEnd {
    pub game: Game,
    /// Why the position needs no evaluation, or `None` if it is evaluated.
    pub over: Option<NoEvaluation>,
}

impl LineEnd {
    /// Returns whether the game is drawn here.
    pub(super) fn is_draw(&self) -> bool {
        self.over.is_some_and(NoEvaluation::is_draw)
    }

    /// Classifies the end of a line with this `score`. `draw` is the score of a draw.
    pub(super) fn of(game: Game, score: Score, draw: Score) -> Self {
        let chess = &game.chess;
        let over = if score.is_decided() || chess.is_checkmate() {
            Some(NoEvaluation::Mate)
        } else if chess.is_stalemate() {
            Some(NoEvaluation::Stalemate)
        } else if chess.is_insufficient_material() {
            Some(NoEvaluation::Dead)
        } else if score != draw {
            // a repetition or fifty moves count only if the search has scored them as a draw
            None
        } else if chess.halfmoves() >= 100 {
            Some(NoEvaluation::FiftyMoves)
        } else if game.repetitions() > 0 {
            Some(NoEvaluation::Repetition)
        } else {
            None
        };
        Self { game, over }
    }
}
