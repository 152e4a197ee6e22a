//! A bitbase for king and pawn against king: one bit per position says whether it is won.
//!
//! Mirroring the board leaves 24 squares for the pawn. The test below generates `kpk.bin` and
//! checks that the file is up to date. See <https://www.chessprogramming.org/KPK>.

use shakmaty::{File, Square};

/// The number of positions: side to move, pawn square, and the squares of both kings.
const POSITIONS: usize = 2 * 24 * 64 * 64;

/// One bit per position, set for wins of the side with the pawn and clear for impossible positions.
const WON: &[u8; POSITIONS / 8] = include_bytes!("kpk.bin");

/// Returns whether the side with the pawn wins with best play.
///
/// The pawn moves up the board and is on the second to the seventh rank. For a black pawn, flip all
/// squares vertically first.
pub(super) fn is_won(
    strong_king: Square,
    pawn: Square,
    weak_king: Square,
    strong_to_move: bool,
) -> bool {
    let seen = |square: Square| {
        if pawn.file() > File::D { square.flip_horizontal() } else { square }
    };
    let index = index(seen(strong_king), seen(pawn), seen(weak_king), strong_to_move);
    WON[index / 8] >> (index % 8) & 1 == 1
}

/// Returns the bit index of a position with the pawn on the files a to d.
fn index(strong_king: Square, pawn: Square, weak_king: Square, strong_to_move: bool) -> usize {
    let (file, rank) = (pawn.file().to_usize(), pawn.rank().to_usize());
    debug_assert!(file < 4 && (1..7).contains(&rank), "pawn on {pawn}");
    let pawn = (rank - 1) * 4 + file;
    let mover_and_pawn = usize::from(strong_to_move) * 24 + pawn;
    (mover_and_pawn * 64 + strong_king.to_usize()) * 64 + weak_king.to_usize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Bitboard, Color, Rank, attacks};
    use std::{env, fs, path::Path};

    /// A position with a white pawn on the files a to d and all pieces on different squares.
    #[derive(Clone, Copy)]
    struct Place {
        king: Square,
        pawn: Square,
        weak: Square,
        /// Whether the side with the pawn is to move.
        strong_to_move: bool,
    }

    impl Place {
        fn all() -> impl Iterator<Item = Self> {
            let half = Bitboard::from_file(File::A)
                | Bitboard::from_file(File::B)
                | Bitboard::from_file(File::C)
                | Bitboard::from_file(File::D);
            let pawns = half & !Bitboard::BACKRANKS;
            pawns.into_iter().flat_map(|pawn| {
                Bitboard::FULL.without(pawn).into_iter().flat_map(move |king| {
                    Bitboard::FULL.without(pawn).without(king).into_iter().flat_map(move |weak| {
                        [true, false].map(|strong_to_move| Self {
                            king,
                            pawn,
                            weak,
                            strong_to_move,
                        })
                    })
                })
            })
        }

        fn index(self) -> usize {
            index(self.king, self.pawn, self.weak, self.strong_to_move)
        }

        fn is_check(self) -> bool {
            attacks::pawn_attacks(Color::White, self.pawn).contains(self.weak)
        }

        fn is_legal(self) -> bool {
            let touch = attacks::king_attacks(self.king).contains(self.weak);
            let king_left_in_check = self.strong_to_move && self.is_check();
            !touch && !king_left_in_check
        }

        /// Returns whether the position is won, given the wins `known` so far.
        fn wins(self, known: &[bool]) -> bool {
            if self.strong_to_move { self.strong_wins(known) } else { self.weak_loses(known) }
        }

        fn strong_wins(self, known: &[bool]) -> bool {
            let after = |king, pawn| Self { king, pawn, strong_to_move: false, ..self };
            let guarded = attacks::king_attacks(self.weak).with(self.pawn);
            let steps = attacks::king_attacks(self.king) & !guarded;
            if steps.into_iter().any(|to| known[after(to, self.pawn).index()]) {
                return true;
            }
            let free = |to: &Square| *to != self.king && *to != self.weak;
            let Some(one) = self.pawn.offset(8).filter(free) else { return false };
            if one.rank() == Rank::Eighth {
                return self.promotion_wins(one);
            }
            let two = one.offset(8).filter(free).filter(|_| self.pawn.rank() == Rank::Second);
            [Some(one), two].into_iter().flatten().any(|to| known[after(self.king, to).index()])
        }

        /// A new queen or rook wins unless it can be captured immediately or gives stalemate.
        fn promotion_wins(self, at: Square) -> bool {
            let occupied = Bitboard::from(self.king);
            let straight = attacks::rook_attacks(at, occupied);
            [straight, straight | attacks::bishop_attacks(at, occupied)].into_iter().any(|seen| {
                let guarded = attacks::king_attacks(self.king) | seen;
                let escapes = attacks::king_attacks(self.weak) & !guarded;
                let stalemate = escapes.is_empty() && !seen.contains(self.weak);
                !escapes.contains(at) && !stalemate
            })
        }

        fn weak_loses(self, known: &[bool]) -> bool {
            let seen = attacks::pawn_attacks(Color::White, self.pawn);
            let guarded = attacks::king_attacks(self.king) | seen;
            let escapes = attacks::king_attacks(self.weak) & !guarded;
            if escapes.is_empty() {
                return self.is_check();
            }
            let after = |weak| Self { weak, strong_to_move: true, ..self };
            !escapes.contains(self.pawn) && escapes.into_iter().all(|to| known[after(to).index()])
        }
    }

    /// Retrograde analysis: repeatedly marks the positions that win in one more move.
    fn solve() -> Vec<bool> {
        let mut open: Vec<_> = Place::all().filter(|place| place.is_legal()).collect();
        let mut won = vec![false; POSITIONS];
        loop {
            let before = open.len();
            open.retain(|place| {
                let wins = place.wins(&won);
                won[place.index()] = wins;
                !wins
            });
            if open.len() == before {
                return won;
            }
        }
    }

    /// `UPDATE_GOLDEN=1 cargo test --lib kpk` regenerates `kpk.bin`.
    #[test]
    fn the_file_matches_retrograde_analysis() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/eval/kpk.bin");
        let byte =
            |bits: &[bool]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
        let now: Vec<u8> = solve().chunks(8).map(byte).collect();
        if env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&path, &now).unwrap();
        }
        assert!(fs::read(&path).unwrap() == now, "kpk.bin is out of date");
    }
}
