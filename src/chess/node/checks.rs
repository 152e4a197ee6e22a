//! Detects which moves give check before they are played.

use super::CompactMove;
use shakmaty::{Bitboard, ByRole, Chess, Position, Role, Square, attacks};

/// The squares from which the enemy king of a position can be checked.
#[derive(Clone, Debug)]
pub struct Checks {
    king: Square,
    /// Squares from which each kind of piece would attack the king.
    from: ByRole<Bitboard>,
    /// Own pieces that are the only piece between the enemy king and an own slider.
    discoverers: Bitboard,
}

impl Checks {
    /// Computes the checking squares of the side to move in `chess`.
    pub fn of(chess: &Chess) -> Self {
        let (board, side) = (chess.board(), chess.turn());
        let king = board.king_of(!side).unwrap_or(Square::E1);
        let diagonal = attacks::bishop_attacks(king, board.occupied());
        let straight = attacks::rook_attacks(king, board.occupied());
        Self {
            king,
            from: ByRole {
                pawn: attacks::pawn_attacks(!side, king),
                knight: attacks::knight_attacks(king),
                bishop: diagonal,
                rook: straight,
                queen: diagonal | straight,
                king: Bitboard::EMPTY,
            },
            discoverers: super::shielders(board, side, king, board.occupied())
                & board.by_color(side),
        }
    }

    /// Returns the squares to which a move of the `role` on `from` gives check, promotions apart.
    pub fn targets(&self, role: Role, from: Square) -> Bitboard {
        let direct = *self.from.get(role);
        if self.discoverers.contains(from) {
            direct | !attacks::ray(self.king, from)
        } else {
            direct
        }
    }

    /// Whether `m` gives check. Always `false` for castling and en passant, although the rook or
    /// the removed pawn may uncover a check.
    pub fn gives(&self, m: CompactMove) -> bool {
        if m.is_castling() || m.is_en_passant() {
            return false;
        }
        let (from, to) = (m.from_square(), m.to());
        let arrives = m.promotion().unwrap_or(m.role());
        self.from.get(arrives).contains(to)
            || (self.discoverers.contains(from) && !attacks::aligned(from, to, self.king))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;

    #[test]
    fn predicted_checks_match_the_position_after_the_move() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/1k6/8/8/3B4/8/3R4/3K4 w - - 0 1",
            "3k4/8/8/3N4/3R4/8/8/3K4 w - - 0 1",
            "4k3/1P6/8/8/8/8/8/4K3 w - - 0 1",
        ] {
            let chess = Game::from_fen(fen, None).unwrap().chess;
            let checks = Checks::of(&chess);
            for m in chess.legal_moves().into_iter().filter(|m| !m.is_castle()) {
                // a promoted piece may check through its origin square, which the prediction ignores
                let behind_itself = m.is_promotion();
                let mut child = chess.clone();
                child.play_unchecked(m);
                assert!(behind_itself || checks.gives(m.into()) == child.is_check(), "{fen} {m:?}");
            }
        }
    }
}
