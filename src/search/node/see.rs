//! Static exchange evaluation (SEE): the material that a move wins or loses after all captures on
//! its target square.
//!
//! Each side captures with its least valuable piece first. A piece pinned to its king does not take
//! part unless it stays on the line of the pin.
//! <https://www.chessprogramming.org/Static_Exchange_Evaluation>

use crate::{
    chess::node::{CompactMove, shielders},
    search::params::EXCHANGE_VALUE,
};
use shakmaty::{Bitboard, Board, ByColor, Chess, Color, Position, Role, Square, attacks};

/// A threshold that every exchange passes.
pub(in crate::search) const ANY: i32 = -value(Role::King);

/// Returns the exchange value of a piece, in centipawns.
pub(in crate::search) const fn value(role: Role) -> i32 {
    EXCHANGE_VALUE[role as usize - 1]
}

/// Returns the immediate material gain of `m`: the captured piece and the promotion.
#[inline]
pub(in crate::search) fn gain(m: CompactMove) -> i32 {
    m.capture().map_or(0, value) + m.promotion().map_or(0, |role| value(role) - value(Role::Pawn))
}

/// Whether the exchange that starts with `m` gains at least `threshold` centipawns.
pub fn see_ge(chess: &Chess, m: impl Into<CompactMove>, threshold: i32) -> bool {
    let m = m.into();
    if m.is_castling() {
        return threshold <= 0;
    }
    // material gain above the threshold, first before and then after the recapture
    let mut balance = gain(m) - threshold;
    if balance < 0 {
        return false;
    }
    let (role, from, to) = (m.role(), m.from_square(), m.to());
    balance -= value(m.promotion().unwrap_or(role));
    if balance >= 0 {
        return true;
    }
    let board = chess.board();
    let mut occupied = board.occupied().without(from).with(to);
    if m.is_en_passant() {
        occupied.discard(Square::from_coords(to.file(), from.rank()));
    }
    let mut attackers = attackers_of(board, to, occupied) & occupied;
    let mut side = !chess.turn();
    let mut unpinned = ByColor { black: None, white: None };
    loop {
        let mut own = attackers & board.by_color(side);
        if own.any() {
            own &= *unpinned
                .get_mut(side)
                .get_or_insert_with(|| unpinned_squares(board, side, to, occupied));
        }
        let Some((square, role)) = cheapest(board, own) else { break };
        if role == Role::King && (attackers & board.by_color(!side)).any() {
            // the king cannot capture a defended piece
            break;
        }
        occupied.discard(square);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop_attacks(to, occupied) & board.bishops_and_queens();
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook_attacks(to, occupied) & board.rooks_and_queens();
        }
        attackers &= occupied;
        side = !side;
        balance = -balance - 1 - value(role);
        if balance >= 0 {
            break;
        }
    }
    // the side to move has no profitable capture and loses the exchange
    side != chess.turn()
}

/// Returns the pieces of both sides that attack `to`.
fn attackers_of(board: &Board, to: Square, occupied: Bitboard) -> Bitboard {
    (attacks::bishop_attacks(to, occupied) & board.bishops_and_queens())
        | (attacks::rook_attacks(to, occupied) & board.rooks_and_queens())
        | (attacks::knight_attacks(to) & board.knights())
        | (attacks::king_attacks(to) & board.kings())
        | (attacks::pawn_attacks(Color::Black, to) & board.by_piece(Color::White.pawn()))
        | (attacks::pawn_attacks(Color::White, to) & board.by_piece(Color::Black.pawn()))
}

/// Returns the squares whose pieces of `side` may capture on `to` without exposing their king. Pins
/// are computed once, before the first capture by `side`.
fn unpinned_squares(board: &Board, side: Color, to: Square, occupied: Bitboard) -> Bitboard {
    let Some(king) = board.king_of(side) else { return Bitboard::FULL };
    // a pinned piece may move along the line of the pin
    !shielders(board, !side, king, occupied) | attacks::ray(king, to)
}

fn cheapest(board: &Board, own: Bitboard) -> Option<(Square, Role)> {
    Role::ALL
        .into_iter()
        .find_map(|role| (own & board.by_role(role)).first().map(|square| (square, role)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use shakmaty::uci::UciMove;

    /// FEN, move and SEE value.
    const TABLE: &[(&str, &str, i32)] = &[
        ("4k3/8/8/4p3/8/8/8/4KR2 w - - 0 1", "f1f5", 0),
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", 100 - 300),
        ("4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
        ("3r2k1/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7d8q", 500 + 800),
        ("6k1/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8q", 800),
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
        ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100 - 500),
        ("8/8/4k3/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", 100 - 500),
        ("8/8/4k3/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
        // a pin on another line, a pin on the line of the exchange, and a pin that ends as the
        // pinner captures
        ("4k3/4n3/8/3p4/8/8/4R3/3RK3 w - - 0 1", "d1d5", 100),
        ("4k3/4r3/8/4p3/8/8/4R3/4RK2 w - - 0 1", "e2e5", 100),
        ("4k3/4n3/8/3p4/8/2N5/8/4R1K1 w - - 0 1", "c3d5", 100),
        ("4k3/4n3/8/3p4/8/8/4Q3/3RK3 w - - 0 1", "d1d5", 100),
        ("4k3/8/4n3/8/3p4/8/8/3RR1K1 w - - 0 1", "d1d4", 100),
        ("4k3/8/4n3/8/5p2/4Q3/8/6K1 w - - 0 1", "e3f4", 100 - 900),
    ];

    #[test]
    fn see_matches_known_values() {
        for (fen, text, worth) in TABLE {
            let chess = Game::from_fen(fen, None).unwrap().chess;
            let m = text.parse::<UciMove>().unwrap().to_move(&chess).unwrap();
            assert!(see_ge(&chess, m, *worth), "{fen} {text} gains at least {worth}");
            assert!(!see_ge(&chess, m, worth + 1), "{fen} {text} gains at most {worth}");
        }
    }
}
