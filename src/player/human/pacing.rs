//! The clocks of a game in play: what a person knows of them, and how long a move may take.

use super::clock_cue::ClockView;
use crate::{
    chess::time_control::TimeControl,
    search::root::limits::{Clock, Limits},
};
use shakmaty::{ByColor, Chess, Color, Position};
use std::time::Duration;

/// The largest share of the clock that one move may take.
const SHARE: f64 = 0.3;
/// Time that reading a position takes on most machines.
const READING: Duration = Duration::from_millis(20);
/// Number of moves for which reading time and overhead are kept back.
const KEPT_MOVES: u32 = 60;
/// A base time lasts for this many moves. With fewer moves to go, the clock counts as more time.
const MOVES: u32 = 40;

/// The clocks that `go` reported to one side in this game.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::player) struct Pacing {
    /// The base time in seconds: the first clock of the game.
    base: f64,
    last: Option<Seen>,
    before: Option<Seen>,
}

/// The clocks before a move.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// The full-move number.
    number: u32,
    /// Times left in seconds.
    left: ByColor<f64>,
    /// Whether the opponent was still thinking.
    pondering: bool,
}

impl Pacing {
    /// Returns the clocks before a move in the position `chess`, and remembers them. Returns `None`
    /// unless a clock is the only limit.
    ///
    /// Times used follow from the clocks at the last move. The opponent's is unknown while
    /// pondering.
    pub(in crate::player) fn see(
        &mut self,
        chess: &Chess,
        limits: &Limits,
        pondering: bool,
    ) -> Option<ClockView> {
        let clocks = clocks(limits)?;
        let (side, number) = (chess.turn(), chess.fullmoves().get());
        let left = clocks.map(|clock| clock.left.as_secs_f64());
        // this many moves to go make the same clock worth more
        let worth =
            f64::from(MOVES) / f64::from(limits.moves_to_go.unwrap_or(MOVES).clamp(1, MOVES));
        let now = Seen { number, left, pondering };
        match self.last {
            Some(last) if last.number < number => self.before = self.last,
            // the same move again, as after a ponder miss
            Some(last) if last.number == number => {}
            _ => *self = Self { base: left.get(side) * worth, ..Self::default() },
        }
        self.last = Some(now);
        let before = self.before.filter(|before| before.number + 1 == number);
        let used = |of: Color| {
            let increment = clocks.get(of).increment.as_secs_f64();
            let used = before?.left.get(of) + increment - left.get(of);
            (used >= 0.0).then_some(used)
        };
        let was_pondering = pondering || before.is_some_and(|before| before.pondering);
        let increment = clocks.get(side).increment.as_secs_f64();
        Some(ClockView {
            control: TimeControl { base: self.base.max(0.01), increment },
            left: left.get(side) * worth,
            own_last: used(side),
            their_last: used(!side).filter(|_| !was_pondering),
        })
    }
}

/// Returns the clocks if nothing else limits the search.
fn clocks(limits: &Limits) -> Option<ByColor<Clock>> {
    let Limits { depth, nodes, move_time, mate, clock, .. } = limits;
    let is_free = depth.is_none() && nodes.is_none() && move_time.is_none() && mate.is_none();
    clock.filter(|_| is_free)
}

/// Returns how long a move may take with this `clock`. `overhead` is the delay of a move outside the
/// engine, and `read` the time that reading this position took.
///
/// A move takes at most 30 % of the time left, after keeping back time to read and send 60 more
/// moves. The increment counts only against this time, because it comes after the move.
#[must_use]
pub fn most(
    clock: Clock,
    moves_to_go: Option<u32>,
    overhead: Duration,
    read: Duration,
) -> Duration {
    let later = moves_to_go.map_or(KEPT_MOVES, |moves| moves.saturating_sub(1).min(KEPT_MOVES));
    let cost = overhead + read.max(READING);
    let kept = cost.saturating_sub(clock.increment) * later;
    clock.left.saturating_sub(cost + kept).mul_f64(SHARE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use std::num::NonZeroU64;

    fn limits(white: f64, black: f64, increment: f64) -> Limits {
        let clock = |left| Clock {
            left: Duration::from_secs_f64(left),
            increment: Duration::from_secs_f64(increment),
        };
        let clock = Some(ByColor { white: clock(white), black: clock(black) });
        Limits { clock, ..Limits::default() }
    }

    fn after(moves: &str) -> Chess {
        Game::parse(&format!("startpos moves {moves}"), None).unwrap().chess
    }

    #[test]
    fn used_times_follow_from_the_clocks() {
        let mut pacing = Pacing::default();
        let first = pacing.see(&Chess::default(), &limits(60.0, 60.0, 1.0), false).unwrap();
        assert_eq!((first.own_last, first.their_last, first.left), (None, None, 60.0));
        assert_eq!(first.control, TimeControl { base: 60.0, increment: 1.0 });
        let second = after("e2e4 e7e5");
        // 3 and 11 seconds were used
        let view = pacing.see(&second, &limits(58.0, 50.0, 1.0), false).unwrap();
        assert_eq!((view.own_last, view.their_last), (Some(3.0), Some(11.0)));
        assert!((view.control.base - 60.0).abs() < 1e-9);
        // the same move again
        assert_eq!(pacing.see(&second, &limits(58.0, 50.0, 1.0), false), Some(view));
        // a missing move, then a new game
        let later = after("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
        let view = pacing.see(&later, &limits(50.0, 50.0, 1.0), false).unwrap();
        assert_eq!((view.own_last, view.their_last), (None, None));
        let view = pacing.see(&Chess::default(), &limits(30.0, 30.0, 1.0), false).unwrap();
        assert!((view.control.base - 30.0).abs() < 1e-9);
    }

    #[test]
    fn while_pondering_the_time_of_the_opponent_is_unknown() {
        let mut pacing = Pacing::default();
        pacing.see(&Chess::default(), &limits(60.0, 60.0, 0.0), false);
        let second = after("e2e4 e7e5");
        let view = pacing.see(&second, &limits(57.0, 60.0, 0.0), true).unwrap();
        assert_eq!((view.own_last, view.their_last), (Some(3.0), None));
        // the expected move was not played
        let view = pacing.see(&second, &limits(57.0, 55.0, 0.0), false).unwrap();
        assert_eq!((view.own_last, view.their_last), (Some(3.0), Some(5.0)));
    }

    #[test]
    fn only_a_clock_alone_counts() {
        let clock = limits(60.0, 60.0, 0.0);
        for limits in [
            Limits::default(),
            Limits { depth: Some(3), ..clock.clone() },
            Limits { nodes: NonZeroU64::new(9), ..clock.clone() },
            Limits { mate: Some(2), ..clock.clone() },
            Limits { move_time: Some(Duration::from_secs(1)), ..clock.clone() },
        ] {
            assert_eq!(Pacing::default().see(&Chess::default(), &limits, false), None);
        }
        let few = Limits { moves_to_go: Some(10), ..clock };
        let view = Pacing::default().see(&Chess::default(), &few, false).unwrap();
        assert!((view.control.base - 240.0).abs() < 1e-9 && (view.left - 240.0).abs() < 1e-9);
    }

    #[test]
    fn no_move_takes_more_than_its_share_of_any_clock() {
        let ms = Duration::from_millis;
        for left in [0, 1, 50, 100, 500, 1_000, 10_000, 180_000, 36_000_000] {
            for increment in [0, 10, 100, 2_000, 60_000] {
                for overhead in [0, 10, 300, 5_000] {
                    for moves in [None, Some(1), Some(2), Some(40), Some(u32::MAX)] {
                        let clock = Clock { left: ms(left), increment: ms(increment) };
                        let most = most(clock, moves, ms(overhead), ms(5));
                        assert!(most <= ms(left * 3 / 10 + 1), "{clock:?} {moves:?}");
                        assert!(most.is_zero() || most + ms(overhead) < ms(left), "{clock:?}");
                    }
                }
            }
        }
        let minutes = Clock { left: Duration::from_mins(3), increment: Duration::ZERO };
        assert!(most(minutes, None, ms(10), ms(5)) > Duration::from_secs(50));
    }

    #[test]
    fn a_clock_without_increment_never_runs_out_by_waiting() {
        let (overhead, mut left) = (Duration::from_millis(10), Duration::from_secs(10));
        // on a slow machine
        let read = 5 * READING;
        for _ in 0..60 {
            let clock = Clock { left, increment: Duration::ZERO };
            let spent = most(clock, None, overhead, read).max(read) + overhead;
            assert!(spent < left, "{left:?}");
            left -= spent;
        }
    }
}
