//! A position as the search carries it. The only place that knows what shakmaty's calls cost.

mod checks;
mod key;
mod moves;
mod threats;

pub use checks::Checks;
pub use moves::{Generator, noisy_moves};
pub use threats::Threats;

use crate::chess::evaluator::Evaluator;
use shakmaty::{
    Bitboard, Board, Chess, Color, EnPassantMode, Move, Position, PositionError, Square, attacks,
    zobrist::Zobrist64,
};

/// A position, its key, and the evaluator's sums: copied for each move, never undone.
#[derive(Clone, Debug)]
pub struct Node<S> {
    pub chess: Chess,
    /// As shakmaty makes it, en passant only if legal.
    pub key: Zobrist64,
    pub sums: S,
    /// The pieces that give check to the side to move.
    pub checkers: Bitboard,
}

impl<S: Copy> Node<S> {
    /// The node of a position from nothing.
    pub fn new<E: Evaluator<Sums = S>>(evaluator: &E, chess: Chess) -> Self {
        let key = chess.zobrist_hash(EnPassantMode::Legal);
        let (sums, checkers) = (evaluator.sums(&chess), chess.checkers());
        Self { chess, key, sums, checkers }
    }

    /// What will be the key after the legal move `m`, unless it changes the rights to castle or to
    /// take en passant: most moves do not.
    pub fn key_after(&self, m: Move) -> Zobrist64 {
        key::moved(&self.chess, self.key, m)
    }

    /// The node after the legal move `m`, of which [`Self::key_after`] has told `key`.
    #[must_use]
    pub fn play<E: Evaluator<Sums = S>>(&self, evaluator: &E, m: Move, key: Zobrist64) -> Self {
        debug_assert_eq!(key, self.key_after(m));
        let sums = evaluator.after(self.sums, &self.chess, m);
        let mut chess = self.chess.clone();
        chess.play_unchecked(m);
        let key = key::with_rights(key, &self.chess, &chess);
        let checkers = chess.checkers();
        Self { chess, key, sums, checkers }
    }

    /// The node after passing; `None` if that is no legal position.
    ///
    /// `swap_turn` validates the whole position. A piece that moves to where it stands passes for
    /// a fraction of that, and since an piece other than a rook or king carries no castling
    /// right, it does nothing else.
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
        Some(Self { chess, key, sums: self.sums, checkers: Bitboard::EMPTY })
    }

    /// A key of the pawns alone, its upper bits the best.
    pub fn pawn_key(&self) -> u64 {
        key::of_pawns(self.chess.board())
    }

    /// A key of the king and the other pieces but pawns of `color`, its upper bits the best.
    pub fn officer_key(&self, color: Color) -> u64 {
        key::of_officers(self.chess.board(), color)
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// Whether the side to move has anything but king and pawns: without, passing may be best.
    pub fn has_officers(&self) -> bool {
        let board = self.chess.board();
        self.chess.us().intersects(!board.pawns() & !board.kings())
    }
}

/// The men, of either side, that alone of those on `occupied` stand between `king` and a slider of
/// `attacker` there.
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

/// Keys of the game and of the line searched, to find repetitions.
#[derive(Clone, Debug)]
pub struct Line {
    keys: Vec<Zobrist64>,
    /// Positions before this index were played, those from it on are searched.
    root: usize,
    /// The last pass led to this index: nothing before it can be repeated.
    passed: usize,
}

impl Line {
    /// The keys of the positions before the root, oldest first.
    pub fn new(game: &[Zobrist64]) -> Self {
        let mut keys = Vec::with_capacity(game.len() + 256);
        keys.extend_from_slice(game);
        Self { keys, root: game.len(), passed: 0 }
    }

    /// Enters a child of the position with `key`.
    pub fn push(&mut self, key: Zobrist64) {
        self.keys.push(key);
    }

    /// Leaves it again.
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// Enters what comes of passing in the position with `key`. No game goes that way, so what stood
    /// on the board before is no repetition after it. Tells what [`Self::unpass`] wants.
    pub fn pass(&mut self, key: Zobrist64) -> usize {
        self.push(key);
        std::mem::replace(&mut self.passed, self.keys.len())
    }

    /// Leaves it again.
    pub fn unpass(&mut self, passed: usize) {
        self.pop();
        self.passed = passed;
    }

    /// Whether the position with `key`, `halfmoves` after the last irreversible move, counts as a
    /// repetition: once within the line searched, or twice in the game before it.
    pub fn repeats(&self, key: Zobrist64, halfmoves: u32) -> bool {
        let reach = (halfmoves as usize).min(self.keys.len() - self.passed);
        let mut in_game = 0;
        // the position two plies ago has another side's answer in between; four is the least
        for back in (4..=reach).step_by(2) {
            let index = self.keys.len() - back;
            if self.keys[index] == key {
                if index >= self.root {
                    return true;
                }
                in_game += 1;
                if in_game == 2 {
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
    use crate::chess::{evaluator::stub::Even, game::Game};

    #[test]
    fn who_has_rooks_alone_may_pass_even_against_more_men_than_a_game_brings() {
        for black in ["q3k2q", "4k3"] {
            let fen = format!("{black}/pppppppp/8/8/8/8/PPP5/KR6 w - - 0 1");
            let node = Node::new(&Even, Game::from_fen(&fen, None).unwrap().chess);
            let passed = node.pass().unwrap();
            assert!(passed.chess.turn().is_black() && passed.chess.board() == node.chess.board());
        }
    }

    #[test]
    fn two_fold_in_the_line_three_fold_over_the_game() {
        let [a, b, c, d] = [1, 2, 3, 4].map(Zobrist64);
        let mut line = Line::new(&[a, b, c, d]);
        assert!(!line.repeats(a, 4), "once in the game is no draw");
        for key in [a, b, c, d] {
            line.push(key);
        }
        assert!(line.repeats(a, 8), "again in the line");
        assert!(!line.repeats(a, 3), "a capture came between");
        let line = Line::new(&[a, b, c, d, a, b, c, d]);
        assert!(line.repeats(a, 8), "third time over the game");
    }

    #[test]
    fn what_stood_before_a_pass_is_not_repeated_after_it() {
        let [a, b, c, d] = [1, 2, 3, 4].map(Zobrist64);
        let mut line = Line::new(&[]);
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
