//! Decides when a thread polls the signals and the clock, and whether it must stop.

use crate::{
    chess::evaluator::Evaluator,
    search::{Stopped, Worker},
};
use std::{sync::atomic::Ordering::Relaxed, time::Duration};

/// The polling schedule of a thread.
#[derive(Debug)]
pub(in crate::search) struct Poll {
    /// The node count of the next poll.
    next: u64,
    /// Nodes between two polls.
    interval: u64,
    /// The time of the last poll, since the start of the search.
    last: Duration,
}

impl Default for Poll {
    fn default() -> Self {
        Self { next: 0, interval: Self::MAX_INTERVAL, last: Duration::ZERO }
    }
}

impl Poll {
    /// Maximum number of nodes between two polls: far less than a millisecond at the usual speed.
    const MAX_INTERVAL: u64 = 512;
    /// If more time than this passes between two polls, the interval is halved.
    const MAX_TIME: Duration = Duration::from_millis(1);

    /// Makes the thread poll at its next node.
    pub(in crate::search) fn soon(&mut self) {
        self.next = 0;
    }

    /// Schedules the next poll after one at this node count and time.
    fn advance(&mut self, nodes: u64, now: Duration) {
        let is_slow = now.saturating_sub(self.last) > Self::MAX_TIME;
        let interval = if is_slow { self.interval / 2 } else { self.interval * 2 };
        self.interval = interval.clamp(1, Self::MAX_INTERVAL);
        (self.next, self.last) = (nodes + self.interval, now);
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// The first iteration is completed unless it takes more nodes than this. It takes so long only
    /// in absurd positions, such as a dozen hanging queens.
    const FIRST_ITERATION_NODES: u64 = 100_000;

    /// Counts a node. Returns `Err` if the search must stop.
    pub(in crate::search) fn enter(&mut self, ply: usize) -> Result<(), Stopped> {
        if self.nodes >= self.node_limit {
            return Err(Stopped);
        }
        if self.nodes >= self.poll.next && self.must_stop() {
            return Err(Stopped);
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        Ok(())
    }

    /// Polls the signals and the clock. Returns whether the search must stop.
    pub(in crate::search) fn must_stop(&mut self) -> bool {
        self.shared.nodes.fetch_add(self.nodes - self.polled_nodes, Relaxed);
        self.polled_nodes = self.nodes;
        let (signals, timer) = (self.shared.signals, &self.shared.timer);
        self.poll.advance(self.nodes, timer.elapsed());
        // after a ponder hit, the time spent pondering may already be enough
        let pondered_percent =
            if self.is_pondering() { None } else { self.pondered_percent.take() };
        pondered_percent.is_some_and(|percent| timer.soft_is_over(percent))
            || self.shared.finished.load(Relaxed)
            || (self.may_stop || self.nodes >= Self::FIRST_ITERATION_NODES)
                && (signals.stop.load(Relaxed) || timer.hard_is_over())
    }

    /// Whether the opponent is still thinking. If not, starts the clock after a ponder hit.
    pub(in crate::search) fn is_pondering(&self) -> bool {
        let is_pondering = self.shared.signals.pondering.load(Relaxed);
        if !is_pondering {
            self.shared.timer.ponder_hit();
        }
        is_pondering
    }

    /// Returns the nodes of all threads, as of their last polls.
    pub(in crate::search) fn all_nodes(&self) -> u64 {
        self.shared.nodes.load(Relaxed) + self.nodes - self.polled_nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_thread_polls_more_often_and_a_fast_one_less() {
        let (mut poll, mut nodes, mut now) = (Poll::default(), 0, Duration::ZERO);
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
}
