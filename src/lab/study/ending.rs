//! How a game ended: by mate, draw, time, or resignation.

use crate::pgn::{Clocks, PlayedGame};
use shakmaty::{Color, KnownOutcome, Position};

/// Without a Termination tag, a loser with less time than this may have lost on time.
const SECONDS: f64 = 5.0;
/// Without tag and clocks, a loser with a higher winning chance, in percent, may have lost on time.
const LOST: f64 = 30.0;

/// The way in which a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Mate,
    Draw,
    Time,
    /// This side resigned.
    Resignation(Color),
    /// There is no result, or it is unclear whether the loser resigned.
    Unclear,
}

impl Ending {
    /// Returns how `game` ended. `chance` is the winning chance of a side in the final position, in
    /// percent.
    ///
    /// The Termination tag says whether time ran out. Without it, the loser of a game without mate
    /// has resigned if the clocks show at least 5 seconds, or, without clocks, if the winning chance
    /// is at most 30 %.
    pub(super) fn of(
        game: &PlayedGame,
        clocks: Option<&Clocks>,
        chance: impl Fn(Color) -> Option<f64>,
    ) -> Self {
        let end = game.end();
        if end.is_checkmate() {
            return Self::Mate;
        }
        let loser = match game.tags.result {
            None => return Self::Unclear,
            Some(KnownOutcome::Draw) => return Self::Draw,
            Some(KnownOutcome::Decisive { winner }) => !winner,
        };
        let tag = game.tags.termination.to_lowercase();
        if tag.contains("time") {
            return Self::Time;
        }
        let parity = usize::from(loser != game.start.chess.turn());
        let resigned = match tag.as_str() {
            "" => match clocks.and_then(|clocks| clocks.last(parity)) {
                Some(left) => left >= SECONDS,
                None => chance(loser).is_some_and(|chance| chance <= LOST),
            },
            "normal" => true,
            other => other.contains("resign"),
        };
        if resigned { Self::Resignation(loser) } else { Self::Unclear }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Games;

    fn ending(tags: &str, moves: &str, chance: f64) -> Ending {
        let text = format!("{tags}\n\n{moves}\n");
        let game = Games::of(Box::new(std::io::Cursor::new(text))).next().unwrap().unwrap();
        let clocks = Clocks::of(&game);
        Ending::of(&game, clocks.as_ref(), |_| Some(chance))
    }

    #[test]
    fn mates_draws_and_time_outs_are_no_resignations() {
        assert_eq!(ending("[Event \"a\"]", "1. f3 e5 2. g4 Qh4# 0-1", 3.0), Ending::Mate);
        assert_eq!(ending("[Event \"a\"]", "1. f3 e5 1/2-1/2", 3.0), Ending::Draw);
        assert_eq!(ending("[Event \"a\"]", "1. f3 e5 *", 3.0), Ending::Unclear);
        for tag in ["Time forfeit", "time forfeit", "x won on time"] {
            let tags = format!("[Termination \"{tag}\"]");
            assert_eq!(ending(&tags, "1. f3 e5 0-1", 3.0), Ending::Time);
        }
    }

    #[test]
    fn resignations_follow_from_tag_clock_or_score() {
        let lost = Ending::Resignation(Color::White);
        assert_eq!(ending("[Termination \"Normal\"]", "1. f3 e5 0-1", 50.0), lost);
        assert_eq!(ending("[Termination \"x won by resignation\"]", "1. f3 e5 0-1", 50.0), lost);
        assert_eq!(ending("[Termination \"Abandoned\"]", "1. f3 e5 0-1", 3.0), Ending::Unclear);
        assert_eq!(ending("[Event \"a\"]", "1. f3 e5 0-1", 3.0), lost);
        assert_eq!(ending("[Event \"a\"]", "1. f3 e5 0-1", 50.0), Ending::Unclear);
        let clocks = "1. f3 {[%clk 0:00:06]} e5 {[%clk 0:00:01]}";
        assert_eq!(ending("[Event \"a\"]", &format!("{clocks} 0-1"), 50.0), lost);
        assert_eq!(ending("[Event \"a\"]", &format!("{clocks} 1-0"), 3.0), Ending::Unclear);
    }
}
