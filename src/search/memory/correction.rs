//! Correction history: learns the error of the static evaluation for positions with the same pawns,
//! the same pieces, the same minor or major pieces, or the same last moves.
//! <https://www.chessprogramming.org/Static_Evaluation_Correction_History>

use super::{
    gravity::add,
    step::{Step, Steps},
};
use crate::{chess::node::Node, search::params::Params, support::prefetch::prefetch};
use shakmaty::Position;

/// Entries per table: one for every index.
const ENTRIES: usize = 1 << 16;
/// The bound of every entry, in internal units.
const MAX: i32 = 1024;

/// Corrections by hashed key and side to move.
type ByKey = [[i16; 2]; ENTRIES];

/// The number of tables. They hold the corrections by
/// - the pawns,
/// - the non-pawn pieces of White, and the non-pawn pieces of Black,
/// - the minor pieces and kings of both sides, and the major pieces and kings,
/// - the last two moves, and the last move with the one four plies back.
const TABLES: usize = 7;

/// The correction histories of one thread. They live as long as its move histories.
#[derive(Clone, Debug)]
pub(in crate::search) struct Corrections(Box<[ByKey]>);

impl Default for Corrections {
    #[expect(clippy::large_stack_arrays, reason = "the macro makes zeros on the heap")]
    fn default() -> Self {
        Self(vec![[[0; 2]; ENTRIES]; TABLES].into_boxed_slice())
    }
}

impl Corrections {
    /// Returns the places of the corrections of `node`. Prefetches them, because most are outside the
    /// caches of the processor.
    pub(in crate::search) fn find<S: Copy>(&self, node: &Node<S>, steps: Steps) -> Places {
        let places = Places::of(node, steps);
        for (table, index) in self.0.iter().zip(places.indices) {
            prefetch(&table[usize::from(index)]);
        }
        places
    }

    /// Returns the correction of the static evaluation of the position at `places`, in centipawns.
    pub(in crate::search) fn of(&self, places: Places, params: &Params) -> i32 {
        let weights = [
            params.correction_pawns,
            params.correction_pieces,
            params.correction_pieces,
            params.correction_minors,
            params.correction_majors,
            params.correction_moves,
            params.correction_older_moves,
        ];
        let entry = |(table, index): (&ByKey, u16)| table[usize::from(index)][places.side];
        let entries = self.0.iter().zip(places.indices).map(entry).map(i32::from);
        entries.zip(weights).map(|(entry, weight)| entry * weight).sum::<i32>() / (MAX * 16)
    }

    /// Updates the entries at `places` after a search to `depth` whose score exceeds the static
    /// evaluation by `error` centipawns.
    pub(in crate::search) fn update(&mut self, places: Places, depth: i32, error: i32) {
        let bonus = (error * depth / 6).clamp(-MAX / 4, MAX / 4);
        for (table, index) in self.0.iter_mut().zip(places.indices) {
            add(&mut table[usize::from(index)][places.side], bonus, MAX);
        }
    }
}

/// The places of the corrections of a position: the side to move, and an index for each table.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Places {
    side: usize,
    indices: [u16; TABLES],
}

impl Places {
    fn of<S: Copy>(node: &Node<S>, steps: Steps) -> Self {
        let number = |back: usize| Step::row(steps[back]) as u64;
        let last = number(0).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let moves = |back| last ^ number(back).wrapping_mul(0xd1b5_4a32_d192_ed03);
        let pieces = node.piece_keys();
        let [white, black] = pieces.of_sides;
        let index = |key: u64| (key >> (64 - u16::BITS)) as u16;
        // not `map`, which may call a function for each key
        let indices = [
            index(node.pawn_key()),
            index(white),
            index(black),
            index(pieces.minors),
            index(pieces.majors),
            index(moves(1)),
            index(moves(2)),
        ];
        Self { side: node.chess.turn() as usize, indices }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::evaluator::stub::DrawEvaluator;
    use shakmaty::{CastlingMode, fen::Fen};

    fn node(fen: &str) -> Node<()> {
        let fen: Fen = fen.parse().unwrap();
        Node::new(&DrawEvaluator, fen.into_position(CastlingMode::Standard).unwrap())
    }

    #[test]
    fn corrections_apply_to_the_same_pawns_and_side_to_move() {
        let (mut corrections, params, steps) =
            (Corrections::default(), Params::default(), Steps::default());
        let of = |corrections: &Corrections, fen| {
            corrections.of(corrections.find(&node(fen), steps), &params)
        };
        let fen = "4k3/pp6/8/8/8/8/PP6/4K2R w - - 0 1";
        let taught = corrections.find(&node(fen), steps);
        assert_eq!(of(&corrections, fen), 0);
        for _ in 0..200 {
            corrections.update(taught, 12, 80);
        }
        let all = of(&corrections, fen);
        let same_pawns = of(&corrections, "4k2r/pp6/8/8/8/8/PP6/3QK3 w - - 0 1");
        let other_side = of(&corrections, "4k3/pp6/8/8/8/8/PP6/4K2R b - - 0 1");
        assert!(all > same_pawns && same_pawns > 0, "{all} {same_pawns}");
        assert_eq!(other_side, 0);
        // repeated updates stay within the bound
        assert!(all < 200, "{all}");
        for _ in 0..400 {
            corrections.update(taught, 12, -80);
        }
        assert!(of(&corrections, fen) < 0);
    }
}
