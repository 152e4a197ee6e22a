//! Detects sacrifices and exchanges from the material balance after a move.

use crate::eval::measures::{material, piece_value};
use shakmaty::{Chess, Color, Move, Position, Role};

/// The number of plies after the reply within which the material may be won back.
const PATIENCE: usize = 4;

/// The moves of a game with the material balance around them.
pub(super) struct MaterialBalance {
    moves: Vec<Move>,
    /// White's material balance before each move and at the end, in centipawns.
    balance: Vec<i32>,
    ends_in_mate: bool,
}

impl MaterialBalance {
    /// Creates a ledger. `positions` are those before each of `moves`, and the final one.
    pub(super) fn of(positions: &[Chess], moves: Vec<Move>) -> Self {
        let balance = positions.iter().map(|chess| material(chess.board(), Color::White));
        let ends_in_mate = positions.last().is_some_and(Position::is_checkmate);
        Self { moves, balance: balance.collect(), ends_in_mate }
    }

    /// Returns whether the move of `side` at `ply` is a sacrifice.
    ///
    /// The opponent's reply must be a capture after which `side` is at least a pawn (100 centipawns
    /// by eq. 1 of the article) worse than before the move. The deficit must last for the next
    /// [`PATIENCE`] plies. If the game ends earlier, the move is a sacrifice only if `side` mates.
    ///
    /// Blunders count as well, because intent is unknown.
    pub(super) fn is_sacrifice(&self, ply: usize, side: Color) -> bool {
        let own = |balance: i32| side.fold_wb(balance, -balance);
        if !self.moves.get(ply + 1).is_some_and(|reply| reply.is_capture()) {
            return false;
        }
        let limit = own(self.balance[ply]) - piece_value(Role::Pawn);
        let after = self.balance[ply + 2..].iter().take(PATIENCE + 1);
        let is_whole = after.len() == PATIENCE + 1;
        // the last move was the side's own, and it mates
        let mates = self.ends_in_mate && (self.moves.len() - ply) % 2 == 1;
        (is_whole || mates) && after.into_iter().all(|&balance| own(balance) <= limit)
    }

    /// Returns whether the move at `ply` is a capture that is recaptured, and not a recapture
    /// itself.
    pub(super) fn begins_exchange(&self, ply: usize) -> bool {
        let retakes = |before: Option<&Move>, m: Option<&Move>| {
            let (Some(before), Some(m)) = (before, m) else { return false };
            before.is_capture() && m.is_capture() && before.to() == m.to()
        };
        let before = ply.checked_sub(1).and_then(|before| self.moves.get(before));
        let m = self.moves.get(ply);
        !retakes(before, m) && retakes(m, self.moves.get(ply + 1))
    }
}
