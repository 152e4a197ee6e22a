//! Bonuses of root moves, which the caller gives to the search.

use shakmaty::Move;

/// What is added to the scores of root moves, in centipawns. A move that is not listed has no
/// bonus. Mates and tablebase scores stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RootBonuses(Vec<(Move, i32)>);

impl RootBonuses {
    /// Returns the bonus of `m`, in centipawns.
    #[must_use]
    pub fn of(&self, m: Move) -> i32 {
        self.0.iter().find(|(listed, _)| *listed == m).map_or(0, |(_, bonus)| *bonus)
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

impl FromIterator<(Move, i32)> for RootBonuses {
    fn from_iter<T: IntoIterator<Item = (Move, i32)>>(moves: T) -> Self {
        Self(moves.into_iter().filter(|(_, bonus)| *bonus != 0).collect())
    }
}
