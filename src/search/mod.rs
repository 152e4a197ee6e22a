//! Principal variation search (alpha-beta) over any [`Evaluator`], on one or more threads.
//!
//! The search knows nothing of emotions and never prints. It reports to a [`SearchListener`].

#![deny(clippy::float_arithmetic)]

pub mod memory;
mod node;
pub mod params;
pub mod root;
mod shared;
#[cfg(feature = "tuning")]
pub mod tunables;
mod worker;

pub use node::{attention::AttentionBonus, quiet_line::quiet_line, see::see_ge};
pub use root::{
    endgames::{Endgames, Probing},
    report::SearchResult,
};
pub use shared::{Progress, SharedState, Signals};

use crate::{chess::evaluator::Evaluator, support::threads::STACK_BYTES};
use memory::history::History;
use root::{
    report::{SearchListener, Silent},
    state::RootState,
};
use shakmaty::{Chess, zobrist::Zobrist64};
use std::{sync::atomic::Ordering::Relaxed, thread};
use worker::Worker;

/// Searches `root` with one thread per history. The threads share only the transposition table
/// (lazy SMP). <https://www.chessprogramming.org/Lazy_SMP>
///
/// `keys` are the Zobrist keys of the earlier positions of the game. Returns `None` if there is no
/// legal move.
pub fn search<E>(
    root: &Chess,
    keys: &[Zobrist64],
    evaluator: &E,
    shared: &SharedState<'_>,
    histories: &mut [History],
    report: &mut dyn SearchListener,
) -> Option<SearchResult>
where
    E: Evaluator + Clone + Send,
{
    let (first, mut others) = histories.split_first_mut()?;
    if shared.timer.is_short() {
        others = &mut [];
    }
    let limit = shared.limits.nodes.map_or(u64::MAX, std::num::NonZeroU64::get);
    let share = (limit / (others.len() as u64 + 1)).max(1);
    thread::scope(|scope| {
        for (wider, history) in (1..=params::MAX_HELPER_WIDENING).cycle().zip(others) {
            let evaluator = evaluator.clone();
            let body = move || {
                let mut silent = Silent;
                // different aspiration windows make the threads search different trees
                let width = shared.params.aspiration_width + wider;
                let state = RootState::new(&mut silent, width);
                Worker::new(shared, evaluator, history, keys, share, state).deepen(root, false);
            };
            // if a thread cannot be started, the search is slower but still correct
            let _ = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, body);
        }
        let state = RootState::new(&mut *report, shared.params.aspiration_width);
        let outcome =
            Worker::new(shared, evaluator.clone(), first, keys, share, state).deepen(root, true);
        shared.progress.finished.store(true, Relaxed);
        report.finished(outcome.as_ref());
        outcome
    })
}
