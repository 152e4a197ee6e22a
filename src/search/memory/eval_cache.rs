//! A per-thread cache of static evaluations.
//!
//! Quiescence search often meets the same positions again. Most of them fail high on the static
//! evaluation and are never stored in the transposition table.
//! <https://www.chessprogramming.org/Evaluation_Hash_Table>

use crate::{chess::score::Score, support::prefetch::prefetch};
use shakmaty::zobrist::Zobrist64;

/// Number of entries (256 KiB). Must be a power of two.
const SIZE: usize = 1 << 15;

/// The static evaluations of one thread during one search. Each entry holds the upper 48 bits of
/// the key and a 16-bit score. The lower bits of the key are the index.
#[derive(Clone, Debug)]
pub(in crate::search) struct EvalCache(Box<[u64]>);

impl Default for EvalCache {
    fn default() -> Self {
        Self(vec![0; SIZE].into_boxed_slice())
    }
}

impl EvalCache {
    /// Prefetches the entry of the position with `key`.
    pub(in crate::search) fn fetch(&self, key: Zobrist64) {
        prefetch(&self.0[key.0 as usize % SIZE]);
    }

    /// Returns the cached score of the position with `key`, or calls `evaluate` and stores the
    /// result.
    pub(in crate::search) fn get(
        &mut self,
        key: Zobrist64,
        evaluate: impl FnOnce() -> Score,
    ) -> Score {
        let entry = &mut self.0[key.0 as usize % SIZE];
        if (*entry ^ key.0) >> 16 == 0 {
            return Score::cp(i32::from(*entry as i16));
        }
        let score = evaluate();
        *entry = key.0 >> 16 << 16 | u64::from(score.centipawns() as u16);
        score
    }
}
