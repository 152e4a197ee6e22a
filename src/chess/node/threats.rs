//! Detects where pieces are attacked by less valuable pieces, before a move is played.

use shakmaty::{Bitboard, ByRole, Chess, Color, File, Position, Role, attacks};

/// Returns the squares attacked by pawns of `side` on `pawns`.
pub fn pawn_attacks(pawns: Bitboard, side: Color) -> Bitboard {
    let east = (pawns & !Bitboard::from_file(File::H)).0;
    let west = (pawns & !Bitboard::from_file(File::A)).0;
    Bitboard(side.fold_wb(east << 9 | west << 7, east >> 7 | west >> 9))
}

/// The squares attacked by the opponent of the side to move. Attacks are those on the current
/// board, so they do not pass through the moving piece.
#[derive(Clone, Debug)]
pub struct Threats {
    /// The squares on which each piece would be attacked by a less valuable piece.
    by_lesser: ByRole<Bitboard>,
    /// The squares attacked by any piece.
    by_any: Bitboard,
}

impl Threats {
    /// Computes the threats against the side to move in `chess`.
    pub fn of(chess: &Chess) -> Self {
        let (board, them) = (chess.board(), !chess.turn());
        let occupied = board.occupied();
        let attacked_by = |role: Role| {
            let men = board.by_piece(role.of(them)).into_iter();
            men.fold(Bitboard::EMPTY, |all, from| {
                all | attacks::attacks(from, role.of(them), occupied)
            })
        };
        let by_pawns = pawn_attacks(board.by_piece(them.pawn()), them);
        let by_minors = by_pawns | attacked_by(Role::Knight) | attacked_by(Role::Bishop);
        let by_rooks = by_minors | attacked_by(Role::Rook);
        let by_lesser = ByRole {
            pawn: Bitboard::EMPTY,
            knight: by_pawns,
            bishop: by_pawns,
            rook: by_minors,
            queen: by_rooks,
            king: Bitboard::EMPTY,
        };
        Self { by_lesser, by_any: by_rooks | attacked_by(Role::Queen) | attacked_by(Role::King) }
    }

    /// Returns the squares that the opponent attacks.
    pub fn attacked(&self) -> Bitboard {
        self.by_any
    }

    /// Returns the squares on which a piece of this `role` would be attacked by a less valuable piece.
    #[inline]
    pub fn against(&self, role: Role) -> Bitboard {
        *self.by_lesser.get(role)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use shakmaty::{Square, uci::UciMove};

    fn before_and_after(fen: &str, uci: &str) -> [bool; 2] {
        let chess = Game::from_fen(fen, None).unwrap().chess;
        let m = uci.parse::<UciMove>().unwrap().to_move(&chess).unwrap();
        let danger = Threats::of(&chess).against(m.role());
        [m.from().unwrap(), m.to()].map(|square| danger.contains(square))
    }

    #[test]
    fn only_less_valuable_pieces_threaten() {
        // the bishop threatens the rook, and the pawn threatens the knight
        let found = |uci| before_and_after("3r2k1/3b4/8/4p3/R2N4/8/8/2Q3K1 w - - 0 1", uci);
        assert_eq!(found("a4a1"), [true, false]);
        assert_eq!(found("a4b4"), [true, false]);
        assert_eq!(found("d4f3"), [true, false]);
        assert_eq!(found("d4f5"), [true, false], "attacked by a bishop of equal value");
        assert_eq!(found("c1c6"), [false, true]);
        assert_eq!(found("c1d2"), [false, false], "the rook is blocked");
        assert_eq!(found("c1f1"), [false, false]);
        assert_eq!(found("g1f2"), [false, false], "kings are never threatened");
    }

    #[test]
    fn any_piece_attacks() {
        let chess = Game::from_fen("3r2k1/8/8/4p3/8/8/8/6K1 w - - 0 1", None).unwrap().chess;
        let attacked = Threats::of(&chess).attacked();
        let expected = [Square::D4, Square::F4, Square::D1, Square::E8, Square::G8, Square::H7];
        assert!(expected.into_iter().all(|square| attacked.contains(square)));
        assert!(
            ![Square::E4, Square::E5, Square::H8.flip_vertical()]
                .into_iter()
                .any(|square| attacked.contains(square))
        );
    }

    #[test]
    fn white_pawns_threaten_upwards() {
        let found = |uci| before_and_after("6k1/8/3r4/2P5/8/8/8/6K1 b - - 0 1", uci);
        assert_eq!(found("d6d4"), [true, false]);
        assert_eq!(found("d6b6"), [true, true]);
    }
}
