//! The article's evaluation: a weighted sum (eq. 7) of its four measures and nothing else.

use super::measures::{Measures, QUARTERS};
use crate::chess::{evaluator::Evaluator, score::Score};
use shakmaty::{Chess, Color, Move, Position};

/// The fixed-point unit of multipliers. With it, eq. 7 needs integer arithmetic only.
const PARTS_OF_ONE: i32 = 1 << 20;

/// How many units of [`MeasureEvaluator::parts`] make one centipawn, square or point.
pub const UNITS_PER_POINT: i64 = (PARTS_OF_ONE * QUARTERS) as i64;

/// The article's evaluation `Σ (1 + rᵢ·ε)·pᵢ`, under the feelings of the side at the root.
///
/// Mobility counts the root side only, so swapping the sides does not negate the score. The
/// evaluator therefore always takes the root side's measures and negates the result if the opponent
/// is to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasureEvaluator {
    root: Color,
    /// Fixed-point multipliers of material, mobility, king safety and king exposure.
    multipliers: [i64; 4],
}

impl MeasureEvaluator {
    /// The largest multiplier. The sum of four products with any `i32` fits in an `i64`.
    pub const LARGEST_MULTIPLIER: i32 = 1000;

    /// Creates an evaluator for `root` with the multipliers `1 + rᵢ·ε` of its four measures.
    ///
    /// Each multiplier is clamped to ±[`Self::LARGEST_MULTIPLIER`]. NaN counts as 1.
    #[must_use]
    pub fn new(root: Color, multipliers: [f64; 4]) -> Self {
        Self { root, multipliers: multipliers.map(fixed_point) }
    }

    /// Returns the four terms of eq. 7 in units of 1/[`UNITS_PER_POINT`], exact for all measures.
    #[must_use]
    pub fn parts(&self, measures: &Measures) -> [i64; 4] {
        let measures = measures.in_order();
        std::array::from_fn(|i| self.multipliers[i] * i64::from(measures[i]))
    }

    /// Returns the sum of eq. 7 in units of 1/[`UNITS_PER_POINT`], from the root side's point of
    /// view.
    #[must_use]
    pub fn total(&self, measures: &Measures) -> i64 {
        self.parts(measures).iter().sum()
    }
}

impl Evaluator for MeasureEvaluator {
    type Sums = ();

    fn sums(&self, _: &Chess) {}

    fn after(&self, (): (), _: &Chess, _: Move) {}

    fn evaluate(&mut self, position: &Chess, (): ()) -> Score {
        let score = score(self.total(&Measures::of(position, self.root)));
        if position.turn() == self.root { score } else { -score }
    }
}

/// Rounds `total` to the nearest static score. Halves round away from zero, which keeps both sides
/// symmetric.
fn score(total: i64) -> Score {
    let half = if total < 0 { -UNITS_PER_POINT / 2 } else { UNITS_PER_POINT / 2 };
    let limit = i64::from(Score::MAX_STATIC.centipawns());
    let centipawns = (total.saturating_add(half) / UNITS_PER_POINT).clamp(-limit, limit);
    Score::cp(centipawns as i32).clamp_static()
}

/// Converts a multiplier to fixed point: the only place in this file where a float affects play.
#[allow(clippy::float_arithmetic)]
fn fixed_point(multiplier: f64) -> i64 {
    let limit = f64::from(MeasureEvaluator::LARGEST_MULTIPLIER);
    let multiplier = if multiplier.is_nan() { 1.0 } else { multiplier.clamp(-limit, limit) };
    (multiplier * f64::from(PARTS_OF_ONE)).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;

    const QUEEN_UP: &str = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1";

    #[test]
    fn neutral_multipliers_give_the_plain_sum_and_both_sides_agree() {
        let mut evaluator = MeasureEvaluator::new(Color::White, [1.0; 4]);
        let white = Game::from_fen(QUEEN_UP, None).unwrap().chess;
        let black = Game::from_fen(&QUEEN_UP.replace(" w ", " b "), None).unwrap().chess;
        // material 975; queen 3 + 4 + 7 + 3 and king 4 squares; own shield -24; the exposure of a
        // king on e8 without pawns: 24 and a queen 8 steps away, 10 · 5/2
        assert_eq!(evaluator.evaluate(&white, ()), Score::cp(975 + 21 - 24 + 24 + 25));
        assert_eq!(evaluator.evaluate(&black, ()), -evaluator.evaluate(&white, ()));
    }

    #[test]
    fn halves_round_away_from_zero() {
        let quarters = |q: i64| score(q * i64::from(PARTS_OF_ONE));
        assert_eq!(
            [quarters(1), quarters(2), quarters(-1), quarters(-2)],
            [0, 1, 0, -1].map(Score::cp)
        );
    }

    #[test]
    fn extreme_values_do_not_overflow_or_become_mate_scores() {
        let extreme = Measures {
            material: i32::MIN,
            mobility: i32::MIN,
            king_safety: i32::MIN,
            king_exposure: i32::MIN,
        };
        for multiplier in [f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -1e300, f64::NAN] {
            let mut evaluator = MeasureEvaluator::new(Color::White, [multiplier; 4]);
            assert!(
                score(evaluator.total(&extreme)).centipawns().abs()
                    == Score::MAX_STATIC.centipawns()
            );
            let chess = Game::from_fen(QUEEN_UP, None).unwrap().chess;
            assert!(!evaluator.evaluate(&chess, ()).is_mate());
        }
        assert_eq!(
            MeasureEvaluator::new(Color::Black, [f64::NAN; 4]),
            MeasureEvaluator::new(Color::Black, [1.0; 4])
        );
    }
}
