//! Moves with their ranks, taken one by one, the best first.

use crate::chess::node::{CompactMove, CompactMoves};
use arrayvec::ArrayVec;
use std::slice::SliceIndex;

/// The capacity of a move list. Must be a power of two.
const MAX_MOVES: usize = 256;
const KEY_INDEX_BITS: u32 = MAX_MOVES.ilog2();

/// A list of moves with their ranks.
#[derive(Default)]
pub(super) struct RankedMoves {
    moves: CompactMoves,
    /// For each move, its rank with the index in the low bits, or [`Self::GONE`] once taken. With
    /// both in one number, the compiler vectorises the search for the maximum.
    keys: ArrayVec<i32, MAX_MOVES>,
}

impl RankedMoves {
    const GONE: i32 = i32::MIN;

    /// Returns the number of moves, with those taken or removed.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// Returns the move at `index`, which must be less than [`Self::len`].
    pub(super) fn at(&self, index: usize) -> CompactMove {
        self.moves[index]
    }

    pub(super) fn push(&mut self, m: CompactMove, rank: i32) {
        self.keys.push(key(rank, self.moves.len()));
        self.moves.push(m);
    }

    /// Appends the moves that `generate` appends. A move without a rank counts as removed.
    pub(super) fn extend(
        &mut self,
        generate: impl FnOnce(&mut CompactMoves),
        rank: impl Fn(CompactMove) -> Option<i32>,
    ) {
        generate(&mut self.moves);
        for (index, m) in self.moves.iter().enumerate().skip(self.keys.len()) {
            self.keys.push(rank(*m).map_or(Self::GONE, |rank| key(rank, index)));
        }
    }

    /// Changes the rank of the move at `index`.
    pub(super) fn set_rank(&mut self, index: usize, rank: i32) {
        self.keys[index] = key(rank, index);
    }

    /// Removes the unwanted moves among those from `index` on.
    pub(super) fn remove_from(&mut self, index: usize, unwanted: impl Fn(CompactMove) -> bool) {
        for (key, m) in self.keys.iter_mut().zip(&self.moves).skip(index) {
            if *key != Self::GONE && unwanted(*m) {
                *key = Self::GONE;
            }
        }
    }

    /// Returns the index and the rank of the best move left in `range`. Of equal ones, it is the last.
    pub(super) fn best(
        &self,
        range: impl SliceIndex<[i32], Output = [i32]>,
    ) -> Option<(usize, i32)> {
        let keys = self.keys.get(range)?;
        let best = keys.iter().copied().max().filter(|best| *best != Self::GONE)?;
        Some((best as usize % MAX_MOVES, best >> KEY_INDEX_BITS))
    }

    /// Removes the move at `index` and returns it.
    pub(super) fn take(&mut self, index: usize) -> CompactMove {
        self.keys[index] = Self::GONE;
        self.moves[index]
    }
}

/// Combines rank and index. The index breaks ties, so that the order is the same on all machines.
const fn key(rank: i32, index: usize) -> i32 {
    rank << KEY_INDEX_BITS | index as i32
}
