//! Sacrifices and exchanges: what becomes of material in the moves after a move.

use crate::eval::measures::{material, piece_value};
use shakmaty::{Chess, Color, Move, Position, Role};

/// Plies after the reply within which what was given up may be won back.
const PATIENCE: usize = 4;

/// A game with what its moves did to the material.
pub(super) struct Ledger {
    moves: Vec<Move>,
    /// White's balance before each move and at the end, in centipawns.
    balance: Vec<i32>,
    ends_in_mate: bool,
}

impl Ledger {
    /// `positions` are those before each of `moves`, and the last one.
    pub(super) fn of(positions: &[Chess], moves: Vec<Move>) -> Self {
        let balance = positions.iter().map(|chess| material(chess.board(), Color::White));
        let ends_in_mate = positions.last().is_some_and(Position::is_checkmate);
        Self { moves, balance: balance.collect(), ends_in_mate }
    }

    /// Whether the move at `ply`, of `side`, gives up material: the opponent's reply is a capture
    /// after which `side` has at least a pawn (100 centipawns) less than before the move, by the
    /// values of eq. 1, and has so after each of the next [`PATIENCE`] plies. If the game ends before
    /// these are played, it was a sacrifice if `side` mates.
    ///
    /// What is given up may have been overlooked: a blunder counts like a gift.
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

    /// Whether the move at `ply` captures, is no recapture, and is answered by one on its square.
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
