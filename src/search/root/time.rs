//! The timer of a search: what it has used of its time.

use super::{
    budget::Budget,
    moment::{Moment, now},
};
use std::{
    num::NonZeroU32,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// The timer of one search.
#[derive(Debug)]
pub struct Timer {
    start: Moment,
    budget: Budget,
    /// Nanoseconds from `start` to the ponder hit. [`Self::NEVER`] while pondering.
    counts_from: AtomicU64,
    /// See [`Limits::nodes_per_ms`](super::limits::Limits::nodes_per_ms).
    nodes_per_ms: Option<NonZeroU32>,
    /// The nodes searched so far, if the clock counts nodes.
    nodes: AtomicU64,
}

impl Timer {
    const NEVER: u64 = u64::MAX;

    /// Starts the timer. No limit applies while `pondering`. After a ponder hit, the time spent
    /// pondering counts for the soft limit but not for the hard one.
    pub fn start(budget: Budget, pondering: bool) -> Self {
        Self::start_at(now(), budget, pondering)
    }

    /// Like [`Self::start`], for a search that began at `start`.
    pub fn start_at(start: Moment, budget: Budget, pondering: bool) -> Self {
        let counts_from = AtomicU64::new(if pondering { Self::NEVER } else { 0 });
        let (nodes_per_ms, nodes) = (None, AtomicU64::new(0));
        Self { start, budget, counts_from, nodes_per_ms, nodes }
    }

    /// Returns this timer for a clock that counts nodes, if `nodes_per_ms` is set.
    #[must_use]
    pub fn counting(self, nodes_per_ms: Option<NonZeroU32>) -> Self {
        Self { nodes_per_ms, ..self }
    }

    /// Records the number of nodes searched so far, for a clock that counts nodes.
    pub(in crate::search) fn count(&self, nodes: u64) {
        if self.nodes_per_ms.is_some() {
            self.nodes.store(nodes, Relaxed);
        }
    }

    /// Returns what the limits count: the time since the start, or the time that the nodes stand for.
    pub(in crate::search) fn used(&self) -> Duration {
        self.nodes_per_ms
            .map_or_else(|| self.elapsed(), |each| time_of(self.nodes.load(Relaxed), each))
    }

    /// Starts a timer without limits.
    pub fn stopwatch() -> Self {
        Self::start(Budget::default(), false)
    }

    /// Stretches the soft limit by `percent`, see [`Budget::stretched`].
    pub fn stretch(&mut self, percent: i32) {
        self.budget = self.budget.stretched(percent);
    }

    /// Returns the time allotted.
    pub(crate) fn budget(&self) -> Budget {
        self.budget
    }

    /// Whether the time is too short to start helper threads.
    pub(in crate::search) fn is_short(&self) -> bool {
        const SHORT: Duration = Duration::from_millis(5);
        let is_pondering = self.counts_from.load(Relaxed) == Self::NEVER;
        !is_pondering && self.budget.hard.is_some_and(|hard| hard < SHORT)
    }

    /// Returns the time used on the player's clock: since the start or the ponder hit. `None` while
    /// pondering.
    pub(crate) fn counted(&self) -> Option<Duration> {
        let from = self.counts_from.load(Relaxed);
        let counted = || self.used().saturating_sub(Duration::from_nanos(from));
        (from != Self::NEVER).then(counted)
    }

    /// Returns the time since the start, pondering included.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Starts the player's clock, because the opponent played the expected move.
    pub fn ponder_hit(&self) {
        if self.counts_from.load(Relaxed) == Self::NEVER {
            self.counts_from.store(self.used().as_nanos() as u64, Relaxed);
        }
    }

    /// Whether the search must stop. Time spent pondering does not count.
    pub fn hard_is_over(&self) -> bool {
        let Some(hard) = self.budget.hard else { return false };
        self.counted().is_some_and(|counted| counted >= hard)
    }

    /// Whether no further iteration should start, given `percent` of the soft limit. Time spent
    /// pondering counts.
    pub fn soft_is_over(&self, percent: u32) -> bool {
        let is_pondering = self.counts_from.load(Relaxed) == Self::NEVER;
        let counts = |soft: Duration| self.used() >= soft * percent / 100;
        !is_pondering && self.budget.soft.is_some_and(counts) || self.hard_is_over()
    }
}

/// Returns the time that `nodes` stand for on a clock that counts nodes.
pub(crate) fn time_of(nodes: u64, nodes_per_ms: NonZeroU32) -> Duration {
    Duration::from_micros(nodes.saturating_mul(1000) / u64::from(nodes_per_ms.get()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_limits_the_timer_never_expires() {
        let timer = Timer::stopwatch();
        assert!(!timer.hard_is_over() && !timer.soft_is_over(1));
    }

    #[test]
    fn no_limit_expires_while_pondering() {
        let over = Budget { soft: Some(Duration::ZERO), hard: Some(Duration::ZERO) };
        let timer = Timer::start(over, true);
        assert!(!timer.hard_is_over());
        timer.ponder_hit();
        assert!(timer.hard_is_over() && timer.soft_is_over(100));
    }

    #[test]
    fn a_clock_that_counts_nodes_ignores_the_time() {
        let ms = Duration::from_millis;
        let budget = Budget { soft: Some(ms(50)), hard: Some(ms(100)) };
        let mut timer = Timer::start(budget, false).counting(NonZeroU32::new(20));
        timer.start -= Duration::from_hours(1);
        timer.count(999);
        assert!(!timer.soft_is_over(100));
        timer.count(1000);
        assert!(timer.soft_is_over(100) && !timer.soft_is_over(101) && !timer.hard_is_over());
        timer.count(2000);
        assert!(timer.hard_is_over());
        assert_eq!(timer.counted(), Some(ms(100)));
    }

    #[test]
    fn pondering_counts_for_the_soft_limit_only() {
        let minute = Some(Duration::from_mins(1));
        let mut timer = Timer::start(Budget { soft: minute, hard: minute }, true);
        // two minutes of pondering
        timer.start -= Duration::from_mins(2);
        assert!(!timer.hard_is_over() && !timer.soft_is_over(100));
        timer.ponder_hit();
        // the clock has just started, but the search has lasted long enough
        assert!(!timer.hard_is_over() && timer.soft_is_over(100) && !timer.soft_is_over(300));
        // a second ponder hit changes nothing
        timer.start -= Duration::from_mins(1);
        timer.ponder_hit();
        assert!(timer.hard_is_over() && timer.soft_is_over(100));
    }
}
