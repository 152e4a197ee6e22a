//! Bitboard helpers shared by the terms: files, ranks, spans and distances, seen from either side.

pub use crate::chess::node::pawn_attacks;
use shakmaty::{Bitboard, Color, File, Rank, Square};

/// Moves `squares` one rank forward, as seen by `side`.
pub fn forward(squares: Bitboard, side: Color) -> Bitboard {
    Bitboard(side.fold_wb(squares.0 << 8, squares.0 >> 8))
}

/// Returns the files of `squares`, as squares of the first rank.
pub fn files_of(squares: Bitboard) -> Bitboard {
    let mut fallen = squares.0;
    fallen |= fallen >> 32;
    fallen |= fallen >> 16;
    Bitboard((fallen | fallen >> 8) & 0xff)
}

/// Returns all squares on the files of `squares`.
pub fn fill_files(squares: Bitboard) -> Bitboard {
    let mut fill = squares.0;
    fill |= fill << 8 | fill >> 8;
    fill |= fill << 16 | fill >> 16;
    Bitboard(fill | fill << 32 | fill >> 32)
}

/// Returns the squares ahead of `squares` on their files, as seen by `side`.
pub fn front_spans(squares: Bitboard, side: Color) -> Bitboard {
    let mut fill = forward(squares, side);
    fill |= forward(fill, side);
    fill |= Bitboard(side.fold_wb(fill.0 << 16, fill.0 >> 16));
    fill | Bitboard(side.fold_wb(fill.0 << 32, fill.0 >> 32))
}

/// Returns the left and right neighbours of `squares`.
pub const fn sideways(squares: Bitboard) -> Bitboard {
    Bitboard((squares.0 & !FILE_H) << 1 | (squares.0 & !FILE_A) >> 1)
}

/// Returns the files adjacent to `file`.
pub const fn beside(file: File) -> Bitboard {
    sideways(Bitboard(FILE_A << file.to_u32()))
}

/// Returns all ranks ahead of `square`, as seen by `side`.
pub fn ahead(square: Square, side: Color) -> Bitboard {
    let rank = square.rank().to_u32();
    match side {
        Color::White => Bitboard(u64::MAX.checked_shl(8 * (rank + 1)).unwrap_or(0)),
        Color::Black => Bitboard(!(u64::MAX << (8 * rank))),
    }
}

/// Returns the rank of `square` and all ranks ahead of it, as seen by `side`.
pub fn level_or_ahead(square: Square, side: Color) -> Bitboard {
    ahead(square, side) | Bitboard::from_rank(square.rank())
}

/// Returns the squares ahead of `square` on its file, as seen by `side`.
pub fn path(square: Square, side: Color) -> Bitboard {
    ahead(square, side) & Bitboard::from_file(square.file())
}

/// Returns the squares from which enemy pawns can block or capture a pawn of `side` that starts on
/// `square`.
pub fn passed_span(square: Square, side: Color) -> Bitboard {
    ahead(square, side) & (Bitboard::from_file(square.file()) | beside(square.file()))
}

/// Returns the square in front of `square`, or `square` itself on the last rank.
pub fn step(square: Square, side: Color) -> Square {
    side.fold_wb(square.offset(8), square.offset(-8)).unwrap_or(square)
}

/// Returns the rank of `square` as seen by `side`: 0 for its first rank, 7 for its last.
pub fn relative_rank(square: Square, side: Color) -> usize {
    side.relative_rank(square.rank()).to_usize()
}

/// Returns the given ranks as seen by `side`: 0 for its first rank, 7 for its last.
pub fn ranks<const N: usize>(side: Color, ranks: [u32; N]) -> Bitboard {
    ranks.into_iter().fold(Bitboard::EMPTY, |all, rank| {
        all | Bitboard::from_rank(side.relative_rank(Rank::new(rank)))
    })
}

/// Returns the distance of a file to the nearer edge: 0 for a and h, 3 for d and e.
pub fn edge_distance(file: File) -> usize {
    let file = file.to_usize();
    file.min(7 - file)
}

/// Returns the distance in king moves, 0 to 7.
pub const fn distance(a: Square, b: Square) -> usize {
    DISTANCES[a as usize][b as usize] as usize
}

/// King distances. A table is faster, since every evaluation needs the distance of most pieces to a
/// king.
const DISTANCES: [[u8; 64]; 64] = {
    let mut distances = [[0; 64]; 64];
    let mut i = 0;
    while i < 64 * 64 {
        let (a, b) = (Square::new(i / 64), Square::new(i % 64));
        distances[a as usize][b as usize] = a.distance(b) as u8;
        i += 1;
    }
    distances
};

/// Returns the four files of the king's wing: a to d for a king on a to c, e to h for one on f to
/// h, and c to f for one in the middle.
pub const fn flank(king: File) -> Bitboard {
    Bitboard(match king.to_u32() {
        0..=2 => FILE_A * 0b0000_1111,
        3 | 4 => FILE_A * 0b0011_1100,
        _ => FILE_A * 0b1111_0000,
    })
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_seen_from_a_side() {
        let pawn = Square::E4;
        assert_eq!(path(pawn, Color::White), front_spans(Bitboard::from(pawn), Color::White));
        assert_eq!(path(pawn, Color::Black), front_spans(Bitboard::from(pawn), Color::Black));
        assert_eq!(path(pawn, Color::White).count(), 4);
        assert_eq!(passed_span(Square::A7, Color::Black).count(), 12);
        assert_eq!(step(pawn, Color::Black), Square::E3);
        assert_eq!(relative_rank(Square::A7, Color::Black), 1);
        assert_eq!(fill_files(Bitboard::from(pawn)), Bitboard::from_file(File::E));
        let diagonal: Bitboard = (0..8).map(|i| Square::new(9 * i)).collect();
        assert_eq!(files_of(diagonal), Bitboard::from_rank(Rank::First));
        assert_eq!(files_of(Bitboard::from(Square::E8)), Bitboard::from(Square::E1));
        assert_eq!(files_of(Bitboard::EMPTY), Bitboard::EMPTY);
        let stoppers = Bitboard::from(Square::B6);
        let stopped = front_spans(stoppers, Color::Black);
        assert_eq!(
            (stopped | sideways(stopped)).into_iter().filter(|s| s.file() == File::A).count(),
            5
        );
        assert_eq!(beside(File::A), Bitboard::from_file(File::B));
        assert_eq!(ranks(Color::Black, [0]), Bitboard::from_rank(Rank::Eighth));
        assert_eq!(flank(File::G).count(), 32);
        let both = [Color::White, Color::Black].map(|side| pawn_attacks(Bitboard::FULL, side));
        assert_eq!(both.map(Bitboard::count), [56, 56]);
    }
}
