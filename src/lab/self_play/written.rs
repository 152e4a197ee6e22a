//! Writes games as PGN, with scores and emotions as comments.
//!
//! A move may have a comment with two parts. `[%eval 0.35,12]` gives the score in pawns from
//! White's point of view (`#-3` for a mate) and the depth in plies. `[%emo -0.25,castle]` gives the
//! mover's emotion from -1 (fear) to 1 (relief) and its goal.

use crate::{
    chess::score::Score,
    chess_mind::Goal,
    pgn::{EmotionTag, Eval},
};
use shakmaty::{Chess, Move, Position, san::SanPlus};

/// The maximum length of a movetext line, unless a single word is longer.
pub const LINE: usize = 80;

/// A move with the data for its comment.
#[derive(Clone, Copy, Debug)]
pub struct CommentedMove {
    pub m: Move,
    /// The score from the mover's point of view, and the depth in plies.
    pub thought: Option<(Score, u8)>,
    /// The mover's emotion, from -1 to 1, and its goal.
    pub feeling: Option<(f64, Option<Goal>)>,
}

/// The result strings, indexed by half points for White.
pub const RESULTS: [&str; 3] = ["0-1", "1/2-1/2", "1-0"];

/// Returns a PGN tag as one line.
#[must_use]
pub fn tag(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]\n", escaped(value))
}

/// Escapes `value` for use between the quotes of a tag.
#[must_use]
pub fn escaped(value: &str) -> String {
    value.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\"")
}

/// Returns the movetext: the moves from `start` and the result, wrapped at [`LINE`] characters.
#[must_use]
pub fn movetext(start: &Chess, moves: impl Iterator<Item = CommentedMove>, result: &str) -> String {
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

/// Returns move numbers, moves and comments as words between which a line may break.
fn words(start: &Chess, moves: impl Iterator<Item = CommentedMove>) -> Vec<String> {
    let mut chess = start.clone();
    let mut words = Vec::new();
    for CommentedMove { m, thought, feeling } in moves {
        let (number, side) = (chess.fullmoves(), chess.turn());
        words.push(format!("{number}{}", side.fold_wb(".", "...")));
        words.push(SanPlus::from_move_and_play_unchecked(&mut chess, m).to_string());
        let thought =
            thought.map(|(score, depth)| format!("[%eval {},{depth}]", Eval::of(side, score)));
        let feeling =
            feeling.map(|(intensity, goal)| format!("[%emo {}]", EmotionTag { intensity, goal }));
        match (thought, feeling) {
            (Some(thought), Some(feeling)) => {
                words.extend([format!("{{{thought}"), format!("{feeling}}}")]);
            }
            (one, other) => words.extend(one.or(other).map(|only| format!("{{{only}}}"))),
        }
    }
    words
}
