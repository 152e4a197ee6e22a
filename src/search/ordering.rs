//! Which move next: the table's, captures that do not lose, killers, quiet moves by history, and
//! captures that lose. <https://www.chessprogramming.org/Move_Ordering>

use super::{
    history::{History, Steps},
    see::{self, see_ge},
    tt::PackedMove,
};
use crate::position::Checks;
use arrayvec::ArrayVec;
use shakmaty::{Chess, Move, MoveList, Position, Role};

const TABLE_MOVE: i32 = 1 << 30;
const GOOD_CAPTURE: i32 = 1 << 28;
const KILLER: i32 = 1 << 26;
/// Below every quiet move.
const BAD_CAPTURE: i32 = -(1 << 28);

/// Quiet moves that refuted siblings of a node.
pub(super) type Killers = [PackedMove; 2];

/// Whether a move neither captures nor promotes.
pub(super) fn is_quiet(m: Move) -> bool {
    !m.is_capture() && !m.is_promotion()
}

/// The most moves a legal position can have, and some: as shakmaty's lists.
const MOST_MOVES: usize = 256;

/// Hands out the moves of a node, best first, sorting no more than is asked for.
pub(super) struct Picker {
    moves: MoveList,
    /// For each move its score and, in the low bits, its index; [`Self::GONE`] once handed out. One
    /// number for both lets the compiler find the best with vector instructions.
    keys: ArrayVec<i64, MOST_MOVES>,
}

impl Picker {
    const GONE: i64 = i64::MIN;

    /// The moves of a node in the main search.
    pub(super) fn new(
        moves: MoveList,
        chess: &Chess,
        table_move: PackedMove,
        killers: Killers,
        history: &History,
        steps: &Steps,
    ) -> Self {
        Self::scored(moves, |m| {
            let packed = PackedMove::from(m);
            if packed == table_move {
                TABLE_MOVE
            } else if is_lesser_promotion(m) {
                BAD_CAPTURE
            } else if !is_quiet(m) {
                GOOD_CAPTURE + capture_score(m, history)
            } else if let Some(rank) = killers.iter().position(|killer| *killer == packed) {
                KILLER - rank as i32
            } else {
                history.of_quiet(chess.turn(), m, steps)
            }
        })
    }

    /// The moves of a node in quiescence.
    pub(super) fn noisy(moves: MoveList, table_move: PackedMove, history: &History) -> Self {
        Self::scored(moves, |m| {
            if PackedMove::from(m) == table_move {
                TABLE_MOVE
            } else if is_lesser_promotion(m) {
                BAD_CAPTURE
            } else if is_quiet(m) {
                0
            } else {
                GOOD_CAPTURE + capture_score(m, history)
            }
        })
    }

    fn scored(moves: MoveList, score: impl Fn(Move) -> i32) -> Self {
        let keys = moves.iter().enumerate().map(|(i, m)| key(score(*m), i)).collect();
        Self { moves, keys }
    }

    /// From now on hands out no quiet moves but those that give check.
    pub(super) fn leave_out_quiets(&mut self, checks: &Checks) {
        for (key, m) in self.keys.iter_mut().zip(&self.moves) {
            if is_quiet(*m) && !checks.gives(*m) {
                *key = Self::GONE;
            }
        }
    }

    /// The best move left. A capture that turns out to lose is put behind the quiet moves.
    pub(super) fn next(&mut self, chess: &Chess) -> Option<Move> {
        loop {
            let best = self.keys.iter().copied().max().filter(|best| *best != Self::GONE)?;
            let index = best as usize % MOST_MOVES;
            let score = (best >> KEY_INDEX_BITS) as i32;
            let m = self.moves[index];
            let unproven = (KILLER + 1..TABLE_MOVE).contains(&score);
            if unproven && !see_ge(chess, m, 0) {
                self.keys[index] = key(score - GOOD_CAPTURE + BAD_CAPTURE, index);
                continue;
            }
            self.keys[index] = Self::GONE;
            return Some(m);
        }
    }
}

const KEY_INDEX_BITS: u32 = MOST_MOVES.ilog2();

/// Higher for a better score; the index breaks ties, so that every machine orders alike.
const fn key(score: i32, index: usize) -> i64 {
    (score as i64) << KEY_INDEX_BITS | index as i64
}

/// Most valuable victim first; what history knows of the capture second.
fn capture_score(m: Move, history: &History) -> i32 {
    see::gain(m) * 32 + history.of_capture(m)
}

/// Promotions to other than a queen are tried last.
fn is_lesser_promotion(m: Move) -> bool {
    m.promotion().is_some_and(|role| role != Role::Queen)
}
