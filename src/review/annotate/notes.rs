//! The annotation of a move: score, feeling, glyph, better line and a sentence at turning points.

use super::turning::sentence;
use crate::{
    chess::score::Score,
    pgn::{EmotionTag, Eval},
    profile::Profile,
    review::{MoveGrade, Review, Reviewed},
};
use shakmaty::{Color, Position};

/// Prefix of our own sentences. They end with the first full stop, so that a later run finds and
/// replaces them.
pub(super) const SIGNATURE: &str = "Deep Feeling:";
/// Maximum length of a better line, in plies.
const LONGEST_LINE: usize = 10;

/// The annotation of one move. It is ASCII, so that it fits into any encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Note {
    /// `[%eval …] [%emo …]`, followed by the sentence if there is one.
    pub comment: String,
    /// The numeric annotation glyph of a bad move.
    pub glyph: Option<u8>,
    /// The better line in parentheses, for a mistake or blunder.
    pub variation: Option<String>,
    /// The side that moved.
    pub mover: Color,
    /// The move number.
    pub number: u32,
}

/// Returns a note for each move of a game.
pub(super) fn of(review: &Review, profile: &Profile) -> Vec<Option<Note>> {
    let note = |(ply, reviewed): (usize, &Reviewed)| {
        let Reviewed { appraisal, depth, .. } = reviewed;
        let depth = if *depth > 0 { format!(",{depth}") } else { String::new() };
        let eval = eval(reviewed.mover(), reviewed.score_after);
        let felt = EmotionTag { intensity: appraisal.intensity, goal: appraisal.goal };
        let words = [
            eval.map(|eval| format!("[%eval {eval}{depth}]")),
            Some(format!("[%emo {felt}]")),
            sentence(review, ply, profile).map(|sentence| format!("{SIGNATURE} {sentence}")),
        ];
        let comment = words.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let is_bad = reviewed.grade.is_some_and(|grade| grade >= MoveGrade::Mistake);
        Some(Note {
            comment,
            glyph: reviewed.grade.map(MoveGrade::glyph),
            variation: is_bad.then(|| variation(reviewed)),
            mover: reviewed.mover(),
            number: reviewed.before.fullmoves().get(),
        })
    };
    review.plies.iter().enumerate().map(note).collect()
}

/// Converts a score for `[%eval …]`. Returns `None` if checkmate is on the board.
fn eval(mover: Color, score: Score) -> Option<Eval> {
    (score.mate_distance() != Some(0)).then(|| Eval::of(mover, score))
}

/// Writes the better line: `(12... Nf6 {[%eval 0.35] Deep Feeling: better.} 13. Bg2)`.
fn variation(reviewed: &Reviewed) -> String {
    let (mut number, mut side) = (reviewed.before.fullmoves().get(), reviewed.mover());
    let score = eval(side, reviewed.score_before);
    let score = score.map_or_else(String::new, |eval| format!("[%eval {eval}] "));
    let mut words = Vec::new();
    for (ply, san) in reviewed.line.iter().take(LONGEST_LINE).enumerate() {
        // the comment after the first move makes another move number necessary
        if side == Color::White || ply < 2 {
            words.push(format!("{number}{}", side.fold_wb(".", "...")));
        }
        words.push(san.clone());
        if ply == 0 {
            words.push(format!("{{{score}{SIGNATURE} better.}}"));
        }
        number += side.fold_wb(0, 1);
        side = !side;
    }
    format!("({})", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_from_whites_view_and_mates_count_moves() {
        for (mover, score, expected) in [
            (Color::White, Score::cp(35), Some("0.35")),
            (Color::Black, Score::cp(35), Some("-0.35")),
            (Color::White, Score::mate_in(2), Some("#1")),
            (Color::Black, Score::mate_in(4), Some("#-2")),
            (Color::White, Score::mated_in(1), Some("#-1")),
            (Color::White, Score::mated_in(3), Some("#-2")),
            (Color::White, Score::mate_in(0), None),
        ] {
            let text = eval(mover, score).map(|eval| eval.to_string());
            assert_eq!(text.as_deref(), expected, "{mover} {score}");
        }
    }
}
