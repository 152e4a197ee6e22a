//! The groups of terms of each side. A goal has one ratio for each of them, which tuning adjusts.

use super::{
    game::FeltGame,
    listed::{Listed, value_of},
    relevance::Ratios,
};
use crate::support::variants::variants;

/// The side whose terms a ratio weighs, as seen by the side that feels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum RelativeSide {
    /// The side that feels.
    Own,
    /// Its opponent.
    Other,
    /// Both sides together: used for a balance that cannot be split, such as material in chess.
    Both,
}

impl RelativeSide {
    /// Every variant, in the order of declaration.
    pub const ALL: [Self; 3] = variants();

    /// Returns the key used in profiles.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.into_str()
    }
}

/// A single ratio, identified by group and side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideGroup<G: FeltGame> {
    /// The group that is weighed.
    pub group: G::Group,
    /// The side whose terms are weighed.
    pub side: RelativeSide,
}

impl<G: FeltGame> SideGroup<G> {
    /// Iterates over all of them, group by group.
    pub fn all() -> impl Iterator<Item = Self> {
        let of = |group| G::sides(group).iter().map(move |&side| Self { group, side });
        G::Group::ALL.into_iter().flat_map(of)
    }

    /// Returns the display name: `own king`, `other king`, or `material` if it is for both sides.
    #[must_use]
    pub fn name(self) -> String {
        match self.side {
            RelativeSide::Own | RelativeSide::Other => {
                format!("{} {}", self.side.name(), self.group.name())
            }
            RelativeSide::Both => self.group.name().to_owned(),
        }
    }

    /// Returns the value of this ratio in `ratios`.
    #[must_use]
    pub fn of(self, ratios: &Ratios<G>) -> f64 {
        match self.side {
            RelativeSide::Own | RelativeSide::Both => value_of(&ratios.own, self.group),
            RelativeSide::Other => value_of(&ratios.other, self.group),
        }
    }

    /// Returns what this ratio multiplies, from the point of view of the side that feels. `own` and
    /// `other` are the values of its group, positive if good for the side they belong to.
    #[must_use]
    pub fn part(self, own: f64, other: f64) -> f64 {
        match self.side {
            RelativeSide::Own => own,
            RelativeSide::Other => -other,
            RelativeSide::Both => own - other,
        }
    }

    /// Sets this ratio in `ratios` to `ratio`.
    pub fn turn(self, ratios: &mut Ratios<G>, ratio: f64) {
        let i = self.group.index();
        if matches!(self.side, RelativeSide::Own | RelativeSide::Both) {
            ratios.own.as_mut()[i] = ratio;
        }
        if matches!(self.side, RelativeSide::Other | RelativeSide::Both) {
            ratios.other.as_mut()[i] = ratio;
        }
    }
}
