//! Games as PGN writes them, with what was thought and felt.
//!
//! Each move may bear a comment: `[%eval 0.35,12]`, pawns from White's point of view (`#-3`: a mate)
//! and depth, and `[%emo -0.25,castle]`, the mover's feeling from fear, -1, to relief, 1, and goal.

use crate::{
    chess::score::Score,
    mind::goal::Goal,
    pgn::{Eval, Felt},
};
use shakmaty::{Chess, Move, Position, san::SanPlus};

/// Lines of moves are at most this long, where no word is longer.
pub const LINE: usize = 80;

/// A move with what is written beside it.
#[derive(Clone, Copy, Debug)]
pub struct Noted {
    pub m: Move,
    /// The score, as the mover sees it, and the depth in plies.
    pub thought: Option<(Score, u8)>,
    /// Intensity and goal of the mover.
    pub feeling: Option<(f64, Option<Goal>)>,
}

/// Results by half points for White.
pub const RESULTS: [&str; 3] = ["0-1", "1/2-1/2", "1-0"];

/// A tag of a game, in a line.
#[must_use]
pub fn tag(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]\n", escaped(value))
}

/// A value as it stands between the quotes of a tag.
#[must_use]
pub fn escaped(value: &str) -> String {
    value.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\"")
}

/// The moves from `start` and the result, in lines.
#[must_use]
pub fn movetext(start: &Chess, moves: impl Iterator<Item = Noted>, result: &str) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words(start, moves).iter().map(String::as_str).chain([result]) {
        let lead = if column == 0 {
            ""
        } else if column + 1 + word.len() > LINE {
            column = 0;
            "\n"
        } else {
            column += 1;
            " "
        };
        column += word.len();
        text += lead;
        text += word;
    }
    text
}

/// Moves with their numbers and comments, in pieces between which a line may break.
fn words(start: &Chess, moves: impl Iterator<Item = Noted>) -> Vec<String> {
    let mut chess = start.clone();
    let mut words = Vec::new();
    for Noted { m, thought, feeling } in moves {
        let (number, side) = (chess.fullmoves(), chess.turn());
        words.push(format!("{number}{}", side.fold_wb(".", "...")));
        words.push(SanPlus::from_move_and_play_unchecked(&mut chess, m).to_string());
        let thought =
            thought.map(|(score, depth)| format!("[%eval {},{depth}]", Eval::of(side, score)));
        let feeling =
            feeling.map(|(intensity, goal)| format!("[%emo {}]", Felt { intensity, goal }));
        match (thought, feeling) {
            (Some(thought), Some(feeling)) => {
                words.extend([format!("{{{thought}"), format!("{feeling}}}")]);
            }
            (one, other) => words.extend(one.or(other).map(|only| format!("{{{only}}}"))),
        }
    }
    words
}
