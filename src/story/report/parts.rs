//! Accuracy by parts of a game: by phase, and by the goal that was pursued.

use super::short;
use crate::{
    mind::goal::Goal,
    review::{Review, Reviewed},
};
use serde_json::{Value, json};
use shakmaty::{Chess, Color, Position};

/// Moves of each side that are the opening, unless few pieces are left.
const OPENING: u32 = 12;
/// With so many points of pieces or fewer it is an ending: queen 4, rook 2, minor piece 1; 24 at
/// the start.
const ENDING: usize = 8;

/// A part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Opening,
    Middlegame,
    Ending,
}

impl Phase {
    const ALL: [Self; 3] = [Self::Opening, Self::Middlegame, Self::Ending];

    /// The phase of a position.
    fn of(chess: &Chess) -> Self {
        let board = chess.board();
        let minors = board.knights() | board.bishops();
        let points = 4 * board.queens().count() + 2 * board.rooks().count() + minors.count();
        if points <= ENDING {
            Self::Ending
        } else if chess.fullmoves().get() <= OPENING {
            Self::Opening
        } else {
            Self::Middlegame
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Ending => "ending",
        }
    }
}

/// Rows of a table: the game, its phases, and the goals that anyone pursued. Each side has its
/// accuracy in percent and its number of moves, or null if it made none there.
pub(super) fn accuracy(review: &Review) -> Vec<Value> {
    let moves = |side| review.plies.iter().filter(|ply| ply.mover() == side).count();
    let all = |side| review.accuracy.get(side).map(|all| (short(all, 1), moves(side)));
    let mut rows = vec![row("all", "game", all)];
    for phase in Phase::ALL {
        let is_there = |ply: &Reviewed| Phase::of(&ply.before) == phase;
        rows.push(row("phase", phase.name(), |side| mean(review, side, is_there)));
    }
    for goal in Goal::ALL {
        let pursues = |ply: &Reviewed| ply.appraisal.goal == Some(goal);
        if review.plies.iter().any(pursues) {
            rows.push(row("goal", goal.name(), |side| mean(review, side, pursues)));
        }
    }
    rows
}

fn row(kind: &str, name: &str, of: impl Fn(Color) -> Option<(f64, usize)>) -> Value {
    json!({"kind": kind, "name": name, "white": of(Color::White), "black": of(Color::Black)})
}

/// The plain mean of the accuracies of a side's moves that count, and how many they are.
#[expect(clippy::cast_precision_loss, reason = "a game has fewer moves")]
fn mean(review: &Review, side: Color, counts: impl Fn(&Reviewed) -> bool) -> Option<(f64, usize)> {
    let moves = review.plies.iter().filter(|ply| ply.mover() == side && counts(ply));
    let found: Vec<_> = moves.map(|ply| ply.accuracy).collect();
    let sum: f64 = found.iter().sum();
    (!found.is_empty()).then(|| (short(sum / found.len() as f64, 1), found.len()))
}
