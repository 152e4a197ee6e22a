//! A cache for the scores of pawn structure and king shelter.
//!
//! Most moves leave pawns and kings alone, so a search meets the same structures again and again.

use crate::{chess::score::Tapered, support::prefetch::prefetch};
use shakmaty::{Board, ByColor, Color};

/// The number of entries, a power of two. 8192 entries take 320 KiB.
const SIZE: usize = 1 << 13;

/// Everything that the cached terms depend on. It is compared in full, so collisions cannot occur.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Structure {
    white: u64,
    black: u64,
    /// The squares of both kings, one byte each; 0 means no king.
    kings: u32,
}

/// What the terms of pawn structure and king shelter amount to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CachedStructure {
    /// The total, from White's point of view.
    pub total: Tapered,
    /// The danger of each king from its shelter.
    pub exposure: ByColor<i32>,
}

/// Cached structures, under one set of weights.
#[derive(Clone, Debug)]
pub(super) struct PawnCache(Vec<(Structure, CachedStructure)>);

impl Default for PawnCache {
    fn default() -> Self {
        // every board has kings, so an empty entry never matches
        Self(vec![Default::default(); SIZE])
    }
}

impl PawnCache {
    /// Returns the structure of `board` and prefetches its entry.
    pub(super) fn find(&self, board: &Board) -> Structure {
        let structure = Structure {
            white: (board.pawns() & board.by_color(Color::White)).0,
            black: (board.pawns() & board.by_color(Color::Black)).0,
            kings: [Color::White, Color::Black].into_iter().fold(0, |squares, side| {
                squares << 8 | board.king_of(side).map_or(0, |king| 1 + king.to_u32())
            }),
        };
        prefetch(&self.0[structure.index()]);
        structure
    }

    /// Returns the entry for `structure`. Calls `count` if it is not in the cache.
    pub(super) fn get(
        &mut self,
        structure: Structure,
        count: impl FnOnce() -> CachedStructure,
    ) -> CachedStructure {
        let entry = &mut self.0[structure.index()];
        if entry.0 != structure {
            *entry = (structure, count());
        }
        entry.1
    }
}

impl Structure {
    fn index(self) -> usize {
        // arbitrary odd constants that spread the bits
        let mixed = self.white.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ self.black.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(23)
            ^ u64::from(self.kings).wrapping_mul(0x1656_67b1_9e37_79f9).rotate_left(41);
        (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SIZE.ilog2())) as usize
    }
}
