//! The interface to which a search reports. The search itself never prints.

use crate::chess::score::{Score, Window};
use shakmaty::Move;
use std::time::Duration;

/// Whether a score is exact or a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Fail low: the true score is at most this.
    Upper,
    /// Fail high: the true score is at least this.
    Lower,
    /// The true score.
    Exact,
}

impl Bound {
    /// Classifies a score returned by a search within `window`.
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

/// The result of one iteration, for one line.
#[derive(Clone, Debug)]
pub struct Iteration<'a> {
    /// The depth of the iteration, in plies.
    pub depth: u8,
    /// The maximum ply reached, quiescence search included.
    pub seldepth: u8,
    /// The number of the line in `MultiPV` order, from 1.
    pub multi_pv: usize,
    /// The score for the side to move.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Time since the start of the search.
    pub elapsed: Duration,
    /// Used part of the transposition table, in permille.
    pub hashfull: u16,
    /// Successful tablebase probes of all threads.
    pub tablebase_hits: u64,
    /// The principal variation.
    pub pv: &'a [Move],
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The best move.
    pub best: Move,
    /// The principal variation, starting with the best move.
    pub pv: Vec<Move>,
    /// The expected reply, from the principal variation or else from the transposition table.
    pub ponder: Option<Move>,
    /// The score of the best move. A lower bound if the last iteration was stopped after it had
    /// found a better move.
    pub score: Score,
    /// The depth of the last completed iteration. `pv` and `score` may come from the next one.
    pub depth: u8,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Time since the start of the search, pondering included.
    pub elapsed: Duration,
}

/// A listener to a search. All methods do nothing by default.
pub trait SearchListener {
    /// An iteration has ended, or has failed high or low.
    fn iteration(&mut self, _: &Iteration<'_>) {}
    /// In a long search, the root move `m` is searched next. `number` counts from 1.
    fn root_move(&mut self, _depth: u8, _m: Move, _number: usize) {}
    /// The search has chosen its move, `None` if there is no legal one. Called before
    /// [`crate::search::search`] returns, which waits for the helper threads.
    fn finished(&mut self, _: Option<&SearchResult>) {}
}

/// A listener that ignores all reports.
#[derive(Debug)]
pub struct Silent;

impl SearchListener for Silent {}

/// Returns nodes per second. Times below a millisecond count as one millisecond.
pub fn per_second(nodes: u64, elapsed: Duration) -> u64 {
    let rate = u128::from(nodes) * 1_000_000 / elapsed.as_micros().max(1_000);
    u64::try_from(rate).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_elapsed_time_does_not_divide_by_zero() {
        assert_eq!(per_second(20, Duration::ZERO), 20_000);
        assert_eq!(per_second(u64::MAX, Duration::ZERO), u64::MAX);
        assert_eq!(per_second(3_000, Duration::from_millis(1_500)), 2_000);
    }
}
