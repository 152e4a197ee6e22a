//! Time management: how long a search may take.
//! <https://www.chessprogramming.org/Time_Management>

use super::limits::Limits;
use shakmaty::Color;
use std::{num::NonZeroU32, time::Duration};

/// The time allotted to a search. No iteration starts after `soft`, and the search stops at `hard`.
/// A fixed move time has only a hard limit, so that all of it is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// The time after which no iteration starts.
    pub soft: Option<Duration>,
    /// The time at which the search stops.
    pub hard: Option<Duration>,
}

/// Time on the clock that is not for searching.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overhead {
    /// Kept for a single long delay.
    pub once: Duration,
    /// The usual delay of each move.
    pub per_move: Duration,
}

impl Overhead {
    /// Returns what this move must leave on the clock.
    fn of_one_move(self) -> Duration {
        self.once + self.per_move
    }
}

/// The number of moves that the remaining time must last, at the start of a game without moves to
/// go. It falls by three every five moves, down to `MIN_MOVES_AHEAD`.
const MOVES_AHEAD: u32 = 32;
const MIN_MOVES_AHEAD: u32 = 18;
/// Time for the delays of this many later moves is kept, unless a time control comes earlier. It is
/// more than `MOVES_AHEAD` because the time shared among these moves shrinks, but delays do not.
const DELAYED_MOVES: u32 = 80;
/// This much more of a clock is kept for a long delay. Below it, moves take the minimum time.
const BUFFER: Duration = Duration::from_millis(50);
/// The minimum time of a search, so that it finds a move.
const MIN_TIME: Duration = Duration::from_micros(200);

impl Budget {
    /// Allots time for move `number` of `side`. Does not read the clock.
    ///
    /// The share of a move is the remaining time per expected move plus the increment, less the delay
    /// that the increment must pay for. The soft limit is four fifths of the share. The hard limit is
    /// four times the share, but leaves time for later moves.
    pub fn allot(limits: &Limits, side: Color, number: NonZeroU32, overhead: Overhead) -> Self {
        if let Some(time) = limits.move_time {
            // use at least half of the move time, even if the overhead is larger
            let time = time.saturating_sub(overhead.of_one_move().min(time / 2)).max(MIN_TIME);
            return Self { soft: None, hard: Some(time) };
        }
        let Some(clocks) = limits.clock else { return Self::default() };
        let clock = clocks.get(side);
        let left = clock.left.saturating_sub(overhead.of_one_move() + BUFFER).max(MIN_TIME);
        let ahead =
            MOVES_AHEAD.saturating_sub(number.get().saturating_mul(3) / 5).max(MIN_MOVES_AHEAD);
        let moves = limits.moves_to_go.unwrap_or(ahead).clamp(1, 50);
        // later moves are delayed too; what the increment does not cover is taken from the time left
        let delay = overhead.per_move;
        let later = limits.moves_to_go.map_or(DELAYED_MOVES, |_| moves - 1);
        let left = left.saturating_sub(delay.saturating_sub(clock.increment) * later);
        // the last move before the time control may use nearly all of it
        let ceiling = if moves == 1 { left * 9 / 10 } else { left * 6 / 10 };
        let share = left / moves + clock.increment.saturating_sub(delay);
        let hard = (share * 4).min(ceiling).max(MIN_TIME);
        Self { soft: Some((share * 4 / 5).min(hard).max(MIN_TIME)), hard: Some(hard) }
    }

    /// Returns this budget with `percent` more of the soft limit, or less if negative. The hard
    /// limit and a fixed move time stay the same.
    #[must_use]
    pub fn stretched(self, percent: i32) -> Self {
        let (Some(soft), Some(hard)) = (self.soft, self.hard) else { return self };
        let percent = (100 + percent).max(0).unsigned_abs();
        Self { soft: Some((soft * percent / 100).min(hard).max(MIN_TIME)), ..self }
    }
}

/// Returns the percent of the usual time worth spending on a move.
///
/// `spent` is the percentage of nodes spent on the best move. `stability` is the number of iterations
/// since the best move changed. The larger these are, the less time is needed. `score_drop` is the
/// loss of score since the last iteration, in centipawns, and adds time. An only move gets 1 percent.
pub(in crate::search) fn time_percent(
    spent: u32,
    stability: u32,
    score_drop: i32,
    is_only: bool,
) -> u32 {
    if is_only {
        return 1;
    }
    let score_drop = score_drop.clamp(0, 60).unsigned_abs();
    (175 - spent.min(100)) * (125 - 9 * stability.min(6)) / 100 * (100 + score_drop) / 100
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::root::limits::Clock;
    use proptest::prelude::*;
    use shakmaty::ByColor;

    const FIRST: NonZeroU32 = NonZeroU32::MIN;
    const NO_OVERHEAD: Overhead = Overhead { once: Duration::ZERO, per_move: Duration::ZERO };

    /// In milliseconds.
    fn overhead(once: u64, per_move: u64) -> Overhead {
        let [once, per_move] = [once, per_move].map(Duration::from_millis);
        Overhead { once, per_move }
    }

    fn on_clock(left: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        let clock = Clock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
        };
        let clock = Some(ByColor { white: clock, black: clock });
        Limits { clock, moves_to_go, ..Limits::default() }
    }

    proptest! {
        #[test]
        fn the_budget_never_exceeds_the_clock(
            left in 0_u64..10_000_000, increment in 0_u64..600_000,
            moves in proptest::option::of(0_u32..200), once in 0_u64..5000,
            delay in 0_u64..5000, percent in -100_i32..=100,
        ) {
            let overhead = overhead(once, delay);
            let limits = on_clock(left, increment, moves);
            let usual = Budget::allot(&limits, Color::White, FIRST, overhead);
            let budget = usual.stretched(percent);
            prop_assert_eq!(usual.stretched(0), usual);
            prop_assert_eq!(budget.hard, usual.hard);
            prop_assert!(percent < 0 || budget.soft >= usual.soft);
            prop_assert!(percent > 0 || budget.soft <= usual.soft);
            let (soft, hard) = (budget.soft.unwrap(), budget.hard.unwrap());
            prop_assert!(soft <= hard && hard >= MIN_TIME);
            let usable = Duration::from_millis(left).saturating_sub(overhead.of_one_move());
            prop_assert!(hard <= usable.max(MIN_TIME));
            prop_assert!(soft >= MIN_TIME, "a search needs some time");
        }

        #[test]
        fn more_clock_time_never_shortens_the_budget(
            left in 0_u64..10_000_000, more in 0_u64..100_000, increment in 0_u64..600_000,
            moves in proptest::option::of(0_u32..200), once in 0_u64..5000, delay in 0_u64..5000,
        ) {
            let overhead = overhead(once, delay);
            let allot = |left, increment| {
                Budget::allot(&on_clock(left, increment, moves), Color::White, FIRST, overhead)
            };
            let budget = allot(left, increment);
            for richer in [allot(left + more, increment), allot(left, increment + more)] {
                prop_assert!(richer.soft >= budget.soft && richer.hard >= budget.hard);
            }
        }

        #[test]
        fn a_fixed_move_time_is_never_exceeded(
            asked in 0_u64..10_000_000, once in 0_u64..5000, delay in 0_u64..5000,
        ) {
            let move_time = Some(Duration::from_millis(asked));
            let limits = Limits { move_time, ..on_clock(5, 5, Some(1)) };
            let budget = Budget::allot(&limits, Color::White, FIRST, overhead(once, delay));
            prop_assert_eq!(budget.soft, None);
            prop_assert_eq!(budget.stretched(-50), budget);
            let asked = Duration::from_millis(asked.max(1));
            prop_assert!(budget.hard.unwrap() >= MIN_TIME && budget.hard.unwrap() <= asked);
            prop_assert!(budget.hard.unwrap() >= asked / 2);
        }
    }

    /// Returns how many moves a game lasts, at most 1000. Each move takes the `limit` of its budget
    /// plus `lag`.
    fn moves_in_time(
        (left, increment): (u64, u64),
        lag: u64,
        overhead: Overhead,
        limit: fn(Budget) -> Option<Duration>,
    ) -> usize {
        let mut left = Duration::from_millis(left);
        let lag = Duration::from_millis(lag);
        let in_time = |played: &usize| {
            let limits = on_clock(left.as_millis() as u64, increment, None);
            let number = FIRST.saturating_add(*played as u32);
            let budget = Budget::allot(&limits, Color::White, number, overhead);
            let rest = left.checked_sub(limit(budget).unwrap() + lag);
            left = rest.unwrap_or_default() + Duration::from_millis(increment);
            rest.is_some_and(|rest| !rest.is_zero())
        };
        (0..1000).take_while(in_time).count()
    }

    #[test]
    fn a_game_with_more_increment_than_lag_never_loses_on_time() {
        for clock in [(500, 5), (1_000, 10), (4_000, 40), (100, 100), (10, 10_000)] {
            // the last delay is longer than usual
            for (lag, once, delay) in [(0, 0, 0), (3, 20, 3), (3, 5, 3), (3, 1_000, 3), (3, 10, 0)]
            {
                let overhead = overhead(once, delay);
                let moves = moves_in_time(clock, lag, overhead, |budget| budget.hard);
                assert_eq!(moves, 1000, "{clock:?}, lag {lag}, {overhead:?}");
            }
        }
    }

    #[test]
    fn a_clock_without_increment_lasts_for_a_long_game() {
        for (left, moves) in [(1_000, 110), (10_000, 170), (60_000, 210), (600_000, 260)] {
            let lasted = moves_in_time((left, 0), 1, overhead(10, 1), |budget| budget.soft);
            assert!(lasted >= moves, "{left} ms last for {lasted} moves");
        }
    }

    #[test]
    fn later_moves_get_a_larger_share_of_the_remaining_time() {
        let limits = on_clock(60_000, 0, None);
        let soft = |number| {
            let number = NonZeroU32::new(number).unwrap();
            Budget::allot(&limits, Color::White, number, NO_OVERHEAD).soft.unwrap()
        };
        assert!(soft(1) < soft(10) && soft(10) < soft(30));
        assert_eq!(soft(30), soft(u32::MAX));
    }

    #[test]
    fn extreme_clocks_get_a_valid_budget() {
        let year = 365 * 24 * 3_600_000;
        for (left, increment) in [(0, 0), (0, year), (year, 0), (year, year)] {
            for moves in [None, Some(0), Some(1), Some(2), Some(100), Some(u32::MAX)] {
                for overhead in [NO_OVERHEAD, overhead(5_000, 0), overhead(0, 5_000)] {
                    let limits = on_clock(left, increment, moves);
                    let hard = Budget::allot(&limits, Color::White, FIRST, overhead).hard.unwrap();
                    let left = Duration::from_millis(left);
                    assert!(hard == MIN_TIME || hard < left, "{limits:?}: {hard:?}");
                    assert!(left.is_zero() || hard > MIN_TIME, "{limits:?}: {hard:?}");
                }
            }
        }
    }

    #[test]
    fn the_last_move_before_the_time_control_may_take_more() {
        let allot = |moves| {
            let limits = on_clock(10_000, 0, Some(moves));
            Budget::allot(&limits, Color::White, FIRST, NO_OVERHEAD).hard.unwrap()
        };
        assert!(allot(1) > allot(2) && allot(2) > allot(20));
    }

    #[test]
    fn stretching_scales_the_soft_limit_up_to_the_hard_limit() {
        let limits = on_clock(100_000, 0, None);
        let usual = Budget::allot(&limits, Color::White, FIRST, NO_OVERHEAD);
        let soft = |percent| usual.stretched(percent).soft.unwrap();
        assert_eq!(soft(0), Duration::from_micros(2_498_750));
        assert_eq!((soft(25), soft(-25)), (soft(0) * 5 / 4, soft(0) * 3 / 4));
        assert_eq!((Some(soft(100_000)), soft(-100)), (usual.hard, MIN_TIME));
    }

    #[test]
    fn a_stable_best_move_takes_less_time() {
        assert_eq!(time_percent(50, 2, 0, true), 1);
        for stability in 0..=6 {
            for spent in (0..=100).step_by(10) {
                let usual = time_percent(spent, stability, 0, false);
                assert!(spent == 100 || time_percent(spent + 10, stability, 0, false) < usual);
                assert!(stability == 6 || time_percent(spent, stability + 1, 0, false) < usual);
                assert!(time_percent(spent, stability, 30, false) > usual);
                assert_eq!(time_percent(spent, stability, -30, false), usual);
            }
        }
        assert_eq!([time_percent(0, 0, 0, false), time_percent(100, 6, 0, false)], [218, 53]);
        // arguments are clamped
        assert_eq!(
            time_percent(100, 6, 60, false),
            time_percent(u32::MAX, u32::MAX, i32::MAX, false)
        );
    }

    #[test]
    fn without_limits_the_budget_is_unlimited() {
        let none = Budget::allot(&Limits::default(), Color::Black, FIRST, NO_OVERHEAD);
        assert_eq!(none, Budget { soft: None, hard: None });
        assert_eq!(none.stretched(50), none);
    }
}
