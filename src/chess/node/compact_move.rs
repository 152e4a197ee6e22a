//! Moves in 32 bits, from which the search reads each part in one step.

use arrayvec::ArrayVec;
use shakmaty::{Move, Role, Square};

/// A move with the moved and the captured piece, in 32 bits. Castling goes from the king's square to
/// the rook's square.
///
/// The accessors of [`Move`] distinguish its variants again in every call, which is slow where
/// thousands of moves are ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompactMove(u32);

/// The moves of a position. A legal position has at most 218.
pub type CompactMoves = ArrayVec<CompactMove, 256>;

/// The lowest bit of each part. The from-square begins at bit 0.
const TO: u32 = 6;
const PROMOTION: u32 = 12;
const ROLE: u32 = 15;
const CAPTURE: u32 = 18;
/// Flags.
const EN_PASSANT: u32 = 1 << 21;
const CASTLING: u32 = 1 << 22;

impl CompactMove {
    /// Creates a move that is neither castling nor en passant.
    #[inline]
    pub fn normal(
        role: Role,
        from: Square,
        to: Square,
        capture: Option<Role>,
        promotion: Option<Role>,
    ) -> Self {
        let taken = capture.map_or(0, |role| role as u32);
        // a knight is 1 and a queen is 4
        let promoted = promotion.map_or(0, |role| role as u32 - 1);
        Self(
            from.to_u32()
                | to.to_u32() << TO
                | promoted << PROMOTION
                | (role as u32) << ROLE
                | taken << CAPTURE,
        )
    }

    /// Returns the from-square.
    #[inline]
    pub fn from_square(self) -> Square {
        Square::new(self.0 & 63)
    }

    /// Returns the target square. For castling, it is the rook's square.
    #[inline]
    pub fn to(self) -> Square {
        Square::new(self.0 >> TO & 63)
    }

    /// Returns the moved piece.
    #[inline]
    pub fn role(self) -> Role {
        role(self.0 >> ROLE & 7).unwrap_or(Role::King)
    }

    /// Returns the captured piece.
    #[inline]
    pub fn capture(self) -> Option<Role> {
        role(self.0 >> CAPTURE & 7)
    }

    /// Returns the piece to which a pawn promotes.
    #[inline]
    pub fn promotion(self) -> Option<Role> {
        match self.0 >> PROMOTION & 7 {
            0 => None,
            code => role(code + 1),
        }
    }

    /// Whether the move neither captures nor promotes.
    #[inline]
    pub fn is_quiet(self) -> bool {
        self.0 & (7 << PROMOTION | 7 << CAPTURE) == 0
    }

    /// Whether the move castles.
    #[inline]
    pub fn is_castling(self) -> bool {
        self.0 & CASTLING != 0
    }

    /// Whether the move captures en passant.
    #[inline]
    pub fn is_en_passant(self) -> bool {
        self.0 & EN_PASSANT != 0
    }

    /// Returns the from-square in bits 0 to 5, the target square in bits 6 to 11, and the promotion
    /// from bit 12 on: 0 for none, 1 for a knight to 4 for a queen.
    #[inline]
    pub fn squares_and_promotion(self) -> u16 {
        (self.0 & ((1 << ROLE) - 1)) as u16
    }
}

#[inline]
fn role(number: u32) -> Option<Role> {
    match number {
        1 => Some(Role::Pawn),
        2 => Some(Role::Knight),
        3 => Some(Role::Bishop),
        4 => Some(Role::Rook),
        5 => Some(Role::Queen),
        6 => Some(Role::King),
        _ => None,
    }
}

impl From<Move> for CompactMove {
    #[inline]
    fn from(m: Move) -> Self {
        match m {
            Move::Normal { role, from, capture, to, promotion } => {
                Self::normal(role, from, to, capture, promotion)
            }
            Move::EnPassant { from, to } => {
                let takes = Self::normal(Role::Pawn, from, to, Some(Role::Pawn), None);
                Self(takes.0 | EN_PASSANT)
            }
            Move::Castle { king, rook } => {
                Self(Self::normal(Role::King, king, rook, None, None).0 | CASTLING)
            }
            // drops do not occur in chess
            Move::Put { role, to } => Self::normal(role, to, to, None, None),
        }
    }
}

impl From<CompactMove> for Move {
    #[inline]
    fn from(m: CompactMove) -> Self {
        let (from, to) = (m.from_square(), m.to());
        if m.is_castling() {
            Self::Castle { king: from, rook: to }
        } else if m.is_en_passant() {
            Self::EnPassant { from, to }
        } else {
            let (role, capture, promotion) = (m.role(), m.capture(), m.promotion());
            Self::Normal { role, from, capture, to, promotion }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use shakmaty::Position;

    #[test]
    fn every_part_of_a_move_is_kept() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "3nk3/2P3P1/8/3pP3/8/8/8/4K3 w - d6 0 1",
        ] {
            for m in Game::from_fen(fen, None).unwrap().chess.legal_moves() {
                let compact = CompactMove::from(m);
                assert_eq!(Into::<Move>::into(compact), m);
                assert_eq!((Some(compact.from_square()), compact.to()), (m.from(), m.to()));
                assert_eq!((compact.role(), compact.capture()), (m.role(), m.capture()));
                assert_eq!(compact.promotion(), m.promotion());
                assert_eq!(compact.is_quiet(), !m.is_capture() && !m.is_promotion());
                assert_eq!(compact.is_castling(), m.is_castle());
                assert_eq!(compact.is_en_passant(), m.is_en_passant());
            }
        }
    }
}
