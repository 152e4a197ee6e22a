//! Opening moves: how often people of different ratings played each move of a position.
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

use crate::{search::memory::packed_move::PackedMove, support::random::hashed};
use shakmaty::{Chess, EnPassantMode, Move, Position, zobrist::Zobrist64};
use std::{borrow::Cow, collections::BTreeMap};

/// The number of half-moves at the start of a game that are counted.
pub const PLIES: usize = 24;
/// The ratings that stand for the bands of players.
const CENTRES: [u16; 4] = [1000, 1400, 1800, 2200];
/// The rating difference that halves the weight of a game.
const HALF: f64 = 300.0;
/// A position is kept if it occurred in this number of games.
const KEPT: u32 = 6;
/// A player's games count at most this often for one move, so that one player's taste stays one's.
const CAP: u8 = 3;
/// The number of games that outweighs the policy.
const PRIOR: f64 = 8.0;
/// Steps of a stored count per doubling.
const STEPS: f64 = 16.0;
/// Bytes of an entry: the key of the position, the move, and a count for each band.
const ENTRY: usize = 8 + 2 + CENTRES.len();

/// Opening moves of people. Sorted by position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book(Cow<'static, [u8]>);

impl Book {
    /// Returns the book counted in people's games.
    #[must_use]
    pub fn counted() -> Self {
        Self(Cow::Borrowed(include_bytes!("book.bin")))
    }

    /// Reads a book as [`Self::bytes`] writes it. Returns `None` if the length or order is wrong.
    #[must_use]
    pub fn of_bytes(bytes: Vec<u8>) -> Option<Self> {
        let (entries, rest) = bytes.as_chunks();
        (rest.is_empty() && entries.is_sorted_by_key(key)).then_some(Self(Cow::Owned(bytes)))
    }

    /// Returns the entries, sorted by position.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns how often people of about this `rating` played each of `moves` in `chess`. Games of
    /// other ratings count less. Returns `None` if the position is not in the book.
    #[must_use]
    pub fn counts(&self, chess: &Chess, rating: u16, moves: &[Move]) -> Option<Vec<f64>> {
        let entries = self.entries(position_key(chess));
        if entries.is_empty() {
            return None;
        }
        let weights = CENTRES.map(|centre| {
            let apart = f64::from(rating.abs_diff(centre)) / HALF;
            1.0 / (1.0 + apart * apart)
        });
        let count = |m: &Move| {
            let packed = PackedMove::from(*m).bits().to_le_bytes();
            let entry = entries.iter().find(|entry| entry[8..10] == packed);
            let counts = entry.map_or(&[][..], |entry| &entry[10..]);
            counts.iter().zip(weights).map(|(&steps, weight)| weight * unpacked(steps)).sum()
        };
        Some(moves.iter().map(count).collect())
    }

    fn entries(&self, wanted: u64) -> &[[u8; ENTRY]] {
        let all = self.0.as_chunks().0;
        let first = all.partition_point(|entry| key(entry) < wanted);
        let end = all.partition_point(|entry| key(entry) <= wanted);
        &all[first..end]
    }
}

/// Moves the probabilities `chances` of the moves of a position toward how often people played
/// them. The more games, the less the probabilities count.
pub fn follow(chances: &mut [f64], counts: &[f64]) {
    let games: f64 = counts.iter().sum();
    for (chance, count) in chances.iter_mut().zip(counts) {
        *chance = (*chance * PRIOR + count) / (PRIOR + games);
    }
}

/// Counts opening moves.
#[derive(Debug, Default)]
pub struct BookCounts {
    positions: BTreeMap<u64, BTreeMap<u16, [u32; CENTRES.len()]>>,
    /// How often a player's move was counted, by a hash of position, move and name.
    seen: BTreeMap<u64, u8>,
}

impl BookCounts {
    /// Counts that `player`, rated `rating`, played `m` in `chess`.
    pub fn add(&mut self, chess: &Chess, m: Move, player: &str, rating: u16) {
        let (key, packed) = (position_key(chess), PackedMove::from(m).bits());
        let seen = self.seen.entry(hashed(key ^ u64::from(packed), player)).or_default();
        if *seen >= CAP {
            return;
        }
        *seen += 1;
        let nearest = (0..CENTRES.len()).min_by_key(|&band| CENTRES[band].abs_diff(rating));
        let counts = self.positions.entry(key).or_default().entry(packed).or_default();
        counts[nearest.unwrap_or_default()] += 1;
    }

    /// Returns the book of all positions that occurred often enough.
    #[must_use]
    pub fn book(&self) -> Book {
        let mut bytes = Vec::new();
        for (key, moves) in &self.positions {
            if moves.values().flatten().sum::<u32>() < KEPT {
                continue;
            }
            for (packed, counts) in moves {
                bytes.extend(key.to_le_bytes());
                bytes.extend(packed.to_le_bytes());
                bytes.extend(counts.map(packed_count));
            }
        }
        Book(Cow::Owned(bytes))
    }
}

fn key(entry: &[u8; ENTRY]) -> u64 {
    entry.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

fn position_key(chess: &Chess) -> u64 {
    chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

fn packed_count(count: u32) -> u8 {
    (libm::log2(f64::from(count) + 1.0) * STEPS).round() as u8
}

fn unpacked(steps: u8) -> f64 {
    libm::exp2(f64::from(steps) / STEPS) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Square, san::San};

    fn find(chess: &Chess, san: &str) -> Move {
        san.parse::<San>().unwrap().to_move(chess).unwrap()
    }

    #[test]
    fn moves_are_counted_by_rating_and_survive_a_file() {
        let chess = Chess::default();
        let [e4, f4, d4] = ["e4", "f4", "d4"].map(|san| find(&chess, san));
        let mut counts = BookCounts::default();
        for player in 0..40 {
            counts.add(&chess, e4, &player.to_string(), 2300);
            counts.add(&chess, f4, &player.to_string(), 900);
        }
        let book = Book::of_bytes(counts.book().bytes().to_vec()).unwrap();
        assert_eq!(book.bytes().len(), 2 * ENTRY);
        let strong = book.counts(&chess, 2200, &[d4, e4, f4]).unwrap();
        let weak = book.counts(&chess, 1000, &[d4, e4, f4]).unwrap();
        assert!((strong[1] - 40.0).abs() < 1.0 && strong[2] < 5.0, "{strong:?}");
        assert!((weak[2] - 40.0).abs() < 1.0 && weak[1] < 5.0, "{weak:?}");
        assert!(weak[0] == 0.0);
        let mut after = chess.clone();
        after.play_unchecked(e4);
        assert_eq!(book.counts(&after, 1500, &[]), None);
        assert_eq!(Book::of_bytes(vec![0; ENTRY + 1]), None);
        let unsorted: Vec<u8> = (0..2 * ENTRY as u8).rev().collect();
        assert_eq!(Book::of_bytes(unsorted), None);
    }

    #[test]
    fn rare_positions_and_one_players_taste_are_left_out() {
        let chess = Chess::default();
        let a3 = find(&chess, "a3");
        let mut counts = BookCounts::default();
        (0..100).for_each(|_| counts.add(&chess, a3, "somebody", 1500));
        assert!(counts.book().bytes().is_empty(), "three games of one player");
    }

    #[test]
    fn the_shipped_book_knows_the_first_moves_and_fits_its_bound() {
        let book = Book::counted();
        assert!(Book::of_bytes(book.bytes().to_vec()).is_some_and(|read| read == book));
        assert!(book.bytes().len() < 1 << 20);
        let chess = Chess::default();
        let moves = chess.legal_moves();
        let counts = book.counts(&chess, 1500, &moves).unwrap();
        let best = counts.iter().zip(&moves).max_by(|a, b| a.0.total_cmp(b.0)).unwrap().1;
        assert_eq!((best.from(), best.to()), (Some(Square::E2), Square::E4));
    }

    #[test]
    fn counts_outweigh_the_policy_as_they_grow() {
        let mut few = [0.5, 0.5];
        follow(&mut few, &[1.0, 0.0]);
        let mut many = [0.5, 0.5];
        follow(&mut many, &[1000.0, 0.0]);
        assert!(few[0] > 0.5 && few[0] < 0.6 && many[0] > 0.99, "{few:?} {many:?}");
        assert!((many.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}
