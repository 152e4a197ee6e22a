//! Notes the time and reports endgame table errors at the end of a search, before the move is
//! printed.

use super::listener::Listener;
use crate::{
    chess::syzygy::Syzygy,
    search::{
        SearchResult,
        root::{
            report::{Iteration, SearchListener},
            time::Timer,
        },
    },
};
use shakmaty::Move;
use std::time::Duration;

/// Passes the reports of a search on to a listener. When the search ends, it first records the time
/// and warns about endgame tables that could not be read.
pub(super) struct EndListener<'a> {
    pub(super) listener: &'a mut dyn Listener,
    pub(super) tablebase: &'a Syzygy,
    pub(super) timer: &'a Timer,
    /// Time that the move took on the player's clock. `None` before the end of the search and after
    /// pondering.
    pub(super) spent: Option<Duration>,
}

impl SearchListener for EndListener<'_> {
    fn iteration(&mut self, iteration: &Iteration<'_>) {
        self.listener.iteration(iteration);
    }

    fn root_move(&mut self, depth: u8, m: Move, number: usize) {
        self.listener.root_move(depth, m, number);
    }

    fn finished(&mut self, outcome: Option<&SearchResult>) {
        self.spent = self.timer.counted();
        if let Some(faults) = self.tablebase.take_faults() {
            self.listener.warned(&format!("endgame tables {faults}"));
        }
        self.listener.finished(outcome);
    }
}
