//! Sets of squares that the terms share: files, ranks ahead, spans, all seen from a side.

use shakmaty::{Bitboard, Color, File, Rank, Square};

/// The squares that pawns of `side` standing on `pawns` attack.
pub fn pawn_attacks(pawns: Bitboard, side: Color) -> Bitboard {
    let east = pawns.0 & !FILE_H;
    let west = pawns.0 & !FILE_A;
    Bitboard(side.fold_wb(east << 9 | west << 7, east >> 7 | west >> 9))
}

/// `squares` one step further, as `side` goes.
pub fn forward(squares: Bitboard, side: Color) -> Bitboard {
    Bitboard(side.fold_wb(squares.0 << 8, squares.0 >> 8))
}

/// The files on which any of `squares` lie, as squares of the first rank.
pub fn files_of(squares: Bitboard) -> Bitboard {
    let mut fallen = squares.0;
    fallen |= fallen >> 32;
    fallen |= fallen >> 16;
    Bitboard((fallen | fallen >> 8) & 0xff)
}

/// `squares` and all behind and before them on their files.
pub fn fill_files(squares: Bitboard) -> Bitboard {
    let mut fill = squares.0;
    fill |= fill << 8 | fill >> 8;
    fill |= fill << 16 | fill >> 16;
    Bitboard(fill | fill << 32 | fill >> 32)
}

/// All squares before `squares` on their files, as `side` goes; not the squares themselves.
pub fn front_spans(squares: Bitboard, side: Color) -> Bitboard {
    let mut fill = forward(squares, side);
    fill |= forward(fill, side);
    fill |= Bitboard(side.fold_wb(fill.0 << 16, fill.0 >> 16));
    fill | Bitboard(side.fold_wb(fill.0 << 32, fill.0 >> 32))
}

/// The squares to the left and to the right of each of `squares`.
pub const fn sideways(squares: Bitboard) -> Bitboard {
    Bitboard((squares.0 & !FILE_H) << 1 | (squares.0 & !FILE_A) >> 1)
}

/// The files to the left and to the right of `file`.
pub const fn beside(file: File) -> Bitboard {
    sideways(Bitboard(FILE_A << file.to_u32()))
}

/// All ranks beyond that of `square`, as `side` goes.
pub fn ahead(square: Square, side: Color) -> Bitboard {
    let rank = square.rank().to_u32();
    match side {
        Color::White => Bitboard(u64::MAX.checked_shl(8 * (rank + 1)).unwrap_or(0)),
        Color::Black => Bitboard(!(u64::MAX << (8 * rank))),
    }
}

/// The rank of `square` and all beyond it, as `side` goes.
pub fn level_or_ahead(square: Square, side: Color) -> Bitboard {
    ahead(square, side) | Bitboard::from_rank(square.rank())
}

/// The squares before `square` on its file, as `side` goes.
pub fn path(square: Square, side: Color) -> Bitboard {
    ahead(square, side) & Bitboard::from_file(square.file())
}

/// Where enemy pawns would stop or take a pawn on `square` on its way.
pub fn passed_span(square: Square, side: Color) -> Bitboard {
    ahead(square, side) & (Bitboard::from_file(square.file()) | beside(square.file()))
}

/// The square before `square`; on the last rank `square` itself.
pub fn step(square: Square, side: Color) -> Square {
    side.fold_wb(square.offset(8), square.offset(-8)).unwrap_or(square)
}

/// The rank of `square` as `side` counts, 0 its first.
pub fn relative_rank(square: Square, side: Color) -> usize {
    side.relative_rank(square.rank()).to_usize()
}

/// These of its ranks, 0 its first, as `side` counts.
pub fn ranks<const N: usize>(side: Color, ranks: [u32; N]) -> Bitboard {
    ranks.into_iter().fold(Bitboard::EMPTY, |all, rank| {
        all | Bitboard::from_rank(side.relative_rank(Rank::new(rank)))
    })
}

/// Distance of a file to the nearer edge of the board: 0 for a and h, 3 for d and e.
pub fn edge_distance(file: File) -> usize {
    let file = file.to_usize();
    file.min(7 - file)
}

/// Distance in king's moves: 0 to 7.
pub const fn distance(a: Square, b: Square) -> usize {
    DISTANCES[a as usize][b as usize] as usize
}

/// A table, as most pieces are asked for their distance to a king in every evaluation.
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

/// Files a to d for a king on the queen's side, e to h for one on the king's, the middle four else.
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
