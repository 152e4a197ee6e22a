//! One ratio of a goal that can be turned alone: that of a group, for the terms of one side.

use super::relevance::Ratios;
use crate::eval::group::Group;

/// Whose terms a ratio weighs, as seen by the side that feels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Own,
    Other,
    /// Material: it is one balance of both sides.
    Both,
}

impl Side {
    /// Every one, in the order of declaration.
    pub const ALL: [Self; 3] = [Self::Own, Self::Other, Self::Both];

    /// The key in profiles.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Other => "other",
            Self::Both => "both",
        }
    }

    /// The sides that `group` has ratios for. What a profile gives for `both` sides stands for each of
    /// them, except material.
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

/// A ratio: of which group, for whose terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knob {
    pub group: Group,
    pub side: Side,
}

impl Knob {
    /// How many ratios a goal has: material is one balance, every other group has two sides.
    pub const COUNT: usize = 2 * Group::COUNT - 1;

    /// Every one, group by group.
    pub fn all() -> impl Iterator<Item = Self> {
        let of = |group| Side::of(group).iter().map(move |&side| Self { group, side });
        Group::ALL.into_iter().flat_map(of)
    }

    /// In words: `material`, `own king`, `other king`.
    #[must_use]
    pub fn name(self) -> String {
        match self.side {
            Side::Own | Side::Other => format!("{} {}", self.side.name(), self.group.name()),
            Side::Both => self.group.name().to_owned(),
        }
    }

    /// Where it stands in `ratios`.
    #[must_use]
    pub const fn of(self, ratios: &Ratios) -> f64 {
        match self.side {
            Side::Own | Side::Both => ratios.own[self.group as usize],
            Side::Other => ratios.other[self.group as usize],
        }
    }

    /// Turns it to `ratio`, and nothing else.
    pub const fn turn(self, ratios: &mut Ratios, ratio: f64) {
        if matches!(self.side, Side::Own | Side::Both) {
            ratios.own[self.group as usize] = ratio;
        }
        if matches!(self.side, Side::Other | Side::Both) {
            ratios.other[self.group as usize] = ratio;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_knob_turns_one_ratio() {
        assert_eq!(Knob::all().count(), Knob::COUNT);
        let mut ratios = Ratios::NEUTRAL;
        let values = || (2..).map(f64::from).zip(Knob::all());
        values().for_each(|(value, knob)| knob.turn(&mut ratios, value));
        for (value, knob) in values() {
            assert!((knob.of(&ratios) - value).abs() < 1e-9, "{}", knob.name());
        }
        let [own, other] = [ratios.own, ratios.other].map(|side| side[Group::Material as usize]);
        assert!((own - other).abs() < 1e-9, "material is one balance");
        let names: Vec<String> = Knob::all().take(3).map(Knob::name).collect();
        assert_eq!(names, ["material", "own placement", "other placement"]);
    }
}
