//! Measures move overhead: the clock time that a move costs beyond its search.
//!
//! The overhead comes from the connection to the GUI and from an overloaded machine. It is learned
//! from the clock in every timed search, so the reserve grows on a busy machine and shrinks on an
//! idle one.

use super::{budget::Budget, limits::Limits};
use shakmaty::Color;
use std::{num::NonZeroU32, time::Duration};

/// The time to reserve per move, learned from the clocks of a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lag {
    reserve: Duration,
    /// The time by which the last search exceeded its hard limit.
    overrun: Duration,
    expected: Option<Expected>,
}

/// The clock expected at the next move if there is no overhead.
#[derive(Clone, Copy, Debug)]
struct Expected {
    side: Color,
    /// The full-move number of that move.
    number: NonZeroU32,
    left: Duration,
}

impl Lag {
    /// A longer delay is ignored: the clock was probably set by hand.
    const MAX_DELAY: Duration = Duration::from_secs(2);
    /// At one move the reserve grows by at most this and its own size, so that a single long delay
    /// does not make all later moves hasty.
    const STEP: Duration = Duration::from_millis(10);

    /// Updates the estimate with the clock of `side` at move `number` and returns the time to
    /// reserve per move. Longer delays raise it within a few moves, shorter ones lower it
    /// gradually.
    pub fn reserve(&mut self, limits: &Limits, side: Color, number: NonZeroU32) -> Duration {
        let Some(clocks) = limits.clock else { return Duration::ZERO };
        let seen = self
            .expected
            .take()
            .filter(|expected| expected.side == side && expected.number == number)
            .map(|expected| expected.left.saturating_sub(clocks.get(side).left) + self.overrun)
            .filter(|seen| *seen <= Self::MAX_DELAY);
        if let Some(seen) = seen {
            self.reserve = seen.min(self.reserve * 2 + Self::STEP).max(self.reserve * 7 / 8);
        }
        self.reserve
    }

    /// Returns the time to reserve per move, as learned so far.
    pub fn known(&self) -> Duration {
        self.reserve
    }

    /// Records that the search for move `number` within `budget` took `spent` of the clock of
    /// `side`. `spent` is `None` if the move was not played, as after a ponder miss.
    pub fn note(
        &mut self,
        limits: &Limits,
        side: Color,
        number: NonZeroU32,
        budget: Budget,
        spent: Option<Duration>,
    ) {
        self.expected = limits.clock.zip(spent).map(|(clocks, spent)| {
            let clock = clocks.get(side);
            self.overrun = budget.hard.map_or(Duration::ZERO, |hard| spent.saturating_sub(hard));
            let left = clock.left.saturating_sub(spent) + clock.increment;
            Expected { side, number: number.saturating_add(1), left }
        });
    }

    /// Returns the time to reserve if there are more threads than cores, which then wait for each
    /// other.
    pub fn of_threads(threads: usize) -> Duration {
        const MAX: usize = 4;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Duration::from_millis(5) * threads.saturating_sub(cores).min(MAX) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::root::limits::Clock;
    use shakmaty::ByColor;

    const MS: Duration = Duration::from_millis(1);

    fn on_clock(left: Duration) -> Limits {
        let clock = Clock { left, increment: 10 * MS };
        Limits { clock: Some(ByColor { white: clock, black: clock }), ..Limits::default() }
    }

    fn number(number: u32) -> NonZeroU32 {
        NonZeroU32::new(number).unwrap()
    }

    /// Plays 20 moves of 100 ms each from a clock of one minute. `delay` is the part that is not
    /// search. Returns the last reserve.
    fn after_moves(lag: &mut Lag, delay: Duration) -> Duration {
        let mut left = Duration::from_mins(1);
        let mut reserve = Duration::ZERO;
        for n in 1..=20 {
            let limits = on_clock(left);
            reserve = lag.reserve(&limits, Color::White, number(n));
            let budget = Budget { soft: None, hard: Some(200 * MS) };
            lag.note(
                &limits,
                Color::White,
                number(n),
                budget,
                Some((100 * MS).saturating_sub(delay)),
            );
            left = left.saturating_sub(90 * MS);
        }
        reserve
    }

    #[test]
    fn the_reserve_grows_with_delays_and_shrinks_without_them() {
        let mut lag = Lag::default();
        assert_eq!(after_moves(&mut lag, Duration::ZERO), Duration::ZERO);
        assert_eq!(after_moves(&mut lag, 30 * MS), 30 * MS);
        let later = after_moves(&mut lag, 2 * MS);
        assert!(later >= 2 * MS && later < 4 * MS, "{later:?}");
    }

    #[test]
    fn a_single_long_delay_raises_the_reserve_by_one_step() {
        let mut lag = Lag::default();
        lag.note(&on_clock(9_000 * MS), Color::White, number(3), Budget::default(), Some(MS));
        let next = on_clock(8_000 * MS);
        assert_eq!(lag.reserve(&next, Color::White, number(4)), Lag::STEP);
    }

    #[test]
    fn exceeding_the_hard_limit_counts_as_a_delay() {
        let mut lag = Lag::default();
        let (limits, budget) = (on_clock(1000 * MS), Budget { soft: None, hard: Some(50 * MS) });
        lag.note(&limits, Color::Black, number(1), budget, Some(53 * MS));
        let next = on_clock((1000 - 53 + 10 - 5) * MS);
        assert_eq!(lag.reserve(&next, Color::Black, number(2)), 8 * MS);
    }

    #[test]
    fn unexpected_moves_sides_and_clocks_are_ignored() {
        let noted = |spent| {
            let mut lag = Lag::default();
            let budget = Budget::default();
            lag.note(&on_clock(5_000 * MS), Color::White, number(7), budget, spent);
            lag
        };
        let spent = Some(100 * MS);
        let late = on_clock(4_902 * MS);
        assert_eq!(noted(spent).reserve(&late, Color::White, number(8)), 8 * MS);
        assert_eq!(noted(spent).reserve(&late, Color::White, number(9)), Duration::ZERO);
        assert_eq!(noted(spent).reserve(&late, Color::Black, number(8)), Duration::ZERO);
        assert_eq!(noted(None).reserve(&late, Color::White, number(8)), Duration::ZERO);
        let more = on_clock(Duration::from_hours(1));
        assert_eq!(noted(spent).reserve(&more, Color::White, number(8)), Duration::ZERO);
        let none = on_clock(100 * MS);
        assert_eq!(noted(spent).reserve(&none, Color::White, number(8)), Duration::ZERO);
        let without = Limits::default();
        assert_eq!(noted(spent).reserve(&without, Color::White, number(8)), Duration::ZERO);
    }
}
