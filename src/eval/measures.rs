//! The article's four parameters (eqs. 1-5), exact: in quarter points.
//!
//! Laureano-Cruces et al. 2012, section "evaluation function". King tropism has quarter points,
//! and eq. 7 multiplies by up to forty, so nothing is rounded here. What the article leaves open and
//! we choose is said at each function.

use shakmaty::{Bitboard, Board, Chess, Color, File, Position, Rank, Role, Square, attacks};

/// Quarter points in a point, a centipawn or a square.
pub const QUARTERS: i32 = 4;

/// The four measures of one side, exact: in quarter points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// BM, eq. 1
    pub material: i32,
    /// Mov, eq. 2
    pub mobility: i32,
    /// `SegR`, eqs. 3-5
    pub king_safety: i32,
    /// `IndROp`: the opponent's king safety with its sign turned.
    pub king_exposure: i32,
}

impl Measures {
    /// The measures of `side`, whoever is to move.
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

    /// Material, mobility, king safety and king exposure: the order of eq. 7 and of table 6.
    #[must_use]
    pub const fn in_order(&self) -> [i32; 4] {
        [self.material, self.mobility, self.king_safety, self.king_exposure]
    }
}

/// What a piece is worth to eq. 1, in centipawns. A king counts nothing: both sides have one.
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

/// Material balance (eq. 1): own piece values less the opponent's, in centipawns.
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

/// Mobility (eq. 2): the squares each piece of `side` can move to, summed.
///
/// We choose pseudo-legal moves, so that it is defined whoever is to move: pieces go where they
/// attack but not on own pieces; the king too, attacked squares included, without castling; pawns
/// step, step twice from their second rank, capture what stands there, and take en passant when
/// `side` is to move. A promotion is one square, not four moves.
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

/// King safety (eq. 3): shield less tropism, `h - r`, of the king of `side`, in quarter points.
#[must_use]
pub fn king_safety(board: &Board, side: Color) -> i32 {
    let Some(king) = board.king_of(side) else { return 0 };
    let wing = wing(king);
    let open = open_files(board, wing);
    shield(board, side, wing, open) - tropism(board, side, king, open)
}

/// Pawn shield (eq. 4): `h = 8·p2 + 4·p3 - 8·c`, in quarter points. p2 and p3 are the own pawns on
/// their second and third rank and c the open files, all within `wing`: we choose the king's file
/// and the two beside it.
#[must_use]
pub fn shield(board: &Board, side: Color, wing: Bitboard, open: Bitboard) -> i32 {
    let pawns = board.pawns() & board.by_color(side) & wing;
    let on = |rank| count(pawns & Bitboard::from_rank(side.relative_rank(rank)));
    QUARTERS * (8 * on(Rank::Second) + 4 * on(Rank::Third) - 8 * (count(open) / 8))
}

/// King tropism (eq. 5): `r = Σ (14 - (|Δfile| + |Δrank|) / 2)·w` over the enemy's queens (w 5/2),
/// rooks and bishops (w 1/2) and knights (w 1), and their penalties, in quarter points.
///
/// Penalties are given for each piece (we choose): a bishop's by [`bishop_penalty`]; a rook's is 4
/// when it stands on one of the `open` files around the king.
#[must_use]
pub fn tropism(board: &Board, side: Color, king: Square, open: Bitboard) -> i32 {
    let enemy = board.by_color(side.other());
    // (14 - d/2)·w in quarters is (28 - d)·2w: whole numbers for every w above
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

/// A bishop's penalty in eq. 5, in points: 3, 2 or 1 when the king stands on one of its diagonals,
/// one or two diagonals away, else 0. Geometry alone, whatever stands between (we choose).
#[must_use]
pub fn bishop_penalty(king: Square, bishop: Square) -> i32 {
    let (files, ranks) = apart(king, bishop);
    let diagonals = (files - ranks).abs().min((files + ranks).abs());
    (3 - diagonals).max(0)
}

/// The king's file and those beside it.
#[must_use]
pub fn wing(king: Square) -> Bitboard {
    let file = Bitboard::from_file(king.file());
    let left = (file & !Bitboard::from_file(File::A)).shift(-1);
    let right = (file & !Bitboard::from_file(File::H)).shift(1);
    left | file | right
}

/// The files of `wing` without a pawn of either colour (we choose: half-open is not open).
#[must_use]
pub fn open_files(board: &Board, wing: Bitboard) -> Bitboard {
    let mut open = wing;
    for pawn in board.pawns() & wing {
        open &= !Bitboard::from_file(pawn.file());
    }
    open
}

/// Files and ranks between two squares, added up.
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
    fn shield_counts_second_and_third_rank_and_open_files_of_three_files() {
        // f2, g3 and h4 around g1: 8 + 4 + 0; a2 is elsewhere
        assert_eq!(safety("k7/8/8/8/7P/6P1/P4P2/6K1 w - - 0 1"), 4 * 12);
        // a pawn of either colour closes a file: f2 gives 8, the open g file takes it
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
    fn bishops_press_on_three_diagonals_to_each_side() {
        let e1 = Square::E1;
        let penalties = [Square::H4, Square::A5, Square::H5, Square::H3, Square::H6, Square::H8];
        assert_eq!(penalties.map(|b| bishop_penalty(e1, b)), [3, 3, 2, 2, 1, 0]);
        // bishop h4: 4·24 open, (28 - 6) near, 4·3 on the diagonal
        assert_eq!(safety("k7/8/8/8/7b/8/8/4K3 w - - 0 1"), -96 - 22 - 12);
    }

    #[test]
    fn rooks_press_on_open_files_only() {
        // d8 is on an open file beside the king; with a pawn on d7 neither file nor penalty is
        assert_eq!(safety("3r3k/8/8/8/8/8/8/4K3 w - - 0 1"), -96 - 20 - 16);
        assert_eq!(safety("3r3k/3p4/8/8/8/8/8/4K3 w - - 0 1"), -64 - 20);
        assert_eq!(safety("2r4k/8/8/8/8/8/8/4K3 w - - 0 1"), -96 - 19);
    }

    #[test]
    fn material_is_balance_and_mobility_is_ours_alone() {
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
    fn full_army_reaches_the_articles_bounds() {
        // table 3: one side's pieces alone, and their most squares
        let board = Board::new();
        let army: i32 =
            (board.white()).into_iter().filter_map(|s| board.role_at(s)).map(piece_value).sum();
        assert_eq!(army, 4075);
    }

    #[test]
    fn colours_mirror() {
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
