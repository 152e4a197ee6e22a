//! Groups observations by player, for player effects and clusters.

use super::observation::Observation;
use std::collections::BTreeMap;

/// A player with a larger share of all observations is split by opponent.
const DOMINANT: f64 = 0.2;

/// The player effect and the cluster of each observation.
///
/// A unit shares one intercept. A cluster holds observations that may depend on each other. Both are
/// the player. Some files hold the games of one player against many: that player's moves are split by
/// opponent, each with an intercept of their own, and share the opponent's cluster.
#[derive(Clone, Debug, Default)]
pub(super) struct Units {
    /// The number of each dominant player, and of each pair of one and an opponent.
    dominant: BTreeMap<u32, BTreeMap<u32, u32>>,
}

impl Units {
    /// Groups `observations` of `players` players.
    pub(super) fn new(observations: &[Observation], players: u32) -> Self {
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        for one in observations {
            *counts.entry(one.player).or_default() += 1;
        }
        let limit = DOMINANT * observations.len() as f64;
        let mut dominant: BTreeMap<u32, BTreeMap<u32, u32>> = counts
            .into_iter()
            .filter(|(_, count)| *count as f64 > limit)
            .map(|(player, _)| (player, BTreeMap::new()))
            .collect();
        let mut next = players;
        for one in observations {
            if let Some(pairs) = dominant.get_mut(&one.player) {
                pairs.entry(one.opponent).or_insert_with(|| {
                    next += 1;
                    next
                });
            }
        }
        Self { dominant }
    }

    /// Returns the number of the player effect.
    pub(super) fn unit(&self, one: &Observation) -> u32 {
        let pair = self.dominant.get(&one.player).and_then(|pairs| pairs.get(&one.opponent));
        pair.copied().unwrap_or(one.player)
    }

    /// Returns the number of the cluster.
    pub(super) fn cluster(&self, one: &Observation) -> u32 {
        if self.dominant.contains_key(&one.player) { one.opponent } else { one.player }
    }

    /// Returns the players that are split by opponent.
    pub(super) fn dominant(&self) -> impl Iterator<Item = u32> {
        self.dominant.keys().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::study::tests::observation;

    #[test]
    fn a_dominant_player_is_split_by_opponent() {
        let one = |player, opponent| Observation { player, opponent, ..observation() };
        let all: Vec<_> = (1..=10).flat_map(|other| [one(0, other), one(other, 0)]).collect();
        let units = Units::new(&all, 11);
        assert_eq!(units.dominant().collect::<Vec<_>>(), [0]);
        assert_eq!((units.unit(&all[1]), units.cluster(&all[1])), (1, 1));
        assert!(units.unit(&all[0]) > 11 && units.unit(&all[0]) != units.unit(&all[2]));
        assert_eq!(units.unit(&all[0]), units.unit(&one(0, 1)));
        assert_eq!((units.cluster(&all[0]), units.cluster(&all[2])), (1, 2));
    }

    #[test]
    fn usual_players_are_units() {
        let all: Vec<_> = (0..10)
            .map(|player| Observation { player, opponent: 9 - player, ..observation() })
            .collect();
        let units = Units::new(&all, 10);
        assert_eq!(units.dominant().count(), 0);
        assert!(
            all.iter().all(|one| units.unit(one) == one.player && units.cluster(one) == one.player)
        );
    }
}
