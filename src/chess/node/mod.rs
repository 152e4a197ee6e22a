//! A position as the search carries it, with its key, evaluation sums and checkers.
//!
//! Calls to shakmaty are chosen for speed here, so that other modules need not know their costs.

mod checks;
mod compact_move;
mod key;
mod moves;
mod reversible;
mod threats;

pub use checks::Checks;
pub use compact_move::{CompactMove, CompactMoves};
pub use key::PieceKeys;
pub use moves::{Generator, noisy_moves};
pub use threats::{Threats, pawn_attacks};

use crate::chess::evaluator::Evaluator;
use reversible::REVERSIBLE_MOVES;
use shakmaty::{
    Bitboard, Board, Chess, Color, EnPassantMode, Move, Position, PositionError, Square, attacks,
    zobrist::Zobrist64,
};
use std::cell::OnceCell;

/// A position, its key, and the evaluator's sums. It is copied for each move, so no move has to be
/// undone.
#[derive(Clone, Debug)]
pub struct Node<S> {
    pub chess: Chess,
    /// Zobrist key as computed by shakmaty, with en passant only if it is legal.
    pub key: Zobrist64,
    pub sums: S,
    /// Pieces that give check to the side to move.
    pub checkers: Bitboard,
    threats: OnceCell<Threats>,
}

impl<S: Copy> Node<S> {
    /// Creates the node of a position from scratch.
    pub fn new<E: Evaluator<Sums = S>>(evaluator: &E, chess: Chess) -> Self {
        let key = chess.zobrist_hash(EnPassantMode::Legal);
        let (sums, checkers) = (evaluator.sums(&chess), chess.checkers());
        Self { chess, key, sums, checkers, threats: OnceCell::new() }
    }

    /// Returns the key after the legal move `m`, ignoring any change of castling or en passant
    /// rights. Most moves change none.
    pub fn key_after(&self, m: impl Into<CompactMove>) -> Zobrist64 {
        key::moved(&self.chess, self.key, m.into())
    }

    /// Returns the node after the legal move `m`. `key` must come from [`Self::key_after`].
    #[must_use]
    pub fn play<E: Evaluator<Sums = S>>(&self, evaluator: &E, m: Move, key: Zobrist64) -> Self {
        debug_assert_eq!(key, self.key_after(m));
        let sums = evaluator.after(self.sums, &self.chess, m);
        let mut chess = self.chess.clone();
        chess.play_unchecked(m);
        let key = key::with_rights(key, &self.chess, &chess);
        let checkers = chess.checkers();
        Self { chess, key, sums, checkers, threats: OnceCell::new() }
    }

    /// Returns the node after passing, or `None` if that position is illegal.
    ///
    /// `swap_turn` validates the whole position, which is slow. Moving a piece to its own square
    /// passes in a fraction of the time. It has no other effect, because pieces other than rooks
    /// and kings carry no castling right.
    pub fn pass(&self) -> Option<Self> {
        debug_assert!(self.checkers.is_empty());
        let board = self.chess.board();
        let pieces = board.knights() | board.bishops_and_queens();
        let chess = if let Some(square) = (self.chess.us() & pieces).without(board.rooks()).first()
        {
            let role = board.role_at(square)?;
            let mut chess = self.chess.clone();
            let stay =
                Move::Normal { role, from: square, capture: None, to: square, promotion: None };
            chess.play_unchecked(stay);
            chess
        } else {
            let passed = self.chess.clone().swap_turn();
            passed.or_else(PositionError::ignore_too_much_material).ok()?
        };
        let key = key::after_pass(&self.chess, self.key);
        let (sums, checkers, threats) = (self.sums, Bitboard::EMPTY, OnceCell::new());
        Some(Self { chess, key, sums, checkers, threats })
    }

    /// Returns a key of the pawns alone. Its upper bits are the best mixed.
    pub fn pawn_key(&self) -> u64 {
        key::of_pawns(self.chess.board())
    }

    /// Returns keys of the kings and pieces without pawns. Their upper bits are the best mixed.
    pub fn piece_keys(&self) -> PieceKeys {
        PieceKeys::of(self.chess.board())
    }

    /// Returns the threats against the side to move. They are computed on first use, because many
    /// nodes end before they are needed.
    pub fn threats(&self) -> &Threats {
        self.threats.get_or_init(|| Threats::of(&self.chess))
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// Whether either side has nothing but its king.
    pub fn has_bare_king(&self) -> bool {
        let board = self.chess.board();
        !board.white().more_than_one() || !board.black().more_than_one()
    }

    /// Whether all men on the board are kings, bishops and knights.
    pub fn has_only_minors(&self) -> bool {
        let board = self.chess.board();
        (board.pawns() | board.rooks_and_queens()).is_empty()
    }

    /// Whether the side to move has any piece besides king and pawns. If not, zugzwang is likely.
    pub fn has_non_pawns(&self) -> bool {
        let board = self.chess.board();
        self.chess.us().intersects(!board.pawns() & !board.kings())
    }
}

/// Returns the pieces of either side that alone shield `king` from a slider of `attacker`. Only
/// pieces on `occupied` count.
pub fn shielders(board: &Board, attacker: Color, king: Square, occupied: Bitboard) -> Bitboard {
    let straight = attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens();
    let diagonal = attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens();
    let mut shielders = Bitboard::EMPTY;
    for sniper in (straight | diagonal) & board.by_color(attacker) & occupied {
        let between = attacks::between(king, sniper) & occupied;
        if !between.more_than_one() {
            shielders |= between;
        }
    }
    shielders
}

/// The keys of the game and of the line being searched, for detecting repetitions.
#[derive(Clone, Debug)]
pub struct KeyHistory {
    keys: Vec<Zobrist64>,
    /// Index of the root. Keys before it are from the game, the others from the search.
    root: usize,
    /// Index reached by the last pass. No position before it can be repeated.
    passed: usize,
    /// How often a position must have occurred in the game to count as repeated.
    in_game: usize,
}

impl KeyHistory {
    /// Creates a line from the keys of the positions before the root, oldest first.
    pub fn new(game: &[Zobrist64]) -> Self {
        let mut keys = Vec::with_capacity(game.len() + 256);
        keys.extend_from_slice(game);
        Self { keys, root: game.len(), passed: 0, in_game: 2 }
    }

    /// Lets a position count as repeated if it occurred once in the game.
    pub fn count_once_in_game(&mut self) {
        self.in_game = 1;
    }

    /// Adds the position with `key` before one of its children is searched.
    pub fn push(&mut self, key: Zobrist64) {
        self.keys.push(key);
    }

    /// Removes the last position.
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// Adds the position with `key` before the search of a pass. Earlier positions cannot be
    /// repeated after it, because no game contains a pass. Returns the argument for
    /// [`Self::unpass`].
    pub fn pass(&mut self, key: Zobrist64) -> usize {
        self.push(key);
        std::mem::replace(&mut self.passed, self.keys.len())
    }

    /// Removes the last position after a pass. `passed` is the return value of [`Self::pass`].
    pub fn unpass(&mut self, passed: usize) {
        self.pop();
        self.passed = passed;
    }

    /// Whether the side to move in `chess` has a move that repeats a position of the line searched.
    /// `key` is the key of `chess`.
    ///
    /// The positions an odd number of plies back have the opponent to move. One of them is repeated
    /// if its key differs by a reversible move of an own piece that nothing obstructs.
    pub fn can_repeat(&self, key: Zobrist64, chess: &Chess) -> bool {
        let first = self.passed.max(self.root);
        let reach = (chess.halfmoves() as usize).min(self.keys.len().saturating_sub(first));
        let (own, occupied) = (chess.us(), chess.board().occupied());
        (3..=reach).step_by(2).any(|back| {
            let before = self.keys[self.keys.len() - back];
            REVERSIBLE_MOVES.find(key ^ before).is_some_and(|(from, to)| {
                own.contains(from) != own.contains(to)
                    && !attacks::between(from, to).intersects(occupied)
            })
        })
    }

    /// Whether the position with `key` counts as a repetition: once within the line searched, or
    /// twice in the game before it ([`Self::count_once_in_game`]: once). `halfmoves` is the number
    /// of plies since the last irreversible move.
    pub fn repeats(&self, key: Zobrist64, halfmoves: u32) -> bool {
        let reach = (halfmoves as usize).min(self.keys.len() - self.passed);
        let mut found = 0;
        // a position cannot recur after fewer than four plies
        for back in (4..=reach).step_by(2) {
            let index = self.keys.len() - back;
            if self.keys[index] == key {
                if index >= self.root {
                    return true;
                }
                found += 1;
                if found == self.in_game {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{evaluator::stub::DrawEvaluator, game::Game};

    #[test]
    fn pawns_and_major_pieces_are_no_minors() {
        for (men, expected) in
            [("BN6/8", true), ("B7/8", true), ("R7/8", false), ("QN6/8", false), ("BN6/p7", false)]
        {
            let fen = format!("{men}/8/8/3k4/8/8/4K3 w - - 0 1");
            let node = Node::new(&DrawEvaluator, Game::from_fen(&fen, None).unwrap().chess);
            assert_eq!(node.has_only_minors(), expected, "{fen}");
        }
    }

    #[test]
    fn a_side_with_only_rooks_can_pass_even_against_excess_material() {
        for black in ["q3k2q", "4k3"] {
            let fen = format!("{black}/pppppppp/8/8/8/8/PPP5/KR6 w - - 0 1");
            let node = Node::new(&DrawEvaluator, Game::from_fen(&fen, None).unwrap().chess);
            let passed = node.pass().unwrap();
            assert!(passed.chess.turn().is_black() && passed.chess.board() == node.chess.board());
        }
    }

    #[test]
    fn repetitions_are_twofold_in_the_line_and_threefold_over_the_game() {
        let [a, b, c, d] = [1, 2, 3, 4].map(Zobrist64);
        let mut line = KeyHistory::new(&[a, b, c, d]);
        line.count_once_in_game();
        assert!(line.repeats(a, 4));
        let mut line = KeyHistory::new(&[a, b, c, d]);
        assert!(!line.repeats(a, 4), "once in the game is not a draw");
        for key in [a, b, c, d] {
            line.push(key);
        }
        assert!(line.repeats(a, 8), "again in the line");
        assert!(!line.repeats(a, 3), "a capture came between");
        let line = KeyHistory::new(&[a, b, c, d, a, b, c, d]);
        assert!(line.repeats(a, 8), "third time over the game");
    }

    #[test]
    fn a_move_back_can_repeat_a_position_of_the_line() {
        let mut game = Game::default();
        let mut line = KeyHistory::new(&[]);
        let mut can_repeat = Vec::new();
        for m in ["g1f3", "g8f6", "f3g1", "b8c6", "g1f3", "c6b8"] {
            line.push(game.chess.zobrist_hash(EnPassantMode::Legal));
            game.play(m).unwrap();
            can_repeat
                .push(line.can_repeat(game.chess.zobrist_hash(EnPassantMode::Legal), &game.chess));
        }
        // after f3g1 by f6g8, after g1f3 by c6b8 and after c6b8 by f3g1
        assert_eq!(can_repeat, [false, false, true, false, true, true]);
        // in a new line, these positions belong to the game
        let line = KeyHistory::new(&game.keys);
        assert!(!line.can_repeat(game.chess.zobrist_hash(EnPassantMode::Legal), &game.chess));
    }

    #[test]
    fn positions_before_a_pass_are_not_repeated_after_it() {
        let [a, b, c, d] = [1, 2, 3, 4].map(Zobrist64);
        let mut line = KeyHistory::new(&[]);
        for key in [a, b, c] {
            line.push(key);
        }
        let passed = line.pass(d);
        assert!(!line.repeats(a, 4));
        for key in [a, b, c, d] {
            line.push(key);
        }
        assert!(line.repeats(a, 8), "both times after it");
        for _ in 0..4 {
            line.pop();
        }
        line.unpass(passed);
        line.push(d);
        assert!(line.repeats(a, 4), "the pass is taken back");
    }
}
