//! How much of the clock a move costs beyond its search: the way to the GUI and back, and what an
//! overloaded machine adds. Each timed search of a game teaches it, so that the reserve grows on a busy
//! machine and shrinks again on a free one.

use super::{limits::Limits, time::Budget};
use shakmaty::Color;
use std::{num::NonZeroU32, time::Duration};

/// The time to keep back, learned from the clocks of a game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lag {
    reserve: Duration,
    /// By how much the last search ran beyond its hard limit.
    overrun: Duration,
    expected: Option<Expected>,
}

/// The clock that a player should find at its next move if a move cost nothing but its search.
#[derive(Clone, Copy, Debug)]
struct Expected {
    side: Color,
    /// The full-move number of that move.
    number: NonZeroU32,
    left: Duration,
}

impl Lag {
    /// More than this is no delay of a machine: somebody has set the clock.
    const LONGEST: Duration = Duration::from_secs(2);
    /// By this much, and to twice its size, the reserve grows at one move: a single long delay does not
    /// make all later moves hasty.
    const STEP: Duration = Duration::from_millis(10);

    /// Learns from the clock of `side` before its move of this `number`, and returns the time to keep
    /// back for each move: the longest delay seen lately.
    pub fn reserve(&mut self, limits: &Limits, side: Color, number: NonZeroU32) -> Duration {
        let Some(clocks) = limits.clock else { return Duration::ZERO };
        let seen = self
            .expected
            .take()
            .filter(|expected| expected.side == side && expected.number == number)
            .map(|expected| expected.left.saturating_sub(clocks.get(side).left) + self.overrun)
            .filter(|seen| *seen <= Self::LONGEST);
        if let Some(seen) = seen {
            self.reserve = seen.min(self.reserve * 2 + Self::STEP).max(self.reserve * 7 / 8);
        }
        self.reserve
    }

    /// Notes that a search within `budget` took `spent` of the clock of `side` for its move of this
    /// `number`; `None` if the move was not played, as after a ponder miss.
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

    /// The time to keep back where more threads search than there are cores: they wait for each other.
    pub fn of_threads(threads: usize) -> Duration {
        const MOST: usize = 4;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Duration::from_millis(5) * threads.saturating_sub(cores).min(MOST) as u32
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

    /// Plays 20 moves from a clock of one minute; each takes 100 ms, of which `delay` is not search.
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
    fn the_reserve_grows_with_the_delays_and_shrinks_without_them() {
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
    fn running_over_the_hard_limit_is_a_delay_too() {
        let mut lag = Lag::default();
        let (limits, budget) = (on_clock(1000 * MS), Budget { soft: None, hard: Some(50 * MS) });
        lag.note(&limits, Color::Black, number(1), budget, Some(53 * MS));
        let next = on_clock((1000 - 53 + 10 - 5) * MS);
        assert_eq!(lag.reserve(&next, Color::Black, number(2)), 8 * MS);
    }

    #[test]
    fn other_moves_other_sides_and_clocks_that_were_set_teach_nothing() {
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
