//! Decides when a thread polls the signals and the clock, and whether it must stop.

use crate::search::shared::SharedState;
use std::{sync::atomic::Ordering::Relaxed, time::Duration};

/// The polling schedule of a thread, and what lets it stop.
#[derive(Debug)]
pub(in crate::search) struct Poll {
    /// The maximum number of nodes of this thread.
    node_limit: u64,
    /// The node count of the next poll, at most `node_limit`.
    next: u64,
    /// Nodes between two polls.
    interval: u64,
    /// The time of the last poll, since the start of the search.
    last: Duration,
    /// Nodes already added to the nodes of all threads.
    polled_nodes: u64,
    /// Set after the first iteration: from then on, there is a move to play and the search may
    /// stop.
    pub(in crate::search) may_stop: bool,
    /// Percent of the usual time worth spending, as of the last iteration completed while
    /// pondering. Only the main thread sets it.
    pub(in crate::search) pondered_percent: Option<u32>,
}

impl Poll {
    /// Maximum number of nodes between two polls: far less than a millisecond at the usual speed.
    const MAX_INTERVAL: u64 = 512;
    /// If more time than this passes between two polls, the interval is halved.
    const MAX_TIME: Duration = Duration::from_millis(1);
    /// The first iteration is completed unless it takes more nodes than this. It takes so long only
    /// in absurd positions, such as a dozen hanging queens.
    const FIRST_ITERATION_NODES: u64 = 100_000;

    /// Creates the schedule of a thread that searches at most `node_limit` nodes.
    pub(in crate::search) fn new(node_limit: u64) -> Self {
        Self {
            node_limit,
            next: 0,
            interval: Self::MAX_INTERVAL,
            last: Duration::ZERO,
            polled_nodes: 0,
            may_stop: false,
            pondered_percent: None,
        }
    }

    /// Makes the thread poll at its next node.
    pub(in crate::search) fn soon(&mut self) {
        self.next = 0;
    }

    /// Whether the thread must stop after this many `nodes`. Polls if it is time to.
    #[inline]
    pub(in crate::search) fn stops(&mut self, nodes: u64, shared: &SharedState<'_>) -> bool {
        nodes >= self.next && self.must_stop(nodes, shared)
    }

    /// Polls the signals and the clock. Returns whether the search must stop.
    #[cold]
    fn must_stop(&mut self, nodes: u64, shared: &SharedState<'_>) -> bool {
        if nodes >= self.node_limit {
            return true;
        }
        shared.progress.nodes.fetch_add(nodes - self.polled_nodes, Relaxed);
        self.polled_nodes = nodes;
        let timer = &shared.timer;
        timer.count(shared.progress.nodes.load(Relaxed));
        self.advance(nodes, timer.used());
        // after a ponder hit, the time spent pondering may already be enough
        let pondered_percent =
            if shared.is_pondering() { None } else { self.pondered_percent.take() };
        pondered_percent.is_some_and(|percent| timer.soft_is_over(percent))
            || shared.progress.finished.load(Relaxed)
            || (self.may_stop || nodes >= Self::FIRST_ITERATION_NODES)
                && (shared.signals.stop.load(Relaxed) || timer.hard_is_over())
    }

    /// Schedules the next poll after one at this node count and time.
    fn advance(&mut self, nodes: u64, now: Duration) {
        let is_slow = now.saturating_sub(self.last) > Self::MAX_TIME;
        let interval = if is_slow { self.interval / 2 } else { self.interval * 2 };
        self.interval = interval.clamp(1, Self::MAX_INTERVAL);
        self.next = (nodes + self.interval).min(self.node_limit);
        self.last = now;
    }

    /// Returns the nodes of all threads, as of the last polls of the others. This thread has
    /// searched `nodes` of them.
    pub(in crate::search) fn all_nodes(&self, nodes: u64, shared: &SharedState<'_>) -> u64 {
        shared.progress.nodes.load(Relaxed) + nodes - self.polled_nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{
        memory::{pages::Memory, tt::CompatibleEvaluations},
        root::{budget::Budget, limits::Limits, time::Timer},
        shared::Signals,
    };

    #[test]
    fn a_slow_thread_polls_more_often_and_a_fast_one_less() {
        let (mut poll, mut nodes, mut now) = (Poll::new(u64::MAX), 0, Duration::ZERO);
        let mut after = |polls, time_per_node| {
            for _ in 0..polls {
                now += time_per_node * (poll.next - nodes) as u32;
                nodes = poll.next;
                poll.advance(nodes, now);
            }
            poll.next - nodes
        };
        let (fast, slow) = (Duration::from_nanos(600), Duration::from_micros(100));
        assert_eq!(after(20, fast), Poll::MAX_INTERVAL);
        assert!(after(20, slow) <= 20, "at most 2 ms");
        assert_eq!(after(20, fast), Poll::MAX_INTERVAL);
    }

    #[test]
    fn a_ponder_hit_ends_the_iteration_if_pondering_lasted_long_enough() {
        let mut memory = Memory::new(1).unwrap();
        memory.new_search(0, CompatibleEvaluations::default());
        let (signals, limits) = (Signals::default(), Limits::default());
        let hour = Some(Duration::from_hours(1));
        for (percent, ends) in [(0, true), (100, false)] {
            signals.pondering.store(true, Relaxed);
            let timer = Timer::start(Budget { soft: hour, hard: hour }, true);
            let shared = SharedState::new(&signals, &limits, timer, memory.table());
            let mut poll = Poll::new(u64::MAX);
            (poll.may_stop, poll.pondered_percent) = (true, Some(percent));
            assert!(!poll.must_stop(0, &shared));
            signals.pondering.store(false, Relaxed);
            assert_eq!(poll.must_stop(0, &shared), ends, "{percent}");
        }
    }
}
