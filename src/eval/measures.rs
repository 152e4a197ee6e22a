//! The article's four measures: material, mobility, king safety and king exposure (eqs. 1-5).
//!
//! Source: Laureano-Cruces et al. 2012, section "evaluation function". Measures are exact integers
//! in quarter points, because king tropism has quarter points and eq. 7 multiplies by up to forty.
//! Where the article leaves a definition open, the function says "we choose".

use shakmaty::{Bitboard, Board, Chess, Color, File, Position, Rank, Role, Square, attacks};

/// The number of quarter points in a point, a centipawn or a square.
pub const QUARTERS: i32 = 4;

/// The four measures of one side, in quarter points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// Material balance (the article's BM, eq. 1).
    pub material: i32,
    /// Mobility (Mov, eq. 2).
    pub mobility: i32,
    /// The safety of this side's king (`SegR`, eqs. 3-5).
    pub king_safety: i32,
    /// The exposure of the opponent's king (`IndROp`): its king safety, negated.
    pub king_exposure: i32,
}

impl Measures {
    /// The names and units of the measures, in the order of [`Self::in_order`].
    pub const NAMES: [(&str, &str); 4] = [
        ("material", "centipawns"),
        ("mobility", "squares"),
        ("king_safety", "points"),
        ("king_exposure", "points"),
    ];

    /// Returns the measures of `side`, regardless of the side to move.
    #[must_use]
    pub fn of(chess: &Chess, side: Color) -> Self {
        let board = chess.board();
        Self {
            material: QUARTERS * material(board, side),
            mobility: QUARTERS * mobility(chess, side),
            king_safety: king_safety(board, side),
            king_exposure: -king_safety(board, side.other()),
        }
    }

    /// Returns the measures with their names.
    #[must_use]
    pub fn named(&self) -> [(&'static str, i32); 4] {
        let values = self.in_order();
        std::array::from_fn(|i| (Self::NAMES[i].0, values[i]))
    }

    /// Returns the measures in the order of eq. 7 and table 6: material, mobility, king safety,
    /// king exposure.
    #[must_use]
    pub const fn in_order(&self) -> [i32; 4] {
        [self.material, self.mobility, self.king_safety, self.king_exposure]
    }
}

/// Returns the value of a piece in eq. 1, in centipawns. A king is worth 0, as both sides have one.
#[must_use]
pub const fn piece_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 325,
        Role::Rook => 500,
        Role::Queen => 975,
        Role::King => 0,
    }
}

/// Returns the material balance (eq. 1): own piece values minus the opponent's, in centipawns.
#[must_use]
pub fn material(board: &Board, side: Color) -> i32 {
    let (own, other) = (board.by_color(side), board.by_color(side.other()));
    let mut balance = 0;
    for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        let pieces = board.by_role(role);
        balance += piece_value(role) * (count(pieces & own) - count(pieces & other));
    }
    balance
}

/// Returns the mobility (eq. 2): the sum of the squares that each piece of `side` can move to.
///
/// We choose pseudo-legal moves, so that mobility is defined for both sides. Pieces reach the
/// squares they attack, except those of own pieces. The king may step onto attacked squares, and
/// castling does not count. Pawns push, double-push and capture. En passant counts only if `side`
/// is to move. A promotion counts as one square, not as four moves.
#[must_use]
pub fn mobility(chess: &Chess, side: Color) -> i32 {
    let board = chess.board();
    let occupied = board.occupied();
    let own = board.by_color(side);
    let mut squares = pawn_squares(chess, side);
    for from in own & board.knights() {
        squares += count(attacks::knight_attacks(from) & !own);
    }
    for from in own & board.bishops_and_queens() {
        squares += count(attacks::bishop_attacks(from, occupied) & !own);
    }
    for from in own & board.rooks_and_queens() {
        squares += count(attacks::rook_attacks(from, occupied) & !own);
    }
    for from in own & board.kings() {
        squares += count(attacks::king_attacks(from) & !own);
    }
    squares
}

fn pawn_squares(chess: &Chess, side: Color) -> i32 {
    let board = chess.board();
    let pawns = board.pawns() & board.by_color(side);
    let free = !board.occupied();
    let forward = side.fold_wb(8, -8);
    let steps = pawns.shift(forward) & free;
    let third = Bitboard::from_rank(side.relative_rank(Rank::Third));
    let double_steps = (steps & third).shift(forward) & free;
    let mut targets = board.by_color(side.other());
    if chess.turn() == side {
        targets |= chess.maybe_ep_square().map_or(Bitboard::EMPTY, Bitboard::from_square);
    }
    let mut squares = count(steps) + count(double_steps);
    for from in pawns {
        squares += count(attacks::pawn_attacks(side, from) & targets);
    }
    squares
}

/// Returns the king safety of `side` (eq. 3): shield minus tropism, `h - r`, in quarter points.
#[must_use]
pub fn king_safety(board: &Board, side: Color) -> i32 {
    let Some(king) = board.king_of(side) else { return 0 };
    let wing = wing(king);
    let open = open_files(board, wing);
    shield(board, side, wing, open) - tropism(board, side, king, open)
}

/// Returns the pawn shield (eq. 4): `h = 8·p2 + 4·p3 - 8·c`, in quarter points.
///
/// `p2` and `p3` are the pawns of `side` on its second and third rank, and `c` is the number of
/// open files. All are counted within `wing`. We choose the king's file and the two adjacent files.
#[must_use]
pub fn shield(board: &Board, side: Color, wing: Bitboard, open: Bitboard) -> i32 {
    let pawns = board.pawns() & board.by_color(side) & wing;
    let on = |rank| count(pawns & Bitboard::from_rank(side.relative_rank(rank)));
    QUARTERS * (8 * on(Rank::Second) + 4 * on(Rank::Third) - 8 * (count(open) / 8))
}

/// Returns the king tropism (eq. 5), plus penalties for bishops and rooks, in quarter points.
///
/// The formula is `r = Σ (14 - (|Δfile| + |Δrank|) / 2)·w` over the enemy's queens (`w` = 5/2),
/// rooks and bishops (1/2) and knights (1).
///
/// We choose to give penalties per piece. A bishop's is [`bishop_penalty`]. A rook's is 4 points on
/// one of the `open` files around the king.
#[must_use]
pub fn tropism(board: &Board, side: Color, king: Square, open: Bitboard) -> i32 {
    let enemy = board.by_color(side.other());
    // (14 - d/2)·w in quarter points is (28 - d)·2w, an integer for every w above
    let near = |pieces: Bitboard| -> i32 {
        (pieces & enemy).into_iter().map(|piece| 28 - way(king, piece)).sum()
    };
    let diagonals: i32 =
        (board.bishops() & enemy).into_iter().map(|b| bishop_penalty(king, b)).sum();
    5 * near(board.queens())
        + near(board.rooks() | board.bishops())
        + 2 * near(board.knights())
        + QUARTERS * (diagonals + 4 * count(board.rooks() & enemy & open))
}

/// Returns a bishop's penalty in eq. 5, in points.
///
/// The penalty is 3 if the king is on one of the bishop's diagonals, 2 one diagonal away, 1 two
/// diagonals away, and 0 beyond. We choose to ignore pieces in between.
#[must_use]
pub fn bishop_penalty(king: Square, bishop: Square) -> i32 {
    let (files, ranks) = apart(king, bishop);
    let diagonals = (files - ranks).abs().min((files + ranks).abs());
    (3 - diagonals).max(0)
}

/// Returns the king's file and the adjacent files.
#[must_use]
pub fn wing(king: Square) -> Bitboard {
    let file = Bitboard::from_file(king.file());
    let left = (file & !Bitboard::from_file(File::A)).shift(-1);
    let right = (file & !Bitboard::from_file(File::H)).shift(1);
    left | file | right
}

/// Returns the files of `wing` without pawns of either colour. We choose that half-open is not
/// open.
#[must_use]
pub fn open_files(board: &Board, wing: Bitboard) -> Bitboard {
    let mut open = wing;
    for pawn in board.pawns() & wing {
        open &= !Bitboard::from_file(pawn.file());
    }
    open
}

/// Returns the Manhattan distance: file distance plus rank distance.
fn way(a: Square, b: Square) -> i32 {
    let (files, ranks) = apart(a, b);
    files.abs() + ranks.abs()
}

fn apart(a: Square, b: Square) -> (i32, i32) {
    (
        a.file().to_u32() as i32 - b.file().to_u32() as i32,
        a.rank().to_u32() as i32 - b.rank().to_u32() as i32,
    )
}

fn count(squares: Bitboard) -> i32 {
    squares.count() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use shakmaty::CastlingMode;

    fn chess(fen: &str) -> Chess {
        Game::from_fen(fen, None).unwrap().chess
    }

    fn safety(fen: &str) -> i32 {
        king_safety(chess(fen).board(), Color::White)
    }

    #[test]
    fn start_position_by_hand() {
        // shield: three pawns on the second rank, 24 points. Tropism in quarters: queen 5·(28-8),
        // rooks 28-11 and 28-10, bishops 28-9 and 28-8, knights 2·(28-10) and 2·(28-9): 248.
        let measures = Measures::of(&Chess::default(), Color::White);
        assert_eq!(
            measures,
            Measures {
                material: 0,
                mobility: 4 * (16 + 4),
                king_safety: 4 * 24 - 248,
                king_exposure: 248 - 4 * 24,
            }
        );
        assert_eq!(measures, Measures::of(&Chess::default(), Color::Black));
    }

    #[test]
    fn shield_counts_pawns_and_open_files_on_three_files() {
        // f2, g3 and h4 around g1: 8 + 4 + 0; a2 is on another wing
        assert_eq!(safety("k7/8/8/8/7P/6P1/P4P2/6K1 w - - 0 1"), 4 * 12);
        // a pawn of either colour closes a file: +8 for f2, -8 for the open g file
        assert_eq!(safety("k7/7p/8/8/8/8/5P2/6K1 w - - 0 1"), 0);
        assert_eq!(safety("k7/8/8/8/8/8/8/6K1 w - - 0 1"), 4 * -24);
        // in the corner there are only two files
        assert_eq!(safety("k7/8/8/8/8/8/8/7K w - - 0 1"), 4 * -16);
    }

    #[test]
    fn tropism_keeps_quarter_points() {
        let open = 4 * -24;
        // knight a4 to e1: 4 + 3 = 7, so 10.5 points
        assert_eq!(safety("7k/8/8/8/n7/8/8/4K3 w - - 0 1"), open - 42);
        // queen a4: 10.5 · 5/2 = 26.25 points
        assert_eq!(safety("7k/8/8/8/q7/8/8/4K3 w - - 0 1"), open - 105);
        // rook a4: 10.5 / 2 = 5.25 points, and its file is not the king's
        assert_eq!(safety("7k/8/8/8/r7/8/8/4K3 w - - 0 1"), open - 21);
    }

    #[test]
    fn bishop_penalties_fall_off_over_three_diagonals() {
        let e1 = Square::E1;
        let penalties = [Square::H4, Square::A5, Square::H5, Square::H3, Square::H6, Square::H8];
        assert_eq!(penalties.map(|b| bishop_penalty(e1, b)), [3, 3, 2, 2, 1, 0]);
        // bishop h4: 4·24 open, (28 - 6) near, 4·3 on the diagonal
        assert_eq!(safety("k7/8/8/8/7b/8/8/4K3 w - - 0 1"), -96 - 22 - 12);
    }

    #[test]
    fn rook_penalties_need_an_open_file() {
        // d8 is on an open file next to the king; a pawn on d7 closes it and removes the penalty
        assert_eq!(safety("3r3k/8/8/8/8/8/8/4K3 w - - 0 1"), -96 - 20 - 16);
        assert_eq!(safety("3r3k/3p4/8/8/8/8/8/4K3 w - - 0 1"), -64 - 20);
        assert_eq!(safety("2r4k/8/8/8/8/8/8/4K3 w - - 0 1"), -96 - 19);
    }

    #[test]
    fn material_is_a_balance_and_mobility_counts_one_side() {
        let chess = chess("4k3/8/8/3q4/8/8/PP6/RN2KB2 w - - 0 1");
        assert_eq!(material(chess.board(), Color::White), 200 + 500 + 325 + 325 - 975);
        assert_eq!(material(chess.board(), Color::Black), -375);
        // pawns 2 each; rook none; knight a3, c3, d2; king d1, d2, e2, f2; bishop e2, d3, c4, b5,
        // a6, g2, h3
        assert_eq!(mobility(&chess, Color::White), 4 + 3 + 4 + 7);
    }

    #[test]
    fn en_passant_counts_for_the_side_to_move() {
        let with = chess("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
        let without = chess("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1");
        assert_eq!(mobility(&with, Color::White), mobility(&without, Color::White) + 1);
        assert_eq!(mobility(&with, Color::Black), mobility(&without, Color::Black));
    }

    #[test]
    fn all_pieces_of_one_side_are_worth_the_articles_bound() {
        // the bound of material in table 3
        let board = Board::new();
        let army: i32 =
            (board.white()).into_iter().filter_map(|s| board.role_at(s)).map(piece_value).sum();
        assert_eq!(army, 4075);
    }

    #[test]
    fn measures_are_symmetric_under_colour_swap() {
        for fen in [
            "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
            "2kr3r/ppp2p1p/8/4q3/2B1n3/8/PPP2QPP/3R1RK1 b - - 3 20",
            "8/5k2/8/3pP3/6r1/1B6/5K2/8 w - d6 0 60",
        ] {
            let here = chess(fen);
            let setup = here.to_setup(shakmaty::EnPassantMode::Always).into_mirrored();
            let there: Chess = setup.position(CastlingMode::Standard).unwrap();
            for side in Color::ALL {
                assert_eq!(Measures::of(&here, side), Measures::of(&there, side.other()), "{fen}");
            }
        }
    }
}
