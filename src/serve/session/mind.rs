//! What came to the mind of an engine in human style before a move, for the page.

use crate::{chess::game::Game, player::human::choice::Choice};
use serde::Serialize;
use shakmaty::{Chess, Move, Position, san::SanPlus};
use std::time::Duration;

/// The largest number of moves to show, besides the one that was played.
const MOST_SHOWN: usize = 6;

/// The moves that came to mind, and what was overlooked.
#[derive(Clone, Debug, Serialize)]
pub(in crate::serve) struct MindRecord {
    /// Number of legal moves.
    legal: usize,
    /// Number of moves that came to mind.
    pub(super) count: usize,
    /// The likeliest of these moves, at most [`MOST_SHOWN`], and the one that was played.
    moves: Vec<CandidateRecord>,
    /// The reply that refutes the move, if the engine did not see it.
    overlooked: Option<NamedMove>,
    /// How long a person would think with these clocks. `None` without a clock.
    #[serde(skip)]
    pub(in crate::serve) thinks: Option<Duration>,
}

/// A move that came to mind.
#[derive(Clone, Debug, Serialize)]
struct CandidateRecord {
    #[serde(flatten)]
    named: NamedMove,
    /// The probability that a person of this rating plays it, in percent.
    percent: f64,
}

/// A move in SAN, with the squares where it begins and ends.
#[derive(Clone, Debug, Serialize)]
pub(super) struct NamedMove {
    san: String,
    from: String,
    to: String,
}

impl NamedMove {
    pub(super) fn of(chess: &Chess, m: Move) -> Self {
        let san = SanPlus::from_move(chess.clone(), m).to_string();
        let [from, to] = super::picture::squares(m, chess.castles().mode());
        Self { san, from, to }
    }
}

impl MindRecord {
    /// Describes the choice of a move in `game`.
    pub(in crate::serve) fn of(game: &Game, choice: &Choice) -> Self {
        let chess = &game.chess;
        let candidates = choice.in_mind.iter().enumerate();
        let shown = candidates.filter(|(i, one)| *i < MOST_SHOWN || one.m == choice.m);
        let moves = shown.map(|(_, one)| CandidateRecord {
            named: NamedMove::of(chess, one.m),
            percent: (1000.0 * one.chance).round() / 10.0,
        });
        let mut after = chess.clone();
        after.play_unchecked(choice.m);
        Self {
            legal: chess.legal_moves().len(),
            count: choice.in_mind.len(),
            moves: moves.collect(),
            overlooked: choice.overlooked.map(|reply| NamedMove::of(&after, reply)),
            thinks: None,
        }
    }
}
