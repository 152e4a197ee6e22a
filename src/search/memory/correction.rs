//! Correction history: learns the error of the static evaluation for positions with the same pawns,
//! the same pieces, the same minor or major pieces, or the same last moves.
//! <https://www.chessprogramming.org/Static_Evaluation_Correction_History>

use super::{gravity::add, step::Steps};
use crate::{chess::node::Node, search::params::Params};
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
    /// Returns the correction of the static evaluation of `node`, in centipawns.
    pub(in crate::search) fn of<S: Copy>(
        &self,
        node: &Node<S>,
        steps: Steps,
        params: &Params,
    ) -> i32 {
        let side = node.chess.turn() as usize;
        let indices = Indices::of(node, steps);
        let entry = |table: &ByKey, index: usize| i32::from(table[index][side]);
        let pawns = entry(&self.pawns, indices.pawns) * params.correction_pawns;
        let pieces =
            entry(&self.pieces[0], indices.pieces[0]) + entry(&self.pieces[1], indices.pieces[1]);
        let minors = entry(&self.minors, indices.minors) * params.correction_minors;
        let majors = entry(&self.majors, indices.majors) * params.correction_majors;
        let moves = entry(&self.moves[0], indices.moves[0]) * params.correction_moves
            + entry(&self.moves[1], indices.moves[1]) * params.correction_older_moves;
        (pawns + pieces * params.correction_pieces + minors + majors + moves) / (MAX * 16)
    }

    /// Updates the entries of `node` after a search to `depth` whose score exceeds the static
    /// evaluation by `error` centipawns.
    pub(in crate::search) fn update<S: Copy>(
        &mut self,
        node: &Node<S>,
        steps: Steps,
        depth: i32,
        error: i32,
    ) {
        let side = node.chess.turn() as usize;
        let indices = Indices::of(node, steps);
        let bonus = (error * depth / 8).clamp(-MAX / 4, MAX / 4);
        add(&mut self.pawns[indices.pawns][side], bonus, MAX);
        add(&mut self.minors[indices.minors][side], bonus, MAX);
        add(&mut self.majors[indices.majors][side], bonus, MAX);
        for (tables, indices) in
            [(&mut self.pieces, indices.pieces), (&mut self.moves, indices.moves)]
        {
            for (table, index) in tables.iter_mut().zip(indices) {
                add(&mut table[index][side], bonus, MAX);
            }
        }
    }
}

/// The table indices of a position.
struct Indices {
    pawns: usize,
    pieces: [usize; 2],
    minors: usize,
    majors: usize,
    moves: [usize; 2],
}

impl Indices {
    fn of<S: Copy>(node: &Node<S>, steps: Steps) -> Self {
        let number = |back: usize| steps[back].map_or(0, |step| step.number() as u64 + 1);
        let last = number(0).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let moves = |back| last ^ number(back).wrapping_mul(0xd1b5_4a32_d192_ed03);
        let pieces = node.piece_keys();
        let index = |key: u64| (key >> (64 - ENTRIES.ilog2())) as usize;
        Self {
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
        let taught = node("4k3/pp6/8/8/8/8/PP6/4K2R w - - 0 1");
        assert_eq!(corrections.of(&taught, steps, &params), 0);
        for _ in 0..200 {
            corrections.update(&taught, steps, 12, 80);
        }
        let all = corrections.of(&taught, steps, &params);
        let same_pawns =
            corrections.of(&node("4k2r/pp6/8/8/8/8/PP6/3QK3 w - - 0 1"), steps, &params);
        let other_side =
            corrections.of(&node("4k3/pp6/8/8/8/8/PP6/4K2R b - - 0 1"), steps, &params);
        assert!(all > same_pawns && same_pawns > 0, "{all} {same_pawns}");
        assert_eq!(other_side, 0);
        // repeated updates stay within the bound
        assert!(all < 200, "{all}");
        for _ in 0..400 {
            corrections.update(&taught, steps, 12, -80);
        }
        assert!(corrections.of(&taught, steps, &params) < 0);
    }
}
