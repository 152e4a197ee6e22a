//! What pawn structure and shelter came to last time: they change seldom, so one search meets the
//! same again and again.

use crate::chess::score::Tapered;
use shakmaty::{Board, Color};

/// Entries; a power of two. 8192 of them take a quarter of a megabyte.
const SIZE: usize = 1 << 13;

/// All that the cached terms look at: compared whole, so that no two structures are confused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Structure {
    white: u64,
    black: u64,
    /// The squares of both kings.
    kings: u64,
}

/// The totals of structures met before, under one set of weights.
#[derive(Clone, Debug)]
pub(super) struct PawnCache(Vec<(Structure, Tapered)>);

impl Default for PawnCache {
    fn default() -> Self {
        // no board is without kings, so an empty entry matches none
        Self(vec![(Structure::default(), Tapered::default()); SIZE])
    }
}

impl PawnCache {
    /// The total for `board`'s structure, from `count` if it is not known.
    pub(super) fn get(&mut self, board: &Board, count: impl FnOnce() -> Tapered) -> Tapered {
        let structure = Structure {
            white: (board.pawns() & board.by_color(Color::White)).0,
            black: (board.pawns() & board.by_color(Color::Black)).0,
            kings: [Color::White, Color::Black].into_iter().fold(0, |squares, side| {
                squares << 8 | board.king_of(side).map_or(0, |king| 1 + u64::from(king.to_u32()))
            }),
        };
        let entry = &mut self.0[structure.index()];
        if entry.0 != structure {
            *entry = (structure, count());
        }
        entry.1
    }
}

impl Structure {
    fn index(self) -> usize {
        // odd constants of no meaning that spread the bits
        let mixed = self.white.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ self.black.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(23)
            ^ self.kings.wrapping_mul(0x1656_67b1_9e37_79f9).rotate_left(41);
        (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SIZE.ilog2())) as usize
    }
}
