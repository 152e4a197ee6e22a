//! Converts a score to win, draw and loss probabilities, fitted to the engine's own games.
//!
//! The model is an ordered logit (proportional odds). A win has the log-odds
//! `steepness · score - reserve`, and a loss has the same with the negated score. The rest are
//! draws. Both coefficients depend on the material, because the same lead is worth more or less
//! with fewer pieces on the board.
//! <https://en.wikipedia.org/wiki/Ordered_logit>

use crate::chess::score::Score;
use shakmaty::Board;
use std::fmt;

/// Number of coefficients of a polynomial in the material.
pub const TERMS: usize = 3;

/// Coefficients of a polynomial in the [`fullness`] of the board, the constant first.
pub type Polynomial = [f64; TERMS];

/// The coefficients that convert a score to probabilities.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct WdlModel {
    pub steepness: Polynomial,
    /// Must be positive on any board, otherwise wins and losses overlap.
    pub reserve: Polynomial,
}

/// Coefficients that `deepfeeling wdl` fitted to 5,467 of our own games
/// (`duel standard neutral --nodes 10000`, from balanced openings). The data are 174,378 positions, every fourth of these
/// games. The average loss is 0.68 nats, against 1.08 without the score.
pub const OURS: WdlModel =
    WdlModel { steepness: [1.399, -0.306, -0.361], reserve: [3.777, -6.073, 3.143] };

/// The probabilities of win, draw and loss for one side.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Chances {
    pub win: f64,
    pub draw: f64,
    pub loss: f64,
}

/// Probabilities of win, draw and loss in permille, which add up to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WdlPermille {
    pub win: u16,
    pub draw: u16,
    pub loss: u16,
}

impl WdlModel {
    /// Returns the probabilities for the side that leads by `pawns`, on a board of this
    /// [`fullness`].
    #[must_use]
    pub fn chances(&self, pawns: f64, fullness: f64) -> Chances {
        let (lead, reserve) = (pawns * self.steepness(fullness), self.reserve(fullness));
        let (win, loss) = (logistic(lead - reserve), logistic(-lead - reserve));
        Chances { win, draw: (1.0 - win - loss).max(0.0), loss }
    }

    /// Returns the log-odds per pawn of score.
    #[must_use]
    pub fn steepness(&self, fullness: f64) -> f64 {
        at(&self.steepness, fullness)
    }

    /// Returns the log-odds against a win at an even score.
    #[must_use]
    pub fn reserve(&self, fullness: f64) -> f64 {
        at(&self.reserve, fullness)
    }

    /// Returns the probabilities for the side that `score` refers to, on `board`. A forced mate is
    /// certain.
    #[must_use]
    pub fn wdl(&self, score: Score, board: &Board) -> WdlPermille {
        if let Some(plies) = score.mate_distance() {
            let win = if plies > 0 { 1000 } else { 0 };
            return WdlPermille { win, draw: 0, loss: 1000 - win };
        }
        let chances = self.chances(f64::from(score.centipawns()) / 100.0, fullness(board));
        let permille = |chance: f64| (chance * 1000.0).round() as u16;
        let win = permille(chances.win).min(1000);
        let loss = permille(chances.loss).min(1000 - win);
        WdlPermille { win, draw: 1000 - win - loss, loss }
    }
}

impl fmt::Display for WdlPermille {
    /// Writes the probabilities as in UCI: `310 600 90`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.win, self.draw, self.loss)
    }
}

/// Returns the material of both sides as a share of the initial material, at most 1. Pieces count
/// 1, 3, 3, 5 and 9.
#[must_use]
pub fn fullness(board: &Board) -> f64 {
    /// Material of the initial position.
    const FULL: u32 = 78;
    let minors = board.knights() | board.bishops();
    let counted = [(board.pawns(), 1), (minors, 3), (board.rooks(), 5), (board.queens(), 9)];
    let material: u32 = counted.map(|(men, worth)| men.count() as u32 * worth).iter().sum();
    f64::from(material.min(FULL)) / f64::from(FULL)
}

/// Returns the powers of `fullness` that the coefficients of a [`Polynomial`] multiply.
#[must_use]
pub fn powers(fullness: f64) -> Polynomial {
    [1.0, fullness, fullness * fullness]
}

fn at(polynomial: &Polynomial, fullness: f64) -> f64 {
    polynomial.iter().zip(powers(fullness)).map(|(factor, power)| factor * power).sum()
}

/// Converts log-odds to a probability.
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
    fn fullness_ranges_from_one_to_zero() {
        let percent = |fen| (100.0 * fullness(&board(fen))).round() as i32;
        assert_eq!([START, ROOKS, KINGS].map(percent), [100, 19, 0]);
        // promoted pieces do not exceed the maximum
        assert_eq!(percent("QQQQkQQQ/8/8/8/8/8/8/qqqqKqqq"), 100);
    }

    #[test]
    fn coefficients_are_positive_for_any_material() {
        for material in 0..=78 {
            let fullness = f64::from(material) / 78.0;
            assert!(OURS.steepness(fullness) > 0.0 && OURS.reserve(fullness) > 0.0);
        }
    }

    proptest! {
        #[test]
        fn probabilities_add_up_mirror_and_grow_with_the_score(
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
