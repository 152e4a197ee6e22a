//! Attack sets of both sides, computed once per position and shared by all terms.

use super::geometry::{forward, pawn_attacks};
use shakmaty::{Bitboard, Board, ByColor, ByRole, Color, File, Rank, Role, Square, attacks};

/// The attack sets of one side.
#[derive(Clone, Debug)]
pub struct SideAttacks {
    /// The square of this side's king; e1 on a board without one.
    pub king: Square,
    /// The squares attacked by each kind of piece.
    pub by: ByRole<Bitboard>,
    /// The squares attacked by anything.
    pub all: Bitboard,
    /// Squares attacked at least twice.
    pub twice: Bitboard,
    /// Squares attacked by two pawns.
    pub by_two_pawns: Bitboard,
    /// The king's square and its eight neighbours. For a king on the edge, the ring is shifted
    /// inwards.
    pub king_ring: Bitboard,
    /// Pieces and pawns of this side that are pinned to their king.
    pub pinned: Bitboard,
    /// Attacks of the piece on each square; stale on squares without a piece of this side.
    by_square: [Bitboard; 64],
}

impl SideAttacks {
    /// Returns the squares attacked by this side's knight, bishop, rook or queen on `square`.
    /// The result is meaningless if there is no such piece on `square`.
    ///
    /// Sliders see through own sliders that move the same way. Pinned pieces attack along the pin
    /// only.
    pub const fn of_piece(&self, square: Square) -> Bitboard {
        self.by_square[square as usize]
    }

    /// The attack sets on an empty board.
    const NONE: Self = Self {
        king: Square::E1,
        by: ByRole {
            pawn: Bitboard::EMPTY,
            knight: Bitboard::EMPTY,
            bishop: Bitboard::EMPTY,
            rook: Bitboard::EMPTY,
            queen: Bitboard::EMPTY,
            king: Bitboard::EMPTY,
        },
        all: Bitboard::EMPTY,
        twice: Bitboard::EMPTY,
        by_two_pawns: Bitboard::EMPTY,
        king_ring: Bitboard::EMPTY,
        pinned: Bitboard::EMPTY,
        by_square: [Bitboard::EMPTY; 64],
    };

    fn fill(&mut self, board: &Board, side: Color) {
        self.king = board.king_of(side).unwrap_or(Square::E1);
        let around = attacks::king_attacks(self.king);
        let pawns = board.pawns() & board.by_color(side);
        let pawn_attacks = pawn_attacks(pawns, side);
        self.by = ByRole { pawn: pawn_attacks, king: around, ..ByRole::default() };
        self.all = pawn_attacks | around;
        self.by_two_pawns = double_pawn_attacks(pawns, side);
        self.twice = self.by_two_pawns | (pawn_attacks & around);
        let centre = off_the_edge(self.king);
        self.king_ring = attacks::king_attacks(centre).with(centre);
        self.pinned = pinned(board, side, self.king);
        self.add_pieces(board, side);
    }

    fn add_pieces(&mut self, board: &Board, side: Color) {
        let own = board.by_color(side);
        let occupied = board.occupied();
        let through_queens = occupied & !(own & board.queens());
        let through_heavy = occupied & !(own & board.rooks_and_queens());
        for square in own & board.knights() {
            self.add(square, Role::Knight, attacks::knight_attacks(square));
        }
        for square in own & board.bishops() {
            self.add(square, Role::Bishop, attacks::bishop_attacks(square, through_queens));
        }
        for square in own & board.rooks() {
            self.add(square, Role::Rook, attacks::rook_attacks(square, through_heavy));
        }
        for square in own & board.queens() {
            self.add(square, Role::Queen, attacks::queen_attacks(square, occupied));
        }
    }

    fn add(&mut self, square: Square, role: Role, attacks: Bitboard) {
        let attacks = if self.pinned.contains(square) {
            attacks & attacks::ray(self.king, square)
        } else {
            attacks
        };
        *self.by.get_mut(role) |= attacks;
        self.twice |= self.all & attacks;
        self.all |= attacks;
        self.by_square[square as usize] = attacks;
    }
}

/// The square nearest to `square` that has neighbours on all sides.
fn off_the_edge(square: Square) -> Square {
    let inner = |coordinate: u32| coordinate.clamp(1, 6);
    let (file, rank) = (inner(square.file().to_u32()), inner(square.rank().to_u32()));
    Square::from_coords(File::new(file), Rank::new(rank))
}

/// Squares attacked by two pawns of `side`.
fn double_pawn_attacks(pawns: Bitboard, side: Color) -> Bitboard {
    let front = forward(pawns, side).0;
    let (a, h) = (Bitboard::from_file(File::A).0, Bitboard::from_file(File::H).0);
    Bitboard(((front & !h) << 1) & ((front & !a) >> 1))
}

fn pinned(board: &Board, side: Color, king: Square) -> Bitboard {
    let straight = attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens();
    let diagonal = attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens();
    let mut pinned = Bitboard::EMPTY;
    for sniper in (straight | diagonal) & board.by_color(!side) {
        let between = attacks::between(king, sniper) & board.occupied();
        if !between.more_than_one() {
            pinned |= between & board.by_color(side);
        }
    }
    pinned
}

/// The attack sets of both sides.
pub type Attacks = ByColor<SideAttacks>;

/// Computes the attack sets of `board`.
pub fn of(board: &Board) -> Attacks {
    let mut attacks = Attacks { black: SideAttacks::NONE, white: SideAttacks::NONE };
    fill(&mut attacks, board);
    attacks
}

/// Overwrites `attacks` with the attack sets of `board`. Reuse saves copying about a kilobyte per
/// evaluation.
pub fn fill(attacks: &mut Attacks, board: &Board) {
    attacks.white.fill(board, Color::White);
    attacks.black.fill(board, Color::Black);
}
