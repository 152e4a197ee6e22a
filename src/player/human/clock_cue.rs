//! Clock cues: what makes a person think longer or shorter about a move.
//!
//! Every time is relative to the time per move that the time control allows, so that one model
//! serves all time controls. Nothing here needs a search.
#![allow(clippy::cast_precision_loss, reason = "numbers of moves are small")]

use super::policy::relative;
use crate::chess::{game::Game, time_control::TimeControl, wdl::fullness};
use shakmaty::{Move, Position};
use strum::{EnumCount, EnumIter, EnumString, IntoStaticStr};

/// A clock cue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumCount, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ClockCue {
    /// Always 1.
    Constant,
    /// 1 at the start of the game, falling to 0 at move 13.
    Opening,
    /// 0 with 60 % of the material left, rising to 1 with bare kings.
    Endgame,
    /// The logarithm of the number of legal moves.
    LegalMoves,
    /// There is only one legal move.
    OnlyMove,
    /// The logarithm of the number of legal captures plus 1.
    LegalCaptures,
    /// The king is in check.
    InCheck,
    /// The opponent's last move was a capture.
    AfterCapture,
    /// The chosen move is a capture.
    Capture,
    /// The chosen move captures on the square of the opponent's last capture.
    Recapture,
    /// The logarithm of the player's last time, relative to the time per move.
    OwnLast,
    /// The logarithm of the opponent's last time, relative to the time per move.
    TheirLast,
    /// The player's last move was instant.
    OwnInstant,
    /// The opponent's last move was instant.
    TheirInstant,
    /// The logarithm of the share of the base time that is left.
    Left,
    /// The logarithm of the time per move that 20 more moves would have, relative to the usual one.
    Supply,
    /// The part of [`Self::Supply`] below -1: time trouble.
    Trouble,
    /// The share of the increment in the time per move, 0 to 1.
    Increment,
    /// [`Self::Increment`] times [`Self::Endgame`].
    EndgameIncrement,
    /// The rating, 0 at 1500, 1 at 2000.
    Rating,
}

/// The clock cues of one move, in the order of [`ClockCue`].
pub type ClockCues = [f64; ClockCue::COUNT];

/// The clocks as a person sees them before a move. Times are in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockView {
    /// The time control.
    pub control: TimeControl,
    /// The player's time left.
    pub left: f64,
    /// The time that the player used for the last move, if known.
    pub own_last: Option<f64>,
    /// The time that the opponent used for the last move, if known.
    pub their_last: Option<f64>,
}

/// Returns the time in seconds below which a move is instant: half a second, or less in games with
/// less than 1.5 seconds per move.
#[must_use]
pub fn instant(control: TimeControl) -> f64 {
    (control.per_move() / 3.0).min(0.5)
}

impl ClockView {
    /// Returns the clock cues of a player who has chosen the move `m` in `game`.
    #[must_use]
    pub fn cues(&self, game: &Game, m: Move, rating: u16) -> ClockCues {
        let mut cues = [0.0; ClockCue::COUNT];
        let mut set = |cue: ClockCue, value: f64| cues[cue as usize] = value;
        let chess = &game.chess;
        let ply = 2.0 * f64::from(chess.fullmoves().get() - 1) + chess.turn().fold_wb(0.0, 1.0);
        let moves = chess.legal_moves();
        let captures = moves.iter().filter(|m| m.is_capture()).count();
        let endgame = (1.0 - fullness(chess.board()) / 0.6).max(0.0);
        set(ClockCue::Constant, 1.0);
        set(ClockCue::Opening, (1.0 - ply / 24.0).max(0.0));
        set(ClockCue::Endgame, endgame);
        set(ClockCue::LegalMoves, libm::log(moves.len().max(1) as f64));
        set(ClockCue::OnlyMove, flag(moves.len() == 1));
        set(ClockCue::LegalCaptures, libm::log(1.0 + captures as f64));
        set(ClockCue::InCheck, flag(chess.is_check()));
        let taken = game.recent[0].filter(|last| last.is_capture());
        set(ClockCue::AfterCapture, flag(taken.is_some()));
        set(ClockCue::Capture, flag(m.is_capture()));
        let retakes = m.is_capture() && taken.is_some_and(|last| last.to() == m.to());
        set(ClockCue::Recapture, flag(retakes));
        self.times(endgame, &mut set);
        set(ClockCue::Rating, relative(rating));
        cues
    }

    fn times(&self, endgame: f64, set: &mut impl FnMut(ClockCue, f64)) {
        let TimeControl { base, increment } = self.control;
        let (per_move, instant) = (self.control.per_move(), instant(self.control));
        let last = |time: Option<f64>| {
            // an unknown time counts as a usual one
            let time = time.unwrap_or(per_move / 2.0).max(0.0);
            (libm::log((time + instant) / per_move), flag(time < instant))
        };
        let ((own, own_instant), (their, their_instant)) =
            (last(self.own_last), last(self.their_last));
        set(ClockCue::OwnLast, own);
        set(ClockCue::OwnInstant, own_instant);
        set(ClockCue::TheirLast, their);
        set(ClockCue::TheirInstant, their_instant);
        let left = self.left.max(instant);
        let supply = libm::log((left / 20.0 + increment) / per_move);
        set(ClockCue::Left, libm::log(left / base).min(0.5));
        set(ClockCue::Supply, supply);
        set(ClockCue::Trouble, (supply + 1.0).min(0.0));
        set(ClockCue::Increment, increment / per_move);
        set(ClockCue::EndgameIncrement, increment / per_move * endgame);
    }
}

fn flag(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cues(position: &str, m: &str, left: f64) -> ClockCues {
        let game = Game::parse(position, None).unwrap();
        let m = game.read_uci(m).unwrap();
        let control = TimeControl { base: 180.0, increment: 2.0 };
        ClockView { control, left, own_last: Some(6.0), their_last: None }.cues(&game, m, 2000)
    }

    #[test]
    fn a_recapture_is_told_from_another_capture() {
        let position = "startpos moves e2e4 d7d5 e4d5";
        let of = |m, cue: ClockCue| cues(position, m, 180.0)[cue as usize];
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(near(of("d8d5", ClockCue::Recapture), 1.0));
        assert!(near(of("g8f6", ClockCue::Recapture), 0.0));
        assert!(near(of("g8f6", ClockCue::AfterCapture), 1.0));
        assert!(near(of("g8f6", ClockCue::OwnLast), 0.0));
        assert!(near(of("g8f6", ClockCue::Rating), 1.0));
    }

    #[test]
    fn time_trouble_begins_with_little_time_for_the_next_moves() {
        let of = |left, cue: ClockCue| cues("startpos", "e2e4", left)[cue as usize];
        assert!(of(180.0, ClockCue::Trouble).abs() < 1e-9);
        assert!(of(2.0, ClockCue::Trouble) < -0.1);
        for left in [0.0, 1e-3, 1e9] {
            assert!(cues("startpos", "e2e4", left).iter().all(|cue| cue.is_finite()), "{left}");
        }
    }
}
