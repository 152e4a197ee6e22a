//! The groups of the evaluation's terms, as a mind sees them.

use super::SideGroup;
use crate::{eval::group::Group, mind::listed::Listed};

impl Listed for Group {
    type Each<T> = [T; Self::COUNT];

    const ALL: [Self; Self::COUNT] = Self::ALL;

    fn name(self) -> &'static str {
        Self::name(self)
    }

    fn index(self) -> usize {
        self as usize
    }
}

impl SideGroup {
    /// The number of ratios of a goal: one for material and two for every other group.
    pub const COUNT: usize = 2 * Group::COUNT - 1;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess_mind::Ratios;

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
