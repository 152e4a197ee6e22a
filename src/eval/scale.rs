//! Scale factors for endings that are drawn or hard to win despite a material advantage.

use super::kpk;
use shakmaty::{Bitboard, Board, Chess, Color, Position, Role, Square};

/// The scale at which the whole ending score counts.
pub const FULL_SCALE: i32 = 64;

/// Returns the scale for the side that the ending value `eg`, from White's point of view, favours. A
/// level ending is not scaled, so that mirrored positions have mirrored scores.
#[inline]
pub fn for_ending(position: &Chess, eg: i32) -> i32 {
    if eg == 0 {
        return FULL_SCALE;
    }
    scale(position, if eg > 0 { Color::White } else { Color::Black })
}

/// Returns how much of the ending score of `stronger` counts, in 64ths.
///
/// - Without pawns, a lead of a minor piece or less rarely wins.
/// - Two knights cannot force mate.
/// - With rook pawns, a bishop that does not control the promotion square cannot drive the enemy
///   king out of that corner.
/// - Opposite-coloured bishops alone hold most endings that are a pawn down. With more pieces they
///   favour the attacker, but exchanges lead towards a draw.
/// - King and pawn against king is looked up in a bitbase.
/// - Without an extra piece, few pawns are easily exchanged, above all in rook endings.
pub fn scale(position: &Chess, stronger: Color) -> i32 {
    let board = position.board();
    let own = board.by_color(stronger);
    let other = board.by_color(!stronger);
    if (own & board.pawns()).is_empty() {
        return pawnless(board, stronger);
    }
    if board.occupied().count() == 3 {
        return lone_pawn(position, stronger);
    }
    if wrong_rook_pawn(board, stronger) {
        return 0;
    }
    let pieces = !board.pawns() & !board.kings();
    let bishops = board.bishops();
    let lone_bishop = |side: Bitboard| {
        let pieces = side & pieces;
        pieces.single_square().is_some() && (pieces & bishops).any()
    };
    let opposite = (bishops & Bitboard::DARK_SQUARES).count() == 1;
    if lone_bishop(own) && lone_bishop(other) && opposite {
        return FULL_SCALE / 2;
    }
    let one_each = [own, other].iter().all(|side| (*side & bishops).single_square().is_some());
    let scale = few_pawns(board, stronger);
    if opposite && one_each { scale.min(22 + 3 * own.count() as i32) } else { scale }
}

/// Scales down endings that only the pawns can win, since neither side is a piece ahead.
///
/// The fewer pawns there are, the more likely all of them are exchanged. The chance is highest in
/// rook endings with all pawns on one wing and at most one extra pawn.
fn few_pawns(board: &Board, stronger: Color) -> i32 {
    let pieces = !board.pawns() & !board.kings() & board.occupied();
    let pawns = |side: Color| board.by_piece(side.pawn()).count();
    let scale = (36 + 7 * pawns(stronger) as i32).min(FULL_SCALE);
    // the usual case, decided without counting pieces
    if scale == FULL_SCALE && pieces != board.rooks() {
        return FULL_SCALE;
    }
    let (own, other) = (non_pawn_value(board, stronger), non_pawn_value(board, !stronger));
    if own == 0 || own > other {
        return FULL_SCALE;
    }
    let queens_wing = board.pawns().0 & 0x0f0f_0f0f_0f0f_0f0f;
    let single_wing = queens_wing == 0 || queens_wing == board.pawns().0;
    let rook_ending = pieces == board.rooks() && own == 5 && other == 5;
    if rook_ending && single_wing && pawns(stronger) <= pawns(!stronger) + 1 {
        return scale.min(36);
    }
    scale
}

/// Without pawns, winning takes a lead of more than a minor piece.
fn pawnless(board: &Board, stronger: Color) -> i32 {
    let own = non_pawn_value(board, stronger);
    let other = non_pawn_value(board, !stronger);
    let knights = board.by_piece(Role::Knight.of(stronger));
    let two_knights = own == 6 && knights.count() == 2;
    if two_knights || own <= 3 {
        0
    } else if own <= other + 3 {
        FULL_SCALE / 8
    } else {
        FULL_SCALE
    }
}

/// King and pawn of `stronger` against king: a win or a draw by the bitbase.
fn lone_pawn(position: &Chess, stronger: Color) -> i32 {
    let board = position.board();
    let seen = |square: Square| stronger.fold_wb(square, square.flip_vertical());
    let (Some(king), Some(pawn), Some(other)) = (
        board.king_of(stronger).map(seen),
        board.pawns().first().map(seen),
        board.king_of(!stronger).map(seen),
    ) else {
        return FULL_SCALE;
    };
    let is_won = kpk::is_won(king, pawn, other, position.turn() == stronger);
    if is_won { FULL_SCALE } else { 0 }
}

/// Returns the value of the pieces of `side` without pawns: minor 3, rook 5, queen 9.
fn non_pawn_value(board: &Board, side: Color) -> usize {
    let count = |role: Role| board.by_piece(role.of(side)).count();
    3 * (count(Role::Knight) + count(Role::Bishop)) + 5 * count(Role::Rook) + 9 * count(Role::Queen)
}

/// Returns whether all pawns are rook pawns on one file, no bishop controls the promotion corner,
/// and the defender's king is at most one step from it.
fn wrong_rook_pawn(board: &Board, stronger: Color) -> bool {
    let own = board.by_color(stronger);
    let pawns = own & board.pawns();
    let Some(file) = [shakmaty::File::A, shakmaty::File::H]
        .into_iter()
        .find(|file| pawns.is_subset(Bitboard::from_file(*file)))
    else {
        return false;
    };
    let pieces = own & !board.pawns() & !board.kings();
    if !pieces.is_subset(board.bishops()) {
        return false;
    }
    let corner = Square::from_coords(file, (!stronger).backrank());
    let squares = if corner.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
    let guarded = (pieces & squares).any();
    !guarded && board.king_of(!stronger).is_some_and(|king| king.distance(corner) <= 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use shakmaty::{EnPassantMode, FromSetup};

    fn scale_of(fen: &str) -> i32 {
        let game = Game::from_fen(fen, None).unwrap();
        scale(&game.chess, Color::White)
    }

    #[test]
    fn dead_draws_have_scale_zero() {
        assert_eq!(scale_of("8/8/4k3/8/8/2N5/2N5/4K3 w - - 0 1"), 0, "two knights");
        assert_eq!(scale_of("k7/8/8/P7/8/8/4B3/4K3 w - - 0 1"), FULL_SCALE, "right bishop");
        assert_eq!(scale_of("k7/8/8/P7/8/8/3B4/4K3 w - - 0 1"), 0, "wrong bishop");
        assert_eq!(scale_of("8/8/3k4/P7/8/8/3B4/4K3 w - - 0 1"), FULL_SCALE, "king far");
    }

    #[test]
    fn few_pawns_reduce_the_scale() {
        let one_wing = scale_of("8/5kpp/8/8/8/6P1/r4PKP/1R6 w - - 0 1");
        let both_wings = scale_of("8/5kpp/8/8/8/P5P1/r4PKP/1R6 w - - 0 1");
        assert!(one_wing < both_wings && both_wings == FULL_SCALE, "{one_wing} {both_wings}");
        assert!(scale_of("8/5k1p/8/8/8/6P1/n4PK1/1N6 w - - 0 1") < FULL_SCALE, "two pawns");
    }

    #[test]
    fn won_endings_keep_their_score() {
        assert_eq!(scale_of("8/8/4k3/8/8/8/2R5/4K3 w - - 0 1"), FULL_SCALE, "rook");
        assert_eq!(scale_of("8/8/4k3/8/8/2B5/2N5/4K3 w - - 0 1"), FULL_SCALE, "bishop, knight");
        assert!(scale_of("4r3/8/4k3/8/8/2B5/2R5/4K3 w - - 0 1") < FULL_SCALE, "piece up");
    }

    /// Checks the result with a white pawn, and with a black pawn after swapping the colours.
    fn assert_pawn_wins(fen: &str, wins: bool, why: &str) {
        let position = Game::from_fen(fen, None).unwrap().chess;
        let setup = position.to_setup(EnPassantMode::Legal).into_mirrored();
        let swapped = Chess::from_setup(setup, position.castles().mode()).unwrap();
        let expected = if wins { FULL_SCALE } else { 0 };
        assert_eq!(scale(&position, Color::White), expected, "{why}: {fen}");
        assert_eq!(scale(&swapped, Color::Black), expected, "{why}, colours swapped: {fen}");
    }

    #[test]
    fn king_and_pawn_endings_match_the_textbook() {
        for (placement, white_to_move, black_to_move, why) in [
            ("4k3/8/4K3/4P3/8/8/8/8", true, true, "king on the sixth before the pawn"),
            ("8/4k3/8/4K3/4P3/8/8/8", false, true, "opposition"),
            ("4k3/8/3KP3/8/8/8/8/8", true, false, "the pawn reaches the seventh without check"),
            ("k7/8/K7/P7/8/8/8/8", false, false, "rook pawn"),
            ("7k/8/6K1/7P/8/8/8/8", false, false, "rook pawn, the other one"),
            ("8/6K1/4k3/7P/8/8/8/8", true, true, "rook pawn, defender shut out"),
            ("8/8/8/P3k3/8/8/8/7K", true, false, "square of the pawn"),
            ("8/3k4/8/8/8/8/1P6/3K4", false, false, "distant opposition held"),
            ("8/4k3/8/8/8/8/1P6/3K4", true, false, "distant opposition missed"),
            ("4k3/8/8/8/4K3/2P5/8/8", true, true, "distant opposition taken"),
        ] {
            assert_pawn_wins(&format!("{placement} w - - 0 1"), white_to_move, why);
            assert_pawn_wins(&format!("{placement} b - - 0 1"), black_to_move, why);
        }
    }

    #[test]
    fn a_bare_king_has_scale_zero() {
        let game = Game::from_fen("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", None).unwrap();
        assert_eq!(scale(&game.chess, Color::Black), 0);
    }
}
