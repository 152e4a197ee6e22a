//! The numbers that games tune: search parameters, and factors of weights.

use crate::{
    eval::{
        families::{FAMILIES, Family, Phase},
        weights::Weights,
    },
    search::{
        params::Params,
        tunables::{self, TUNABLES, Tunable},
    },
};

/// A number that games tune.
#[derive(Clone, Copy, Debug)]
pub(super) enum Parameter {
    /// A search parameter.
    Search(&'static Tunable),
    /// The factor of a family of weights in a phase of the game.
    Weights(&'static Family, Phase),
}

/// What the parameters of a player change.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Player {
    pub(super) params: Params,
    pub(super) weights: Weights,
}

impl Parameter {
    /// Every parameter.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let phases = |family| [Phase::Opening, Phase::Ending].map(|p| Self::Weights(family, p));
        TUNABLES.iter().map(Self::Search).chain(FAMILIES.iter().flat_map(phases))
    }

    /// Finds a parameter by name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::all().find(|parameter| parameter.name() == name)
    }

    pub(super) fn name(self) -> String {
        match self {
            Self::Search(tunable) => tunable.name.to_owned(),
            Self::Weights(family, phase) => format!("{}_{phase}", family.name),
        }
    }

    /// Returns the minimum and the maximum, inclusive.
    pub(super) fn range(self) -> (i32, i32) {
        match self {
            Self::Search(tunable) => tunable.range,
            Self::Weights(family, _) => family.range(),
        }
    }

    /// Returns the value with which a run starts.
    pub(super) fn default(self) -> i32 {
        match self {
            Self::Search(tunable) => tunable.default(),
            Self::Weights(..) => Family::UNCHANGED,
        }
    }

    /// Returns the step at the end of a run: a twentieth of the range.
    pub(super) fn step(self) -> i32 {
        tunables::step(self.range())
    }

    /// Sets the parameter of a player that had the default.
    pub(super) fn set(self, player: &mut Player, value: i32) {
        match self {
            Self::Search(tunable) => *(tunable.field)(&mut player.params) = value,
            Self::Weights(family, phase) => family.scale(phase, &mut player.weights, value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_defaults_within_their_range() {
        let mut names: Vec<_> = Parameter::all().map(Parameter::name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        for parameter in Parameter::all() {
            let (least, greatest) = parameter.range();
            assert!((least..=greatest).contains(&parameter.default()), "{}", parameter.name());
        }
    }
}
