//! To whom a search reports. The search itself never prints.

use crate::{
    chess::score::{Score, Window},
    search::Outcome,
};
use shakmaty::Move;
use std::time::Duration;

/// Whether a score is exact or only a bound, as UCI tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score failed low: the true one is at most this.
    Upper,
    /// The score failed high: the true one is at least this.
    Lower,
    Exact,
}

impl Bound {
    /// What a score says that a search within `window` returned.
    pub(in crate::search) fn of(score: Score, window: Window) -> Self {
        if window.fails_high(score) {
            Self::Lower
        } else if score > window.alpha {
            Self::Exact
        } else {
            Self::Upper
        }
    }
}

/// One iteration, finished or failed high or low.
#[derive(Clone, Debug)]
pub struct Iteration<'a> {
    pub depth: u8,
    /// The deepest ply reached, quiescence included.
    pub seldepth: u8,
    /// 1 for the best line, 2 for the second …
    pub multi_pv: usize,
    pub score: Score,
    pub bound: Bound,
    pub nodes: u64,
    pub elapsed: Duration,
    /// Share of the table in use, in thousandths.
    pub hashfull: u16,
    /// Positions found in endgame tables, by all threads.
    pub tablebase_hits: u64,
    pub pv: &'a [Move],
}

/// Listens to a search: UCI writes lines, tests remember, bench does nothing.
pub trait Report {
    fn iteration(&mut self, _: &Iteration<'_>) {}
    /// A search that takes long begins with the root move `m`, the `number`th of this depth.
    fn root_move(&mut self, _depth: u8, _m: Move, _number: usize) {}
    /// The move is chosen, `None` if there is no legal one. Comes before [`crate::search::search`] returns, which
    /// also waits for the other threads to end.
    fn finished(&mut self, _: Option<&Outcome>) {}
}

/// Reports to no one.
#[derive(Debug)]
pub struct Silent;

impl Report for Silent {}

/// Nodes per second; what took no measurable time counts as a millisecond.
pub fn per_second(nodes: u64, elapsed: Duration) -> u64 {
    let rate = u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1_000);
    u64::try_from(rate).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_time_at_all_is_no_division_by_zero() {
        assert_eq!(per_second(20, Duration::ZERO), 20_000);
        assert_eq!(per_second(u64::MAX, Duration::ZERO), u64::MAX);
        assert_eq!(per_second(3_000, Duration::from_millis(1_500)), 2_000);
    }
}
