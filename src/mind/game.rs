//! The description of a game: everything that a mind must know about it.
//!
//! A mind perceives four measures, chooses a goal by facts and labels, and weighs groups of terms.
//! A game supplies these as data and functions. Everything else is one code for all games.

use super::{
    concept::Concept,
    fact::Facts,
    listed::{Listed, RatioRow},
    relevance::GoalRelevance,
    side_group::{RelativeSide, SideGroup},
};
use std::{fmt::Debug, ops::RangeInclusive};

/// A game that a mind can have feelings about.
///
/// The type that implements this is never used as a value. It names the game in [`super::Mind`] and
/// its parts, as in `Mind<Horses>`.
pub trait FeltGame: Copy + Debug + Eq + 'static {
    /// A position of the game.
    type Position;
    /// A player.
    type Side: Copy + Debug + Eq;
    /// The four measures of a position. `[f64; 4]` suffices.
    type Measures: FourMeasures;
    /// The numbers in the definitions of facts. `()` if they have none.
    type Thresholds: FactThresholds;
    /// What is true or false of a position.
    type Fact: Listed<Each<bool>: Copy + Debug + Eq, Each<Option<bool>>: Copy + Debug + Eq>;
    /// What a player can be after.
    type Goal: Listed<Each<GoalRelevance<Self>>: Clone + Debug + PartialEq>;
    /// The groups of terms of the evaluation, to which a goal applies its ratios.
    type Group: Listed<Each<f64>: RatioRow>;

    /// The four measures, in the order of [`FourMeasures::natural`].
    const MEASURES: [MeasureSpec<Self>; 4];

    /// Measures the position for `side`, regardless of the side to move.
    fn measures(position: &Self::Position, side: Self::Side) -> Self::Measures;

    /// Determines the facts of the position for `side`, regardless of the side to move.
    fn facts(
        position: &Self::Position,
        side: Self::Side,
        thresholds: &Self::Thresholds,
    ) -> Facts<Self>;

    /// Describes in one line, without a full stop, when the fact is true.
    fn meaning(fact: Self::Fact, thresholds: &Self::Thresholds) -> String;

    /// Describes the goal in one sentence.
    fn description(goal: Self::Goal) -> &'static str;

    /// Returns the sides for which `group` has ratios of its own: by default, each side.
    ///
    /// [`RelativeSide::Both`] alone is for a balance that cannot be split by side, such as material
    /// in chess. Other groups have one ratio for each side.
    #[must_use]
    fn sides(_group: Self::Group) -> &'static [RelativeSide] {
        &[RelativeSide::Own, RelativeSide::Other]
    }

    /// Returns the name of a concept in this game's profiles and tables. A perceived concept has the
    /// name of its measure.
    #[must_use]
    fn concept_name(concept: Concept) -> &'static str {
        match concept {
            Concept::Desirability => "desirability",
            Concept::Relief => "relief",
            Concept::Arousal => "arousal",
            Concept::Material => Self::MEASURES[0].name,
            Concept::Mobility => Self::MEASURES[1].name,
            Concept::Safety => Self::MEASURES[2].name,
            Concept::Exposure => Self::MEASURES[3].name,
        }
    }

    /// Returns the concept with this name in this game.
    #[must_use]
    fn concept_named(name: &str) -> Option<Concept> {
        Concept::ALL.into_iter().find(|&concept| Self::concept_name(concept) == name)
    }
}

/// What a game says of one of its four measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasureSpec<G: FeltGame> {
    /// The name of the measure and of the concept that it activates, in snake case.
    pub name: &'static str,
    /// The unit of the measure, for example `squares`.
    pub unit: &'static str,
    /// The width of the range of the measure, above 0. Only shares need it, see
    /// [`GoalRelevance::Shares`].
    pub range: f64,
    /// The ratio that multiplies this measure. Only shares need it.
    pub ratio: SideGroup<G>,
}

impl<G: FeltGame> MeasureSpec<G> {
    /// Creates the description of a measure. A share of it sets the ratio of `group` on `side`.
    #[must_use]
    pub const fn new(
        name: &'static str,
        unit: &'static str,
        range: f64,
        group: G::Group,
        side: RelativeSide,
    ) -> Self {
        Self { name, unit, range, ratio: SideGroup { group, side } }
    }
}

/// The four measures of a position for one side.
pub trait FourMeasures: Copy + Debug + PartialEq {
    /// Returns material, mobility, own safety and the rival's exposure, each in its unit.
    fn natural(&self) -> [f64; 4];
}

impl FourMeasures for [f64; 4] {
    fn natural(&self) -> [f64; 4] {
        *self
    }
}

/// The numbers in the definitions of facts: the section `[facts]` of a profile.
pub trait FactThresholds: Copy + Debug + Default + Eq {
    /// Returns the key, the allowed range and the place of every threshold.
    fn keys(&mut self) -> Vec<(&'static str, RangeInclusive<u16>, &mut u16)>;
}

/// For games whose facts have no thresholds.
impl FactThresholds for () {
    fn keys(&mut self) -> Vec<(&'static str, RangeInclusive<u16>, &mut u16)> {
        Vec::new()
    }
}
