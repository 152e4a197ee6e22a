//! Runs a small search to find the quiet position at the end of the best line.
//!
//! Emotion at the root changes how such end positions are evaluated, not how the root is.

use super::quiet::{Unfit, resolve};
use crate::{
    eval::TermEvaluator,
    search::{
        SharedState, Signals,
        memory::{history::History, pages::Memory, tt::CompatibleEvaluations},
        root::{limits::Limits, report::Silent, time::Timer},
        search,
    },
};
use shakmaty::{Chess, Position};
use std::num::NonZeroU64;

/// Size of the transposition table in MiB. A search has only a few thousand nodes.
const TABLE: usize = 1;

/// A node-limited search without emotion.
pub(super) struct ShallowSearch {
    memory: Memory,
    histories: Vec<History>,
    limits: Limits,
}

impl ShallowSearch {
    /// Creates a search limited to `nodes` nodes. Returns `None` if its memory cannot be allocated.
    pub(super) fn new(nodes: NonZeroU64) -> Option<Self> {
        Some(Self {
            memory: Memory::new(TABLE).ok()?,
            histories: vec![History::default()],
            limits: Limits::of_nodes(nodes),
        })
    }

    /// Returns the quiet position at the end of the best line, or the reason to skip `chess`. A
    /// mate score or a tablebase win or loss counts as [`Unfit::Over`].
    pub(super) fn end(
        &mut self,
        chess: &Chess,
        evaluator: &mut TermEvaluator,
    ) -> Result<Chess, Unfit> {
        self.memory.new_search(0, CompatibleEvaluations::default());
        let (signals, timer) = (Signals::default(), Timer::stopwatch());
        let shared = SharedState::new(&signals, &self.limits, timer, self.memory.table());
        let outcome = search(chess, &[], evaluator, &shared, &mut self.histories, &mut Silent)
            .ok_or(Unfit::Over)?;
        if outcome.score.is_decided() {
            return Err(Unfit::Over);
        }
        let mut leaf = chess.clone();
        outcome.pv.iter().for_each(|&m| leaf.play_unchecked(m));
        resolve(&leaf, evaluator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::game::Game, profile::Profile};
    use shakmaty::ByColor;

    fn end(fen: &str) -> Result<String, Unfit> {
        let weights = Profile::builtin("standard").unwrap().weights;
        let mut evaluator = TermEvaluator::new(ByColor { white: weights.clone(), black: weights });
        let chess = Game::from_fen(fen, None).unwrap().chess;
        let mut shallow_search = ShallowSearch::new(NonZeroU64::new(2000).unwrap()).unwrap();
        let first = shallow_search.end(&chess, &mut evaluator);
        let text = |chess: Chess| Game { chess, ..Game::default() }.fen();
        // a second search must also find a line when the table is already filled
        assert_eq!(first.is_ok(), shallow_search.end(&chess, &mut evaluator).is_ok());
        first.map(text)
    }

    #[test]
    fn the_best_line_is_followed_to_a_quiet_position() {
        // the fork either wins the queen for the knight or nothing
        let leaf = end("r3k3/pp3q2/8/4N3/8/8/PP6/4K3 w - - 0 1").unwrap();
        assert!(!leaf.contains('q') && leaf.split(' ').nth(5).unwrap() != "1", "{leaf}");
    }

    #[test]
    fn positions_with_mate_are_skipped() {
        assert_eq!(end("7k/8/6K1/8/8/8/8/R7 w - - 0 1"), Err(Unfit::Over));
        assert_eq!(end("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Err(Unfit::Over));
    }
}
