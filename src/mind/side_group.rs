//! The groups of terms of each side. A goal has one ratio for each of them, which tuning adjusts.

use super::relevance::Ratios;
use crate::eval::group::Group;
use crate::support::variants::variants;

/// The side whose terms a ratio weighs, as seen by the side that feels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum RelativeSide {
    /// The side that feels.
    Own,
    /// Its opponent.
    Other,
    /// Both sides together: used for material, which is one balance.
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

    /// Returns the sides for which `group` has ratios of its own.
    ///
    /// Except for material, a profile's value under `both` sets the ratios of `own` and `other`.
    #[must_use]
    pub const fn of(group: Group) -> &'static [Self] {
        match group {
            Group::Material => &[Self::Both],
            Group::Placement
            | Group::Mobility
            | Group::Pawns
            | Group::Passed
            | Group::Pieces
            | Group::King
            | Group::Threats
            | Group::Space
            | Group::Ending => &[Self::Own, Self::Other],
        }
    }
}

/// A single ratio, identified by group and side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideGroup {
    /// The group that is weighed.
    pub group: Group,
    /// The side whose terms are weighed.
    pub side: RelativeSide,
}

impl SideGroup {
    /// The number of ratios of a goal: one for material and two for every other group.
    pub const COUNT: usize = 2 * Group::COUNT - 1;

    /// Iterates over all of them, group by group.
    pub fn all() -> impl Iterator<Item = Self> {
        let of = |group| RelativeSide::of(group).iter().map(move |&side| Self { group, side });
        Group::ALL.into_iter().flat_map(of)
    }

    /// Returns the display name: `material`, `own king`, `other king`.
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
    pub const fn of(self, ratios: &Ratios) -> f64 {
        match self.side {
            RelativeSide::Own | RelativeSide::Both => ratios.own[self.group as usize],
            RelativeSide::Other => ratios.other[self.group as usize],
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
    pub const fn turn(self, ratios: &mut Ratios, ratio: f64) {
        if matches!(self.side, RelativeSide::Own | RelativeSide::Both) {
            ratios.own[self.group as usize] = ratio;
        }
        if matches!(self.side, RelativeSide::Other | RelativeSide::Both) {
            ratios.other[self.group as usize] = ratio;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_knob_sets_one_ratio() {
        assert_eq!(SideGroup::all().count(), SideGroup::COUNT);
        let mut ratios = Ratios::NEUTRAL;
        let values = || (2..).map(f64::from).zip(SideGroup::all());
        values().for_each(|(value, side_group)| side_group.turn(&mut ratios, value));
        for (value, side_group) in values() {
            assert!((side_group.of(&ratios) - value).abs() < 1e-9, "{}", side_group.name());
        }
        let [own, other] = [ratios.own, ratios.other].map(|side| side[Group::Material as usize]);
        assert!((own - other).abs() < 1e-9, "material is one balance");
        let names: Vec<String> = SideGroup::all().take(3).map(SideGroup::name).collect();
        assert_eq!(names, ["material", "own placement", "other placement"]);
    }
}
