//! The state that all threads of a search share.

use super::{
    memory::tt::TranspositionTable,
    node::attention::AttentionBonus,
    params::Params,
    root::{
        bonus::RootBonuses, endgames::Endgames, limits::Limits, time::Timer, weakening::Weakening,
    },
};
use crate::chess::score::Score;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Signals from outside to a running search.
#[derive(Debug, Default)]
pub struct Signals {
    /// Stops the search at the next poll.
    pub stop: AtomicBool,
    /// The opponent is still thinking. No time limit applies until this is cleared.
    pub pondering: AtomicBool,
}

/// The search state shared by all threads.
#[derive(Debug)]
pub struct SharedState<'s> {
    /// The signals from outside.
    pub signals: &'s Signals,
    /// The limits of the search.
    pub limits: &'s Limits,
    /// The timer with the allotted time.
    pub timer: Timer,
    /// The transposition table.
    pub table: TranspositionTable<'s>,
    /// Number of principal variations to report (`MultiPV`).
    pub multi_pv: usize,
    /// The search parameters.
    pub params: Params,
    /// The tablebases to probe, if loaded.
    pub endgames: Option<Endgames<'s>>,
    /// The score of a draw for the side to move at the root (contempt). Never a mate or tablebase
    /// score.
    pub draw: Score,
    /// What is added to the scores of root moves.
    pub bonuses: RootBonuses,
    /// Moves to be reduced less in late move reductions.
    pub attention: Option<AttentionBonus>,
    /// The moves that a player of limited strength considers. `None` at full strength.
    pub weakening: Option<Weakening<'s>>,
    /// How far the threads have come.
    pub progress: Progress,
}

/// What the threads of a search know of each other.
#[derive(Debug, Default)]
pub struct Progress {
    /// Nodes of all threads, as of their last polls.
    pub(super) nodes: AtomicU64,
    /// Set when the first thread is done, so that the helper threads stop.
    pub(super) finished: AtomicBool,
}

impl<'s> SharedState<'s> {
    /// Creates the state of a search at full strength, with one line, default parameters, no
    /// tablebases and a draw score of 0.
    pub fn new(
        signals: &'s Signals,
        limits: &'s Limits,
        timer: Timer,
        table: TranspositionTable<'s>,
    ) -> Self {
        Self {
            signals,
            limits,
            timer,
            table,
            multi_pv: 1,
            params: Params::default(),
            endgames: None,
            draw: Score::DRAW,
            bonuses: RootBonuses::default(),
            attention: None,
            weakening: None,
            progress: Progress::default(),
        }
    }

    /// Whether the opponent is still thinking. If not, starts the clock after a ponder hit.
    pub(super) fn is_pondering(&self) -> bool {
        let is_pondering = self.signals.pondering.load(Relaxed);
        if !is_pondering {
            self.timer.ponder_hit();
        }
        is_pondering
    }
}
