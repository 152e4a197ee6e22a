//! Correction history: learns the error of the static evaluation for positions with the same pawns,
//! the same pieces, the same minor or major pieces, or the same last moves.
//! <https://www.chessprogramming.org/Static_Evaluation_Correction_History>

use super::{gravity::add, step::Steps};
use crate::{chess::node::Node, search::params::Params, support::prefetch::prefetch};
use shakmaty::Position;

/// Entries per table. Must be a power of two.
const ENTRIES: usize = 1 << 14;
/// The bound of every entry, in internal units.
const MAX: i32 = 1024;

/// Corrections by hashed key and side to move.
type ByKey = Box<[[i16; 2]]>;

/// The correction histories of one thread. They live as long as its move histories.
#[derive(Clone, Debug)]
pub(in crate::search) struct Corrections {
    pawns: ByKey,
    /// Corrections by the non-pawn pieces of White and of Black.
    pieces: [ByKey; 2],
    /// Corrections by the minor pieces and kings of both sides.
    minors: ByKey,
    /// Corrections by the major pieces and kings of both sides.
    majors: ByKey,
    /// Corrections by pairs of moves: the last two, and the last with the one four plies back.
    moves: [ByKey; 2],
}

impl Default for Corrections {
    fn default() -> Self {
        let empty = || vec![[0; 2]; ENTRIES].into_boxed_slice();
        Self {
            pawns: empty(),
            pieces: [empty(), empty()],
            minors: empty(),
            majors: empty(),
            moves: [empty(), empty()],
        }
    }
}

impl Corrections {
    /// Returns the places of the corrections of `node`. Prefetches them, because most are outside the
    /// caches of the processor.
    pub(in crate::search) fn find<S: Copy>(&self, node: &Node<S>, steps: Steps) -> Places {
        let places = Places::of(node, steps);
        prefetch(&self.pawns[places.pawns]);
        prefetch(&self.minors[places.minors]);
        prefetch(&self.majors[places.majors]);
        for (tables, places) in [(&self.pieces, places.pieces), (&self.moves, places.moves)] {
            for (table, place) in tables.iter().zip(places) {
                prefetch(&table[place]);
            }
        }
        places
    }

    /// Returns the correction of the static evaluation of the position at `places`, in centipawns.
    pub(in crate::search) fn of(&self, places: Places, params: &Params) -> i32 {
        let entry = |table: &ByKey, place: usize| i32::from(table[place][places.side]);
        let pawns = entry(&self.pawns, places.pawns) * params.correction_pawns;
        let pieces =
            entry(&self.pieces[0], places.pieces[0]) + entry(&self.pieces[1], places.pieces[1]);
        let minors = entry(&self.minors, places.minors) * params.correction_minors;
        let majors = entry(&self.majors, places.majors) * params.correction_majors;
        let moves = entry(&self.moves[0], places.moves[0]) * params.correction_moves
            + entry(&self.moves[1], places.moves[1]) * params.correction_older_moves;
        (pawns + pieces * params.correction_pieces + minors + majors + moves) / (MAX * 16)
    }

    /// Updates the entries at `places` after a search to `depth` whose score exceeds the static
    /// evaluation by `error` centipawns.
    pub(in crate::search) fn update(&mut self, places: Places, depth: i32, error: i32) {
        let side = places.side;
        let bonus = (error * depth / 8).clamp(-MAX / 4, MAX / 4);
        add(&mut self.pawns[places.pawns][side], bonus, MAX);
        add(&mut self.minors[places.minors][side], bonus, MAX);
        add(&mut self.majors[places.majors][side], bonus, MAX);
        for (tables, places) in [(&mut self.pieces, places.pieces), (&mut self.moves, places.moves)]
        {
            for (table, place) in tables.iter_mut().zip(places) {
                add(&mut table[place][side], bonus, MAX);
            }
        }
    }
}

/// The places of the corrections of a position: the indices of the tables.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::search) struct Places {
    side: usize,
    pawns: usize,
    pieces: [usize; 2],
    minors: usize,
    majors: usize,
    moves: [usize; 2],
}

impl Places {
    fn of<S: Copy>(node: &Node<S>, steps: Steps) -> Self {
        let number = |back: usize| steps[back].map_or(0, |step| step.number() as u64 + 1);
        let last = number(0).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let moves = |back| last ^ number(back).wrapping_mul(0xd1b5_4a32_d192_ed03);
        let pieces = node.piece_keys();
        let index = |key: u64| (key >> (64 - ENTRIES.ilog2())) as usize;
        Self {
            side: node.chess.turn() as usize,
            pawns: index(node.pawn_key()),
            pieces: pieces.of_sides.map(index),
            minors: index(pieces.minors),
            majors: index(pieces.majors),
            moves: [index(moves(1)), index(moves(2))],
        }
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
