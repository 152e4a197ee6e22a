//! Attack sets of both sides, made once for a position and shared by the terms.

use shakmaty::{Bitboard, Board, ByColor, ByRole, Chess, Color, Position, Role, Square, attacks};

/// A knight, bishop, rook or queen with the squares it attacks.
#[derive(Clone, Copy, Debug)]
pub struct Attacker {
    pub square: Square,
    pub role: Role,
    pub attacks: Bitboard,
}

/// What one side attacks.
#[derive(Clone, Debug)]
pub struct SideAttacks {
    pub king: Square,
    pub pawns: Bitboard,
    /// The king's square and those around it, and those one further towards the enemy.
    pub king_zone: Bitboard,
    attackers: [Attacker; Self::MOST],
    len: usize,
}

impl SideAttacks {
    /// Sixteen men but the king; only knights, bishops, rooks and queens are listed.
    const MOST: usize = 15;

    /// The side's knights, bishops, rooks and queens.
    pub fn attackers(&self) -> &[Attacker] {
        &self.attackers[..self.len]
    }

    fn of(board: &Board, side: Color) -> Self {
        let king = board.king_of(side).unwrap_or(Square::E1);
        let around = attacks::king_attacks(king);
        let forward = side.fold_wb(around.0 << 8, around.0 >> 8);
        let nobody = Attacker { square: king, role: Role::King, attacks: Bitboard::EMPTY };
        let mut this = Self {
            king,
            pawns: pawn_attacks(board.pawns() & board.by_color(side), side),
            king_zone: around.with(king) | Bitboard(forward),
            attackers: [nobody; Self::MOST],
            len: 0,
        };
        let pieces = board.by_color(side) & !board.pawns() & !board.kings();
        let roles: ByRole<Bitboard> = ByRole::new_with(|role| board.by_role(role));
        for square in pieces {
            let (role, attacks) = if roles.knight.contains(square) {
                (Role::Knight, attacks::knight_attacks(square))
            } else if roles.bishop.contains(square) {
                (Role::Bishop, attacks::bishop_attacks(square, board.occupied()))
            } else if roles.rook.contains(square) {
                (Role::Rook, attacks::rook_attacks(square, board.occupied()))
            } else {
                (Role::Queen, attacks::queen_attacks(square, board.occupied()))
            };
            this.attackers[this.len] = Attacker { square, role, attacks };
            this.len += 1;
        }
        this
    }
}

/// The squares attacked by `pawns` of `side`.
pub fn pawn_attacks(pawns: Bitboard, side: Color) -> Bitboard {
    let east = pawns & !Bitboard::from_file(shakmaty::File::H);
    let west = pawns & !Bitboard::from_file(shakmaty::File::A);
    match side {
        Color::White => Bitboard(east.0 << 9 | west.0 << 7),
        Color::Black => Bitboard(east.0 >> 7 | west.0 >> 9),
    }
}

/// The attack sets of both sides.
pub type Attacks = ByColor<SideAttacks>;

/// Makes the attack sets of `position`.
pub fn of(position: &Chess) -> Attacks {
    ByColor::new_with(|side| SideAttacks::of(position.board(), side))
}
