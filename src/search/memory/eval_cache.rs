//! What static evaluations came to last time. Quiescence meets the same positions again and again,
//! and most of them are not kept in the transposition table: they are cut off at once.
//! <https://www.chessprogramming.org/Evaluation_Hash_Table>

use crate::chess::score::Score;
use shakmaty::zobrist::Zobrist64;

/// Entries; a power of two. They take a quarter of a megabyte.
const SIZE: usize = 1 << 15;

/// One thread's static scores in one search. An entry is the upper 48 bits of a key, the score
/// below; the lower bits of the key are the place.
#[derive(Clone, Debug)]
pub(in crate::search) struct EvalCache(Box<[u64]>);

impl Default for EvalCache {
    fn default() -> Self {
        Self(vec![0; SIZE].into_boxed_slice())
    }
}

impl EvalCache {
    /// The score of the position with `key`, from `evaluate` if it is not known.
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
