//! Updates the Zobrist key incrementally on every move.
//!
//! shakmaty's own update is not available for about every fifth move: double pushes, castling, and
//! rook moves that lose a castling right.

use super::CompactMove;
use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, EnPassantMode, Position, Role, Square,
    zobrist::Zobrist64, zobrist::ZobristValue,
};

/// Returns the key after the legal move `m` is played in `before`, but with the castling and en
/// passant rights unchanged. [`with_rights`] adds the change of rights, which most moves do not
/// have.
pub(super) fn moved(before: &Chess, key: Zobrist64, m: CompactMove) -> Zobrist64 {
    let side = before.turn();
    let mut key = key ^ Zobrist64::zobrist_for_white_turn();
    let mut toggle = |square, piece| key ^= Zobrist64::zobrist_for_piece(square, piece);
    let (role, from, to) = (m.role(), m.from_square(), m.to());
    if m.is_castling() {
        let wing = CastlingSide::from_queen_side(to < from);
        toggle(from, side.king());
        toggle(to, side.rook());
        toggle(wing.king_to(side), side.king());
        toggle(wing.rook_to(side), side.rook());
        return key;
    }
    toggle(from, role.of(side));
    toggle(to, m.promotion().unwrap_or(role).of(side));
    if let Some(captured) = m.capture() {
        let taken =
            if m.is_en_passant() { Square::from_coords(to.file(), from.rank()) } else { to };
        toggle(taken, captured.of(!side));
    }
    key
}

/// Completes the key `moved`, as returned by [`moved`], with the rights of `after`.
pub(super) fn with_rights(moved: Zobrist64, before: &Chess, after: &Chess) -> Zobrist64 {
    let mut key = moved ^ en_passant(before) ^ en_passant(after);
    if before.castles().castling_rights() != after.castles().castling_rights() {
        key ^= castling(before) ^ castling(after);
    }
    key
}

/// Returns the key after the side to move in `before` passes.
pub(super) fn after_pass(before: &Chess, key: Zobrist64) -> Zobrist64 {
    key ^ Zobrist64::zobrist_for_white_turn() ^ en_passant(before)
}

/// Odd multipliers without a pattern. Each spreads the squares of one kind of piece over a key.
const SPREAD: [u64; 5] = [
    0x9e37_79b9_7f4a_7c15,
    0xbf58_476d_1ce4_e5b9,
    0x94d0_49bb_1331_11eb,
    0xd1b5_4a32_d192_ed03,
    0xa24b_aed4_963e_e407,
];

/// Returns the contribution of pieces on these squares to a key. The upper half of the product is
/// folded onto the lower. Otherwise, pieces on the upper ranks would affect only a few bits, and
/// keys would collide.
fn spread(men: Bitboard, by: u64) -> u64 {
    let product = u128::from(men.0) * u128::from(by);
    (product ^ (product >> 64)) as u64
}

/// Returns a key of the pawns alone. It is computed from scratch, which is faster than updating it.
pub(super) fn of_pawns(board: &Board) -> u64 {
    spread(board.by_piece(Color::White.pawn()), SPREAD[0])
        ^ spread(board.by_piece(Color::Black.pawn()), SPREAD[1])
}

/// Keys of the kings and pieces, without pawns.
#[derive(Clone, Copy, Debug)]
pub struct PieceKeys {
    /// The king and the pieces of White, then of Black.
    pub of_sides: [u64; 2],
    /// The knights, bishops and kings of both sides.
    pub minors: u64,
    /// The rooks, queens and kings of both sides.
    pub majors: u64,
}

impl PieceKeys {
    pub(super) fn of(board: &Board) -> Self {
        let [white, black] = Color::ALL.map(|color| {
            let own = board.by_color(color);
            let key = |role, by: usize| spread(own & board.by_role(role), SPREAD[by]);
            let minors = key(Role::Knight, 0) ^ key(Role::Bishop, 1);
            let majors = key(Role::Rook, 2) ^ key(Role::Queen, 3);
            [minors, majors, key(Role::King, 4)]
        });
        // without the rotation, equal pieces of both sides would cancel out
        let both = |group: usize| {
            white[group] ^ white[2] ^ (black[group] ^ black[2]).rotate_left(BLACK_ROTATION)
        };
        let all = |side: [u64; 3]| side[0] ^ side[1] ^ side[2];
        Self { of_sides: [all(white), all(black)], minors: both(0), majors: both(1) }
    }
}

/// Rotation of Black's keys before they are combined with White's, in bits.
const BLACK_ROTATION: u32 = 23;

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
    fn pairs_of_pieces_on_either_half_of_the_board_have_distinct_keys() {
        for color in Color::ALL {
            let mut places = HashSet::new();
            let home = if color.is_white() { 0..16 } else { 48..64 };
            let squares = home.map(Square::new);
            let pairs = squares.clone().flat_map(|a| squares.clone().map(move |b| (a, b)));
            for (rook, knight) in pairs.filter(|(a, b)| a != b) {
                let mut board = Board::empty();
                board.set_piece_at(rook, Piece { color, role: Role::Rook });
                board.set_piece_at(knight, Piece { color, role: Role::Knight });
                // the number of bits that index the correction tables
                places.insert(PieceKeys::of(&board).of_sides[usize::from(color.is_black())] >> 50);
            }
            // 240 pairs in 16,384 slots: a few may collide by chance
            assert!(places.len() > 230, "{color:?}: {}", places.len());
        }
    }
}
