//! Accuracy and move grades, by lichess's published formulas.
//!
//! The formulas are described on <https://lichess.org/page/accuracy>. Details come from
//! `AccuracyPercent.scala` and `Advice.scala` in
//! <https://github.com/lichess-org/lila/tree/master/modules/analyse/src/main>. There is one
//! difference: lichess assumes 15 centipawns for the initial position, while it is searched here
//! like all others.

use crate::{
    chess::{
        score::Score,
        win_chance::{CEILING, clamped, win_chance},
    },
    support::variants::variants,
};

/// Scale, slope and shift of the accuracy of a move as an exponential function of the lost chance.
const ACCURACY: (f64, f64, f64) =
    (103.166_810_071_164_9, -0.043_544_153_867_539_51, -3.166_924_740_191_411);
/// Bonus added to the accuracy of every move, because the analysis itself is imperfect.
const BONUS: f64 = 1.0;

/// The grade of a bad move.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr, strum::VariantArray,
)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum MoveGrade {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl MoveGrade {
    /// All grades, from the mildest to the worst.
    pub const ALL: [Self; 3] = variants();

    /// Returns the name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.into_str()
    }

    /// Returns the numeric annotation glyph: 6 (`?!`), 2 (`?`) or 4 (`??`).
    #[must_use]
    pub const fn glyph(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }

    /// Grades a move by the scores before and after it, both from the mover's point of view.
    /// Returns `None` if the move is not bad.
    #[must_use]
    pub fn of(before: Score, after: Score) -> Option<Self> {
        let mates = before.is_mate() && !before.is_lost();
        let is_mated = after.is_mate() && after.is_lost();
        let lost_mate = mates && (!after.is_mate() || is_mated);
        let met_mate = !before.is_mate() && is_mated;
        if lost_mate || met_mate {
            // a missed or allowed mate matters less if the game is decided anyway
            let rest = if met_mate { -clamped(before) } else { clamped(after) };
            return Some(match rest {
                CEILING.. => Self::Inaccuracy,
                701.. => Self::Mistake,
                _ => Self::Blunder,
            });
        }
        if before.is_mate() || after.is_mate() {
            return None;
        }
        // the thresholds are for chances from -1 to 1: 0.02 correspond to 1 %
        match (win_chance(before) - win_chance(after)) / 50.0 {
            0.3.. => Some(Self::Blunder),
            0.2.. => Some(Self::Mistake),
            0.1.. => Some(Self::Inaccuracy),
            _ => None,
        }
    }
}

/// Returns the accuracy of a move, 0 to 100, from the mover's winning chances before and after it
/// in percent.
#[must_use]
pub fn accuracy(before: f64, after: f64) -> f64 {
    if after >= before {
        return 100.0;
    }
    let (scale, slope, shift) = ACCURACY;
    let raw = scale * libm::exp(slope * (before - after)) + shift;
    (raw + BONUS).clamp(0.0, 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 5e-4, "found {found}, expected {expected}");
    }

    #[test]
    fn accuracy_falls_with_the_loss_of_chance() {
        near(accuracy(40.0, 40.0), 100.0);
        near(accuracy(40.0, 90.0), 100.0);
        // 103.16681 e^(-0.04354415 x) - 3.16692 + 1 for the losses x = 10 and 20; negative for
        // 95.0896
        near(accuracy(60.0, 50.0), 64.5798);
        near(accuracy(60.0, 40.0), 41.0168);
        near(accuracy(97.5448, 2.4552), 0.0);
        assert!(accuracy(50.0, 49.99) <= 100.0);
    }

    #[test]
    fn moves_are_graded_by_the_lost_winning_chance() {
        // winning chances from -1 to 1: 0, -0.0735, -0.1462, -0.2522, -0.3524
        for (after, expected) in [
            (0, None),
            (-40, None),
            (-80, Some(MoveGrade::Inaccuracy)),
            (-140, Some(MoveGrade::Mistake)),
            (-200, Some(MoveGrade::Blunder)),
        ] {
            assert_eq!(MoveGrade::of(Score::cp(0), Score::cp(after)), expected, "{after}");
        }
        assert_eq!(MoveGrade::of(Score::cp(3000), Score::cp(1500)), None);
        assert_eq!(MoveGrade::of(Score::cp(-80), Score::cp(0)), None);
    }

    #[test]
    fn mates_are_graded_by_separate_rules() {
        let (mate, mated) = (Score::mate_in(5), Score::mated_in(6));
        for (before, after, expected) in [
            (mate, Score::mate_in(20), None),
            (mate, Score::cp(1500), Some(MoveGrade::Inaccuracy)),
            (mate, Score::win_in(9), Some(MoveGrade::Inaccuracy)),
            (mate, Score::cp(800), Some(MoveGrade::Mistake)),
            (mate, Score::cp(700), Some(MoveGrade::Blunder)),
            (mate, mated, Some(MoveGrade::Blunder)),
            (Score::cp(-1200), mated, Some(MoveGrade::Inaccuracy)),
            (Score::cp(-800), mated, Some(MoveGrade::Mistake)),
            (Score::cp(50), mated, Some(MoveGrade::Blunder)),
            (Score::cp(50), mate, None),
            (mated, Score::mated_in(1), None),
            (mated, Score::cp(-300), None),
        ] {
            assert_eq!(MoveGrade::of(before, after), expected, "{before} to {after}");
        }
    }
}
