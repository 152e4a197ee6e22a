//! The numbers that search and evaluation exchange: [`Score`], opening and endgame pairs
//! ([`Tapered`]), and the alpha-beta [`Window`].

use serde::Serialize;
use std::{
    fmt,
    ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign},
};

/// The maximum search ply, which is also the longest mate that a score can express.
pub const MAX_PLY: usize = 127;

/// A score in centipawns, or a mate or tablebase score. Higher is better for the side it refers to.
///
/// ```
/// use deepfeeling::chess::score::Score;
/// // Being mated now is worst. A mate beats any material, and a shorter mate beats a longer one.
/// // Wins and losses from a tablebase are between estimates and mates.
/// let order = [
///     Score::mated_in(0), Score::mated_in(2), Score::loss_in(1), Score::cp(-50), Score::cp(200),
///     Score::win_in(30), Score::mate_in(7), Score::mate_in(1),
/// ];
/// assert!(order.is_sorted());
/// assert_eq!(-Score::mate_in(3), Score::mated_in(3));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(into = "ScoreRecord")]
pub struct Score(i32);

impl Score {
    /// The score of a draw and of an even position.
    pub const DRAW: Self = Self(0);
    /// A bound beyond all scores, for an open window.
    pub const INFINITE: Self = Self(32_001);
    /// The largest score of a static evaluation.
    pub const MAX_STATIC: Self = Self(18_000);

    const MATE: i32 = 32_000;
    /// The smallest mate score.
    const MATE_BOUND: i32 = 31_000;
    /// The score of a tablebase win at the root. GUIs recognise 200 pawns as a win.
    const WIN: i32 = 20_000;
    /// The smallest score that is a tablebase win or a mate.
    const WIN_BOUND: i32 = 19_000;

    /// Creates a score of `centipawns`.
    #[must_use]
    pub const fn cp(centipawns: i32) -> Self {
        Self(centipawns)
    }

    /// Creates the score of mating at `ply`.
    #[must_use]
    pub const fn mate_in(ply: usize) -> Self {
        Self(Self::MATE - ply as i32)
    }

    /// Creates the score of being mated at `ply`.
    #[must_use]
    pub const fn mated_in(ply: usize) -> Self {
        Self(ply as i32 - Self::MATE)
    }

    /// Creates the score of a tablebase win found at `ply`.
    #[must_use]
    pub fn win_in(ply: usize) -> Self {
        let farthest = (Self::WIN - Self::WIN_BOUND) / 2;
        Self(Self::WIN - (ply as i32).min(farthest))
    }

    /// Creates the score of a tablebase loss found at `ply`.
    #[must_use]
    pub fn loss_in(ply: usize) -> Self {
        -Self::win_in(ply)
    }

    /// Whether this is a forced mate or a tablebase win or loss, not an estimate.
    #[must_use]
    pub const fn is_decided(self) -> bool {
        self.0.abs() >= Self::WIN_BOUND
    }

    /// Whether the side to move is mated by force or loses according to a tablebase.
    #[must_use]
    pub const fn is_lost(self) -> bool {
        self.0 <= -Self::WIN_BOUND
    }

    /// Whether this is a forced mate for either side.
    #[must_use]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Self::MATE_BOUND
    }

    /// Returns the distance to mate from the root in plies. Negative if the side to move is mated,
    /// `None` if this is not a mate.
    #[must_use]
    pub const fn mate_distance(self) -> Option<i32> {
        if self.0 >= Self::MATE_BOUND {
            Some(Self::MATE - self.0)
        } else if self.0 <= -Self::MATE_BOUND {
            Some(-Self::MATE - self.0)
        } else {
            None
        }
    }

    /// Returns the distance to mate in moves of the mating side, as in UCI. Negative if the side to
    /// move is mated, `None` if this is not a mate.
    #[must_use]
    pub fn mate_moves(self) -> Option<i32> {
        self.mate_distance().map(|plies| plies.signum() * ((plies.abs() + 1) / 2))
    }

    /// Returns the score in centipawns. Not meaningful for mates.
    #[must_use]
    pub const fn centipawns(self) -> i32 {
        self.0
    }

    /// Clamps the score to the range of static evaluations.
    #[must_use]
    pub fn clamp_static(self) -> Self {
        self.clamp(-Self::MAX_STATIC, Self::MAX_STATIC)
    }

    /// Adds `margin` centipawns without reaching mate scores. A mate is returned unchanged.
    #[must_use]
    pub fn plus(self, margin: i32) -> Self {
        if self.is_mate() {
            return self;
        }
        Self(self.0.saturating_add(margin).clamp(1 - Self::MATE_BOUND, Self::MATE_BOUND - 1))
    }

    /// Adds `bonus` centipawns to an estimate. A mate or tablebase score is returned unchanged.
    #[must_use]
    pub fn with_bonus(self, bonus: i32) -> Self {
        if self.is_decided() { self } else { self.plus(bonus) }
    }

    /// Converts the score for the transposition table. Mates and tablebase scores are stored
    /// relative to the node instead of the root.
    #[must_use]
    pub const fn to_tt(self, ply: usize) -> i16 {
        let value = if self.0 >= Self::WIN_BOUND {
            self.0 + ply as i32
        } else if self.0 <= -Self::WIN_BOUND {
            self.0 - ply as i32
        } else {
            self.0
        };
        value as i16
    }

    /// Converts a score from the transposition table. The inverse of [`Self::to_tt`].
    #[must_use]
    pub const fn from_tt(value: i16, ply: usize) -> Self {
        let value = value as i32;
        if value >= Self::WIN_BOUND {
            Self(value - ply as i32)
        } else if value <= -Self::WIN_BOUND {
            Self(value + ply as i32)
        } else {
            Self(value)
        }
    }
}

impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// The JSON form of a score: `{"cp": 35}` in centipawns or `{"mate": -2}` in moves.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum ScoreRecord {
    Cp(i32),
    Mate(i32),
}

impl From<Score> for ScoreRecord {
    fn from(score: Score) -> Self {
        score.mate_moves().map_or_else(|| Self::Cp(score.centipawns()), Self::Mate)
    }
}

impl fmt::Display for Score {
    /// Writes the score as in UCI: `cp 35` or `mate -2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_moves() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

/// The alpha-beta bounds of a search. Scores outside the window need not be exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The score the side to move has already secured.
    pub alpha: Score,
    /// The score the opponent has already secured against it.
    pub beta: Score,
}

impl Window {
    /// The window that contains every score.
    pub const FULL: Self =
        Self { alpha: Score(-Score::INFINITE.0), beta: Score(Score::INFINITE.0) };

    /// Returns the window from the opponent's point of view.
    #[must_use]
    pub fn flip(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// Returns the window with `bonus` centipawns added to both bounds, as by
    /// [`Score::with_bonus`].
    #[must_use]
    pub fn with_bonus(self, bonus: i32) -> Self {
        Self { alpha: self.alpha.with_bonus(bonus), beta: self.beta.with_bonus(bonus) }
    }

    /// Creates a zero window, which only tests whether a score is above `alpha`.
    #[must_use]
    pub const fn zero(alpha: Score) -> Self {
        Self { alpha, beta: Score(alpha.0 + 1) }
    }

    /// Raises alpha to `score` if `score` is higher.
    pub fn raise(&mut self, score: Score) {
        self.alpha = self.alpha.max(score);
    }

    /// Whether `score` is so good that the opponent will avoid the position.
    #[must_use]
    pub fn fails_high(self, score: Score) -> bool {
        score >= self.beta
    }

    /// Whether no score lies inside the window.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }
}

/// A pair of an opening and an endgame value, packed into one integer so that one operation adds or
/// multiplies both. The packed value is opening × 2³² + endgame. Each value must fit into 32 bits.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Tapered(i64);

impl Tapered {
    /// Creates a pair of the opening value (all pieces on the board) and the endgame value (only
    /// kings and pawns).
    #[must_use]
    #[inline]
    pub const fn new(mg: i32, eg: i32) -> Self {
        Self(((mg as i64) << 32) + eg as i64)
    }

    /// Returns the opening value.
    #[must_use]
    #[inline]
    pub const fn mg(self) -> i32 {
        // a negative endgame value has borrowed from the opening value
        (self.0.wrapping_add(1 << 31) >> 32) as i32
    }

    /// Returns the endgame value.
    #[must_use]
    #[inline]
    pub const fn eg(self) -> i32 {
        self.0 as i32
    }

    /// Interpolates linearly between the opening value (`phase` at least `full`) and the endgame
    /// value (`phase` 0).
    #[must_use]
    #[inline]
    pub const fn at(self, phase: i32, full: i32) -> i32 {
        let phase = if phase > full { full } else { phase };
        let sum = self.mg() as i64 * phase as i64 + self.eg() as i64 * (full - phase) as i64;
        (sum / full as i64) as i32
    }
}

impl fmt::Debug for Tapered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.mg(), self.eg())
    }
}

impl Add for Tapered {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Sub for Tapered {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;

    #[inline]
    fn mul(self, count: i32) -> Self {
        Self(self.0.wrapping_mul(i64::from(count)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decided_scores_are_adjusted_to_the_ply_in_the_table() {
        let decided =
            [Score::mate_in(9), Score::mated_in(8), Score::win_in(9), Score::loss_in(126)];
        for score in decided.into_iter().chain([Score::cp(-77), Score::MAX_STATIC]) {
            assert_eq!(Score::from_tt(score.to_tt(5), 5), score);
        }
        assert_eq!(Score::from_tt(Score::mate_in(9).to_tt(5), 3), Score::mate_in(7));
        assert_eq!(Score::from_tt(Score::loss_in(9).to_tt(9), 120), Score::loss_in(120));
    }

    #[test]
    fn tablebase_wins_are_above_all_estimates_and_below_all_mates() {
        for ply in [0, 1, MAX_PLY, 100_000] {
            let win = Score::win_in(ply);
            assert!(win.is_decided() && !win.is_mate() && win < Score::mate_in(MAX_PLY), "{win}");
            assert!(Score::MAX_STATIC < win && !Score::MAX_STATIC.is_decided());
            assert_eq!(Score::loss_in(ply), -win);
        }
        assert!(Score::win_in(1) > Score::win_in(2) && Score::mated_in(4).is_decided());
        assert_eq!(Score::win_in(7).to_string(), "cp 19993");
    }

    #[test]
    fn margins_never_reach_mate_scores() {
        assert!(!Score::cp(30_000).plus(i32::MAX).is_mate());
        assert!(!Score::cp(-30_000).plus(i32::MIN).is_mate());
        assert_eq!(Score::mate_in(4).plus(-500), Score::mate_in(4));
        assert!(!Score::cp(i32::MAX).clamp_static().is_mate());
    }

    #[test]
    fn display_matches_uci() {
        assert_eq!(Score::cp(-35).to_string(), "cp -35");
        assert_eq!(Score::mate_in(1).to_string(), "mate 1");
        assert_eq!(Score::mate_in(3).to_string(), "mate 2");
        assert_eq!(Score::mated_in(2).to_string(), "mate -1");
        assert_eq!(Score::mated_in(0).to_string(), "mate 0");
    }

    #[test]
    fn tapering_interpolates_between_both_ends() {
        let value = Tapered::new(100, -20);
        assert_eq!(value.at(24, 24), 100);
        assert_eq!(value.at(0, 24), -20);
        assert_eq!(value.at(12, 24), 40);
        assert_eq!(value.at(30, 24), 100);
    }

    #[test]
    fn opening_and_endgame_values_stay_separate() {
        for (mg, eg) in [(1, -1), (-1, 1), (-70_000, -3), (5, 1 << 30), (0, -(1 << 30))] {
            let value = Tapered::new(mg, eg);
            assert_eq!((value.mg(), value.eg()), (mg, eg));
            let sum = value * -3 + value + value;
            assert_eq!((sum.mg(), sum.eg()), (-mg, -eg));
        }
    }
}
