//! How the results of known games become a bonus in centipawns.

use super::ResultCounts;
use crate::chess::wdl::{OURS, fullness};
use shakmaty::{Board, Color};

/// The largest bonus of a position, in centipawns.
pub const MAX_BONUS: i32 = 40;
/// The bonus of [`KnownRule::All`], in centipawns.
const FIXED: i32 = 30;
/// "Several" games, which [`KnownRule::All`] needs.
const SEVERAL: u64 = 3;

/// How a position is judged by the results of its games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum KnownRule {
    /// Ours: by the bound of the 95 % interval of the score that is nearer to 50 %. The fitted
    /// model of wins, draws and losses converts it to centipawns. The bonus is 0 if the interval
    /// contains 50 %.
    #[default]
    Score,
    /// The post's: a fixed bonus for the colour that won all games, if there are several. Its
    /// size, 30 centipawns, and the least number of games, 3, are ours.
    All,
}

impl KnownRule {
    /// Returns the name used in profiles.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.into_str()
    }

    /// Returns the bonus of `side` in centipawns, within ±[`MAX_BONUS`], for a position with this
    /// `board`.
    #[must_use]
    pub fn bonus(self, counts: ResultCounts, side: Color, board: &Board) -> i32 {
        match self {
            Self::Score => {
                let surplus = surplus(counts, side);
                if surplus < 0.0 { -worth(-surplus, board) } else { worth(surplus, board) }
            }
            Self::All => {
                let games = counts.games();
                let won_all = |side| games >= SEVERAL && u64::from(counts.wins(side)) == games;
                FIXED * (i32::from(won_all(side)) - i32::from(won_all(!side)))
            }
        }
    }
}

/// Returns how far the score of `side` is above 50 % with confidence, from -0.5 to 0.5: the bound
/// of the 95 % interval that is nearer to 50 %, minus 0.5. It is 0 if the interval contains 50 %.
#[must_use]
pub fn surplus(counts: ResultCounts, side: Color) -> f64 {
    let (low, high) = counts.interval(side);
    (low - 0.5).max(0.0) + (high - 0.5).min(0.0)
}

/// Returns the largest whole number of centipawns, at most [`MAX_BONUS`], that promises no more
/// than this surplus.
fn worth(surplus: f64, board: &Board) -> i32 {
    let fullness = fullness(board);
    let promised = |centipawns: i32| {
        let chances = OURS.chances(f64::from(centipawns) / 100.0, fullness);
        (chances.win - chances.loss) / 2.0
    };
    (1..=MAX_BONUS).rev().find(|&centipawns| promised(centipawns) <= surplus).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn counts(white: u32, draws: u32, black: u32) -> ResultCounts {
        ResultCounts { white, draws, black }
    }

    fn bonus(rule: KnownRule, counts: ResultCounts) -> i32 {
        rule.bonus(counts, Color::White, &Board::default())
    }

    #[test]
    fn the_rule_of_the_post_needs_several_games_and_all_won() {
        for (counts, expected) in [
            (counts(2, 0, 0), 0),
            (counts(3, 0, 0), 30),
            (counts(0, 0, 3), -30),
            (counts(300, 1, 0), 0),
            (counts(300, 0, 1), 0),
            (counts(0, 3, 0), 0),
            (counts(0, 0, 0), 0),
        ] {
            assert_eq!(bonus(KnownRule::All, counts), expected, "{counts:?}");
        }
    }

    #[test]
    fn the_score_counts_only_with_confidence() {
        // the interval of 3 of 3 begins at 0.438
        assert_eq!(bonus(KnownRule::Score, counts(3, 0, 0)), 0);
        assert_eq!(bonus(KnownRule::Score, counts(0, 0, 0)), 0);
        assert_eq!(bonus(KnownRule::Score, counts(500, 1000, 500)), 0);
        // 52 % is certain only in many games
        assert_eq!(bonus(KnownRule::Score, counts(52, 0, 48)), 0);
        let many = bonus(KnownRule::Score, counts(52_000, 0, 48_000));
        assert!((1..MAX_BONUS).contains(&many), "{many}");
        assert_eq!(bonus(KnownRule::Score, counts(90, 0, 10)), MAX_BONUS);
        assert_eq!(bonus(KnownRule::Score, counts(10, 0, 90)), -MAX_BONUS);
    }

    #[test]
    fn the_bonus_promises_no_more_than_the_bound() {
        let counts = counts(5_600, 0, 4_400);
        let (low, _) = counts.interval(Color::White);
        let found = bonus(KnownRule::Score, counts);
        let expected = |centipawns: i32| {
            let chances = OURS.chances(f64::from(centipawns) / 100.0, 1.0);
            chances.win + chances.draw / 2.0
        };
        assert!(expected(found) <= low && low < expected(found + 1), "{found} {low}");
    }

    proptest! {
        #[test]
        fn what_is_good_for_one_side_is_bad_for_the_other(
            white in 0_u32..2000, draws in 0_u32..2000, black in 0_u32..2000,
        ) {
            let counts = counts(white, draws, black);
            for rule in [KnownRule::Score, KnownRule::All] {
                let board = Board::default();
                let own = rule.bonus(counts, Color::White, &board);
                prop_assert_eq!(own, -rule.bonus(counts, Color::Black, &board));
                prop_assert!(own.abs() <= MAX_BONUS);
            }
            let (low, high) = counts.interval(Color::White);
            prop_assert!((0.0..=1.0).contains(&low) && low <= high && high <= 1.0 + 1e-12);
        }
    }
}
