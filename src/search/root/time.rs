//! How long a search may take. The only file that reads the clock.

use super::limits::Limits;
use shakmaty::Color;
use std::{
    num::NonZeroU32,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

/// Begin no iteration after `soft`; abandon the running one at `hard`. A time that was asked for is
/// hard alone: it is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    pub soft: Option<Duration>,
    pub hard: Option<Duration>,
}

/// A game without moves to go is shared out as if it still had this many at its beginning, fewer by
/// three every five moves, and from some time on no fewer than the least.
const MOVES_AHEAD: u32 = 36;
const LEAST_AHEAD: u32 = 18;
/// The shortest time a search is given, so that it finds some move.
const SHORTEST: Duration = Duration::from_micros(200);

impl Budget {
    /// Shares out the time of `side` in the move of this `number` of the game. Pure, so every rule of
    /// it can be tested.
    ///
    /// A move may take a share of what is left, much the same for each until most games are
    /// decided, and three quarters of the increment, so that a long game does not live from
    /// increment to increment, where any delay of the machine would lose it; a hard one four times
    /// that, but never so much that the next moves have nothing.
    pub fn allot(limits: &Limits, side: Color, number: NonZeroU32, overhead: Duration) -> Self {
        if let Some(time) = limits.move_time {
            // half of it is searched in any case: who asks for so little can wait for the way too
            let time = time.saturating_sub(overhead.min(time / 2)).max(SHORTEST);
            return Self { soft: None, hard: Some(time) };
        }
        let Some(clocks) = limits.clock else { return Self::default() };
        let clock = clocks.get(side);
        let left = clock.left.saturating_sub(overhead).max(SHORTEST);
        let ahead = MOVES_AHEAD.saturating_sub(number.get().saturating_mul(3) / 5).max(LEAST_AHEAD);
        let moves = limits.moves_to_go.unwrap_or(ahead).clamp(1, 50);
        // the later moves have their way to the GUI too: what the increment does not pay for it comes
        // out of the time left, and then out of the increment that this move would use
        let unpaid = overhead.saturating_sub(clock.increment) * (moves - 1);
        let debt = unpaid.saturating_sub(left) / moves;
        let left = left.saturating_sub(unpaid);
        // the last move before the control may use nearly all, the only one too
        let ceiling = if moves == 1 { left * 9 / 10 } else { left * 6 / 10 };
        let share = left / moves + (clock.increment * 3 / 4).saturating_sub(debt);
        let hard = (share * 4).min(ceiling).max(SHORTEST);
        Self { soft: Some((share * 4 / 5).min(hard).max(SHORTEST)), hard: Some(hard) }
    }

    /// This budget for a player who takes `percent` more of the usual time, or less if negative. What
    /// is allotted at most stays, and so does a time that was asked for.
    #[must_use]
    pub fn stretched(self, percent: i32) -> Self {
        let (Some(soft), Some(hard)) = (self.soft, self.hard) else { return self };
        let percent = (100 + percent).max(0).unsigned_abs();
        Self { soft: Some((soft * percent / 100).min(hard).max(SHORTEST)), ..self }
    }
}

/// Percent of the usual time worth spending on a move: less if it has been best for the last
/// `stability` iterations and has taken `spent` percent of the nodes, more if its score has `fallen` by so
/// many centipawns since the last iteration, next to none if it is the only one.
pub(in crate::search) fn patience(spent: u32, stability: u32, fallen: i32, is_only: bool) -> u32 {
    if is_only {
        return 1;
    }
    let fallen = fallen.clamp(0, 60).unsigned_abs();
    (175 - spent.min(100)) * (125 - 9 * stability.min(6)) / 100 * (100 + fallen) / 100
}

/// A moment on the monotonic clock.
pub type Moment = Instant;

/// The present moment.
#[expect(clippy::disallowed_methods, reason = "this is the one place that reads the clock")]
pub fn now() -> Moment {
    Instant::now()
}

/// The clock of one search.
#[derive(Debug)]
pub struct Timer {
    start: Instant,
    budget: Budget,
    /// Nanoseconds from `start` to the ponder hit; [`Self::NEVER`] while still pondering.
    counts_from: AtomicU64,
}

impl Timer {
    const NEVER: u64 = u64::MAX;

    /// Starts the clock. While `pondering` nothing is over; then that time counts as searched, and never
    /// for the hard limit.
    pub fn start(budget: Budget, pondering: bool) -> Self {
        Self::start_at(now(), budget, pondering)
    }

    /// Like [`Self::start`], for a clock that has been running since `start`.
    pub fn start_at(start: Moment, budget: Budget, pondering: bool) -> Self {
        let counts_from = AtomicU64::new(if pondering { Self::NEVER } else { 0 });
        Self { start, budget, counts_from }
    }

    /// Starts a clock that binds nobody.
    pub fn stopwatch() -> Self {
        Self::start(Budget::default(), false)
    }

    /// The player takes `percent` more of the usual time, see [`Budget::stretched`].
    pub fn stretch(&mut self, percent: i32) {
        self.budget = self.budget.stretched(percent);
    }

    /// What binds.
    pub(crate) fn budget(&self) -> Budget {
        self.budget
    }

    /// Whether so little time is allotted that starting other threads takes too much of it.
    pub(in crate::search) fn is_short(&self) -> bool {
        const SHORT: Duration = Duration::from_millis(5);
        let is_pondering = self.counts_from.load(Relaxed) == Self::NEVER;
        !is_pondering && self.budget.hard.is_some_and(|hard| hard < SHORT)
    }

    /// The time that counts for the player's clock: since the start, or since the ponder hit. `None`
    /// while pondering.
    pub(crate) fn counted(&self) -> Option<Duration> {
        let from = self.counts_from.load(Relaxed);
        let counted = || self.elapsed().saturating_sub(Duration::from_nanos(from));
        (from != Self::NEVER).then(counted)
    }

    /// Time since the start, pondering included.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The opponent has played the move expected: from now on time counts.
    pub fn ponder_hit(&self) {
        if self.counts_from.load(Relaxed) == Self::NEVER {
            self.counts_from.store(self.elapsed().as_nanos() as u64, Relaxed);
        }
    }

    /// Whether a running iteration must be abandoned. The opponent's time is not ours to count.
    pub fn hard_is_over(&self) -> bool {
        let Some(hard) = self.budget.hard else { return false };
        self.counted().is_some_and(|counted| counted >= hard)
    }

    /// Whether no further iteration should begin, with `percent` of the usual time. What was searched
    /// in the opponent's time need not be searched again.
    pub fn soft_is_over(&self, percent: u32) -> bool {
        let is_pondering = self.counts_from.load(Relaxed) == Self::NEVER;
        let counts = |soft: Duration| self.elapsed() >= soft * percent / 100;
        !is_pondering && self.budget.soft.is_some_and(counts) || self.hard_is_over()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::root::limits::Clock;
    use proptest::prelude::*;
    use shakmaty::ByColor;

    const FIRST: NonZeroU32 = NonZeroU32::MIN;

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
            moves in proptest::option::of(0_u32..200), overhead in 0_u64..5000,
            percent in -100_i32..=100,
        ) {
            let overhead = Duration::from_millis(overhead);
            let limits = on_clock(left, increment, moves);
            let usual = Budget::allot(&limits, Color::White, FIRST, overhead);
            let budget = usual.stretched(percent);
            prop_assert_eq!(usual.stretched(0), usual);
            prop_assert_eq!(budget.hard, usual.hard);
            prop_assert!(percent < 0 || budget.soft >= usual.soft);
            prop_assert!(percent > 0 || budget.soft <= usual.soft);
            let (soft, hard) = (budget.soft.unwrap(), budget.hard.unwrap());
            prop_assert!(soft <= hard && hard >= SHORTEST);
            let usable = Duration::from_millis(left).saturating_sub(overhead).max(SHORTEST);
            prop_assert!(hard <= usable);
            prop_assert!(soft >= SHORTEST, "a search needs some time");
        }

        #[test]
        fn more_time_is_never_shared_out_as_less(
            left in 0_u64..10_000_000, more in 0_u64..100_000, increment in 0_u64..600_000,
            moves in proptest::option::of(0_u32..200), overhead in 0_u64..5000,
        ) {
            let overhead = Duration::from_millis(overhead);
            let allot = |left, increment| {
                Budget::allot(&on_clock(left, increment, moves), Color::White, FIRST, overhead)
            };
            let budget = allot(left, increment);
            for richer in [allot(left + more, increment), allot(left, increment + more)] {
                prop_assert!(richer.soft >= budget.soft && richer.hard >= budget.hard);
            }
        }

        #[test]
        fn a_time_for_the_move_is_kept_to(asked in 0_u64..10_000_000, overhead in 0_u64..5000) {
            let move_time = Some(Duration::from_millis(asked));
            let limits = Limits { move_time, ..on_clock(5, 5, Some(1)) };
            let overhead = Duration::from_millis(overhead);
            let budget = Budget::allot(&limits, Color::White, FIRST, overhead);
            prop_assert_eq!(budget.soft, None);
            prop_assert_eq!(budget.stretched(-50), budget);
            let asked = Duration::from_millis(asked.max(1));
            prop_assert!(budget.hard.unwrap() >= SHORTEST && budget.hard.unwrap() <= asked);
            prop_assert!(budget.hard.unwrap() >= asked / 2);
        }
    }

    /// How many moves a game lasts, up to a thousand, if each takes its budget's `limit` and `lag`.
    fn moves_in_time(
        (left, increment): (u64, u64),
        lag: u64,
        overhead: u64,
        limit: fn(Budget) -> Option<Duration>,
    ) -> usize {
        let mut left = Duration::from_millis(left);
        let lag = Duration::from_millis(lag);
        let in_time = |played: &usize| {
            let limits = on_clock(left.as_millis() as u64, increment, None);
            let number = FIRST.saturating_add(*played as u32);
            let overhead = Duration::from_millis(overhead);
            let budget = Budget::allot(&limits, Color::White, number, overhead);
            let rest = left.checked_sub(limit(budget).unwrap() + lag);
            left = rest.unwrap_or_default() + Duration::from_millis(increment);
            rest.is_some_and(|rest| !rest.is_zero())
        };
        (0..1000).take_while(in_time).count()
    }

    #[test]
    fn an_increment_beyond_the_lag_lasts_for_ever() {
        for clock in [(500, 5), (1_000, 10), (4_000, 40), (100, 100), (10, 10_000)] {
            for (lag, overhead) in [(0, 0), (3, 20), (3, 5), (3, 1_000)] {
                let moves = moves_in_time(clock, lag, overhead, |budget| budget.hard);
                assert_eq!(moves, 1000, "{clock:?}, lag {lag}, overhead {overhead}");
            }
        }
    }

    #[test]
    fn without_increment_the_time_lasts_for_a_long_game() {
        for (left, moves) in [(1_000, 110), (10_000, 170), (60_000, 210), (600_000, 260)] {
            let lasted = moves_in_time((left, 0), 1, 20, |budget| budget.soft);
            assert!(lasted >= moves, "{left} ms last for {lasted} moves");
        }
    }

    #[test]
    fn later_moves_have_a_greater_share_of_what_is_left() {
        let limits = on_clock(60_000, 0, None);
        let soft = |number| {
            let number = NonZeroU32::new(number).unwrap();
            Budget::allot(&limits, Color::White, number, Duration::ZERO).soft.unwrap()
        };
        assert!(soft(1) < soft(10) && soft(10) < soft(30));
        assert_eq!(soft(30), soft(u32::MAX));
    }

    #[test]
    fn clocks_beyond_reason_are_shared_out_too() {
        let year = 365 * 24 * 3_600_000;
        for (left, increment) in [(0, 0), (0, year), (year, 0), (year, year)] {
            for moves in [None, Some(0), Some(1), Some(2), Some(100), Some(u32::MAX)] {
                for overhead in [0, 5_000] {
                    let limits = on_clock(left, increment, moves);
                    let overhead = Duration::from_millis(overhead);
                    let hard = Budget::allot(&limits, Color::White, FIRST, overhead).hard.unwrap();
                    let left = Duration::from_millis(left);
                    assert!(hard == SHORTEST || hard < left, "{limits:?}: {hard:?}");
                    assert!(left.is_zero() || hard > SHORTEST, "{limits:?}: {hard:?}");
                }
            }
        }
    }

    #[test]
    fn without_limits_nothing_binds() {
        let none = Budget::allot(&Limits::default(), Color::Black, FIRST, Duration::ZERO);
        assert_eq!(none, Budget { soft: None, hard: None });
        assert_eq!(none.stretched(50), none);
        let timer = Timer::start(none, false);
        assert!(!timer.hard_is_over() && !timer.soft_is_over(1));
    }

    #[test]
    fn the_last_move_before_the_control_may_take_more() {
        let allot = |moves| {
            let limits = on_clock(10_000, 0, Some(moves));
            Budget::allot(&limits, Color::White, FIRST, Duration::ZERO).hard.unwrap()
        };
        assert!(allot(1) > allot(2) && allot(2) > allot(20));
    }

    #[test]
    fn a_budget_is_stretched_by_percent_and_never_beyond_what_is_allotted() {
        let limits = on_clock(100_000, 0, None);
        let usual = Budget::allot(&limits, Color::White, FIRST, Duration::ZERO);
        let soft = |percent| usual.stretched(percent).soft.unwrap();
        assert_eq!(soft(0), Duration::from_nanos(2_222_222_221));
        assert_eq!((soft(25), soft(-25)), (soft(0) * 5 / 4, soft(0) * 3 / 4));
        assert_eq!((Some(soft(100_000)), soft(-100)), (usual.hard, SHORTEST));
    }

    #[test]
    fn a_move_that_is_sure_takes_less_time() {
        assert_eq!(patience(50, 2, 0, true), 1);
        for stability in 0..=6 {
            for spent in (0..=100).step_by(10) {
                let usual = patience(spent, stability, 0, false);
                assert!(spent == 100 || patience(spent + 10, stability, 0, false) < usual);
                assert!(stability == 6 || patience(spent, stability + 1, 0, false) < usual);
                assert!(patience(spent, stability, 30, false) > usual);
                assert_eq!(patience(spent, stability, -30, false), usual);
            }
        }
        assert_eq!([patience(0, 0, 0, false), patience(100, 6, 0, false)], [218, 53]);
        // nothing is taken for more than it is
        assert_eq!(patience(100, 6, 60, false), patience(u32::MAX, u32::MAX, i32::MAX, false));
    }

    #[test]
    fn nothing_is_over_while_pondering() {
        let over = Budget { soft: Some(Duration::ZERO), hard: Some(Duration::ZERO) };
        let timer = Timer::start(over, true);
        assert!(!timer.hard_is_over());
        timer.ponder_hit();
        assert!(timer.hard_is_over() && timer.soft_is_over(100));
    }

    #[test]
    fn the_time_of_the_opponent_is_not_counted() {
        let minute = Some(Duration::from_mins(1));
        let mut timer = Timer::start(Budget { soft: minute, hard: minute }, true);
        // as if it had pondered for two
        timer.start -= Duration::from_mins(2);
        assert!(!timer.hard_is_over() && !timer.soft_is_over(100));
        timer.ponder_hit();
        // it has all its time, but has searched long enough
        assert!(!timer.hard_is_over() && timer.soft_is_over(100) && !timer.soft_is_over(300));
        // what comes later moves nothing
        timer.start -= Duration::from_mins(1);
        timer.ponder_hit();
        assert!(timer.hard_is_over() && timer.soft_is_over(100));
    }
}
