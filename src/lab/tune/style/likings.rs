//! What a fit of style changes in a profile: percentages of groups under all goals, and taste.

use crate::{
    chess_mind::{GoalRelevance, Ratios},
    eval::group::Group,
    profile::Profile,
    support::random::{hashed, mixed},
};
use std::collections::BTreeMap;

/// A number that the fit changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Liking {
    /// The percentages of a group for the player. Material is one balance of both sides.
    Own(Group),
    /// The percentages of a group of the other side.
    Other(Group),
    /// The taste in centipawns.
    Taste,
}

/// The present value of each liking, by name.
///
/// A group has the binary logarithm of the factor by which all its percentages are multiplied.
pub(super) type Likings = BTreeMap<String, f64>;

/// The largest taste in centipawns.
const MOST_TASTE: f64 = 80.0;
/// The taste from which a fit starts, unless the profile has one.
const FIRST_TASTE: f64 = 20.0;
/// The largest change of a percentage, as a binary logarithm: to a quarter or fourfold.
const MOST_BEND: f64 = 2.0;
/// The largest ratio that a profile may have.
const MOST_RATIO: f64 = 10.0;

impl Liking {
    /// Returns all likings.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let others = Group::ALL.into_iter().filter(|group| *group != Group::Material);
        let own = Group::ALL.into_iter().map(Self::Own);
        own.chain(others.map(Self::Other)).chain([Self::Taste])
    }

    pub(super) fn name(self) -> String {
        match self {
            Self::Own(Group::Material) => Group::Material.name().into(),
            Self::Own(group) => format!("own_{}", group.name()),
            Self::Other(group) => format!("other_{}", group.name()),
            Self::Taste => "taste".into(),
        }
    }

    /// Returns by how much two players of an iteration differ from the present value.
    fn step(self) -> f64 {
        if self == Self::Taste { 6.0 } else { 0.4 }
    }

    fn range(self) -> (f64, f64) {
        if self == Self::Taste { (0.0, MOST_TASTE) } else { (-MOST_BEND, MOST_BEND) }
    }

    /// Returns whether the first player has more of it in an iteration.
    fn is_up(self, seed: u64, iteration: u64) -> bool {
        hashed(mixed(seed) ^ iteration, &self.name()) & 1 == 1
    }

    /// Returns the signed step of the first player. The second player goes the other way.
    fn signed_step(self, seed: u64, iteration: u64) -> f64 {
        if self.is_up(seed, iteration) { self.step() } else { -self.step() }
    }
}

/// Returns the values from which a fit of `profile` starts.
pub(super) fn start(profile: &Profile) -> Likings {
    let taste = profile.mind.channels.taste;
    let mut values: Likings = Liking::all().map(|liking| (liking.name(), 0.0)).collect();
    values.insert(Liking::Taste.name(), if taste > 0.0 { taste } else { FIRST_TASTE });
    values
}

/// Returns the values of both players of an iteration.
pub(super) fn players(values: &Likings, seed: u64, iteration: u64) -> [Likings; 2] {
    [1.0, -1.0].map(|direction| {
        let changed = Liking::all().map(|liking| {
            let by = direction * liking.signed_step(seed, iteration);
            (liking.name(), clamped(liking, values[&liking.name()] + by))
        });
        changed.collect()
    })
}

/// Moves `values` towards the better player of an iteration. `gain` is the share of a step by which a lead
/// of 1 moves them.
pub(super) fn update(values: &mut Likings, seed: u64, iteration: u64, gain: f64) {
    for liking in Liking::all() {
        let by = gain * liking.signed_step(seed, iteration);
        if let Some(value) = values.get_mut(&liking.name()) {
            *value = clamped(liking, *value + by);
        }
    }
}

fn clamped(liking: Liking, value: f64) -> f64 {
    let (least, most) = liking.range();
    value.clamp(least, most)
}

/// Returns `profile` with these likings.
pub(super) fn applied(profile: &Profile, values: &Likings) -> Profile {
    let mut changed = profile.clone();
    let value = |liking: Liking| values.get(&liking.name()).copied().unwrap_or_default();
    for relevance in &mut changed.mind.relevance.goals {
        let GoalRelevance::Sides { fear, relief } = relevance else { continue };
        for ratios in [fear, relief] {
            bend(ratios, value);
        }
    }
    changed.mind.channels.taste = value(Liking::Taste);
    changed
}

fn bend(ratios: &mut Ratios, value: impl Fn(Liking) -> f64) {
    for group in Group::ALL {
        let (own, other) = match group {
            Group::Material => (Liking::Own(group), Liking::Own(group)),
            _ => (Liking::Own(group), Liking::Other(group)),
        };
        for (ratio, liking) in
            [(&mut ratios.own[group as usize], own), (&mut ratios.other[group as usize], other)]
        {
            *ratio = (*ratio * value(liking).exp2()).min(MOST_RATIO);
        }
    }
}

/// Describes a value: the factor of percentages in percent, or the taste in centipawns.
pub(super) fn shown(name: &str, value: f64) -> String {
    if name == Liking::Taste.name() {
        format!("{value:.0} cp")
    } else {
        format!("{:.0} %", 100.0 * value.exp2())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_changes_only_taste() {
        let attacker = Profile::builtin("attacker").unwrap();
        assert_eq!(applied(&attacker, &start(&attacker)), attacker);
        let mut bent = attacker.clone();
        bent.mind.channels.taste = 0.0;
        let mut expected = bent.clone();
        expected.mind.channels.taste = FIRST_TASTE;
        assert_eq!(applied(&bent, &start(&bent)), expected);
    }

    #[test]
    fn players_lie_on_both_sides_and_a_lead_moves_the_values() {
        let attacker = Profile::builtin("attacker").unwrap();
        let values = start(&attacker);
        let [plus, minus] = players(&values, 7, 3);
        let mut moved = values.clone();
        update(&mut moved, 7, 3, 0.5);
        for liking in Liking::all() {
            let at = |values: &Likings| values[&liking.name()];
            let middle = f64::midpoint(at(&plus), at(&minus));
            assert!((middle - at(&values)).abs() < 1e-12, "{liking:?}");
            let expected = f64::midpoint(at(&values), at(&plus));
            assert!((at(&moved) - expected).abs() < 1e-12, "{liking:?}");
        }
        assert_ne!(players(&values, 7, 4), players(&values, 7, 3));
    }

    #[test]
    fn material_stays_one_balance() {
        let attacker = Profile::builtin("attacker").unwrap();
        let mut values = start(&attacker);
        values.insert("material".into(), -1.0);
        values.insert("other_king".into(), 1.0);
        let changed = applied(&attacker, &values);
        for (old, new) in attacker.mind.relevance.goals.iter().zip(&changed.mind.relevance.goals) {
            let (GoalRelevance::Sides { fear: old, .. }, GoalRelevance::Sides { fear: new, .. }) =
                (old, new)
            else {
                panic!("the built-in profile has sides");
            };
            let (material, king) = (Group::Material as usize, Group::King as usize);
            assert!((new.own[material] - old.own[material] / 2.0).abs() < 1e-12);
            assert!((new.other[material] - old.other[material] / 2.0).abs() < 1e-12);
            assert!((new.other[king] - (old.other[king] * 2.0).min(MOST_RATIO)).abs() < 1e-12);
        }
    }
}
