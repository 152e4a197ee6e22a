//! Correction history: how far static scores have been off the searched ones, by what the positions
//! have in common: the pawns, the pieces of a side, the moves that led there.
//! <https://www.chessprogramming.org/Static_Evaluation_Correction_History>

use super::history::{Steps, add};
use crate::{chess::node::Node, search::params::Params};
use shakmaty::{Color, Position};

/// Keys are told apart by so many places; a power of two.
const ENTRIES: usize = 1 << 14;
/// No correction is larger, in its own units.
const MOST: i32 = 1024;

/// Corrections by a key, for either side to move.
type ByKey = Box<[[i16; 2]]>;

/// One thread's corrections. They live as long as its histories.
#[derive(Clone, Debug)]
pub(in crate::search) struct Corrections {
    pawns: ByKey,
    /// Of White's and of Black's pieces other than pawns.
    pieces: [ByKey; 2],
    /// By the last two moves.
    moves: ByKey,
}

impl Default for Corrections {
    fn default() -> Self {
        let empty = || vec![[0; 2]; ENTRIES].into_boxed_slice();
        Self { pawns: empty(), pieces: [empty(), empty()], moves: empty() }
    }
}

impl Corrections {
    /// What to add to the static score of `node`, in centipawns.
    pub(in crate::search) fn of<S: Copy>(
        &self,
        node: &Node<S>,
        steps: &Steps,
        params: &Params,
    ) -> i32 {
        let side = node.chess.turn() as usize;
        let places = Places::of(node, steps);
        let entry = |table: &ByKey, place: usize| i32::from(table[place][side]);
        let pawns = entry(&self.pawns, places.pawns) * params.correction_pawns;
        let pieces =
            entry(&self.pieces[0], places.pieces[0]) + entry(&self.pieces[1], places.pieces[1]);
        let moves = entry(&self.moves, places.moves) * params.correction_moves;
        (pawns + pieces * params.correction_pieces + moves) / (MOST * 16)
    }

    /// A search `depth` plies deep found the static score of `node` short by `error` centipawns.
    pub(in crate::search) fn teach<S: Copy>(
        &mut self,
        node: &Node<S>,
        steps: &Steps,
        depth: i32,
        error: i32,
    ) {
        let side = node.chess.turn() as usize;
        let places = Places::of(node, steps);
        let bonus = (error * depth / 8).clamp(-MOST / 4, MOST / 4);
        add(&mut self.pawns[places.pawns][side], bonus, MOST);
        for (table, place) in self.pieces.iter_mut().zip(places.pieces) {
            add(&mut table[place][side], bonus, MOST);
        }
        add(&mut self.moves[places.moves][side], bonus, MOST);
    }
}

/// Where the corrections of a position stand.
struct Places {
    pawns: usize,
    pieces: [usize; 2],
    moves: usize,
}

impl Places {
    fn of<S: Copy>(node: &Node<S>, steps: &Steps) -> Self {
        let number = |back: usize| steps[back].map_or(0, |step| step.number() as u64 + 1);
        let moves = number(0).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ number(1).wrapping_mul(0xd1b5_4a32_d192_ed03);
        let place = |key: u64| (key >> (64 - ENTRIES.ilog2())) as usize;
        Self {
            pawns: place(node.pawn_key()),
            pieces: Color::ALL.map(|color| place(node.officer_key(color))),
            moves: place(moves),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::evaluator::stub::Even;
    use shakmaty::{CastlingMode, fen::Fen};

    fn node(fen: &str) -> Node<()> {
        let fen: Fen = fen.parse().unwrap();
        Node::new(&Even, fen.into_position(CastlingMode::Standard).unwrap())
    }

    #[test]
    fn what_was_taught_holds_for_the_same_pawns_and_the_same_side() {
        let (mut corrections, params, steps) =
            (Corrections::default(), Params::default(), Steps::default());
        let taught = node("4k3/pp6/8/8/8/8/PP6/4K2R w - - 0 1");
        assert_eq!(corrections.of(&taught, &steps, &params), 0);
        for _ in 0..200 {
            corrections.teach(&taught, &steps, 12, 80);
        }
        let all = corrections.of(&taught, &steps, &params);
        let same_pawns =
            corrections.of(&node("4k2r/pp6/8/8/8/8/PP6/3QK3 w - - 0 1"), &steps, &params);
        let other_side =
            corrections.of(&node("4k3/pp6/8/8/8/8/PP6/4K2R b - - 0 1"), &steps, &params);
        assert!(all > same_pawns && same_pawns > 0, "{all} {same_pawns}");
        assert_eq!(other_side, 0);
        // no number of lessons makes it boundless
        assert!(all < 200, "{all}");
        for _ in 0..400 {
            corrections.teach(&taught, &steps, 12, -80);
        }
        assert!(corrections.of(&taught, &steps, &params) < 0);
    }
}
