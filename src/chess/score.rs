//! What search and evaluation return ([`Score`]), opening/ending pairs ([`Tapered`]), and the
//! search's [`Window`].

use serde_json::{Value, json};
use std::{
    fmt,
    ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign},
};

/// The deepest ply a search can reach; also the longest mate it can tell.
pub const MAX_PLY: usize = 127;

/// A score in centipawns, or a mate; higher is better for the side it is told to.
///
/// ```
/// use deepfeeling::chess::score::Score;
/// // Being mated now is worst; a mate in hand beats any material, a nearer one a farther one. What
/// // a tablebase knows to be won or lost stands between.
/// let order = [
///     Score::mated_in(0), Score::mated_in(2), Score::loss_in(1), Score::cp(-50), Score::cp(200),
///     Score::win_in(30), Score::mate_in(7), Score::mate_in(1),
/// ];
/// assert!(order.is_sorted());
/// assert_eq!(-Score::mate_in(3), Score::mated_in(3));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    /// An even game, and every draw.
    pub const DRAW: Self = Self(0);
    /// Beyond every score: a window's open end.
    pub const INFINITE: Self = Self(32_001);
    /// The largest score a static evaluation may give.
    pub const MAX_STATIC: Self = Self(18_000);

    const MATE: i32 = 32_000;
    /// Scores from here on are mates.
    const MATE_BOUND: i32 = 31_000;
    /// A tablebase's win at the root; GUIs know 200 pawns as such.
    const WIN: i32 = 20_000;
    /// Scores from here on are wins that a tablebase knows, or mates.
    const WIN_BOUND: i32 = 19_000;

    /// A score of `centipawns`.
    #[must_use]
    pub const fn cp(centipawns: i32) -> Self {
        Self(centipawns)
    }

    /// The side to move mates at `ply` half-moves from the root.
    #[must_use]
    pub const fn mate_in(ply: usize) -> Self {
        Self(Self::MATE - ply as i32)
    }

    /// The side to move is mated at `ply` half-moves from the root.
    #[must_use]
    pub const fn mated_in(ply: usize) -> Self {
        Self(ply as i32 - Self::MATE)
    }

    /// The side to move wins, as a tablebase knows, by a position `ply` half-moves from the root.
    #[must_use]
    pub fn win_in(ply: usize) -> Self {
        let farthest = (Self::WIN - Self::WIN_BOUND) / 2;
        Self(Self::WIN - (ply as i32).min(farthest))
    }

    /// The side to move loses, as a tablebase knows, by a position `ply` half-moves from the root.
    #[must_use]
    pub fn loss_in(ply: usize) -> Self {
        -Self::win_in(ply)
    }

    /// Whether this is no estimate but a forced mate, or a tablebase's win or loss.
    #[must_use]
    pub const fn is_decided(self) -> bool {
        self.0.abs() >= Self::WIN_BOUND
    }

    /// Whether the side to move is mated by force, or loses as a tablebase knows.
    #[must_use]
    pub const fn is_lost(self) -> bool {
        self.0 <= -Self::WIN_BOUND
    }

    /// Whether this is a forced mate, for either side.
    #[must_use]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Self::MATE_BOUND
    }

    /// Half-moves from the root to the mate; negative if the side is mated. `None` if no mate.
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

    /// Moves to the mate, as UCI counts them; negative if the side is mated. `None` if no mate. The
    /// moves counted are those of who mates, from either side's point of view.
    #[must_use]
    pub fn mate_moves(self) -> Option<i32> {
        self.mate_distance().map(|plies| plies.signum() * ((plies.abs() + 1) / 2))
    }

    /// Centipawns; meaningful if this is no mate.
    #[must_use]
    pub const fn centipawns(self) -> i32 {
        self.0
    }

    /// The nearest score that a static evaluation may give, never a decided one.
    #[must_use]
    pub fn clamp_static(self) -> Self {
        self.clamp(-Self::MAX_STATIC, Self::MAX_STATIC)
    }

    /// This score moved by `margin` centipawns, short of mates. A mate stays as it is.
    #[must_use]
    pub fn plus(self, margin: i32) -> Self {
        if self.is_mate() {
            return self;
        }
        Self(self.0.saturating_add(margin).clamp(1 - Self::MATE_BOUND, Self::MATE_BOUND - 1))
    }

    /// As the transposition table keeps it: what is decided counts from the node, not from the root.
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

    /// The inverse of [`Self::to_tt`].
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

impl From<Score> for Value {
    /// As JSON has it wherever we write it: `{"cp": 35}` or `{"mate": -2}`.
    fn from(score: Score) -> Self {
        match score.mate_moves() {
            Some(moves) => json!({ "mate": moves }),
            None => json!({ "cp": score.centipawns() }),
        }
    }
}

impl fmt::Display for Score {
    /// As UCI writes it: `cp 35` or `mate -2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_moves() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

/// The search's bounds: scores outside need not be exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// What the side to move already has.
    pub alpha: Score,
    /// What the opponent already has against it.
    pub beta: Score,
}

impl Window {
    /// Every score is inside.
    pub const FULL: Self =
        Self { alpha: Score(-Score::INFINITE.0), beta: Score(Score::INFINITE.0) };

    /// The same window as the opponent sees it.
    #[must_use]
    pub fn flip(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// A window that only asks whether a score is above `alpha`.
    #[must_use]
    pub const fn zero(alpha: Score) -> Self {
        Self { alpha, beta: Score(alpha.0 + 1) }
    }

    /// Raises alpha to `score` if that is higher.
    pub fn raise(&mut self, score: Score) {
        self.alpha = self.alpha.max(score);
    }

    /// Whether `score` is so good that the opponent will not allow it.
    #[must_use]
    pub fn fails_high(self, score: Score) -> bool {
        score >= self.beta
    }

    /// Whether no score is left inside.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }
}

/// An opening and an ending value of the same thing, packed into one number so that both are added
/// and multiplied at once: opening times 2^32, plus ending. Each must stay within 32 bits.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Tapered(i64);

impl Tapered {
    /// A pair of values: with all pieces on the board, and with none but kings and pawns.
    #[must_use]
    pub const fn new(mg: i32, eg: i32) -> Self {
        Self(((mg as i64) << 32) + eg as i64)
    }

    /// The opening value.
    #[must_use]
    pub const fn mg(self) -> i32 {
        // a negative ending value has borrowed from the opening one
        (self.0.wrapping_add(1 << 31) >> 32) as i32
    }

    /// The ending value.
    #[must_use]
    pub const fn eg(self) -> i32 {
        self.0 as i32
    }

    /// The value at `phase` of `full`: opening at `full`, ending at 0, in proportion between.
    #[must_use]
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

    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Sub for Tapered {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;

    fn mul(self, count: i32) -> Self {
        Self(self.0.wrapping_mul(i64::from(count)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_decided_survives_the_table_at_another_ply() {
        let decided =
            [Score::mate_in(9), Score::mated_in(8), Score::win_in(9), Score::loss_in(126)];
        for score in decided.into_iter().chain([Score::cp(-77), Score::MAX_STATIC]) {
            assert_eq!(Score::from_tt(score.to_tt(5), 5), score);
        }
        assert_eq!(Score::from_tt(Score::mate_in(9).to_tt(5), 3), Score::mate_in(7));
        assert_eq!(Score::from_tt(Score::loss_in(9).to_tt(9), 120), Score::loss_in(120));
    }

    #[test]
    fn a_known_win_is_above_all_estimates_and_below_all_mates() {
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
    fn margins_never_make_a_mate() {
        assert!(!Score::cp(30_000).plus(i32::MAX).is_mate());
        assert!(!Score::cp(-30_000).plus(i32::MIN).is_mate());
        assert_eq!(Score::mate_in(4).plus(-500), Score::mate_in(4));
        assert!(!Score::cp(i32::MAX).clamp_static().is_mate());
    }

    #[test]
    fn display_is_that_of_uci() {
        assert_eq!(Score::cp(-35).to_string(), "cp -35");
        assert_eq!(Score::mate_in(1).to_string(), "mate 1");
        assert_eq!(Score::mate_in(3).to_string(), "mate 2");
        assert_eq!(Score::mated_in(2).to_string(), "mate -1");
        assert_eq!(Score::mated_in(0).to_string(), "mate 0");
    }

    #[test]
    fn tapering_reaches_both_ends_and_stays_between() {
        let value = Tapered::new(100, -20);
        assert_eq!(value.at(24, 24), 100);
        assert_eq!(value.at(0, 24), -20);
        assert_eq!(value.at(12, 24), 40);
        assert_eq!(value.at(30, 24), 100);
    }

    #[test]
    fn both_halves_are_kept_apart() {
        for (mg, eg) in [(1, -1), (-1, 1), (-70_000, -3), (5, 1 << 30), (0, -(1 << 30))] {
            let value = Tapered::new(mg, eg);
            assert_eq!((value.mg(), value.eg()), (mg, eg));
            let sum = value * -3 + value + value;
            assert_eq!((sum.mg(), sum.eg()), (-mg, -eg));
        }
    }
}
