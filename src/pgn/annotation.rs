//! Reads and writes the commands in PGN comments: `[%eval 0.35,12]`, `[%eval #-3]`,
//! `[%emo -0.25,castle]`, `[%clk 0:02:59]`.

use super::{EmotionTag, Eval};
use crate::{chess::score::Score, chess_mind::Goal};
use shakmaty::Color;
use std::fmt;

/// The largest absolute score in pawns that is accepted.
const MOST_PAWNS: f64 = 1000.0;

/// Clocks at or above this number of seconds are ignored.
const MOST_SECONDS: f64 = 1e6;

/// Returns the score in a comment, if any. The depth that may follow it is ignored.
pub(super) fn eval(comment: &str) -> Option<Eval> {
    let text = command(comment, "eval")?;
    let score = text.split(',').next()?.trim();
    if let Some(moves) = score.strip_prefix('#') {
        return moves.parse().ok().map(Eval::Mate);
    }
    let pawns: f64 = score.parse().ok()?;
    let known = pawns.abs() <= MOST_PAWNS;
    known.then(|| Eval::Centipawns((100.0 * pawns).round() as i32))
}

/// Returns the feeling in a comment, if any. The goal `none` means that there is no goal.
pub(super) fn felt(comment: &str) -> Option<EmotionTag> {
    let (intensity, goal) = command(comment, "emo")?.split_once(',')?;
    let intensity: f64 = intensity.trim().parse().ok()?;
    let goal = match goal.trim() {
        "none" => None,
        name => Some(Goal::from_name(name)?),
    };
    (-1.0..=1.0).contains(&intensity).then_some(EmotionTag { intensity, goal })
}

/// Returns the mover's clock after the move in a comment, in seconds, if there is one. The seconds
/// may have a fraction: `[%clk 0:00:03.8]`.
#[must_use]
pub fn clock(comment: &str) -> Option<f64> {
    let mut parts = command(comment, "clk")?.split(':');
    let mut next = || parts.next().map(|part| part.trim().parse::<f64>().ok());
    let (hours, minutes, seconds) = (next()??, next()??, next()??);
    let is_time = next().is_none() && [hours, minutes, seconds].iter().all(|part| *part >= 0.0);
    let sum = 3600.0 * hours + 60.0 * minutes + seconds;
    (is_time && sum < MOST_SECONDS).then_some(sum)
}

/// Returns the text after the name in `[%name …]`.
fn command<'c>(comment: &'c str, name: &str) -> Option<&'c str> {
    comment.split("[%").skip(1).find_map(|part| {
        let text = part.strip_prefix(name)?.strip_prefix(char::is_whitespace)?;
        text.split_once(']').map(|(inside, _)| inside.trim())
    })
}

impl Eval {
    /// Converts a score from the point of view of `mover`. Checkmate on the board is mate in 0
    /// moves.
    #[must_use]
    pub fn of(mover: Color, score: Score) -> Self {
        let white = mover.fold_wb(score, -score);
        white.mate_moves().map_or(Self::Centipawns(white.centipawns()), Self::Mate)
    }
}

impl fmt::Display for Eval {
    /// Writes the score as in `[%eval …]`: `0.35`, `#-3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Centipawns(centipawns) => write!(f, "{:.2}", f64::from(centipawns) / 100.0),
            Self::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

impl fmt::Display for EmotionTag {
    /// Writes the feeling as in `[%emo …]`: `-0.25,castle`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // print negative zero without a sign
        let intensity = format!("{:.2}", self.intensity).replace("-0.00", "0.00");
        write!(f, "{intensity},{}", self.goal.map_or("none", Goal::name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_written_in_moves() {
        let text = |mover, score| Eval::of(mover, score).to_string();
        assert_eq!(text(Color::White, Score::mate_in(5)), "#3");
        assert_eq!(text(Color::Black, Score::mate_in(5)), "#-3");
        assert_eq!(text(Color::Black, Score::mated_in(4)), "#2");
        assert_eq!(text(Color::Black, Score::cp(5)), "-0.05");
    }

    #[test]
    fn scores_are_centipawns_or_mates() {
        for (comment, expected) in [
            ("[%eval 0.35]", Some(Eval::Centipawns(35))),
            ("a [%clk 0:01:00] [%eval -1.5,20] b", Some(Eval::Centipawns(-150))),
            ("[%eval\n#4]", Some(Eval::Mate(4))),
            ("[%eval #-12,9]", Some(Eval::Mate(-12))),
            ("[%evaluation 1]", None),
            ("[%eval x]", None),
            ("[%eval nan]", None),
            ("[%eval 1e9]", None),
            ("[%eval 0.35", None),
            ("", None),
        ] {
            assert_eq!(eval(comment), expected, "{comment}");
        }
    }

    #[test]
    fn clocks_are_hours_minutes_and_seconds() {
        for (comment, expected) in [
            ("[%clk 0:02:59]", Some(179.0)),
            ("[%eval 0.3] [%clk 1:00:03.5] x", Some(3603.5)),
            ("[%clk 02:59]", None),
            ("[%clk 0:0:0:1]", None),
            ("[%clk 0:-1:00]", None),
            ("[%clk 999999:00:00]", None),
            ("[%clk x]", None),
            ("", None),
        ] {
            assert_eq!(clock(comment), expected, "{comment}");
        }
    }

    #[test]
    fn feelings_have_a_goal_or_none() {
        let of = |intensity, goal| Some(EmotionTag { intensity, goal });
        for (comment, expected) in [
            ("[%eval 0.1,3]\n[%emo 0.50,castle]", of(0.5, Some(Goal::Castle))),
            ("[%emo -1.00,none]", of(-1.0, None)),
            ("[%emo 1.5,castle]", None),
            ("[%emo 0.5,nothing]", None),
            ("[%emo 0.5]", None),
        ] {
            assert_eq!(felt(comment), expected, "{comment}");
        }
    }

    #[test]
    fn written_commands_are_read_back() {
        for score in [Eval::Centipawns(35), Eval::Centipawns(-105), Eval::Mate(4), Eval::Mate(-1)] {
            assert_eq!(eval(&format!("[%eval {score},9]")), Some(score));
        }
        for goal in [None, Some(Goal::SecureKing)] {
            let feeling = EmotionTag { intensity: -0.25, goal };
            assert_eq!(felt(&format!("[%emo {feeling}]")), Some(feeling));
        }
        assert_eq!(EmotionTag { intensity: -0.001, goal: None }.to_string(), "0.00,none");
    }
}
