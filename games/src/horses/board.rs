//! Squares of the board and the steps of a knight.

use crate::notation::{NotationError, shown};
use std::fmt;

/// A square of the 8 × 8 board, from a1 (0) along the ranks to h8 (63).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The number of squares.
    pub const COUNT: usize = 64;

    /// Returns the square with this index, 0 to 63. Larger indices wrap around.
    #[must_use]
    pub const fn new(index: u8) -> Self {
        Self(index % 64)
    }

    /// Returns the index, 0 to 63.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the file, 0 to 7.
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 % 8
    }

    /// Returns the rank, 0 to 7.
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 / 8
    }

    /// Returns the set with only this square.
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// Returns the squares a knight's step away.
    #[must_use]
    pub const fn steps(self) -> u64 {
        STEPS[self.index()]
    }

    /// Returns the Euclidean distance to the centre of the board, 0.71 to 4.95 squares.
    #[must_use]
    pub fn distance_from_centre(self) -> f64 {
        let [file, rank] = [self.file(), self.rank()].map(|line| f64::from(line) - 3.5);
        (file * file + rank * rank).sqrt()
    }

    /// Reads a square such as `c3`.
    ///
    /// # Errors
    /// If `text` is not a square. The error calls it `place`.
    pub fn parse(text: &str, place: &str) -> Result<Self, NotationError> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Self((rank - b'1') * 8 + file - b'a')),
            _ => Err(NotationError::new(place, shown(text), "a square from a1 to h8")),
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

/// Iterates over the squares of a set, in the order of their indices.
pub fn squares(mut set: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| Square(set.trailing_zeros() as u8))?;
        set &= set - 1;
        Some(first)
    })
}

/// The knight's steps from each square.
const STEPS: [u64; Square::COUNT] = steps();

const fn steps() -> [u64; Square::COUNT] {
    const JUMPS: [(i8, i8); 8] =
        [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    let mut steps = [0; Square::COUNT];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < JUMPS.len() {
            let (file, rank) = (from % 8 + JUMPS[i].0, from / 8 + JUMPS[i].1);
            if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                steps[from as usize] |= 1 << (rank * 8 + file);
            }
            i += 1;
        }
        from += 1;
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_knight_has_two_to_eight_steps() {
        let steps = |name: &str| {
            let set = squares(Square::parse(name, "square").unwrap().steps());
            set.map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(steps("a1"), "c2 b3");
        assert_eq!(steps("h8"), "g6 f7");
        assert_eq!(steps("d4"), "c2 e2 b3 f3 b5 f5 c6 e6");
        let all: u32 = STEPS.iter().map(|set| set.count_ones()).sum();
        assert_eq!(all, 336);
    }

    #[test]
    fn squares_read_back_as_written() {
        for square in squares(u64::MAX) {
            assert_eq!(Square::parse(&square.to_string(), "square"), Ok(square));
        }
        for wrong in ["", "a", "a0", "a9", "i1", "a11", "A1", "é"] {
            assert!(Square::parse(wrong, "square").is_err(), "{wrong}");
        }
    }
}
