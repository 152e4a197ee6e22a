//! What a score is worth: how often our own games were won, drawn and lost from it.
//!
//! Proportional odds: a game is won with log-odds `steepness · score - reserve` and lost with those
//! of the negated score; the rest are draws. Both coefficients follow the material on the board,
//! because the same lead is worth more or less with less on it.
//! <https://en.wikipedia.org/wiki/Ordered_logit>

use crate::chess::score::Score;
use shakmaty::Board;
use std::fmt;

/// How many coefficients a polynomial in the material has.
pub const TERMS: usize = 3;

/// A polynomial in the [`fullness`] of the board, the constant first.
pub type Polynomial = [f64; TERMS];

/// How a score becomes chances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    pub steepness: Polynomial,
    /// Above 0 on any board, or wins and losses overlap.
    pub reserve: Polynomial,
}

/// What `deepfeeling wdl` fitted to 5,467 games of our own (`duel standard neutral --nodes 10000`, from
/// balanced openings): 174,378 positions, every fourth, of which each foretells the result with a loss
/// of 0.68 nats, against 1.08 without the score.
pub const OURS: Model =
    Model { steepness: [1.399, -0.306, -0.361], reserve: [3.777, -6.073, 3.143] };

/// The chances of a game, for one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    pub win: f64,
    pub draw: f64,
    pub loss: f64,
}

/// Chances in thousandths, which add up to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    pub win: u16,
    pub draw: u16,
    pub loss: u16,
}

impl Model {
    /// The chances of the side that `pawns` speak for, on a board of this [`fullness`].
    #[must_use]
    pub fn chances(&self, pawns: f64, fullness: f64) -> Chances {
        let (lead, reserve) = (pawns * self.steepness(fullness), self.reserve(fullness));
        let (win, loss) = (logistic(lead - reserve), logistic(-lead - reserve));
        Chances { win, draw: (1.0 - win - loss).max(0.0), loss }
    }

    /// Log-odds for each pawn of score.
    #[must_use]
    pub fn steepness(&self, fullness: f64) -> f64 {
        at(&self.steepness, fullness)
    }

    /// Log-odds against a win from a level score.
    #[must_use]
    pub fn reserve(&self, fullness: f64) -> f64 {
        at(&self.reserve, fullness)
    }

    /// The chances of the side that `score` speaks for, on `board`. A forced mate is certain.
    #[must_use]
    pub fn wdl(&self, score: Score, board: &Board) -> Wdl {
        if let Some(plies) = score.mate_distance() {
            let win = if plies > 0 { 1000 } else { 0 };
            return Wdl { win, draw: 0, loss: 1000 - win };
        }
        let chances = self.chances(f64::from(score.centipawns()) / 100.0, fullness(board));
        let permille = |chance: f64| (chance * 1000.0).round() as u16;
        let win = permille(chances.win).min(1000);
        let loss = permille(chances.loss).min(1000 - win);
        Wdl { win, draw: 1000 - win - loss, loss }
    }
}

impl fmt::Display for Wdl {
    /// As UCI writes it: `310 600 90`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.win, self.draw, self.loss)
    }
}

/// The material of both sides as a share of that at the start, counted 1, 3, 3, 5 and 9; at most 1.
#[must_use]
pub fn fullness(board: &Board) -> f64 {
    /// The count of the initial position.
    const FULL: u32 = 78;
    let minors = board.knights() | board.bishops();
    let counted = [(board.pawns(), 1), (minors, 3), (board.rooks(), 5), (board.queens(), 9)];
    let material: u32 = counted.map(|(men, worth)| men.count() as u32 * worth).iter().sum();
    f64::from(material.min(FULL)) / f64::from(FULL)
}

/// The powers of `fullness` that a [`Polynomial`] weighs.
#[must_use]
pub fn powers(fullness: f64) -> Polynomial {
    [1.0, fullness, fullness * fullness]
}

fn at(polynomial: &Polynomial, fullness: f64) -> f64 {
    polynomial.iter().zip(powers(fullness)).map(|(factor, power)| factor * power).sum()
}

/// The chance that log-odds stand for.
#[must_use]
pub fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-odds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    const ROOKS: &str = "3rk3/pp6/8/8/8/8/PPP5/3RK3";
    const KINGS: &str = "4k3/8/8/8/8/8/8/4K3";

    fn board(fen: &str) -> Board {
        Board::from_ascii_board_fen(fen.as_bytes()).unwrap()
    }

    #[test]
    fn mates_are_certain() {
        let board = board(START);
        assert_eq!(OURS.wdl(Score::mate_in(7), &board).to_string(), "1000 0 0");
        assert_eq!(OURS.wdl(Score::mated_in(8), &board).to_string(), "0 0 1000");
        assert_eq!(OURS.wdl(Score::mated_in(0), &board).to_string(), "0 0 1000");
    }

    #[test]
    fn the_board_empties_from_one_to_nothing() {
        let percent = |fen| (100.0 * fullness(&board(fen))).round() as i32;
        assert_eq!([START, ROOKS, KINGS].map(percent), [100, 19, 0]);
        // promoted men do not overfill it
        assert_eq!(percent("QQQQkQQQ/8/8/8/8/8/8/qqqqKqqq"), 100);
    }

    #[test]
    fn the_model_holds_for_any_material() {
        for material in 0..=78 {
            let fullness = f64::from(material) / 78.0;
            assert!(OURS.steepness(fullness) > 0.0 && OURS.reserve(fullness) > 0.0);
        }
    }

    proptest! {
        #[test]
        fn chances_add_up_mirror_and_grow(
            cp in -25_000_i32..25_000, more in 0_i32..500, fen in 0_usize..3,
        ) {
            let board = board([START, ROOKS, KINGS][fen]);
            let wdl = OURS.wdl(Score::cp(cp), &board);
            prop_assert_eq!(wdl.win + wdl.draw + wdl.loss, 1000);
            let mirrored = OURS.wdl(Score::cp(-cp), &board);
            prop_assert_eq!((mirrored.win, mirrored.loss), (wdl.loss, wdl.win));
            let better = OURS.wdl(Score::cp(cp + more), &board);
            prop_assert!(better.win >= wdl.win && better.loss <= wdl.loss);
        }
    }
}
