//! The winning chance of a person, by lichess's published formula.
//!
//! The formula is described on <https://lichess.org/page/accuracy>. Details come from
//! `WinPercent.scala` in
//! <https://github.com/lichess-org/lila/tree/master/modules/analyse/src/main>.

use super::score::Score;

/// Maximum absolute score in centipawns. Larger scores and mates are clamped to it.
pub const CEILING: i32 = 1000;
/// Slope of the winning chance in the logistic function, per centipawn.
const SLOPE: f64 = -0.003_682_08;

/// Returns the winning chance with this score, in percent.
#[must_use]
pub fn win_chance(score: Score) -> f64 {
    100.0 / (1.0 + libm::exp(SLOPE * f64::from(clamped(score))))
}

/// Returns the score in centipawns, limited to [`CEILING`].
#[must_use]
pub fn clamped(score: Score) -> i32 {
    score.centipawns().clamp(-CEILING, CEILING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_even_at_zero_and_flat_beyond_ten_pawns() {
        let near = |score: Score, expected: f64| {
            let found = win_chance(score);
            assert!((found - expected).abs() < 5e-4, "found {found}, expected {expected}");
        };
        near(Score::cp(0), 50.0);
        // 100 / (1 + e^-0.368208) and 100 / (1 + e^-3.68208)
        near(Score::cp(100), 59.1026);
        near(Score::cp(-100), 40.8974);
        near(Score::cp(1000), 97.5448);
        for score in [Score::cp(5000), Score::win_in(3), Score::mate_in(1)] {
            near(score, 97.5448);
            near(-score, 2.4552);
        }
    }
}
