//! The moved piece and its squares, read from a move in one step.

use shakmaty::{Move, Role, Square};

/// The moved piece, its square, and its target square. For castling, the king and the square of the
/// rook.
///
/// The accessors of [`Move`] distinguish its variants again in every call, which is slow where
/// thousands of moves are ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    pub role: Role,
    pub from: Square,
    pub to: Square,
}

impl From<Move> for Moved {
    #[inline]
    fn from(m: Move) -> Self {
        match m {
            Move::Normal { role, from, to, .. } => Self { role, from, to },
            Move::EnPassant { from, to } => Self { role: Role::Pawn, from, to },
            Move::Castle { king, rook } => Self { role: Role::King, from: king, to: rook },
            // drops do not occur in chess
            Move::Put { role, to } => Self { role, from: to, to },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use shakmaty::Position;

    #[test]
    fn all_moves_agree_with_the_accessors() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "4k3/6P1/8/3pP3/8/8/8/4K3 w - d6 0 1",
        ] {
            for m in Game::from_fen(fen, None).unwrap().chess.legal_moves() {
                let Moved { role, from, to } = m.into();
                assert_eq!((role, Some(from), to), (m.role(), m.from(), m.to()));
            }
        }
    }
}
