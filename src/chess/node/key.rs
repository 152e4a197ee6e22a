//! The Zobrist key, kept up move by move, always: shakmaty's own update gives up on every fifth
//! move (double pushes, castling, rooks that lose a right).

use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, EnPassantMode, Move, Position, Role, Square,
    zobrist::Zobrist64, zobrist::ZobristValue,
};

/// The key after the legal move `m` is played in `before`, but for the rights to castle and to take
/// en passant, which [`with_rights`] adds: most moves change none.
pub(super) fn moved(before: &Chess, key: Zobrist64, m: Move) -> Zobrist64 {
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
    key
}

/// The key of `after`, from what [`moved`] made of that of `before`.
pub(super) fn with_rights(moved: Zobrist64, before: &Chess, after: &Chess) -> Zobrist64 {
    let mut key = moved ^ en_passant(before) ^ en_passant(after);
    if before.castles().castling_rights() != after.castles().castling_rights() {
        key ^= castling(before) ^ castling(after);
    }
    key
}

/// The key after the side to move in `before` passes.
pub(super) fn after_pass(before: &Chess, key: Zobrist64) -> Zobrist64 {
    key ^ Zobrist64::zobrist_for_white_turn() ^ en_passant(before)
}

/// Odd numbers without pattern: each spreads the squares of one kind of man over a key.
const SPREAD: [u64; 5] = [
    0x9e37_79b9_7f4a_7c15,
    0xbf58_476d_1ce4_e5b9,
    0x94d0_49bb_1331_11eb,
    0xd1b5_4a32_d192_ed03,
    0xa24b_aed4_963e_e407,
];

/// What the men on these squares give to a key. The upper half of the product is folded onto the lower: men
/// of the upper ranks have only a few bits of their own otherwise, and keys collide.
fn spread(men: Bitboard, by: u64) -> u64 {
    let product = u128::from(men.0) * u128::from(by);
    (product ^ (product >> 64)) as u64
}

/// A key of the pawns alone: made anew each time, which takes less than keeping it up.
pub(super) fn of_pawns(board: &Board) -> u64 {
    spread(board.by_piece(Color::White.pawn()), SPREAD[0])
        ^ spread(board.by_piece(Color::Black.pawn()), SPREAD[1])
}

/// The same of the king and the other pieces but pawns of one side.
pub(super) fn of_officers(board: &Board, color: Color) -> u64 {
    let own = board.by_color(color);
    Role::ALL[1..]
        .iter()
        .zip(SPREAD)
        .fold(0, |key, (role, by)| key ^ spread(own & board.by_role(*role), by))
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

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Piece;
    use std::collections::HashSet;

    #[test]
    fn pairs_of_men_on_the_upper_ranks_have_keys_of_their_own_as_those_on_the_lower_have() {
        for color in Color::ALL {
            let mut places = HashSet::new();
            let home = if color.is_white() { 0..16 } else { 48..64 };
            let squares = home.map(Square::new);
            let pairs = squares.clone().flat_map(|a| squares.clone().map(move |b| (a, b)));
            for (rook, knight) in pairs.filter(|(a, b)| a != b) {
                let mut board = Board::empty();
                board.set_piece_at(rook, Piece { color, role: Role::Rook });
                board.set_piece_at(knight, Piece { color, role: Role::Knight });
                // as many bits as the tables of corrections look at
                places.insert(of_officers(&board, color) >> 50);
            }
            // 240 pairs in 16,384 places: two may meet by chance
            assert!(places.len() > 230, "{color:?}: {}", places.len());
        }
    }
}
