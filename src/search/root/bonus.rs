//! Bonuses of root moves, which the caller gives to the search.

use shakmaty::Move;
use std::ops::Add;

/// Likings count in full up to this depth, in plies.
const FULL_DEPTH: i32 = 10;

/// What is added to the score of a root move, in centipawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RootBonus {
    /// Counts at any depth.
    pub steady: i32,
    /// Decides between moves of about the same score. The deeper the search, the more its scores can be
    /// trusted, and the less this part counts.
    pub liking: i32,
}

impl RootBonus {
    /// Returns the bonus in an iteration of this `depth`. The liking counts in full up to depth 10, a half
    /// at depth 14 and a quarter at depth 20.
    #[must_use]
    pub fn at_depth(self, depth: i32) -> i32 {
        let depth = depth.max(FULL_DEPTH);
        self.steady + self.liking * (FULL_DEPTH * FULL_DEPTH) / (depth * depth)
    }
}

impl Add for RootBonus {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { steady: self.steady + other.steady, liking: self.liking + other.liking }
    }
}

/// The bonuses of root moves. A move that is not listed has none. Mates and tablebase scores stay as
/// they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RootBonuses(Vec<(Move, RootBonus)>);

impl RootBonuses {
    /// Creates steady bonuses, in centipawns.
    #[must_use]
    pub fn steady(moves: impl IntoIterator<Item = (Move, i32)>) -> Self {
        let steady = |(m, steady)| (m, RootBonus { steady, liking: 0 });
        moves.into_iter().map(steady).collect()
    }

    /// Creates likings, in centipawns.
    #[must_use]
    pub fn likings(moves: impl IntoIterator<Item = (Move, i32)>) -> Self {
        let liking = |(m, liking)| (m, RootBonus { steady: 0, liking });
        moves.into_iter().map(liking).collect()
    }

    /// Returns the bonus of `m`.
    #[must_use]
    pub fn of(&self, m: Move) -> RootBonus {
        let listed = self.0.iter().find(|(listed, _)| *listed == m);
        listed.map_or_else(RootBonus::default, |(_, bonus)| *bonus)
    }

    /// Returns the sum of both bonuses for each of `moves`.
    #[must_use]
    pub fn with(&self, others: &Self, moves: &[Move]) -> Self {
        moves.iter().map(|m| (*m, self.of(*m) + others.of(*m))).collect()
    }

    /// Whether no move has a bonus.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(Move, RootBonus)> for RootBonuses {
    fn from_iter<T: IntoIterator<Item = (Move, RootBonus)>>(moves: T) -> Self {
        Self(moves.into_iter().filter(|(_, bonus)| *bonus != RootBonus::default()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deep_search_counts_less_of_a_liking() {
        let at = |bonus: RootBonus| [1, 10, 14, 20, 246].map(|depth| bonus.at_depth(depth));
        assert_eq!(at(RootBonus { steady: 0, liking: 60 }), [60, 60, 30, 15, 0]);
        assert_eq!(at(RootBonus { steady: 40, liking: -60 }), [-20, -20, 10, 25, 40]);
    }
}
