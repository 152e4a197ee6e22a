//! The Zobrist key, kept up move by move, always: shakmaty's own update gives up on every fifth
//! move (double pushes, castling, rooks that lose a right).

use shakmaty::{
    CastlingSide, Chess, Color, EnPassantMode, Move, Position, Square, zobrist::Zobrist64,
    zobrist::ZobristValue,
};

/// The key after the legal move `m` leads from `before` to `after`.
pub(super) fn after(before: &Chess, key: Zobrist64, m: Move, after: &Chess) -> Zobrist64 {
    let side = before.turn();
    let mut key = key ^ Zobrist64::zobrist_for_white_turn();
    let mut toggle = |square, piece| key ^= Zobrist64::zobrist_for_piece(square, piece);
    match m {
        Move::Normal { role, from, capture, to, promotion } => {
            toggle(from, role.of(side));
            toggle(to, promotion.unwrap_or(role).of(side));
            if let Some(captured) = capture {
                toggle(to, captured.of(!side));
            }
        }
        Move::EnPassant { from, to } => {
            toggle(from, side.pawn());
            toggle(to, side.pawn());
            toggle(Square::from_coords(to.file(), from.rank()), (!side).pawn());
        }
        Move::Castle { king, rook } => {
            let wing = CastlingSide::from_queen_side(rook < king);
            toggle(king, side.king());
            toggle(rook, side.rook());
            toggle(wing.king_to(side), side.king());
            toggle(wing.rook_to(side), side.rook());
        }
        // drops do not occur in chess
        Move::Put { .. } => {}
    }
    key ^= en_passant(before) ^ en_passant(after);
    if before.castles().castling_rights() != after.castles().castling_rights() {
        key ^= castling(before) ^ castling(after);
    }
    key
}

/// The key after the side to move in `before` passes.
pub(super) fn after_pass(before: &Chess, key: Zobrist64) -> Zobrist64 {
    key ^ Zobrist64::zobrist_for_white_turn() ^ en_passant(before)
}

fn en_passant(chess: &Chess) -> Zobrist64 {
    chess
        .ep_square(EnPassantMode::Legal)
        .map_or(Zobrist64(0), |square| Zobrist64::zobrist_for_en_passant_file(square.file()))
}

fn castling(chess: &Chess) -> Zobrist64 {
    let mut key = Zobrist64(0);
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if chess.castles().has(color, side) {
                key ^= Zobrist64::zobrist_for_castling_right(color, side);
            }
        }
    }
    key
}
