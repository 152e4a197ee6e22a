//! When a running search looks at signals and clock, and whether it must stop.

use crate::{
    chess::evaluator::Evaluator,
    search::{Stopped, Worker},
};
use std::{sync::atomic::Ordering::Relaxed, time::Duration};

/// When a thread polls next.
#[derive(Debug)]
pub(in crate::search) struct Poll {
    /// The node count at which it polls.
    next: u64,
    /// Nodes between two polls.
    interval: u64,
    /// The time of the last poll, since the start of the search.
    last: Duration,
}

impl Default for Poll {
    fn default() -> Self {
        Self { next: 0, interval: Self::MOST_NODES, last: Duration::ZERO }
    }
}

impl Poll {
    /// Nodes between two polls: well within a millisecond at the usual speed.
    const MOST_NODES: u64 = 512;
    /// A thread for which they take longer polls more often.
    const TIME: Duration = Duration::from_millis(1);

    /// Has the thread poll at its next node.
    pub(in crate::search) fn soon(&mut self) {
        self.next = 0;
    }

    /// Sets the next poll after one at this node count and time.
    fn advance(&mut self, nodes: u64, now: Duration) {
        let is_slow = now.saturating_sub(self.last) > Self::TIME;
        let interval = if is_slow { self.interval / 2 } else { self.interval * 2 };
        self.interval = interval.clamp(1, Self::MOST_NODES);
        (self.next, self.last) = (nodes + self.interval, now);
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// The first iteration is searched to its end unless it takes more nodes than this. It is short
    /// except where a dozen queens hang.
    const LONGEST_FIRST: u64 = 100_000;

    /// Counts a node, unless the search has to stop.
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

    /// Polls: whether a signal or the clock ends the search.
    pub(in crate::search) fn must_stop(&mut self) -> bool {
        self.shared.nodes.fetch_add(self.nodes - self.told, Relaxed);
        self.told = self.nodes;
        let (signals, timer) = (self.shared.signals, &self.shared.timer);
        self.poll.advance(self.nodes, timer.elapsed());
        // what was begun in the opponent's time may have long to go
        let pondered = if self.is_pondering() { None } else { self.pondered.take() };
        pondered.is_some_and(|percent| timer.soft_is_over(percent))
            || self.shared.finished.load(Relaxed)
            || (self.timed || self.nodes >= Self::LONGEST_FIRST)
                && (signals.stop.load(Relaxed) || timer.hard_is_over())
    }

    /// Whether the opponent is still thinking. If not, the clock starts to count.
    pub(in crate::search) fn is_pondering(&self) -> bool {
        let is_pondering = self.shared.signals.pondering.load(Relaxed);
        if !is_pondering {
            self.shared.timer.ponder_hit();
        }
        is_pondering
    }

    /// Nodes of all threads, as of their last polls.
    pub(in crate::search) fn all_nodes(&self) -> u64 {
        self.shared.nodes.load(Relaxed) + self.nodes - self.told
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
        assert_eq!(after(20, fast), Poll::MOST_NODES);
        assert!(after(20, slow) <= 20, "at most two milliseconds");
        assert_eq!(after(20, fast), Poll::MOST_NODES);
    }
}
