//! Describes chess to the mind: its measures, facts, goals and groups of terms.
//!
//! The mind itself knows no game. This folder also turns the mind's ratios into factors of the
//! evaluation, and finds the squares and moves that a goal draws attention to.

pub mod cue;
pub mod fact;
pub mod goal;
mod group;
pub mod relevance;
pub mod salience;

pub use fact::{Fact, Thresholds};
pub use goal::Goal;

use crate::{
    eval::{
        group::Group,
        measures::{Measures, QUARTERS},
    },
    mind::{
        self,
        concept::Concept,
        game::{FeltGame, FourMeasures, MeasureSpec},
        side_group::RelativeSide,
    },
};
use relevance::RANGES;
use shakmaty::{Chess, Color};

/// The description of chess for the mind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeltChess;

/// A mind that plays chess.
pub type Mind = mind::Mind<FeltChess>;
/// An appraisal of a chess position.
pub type Appraisal = mind::appraisal::Appraisal<FeltChess>;
/// Values that replace what is perceived from the board.
pub type GivenValues = mind::GivenValues<FeltChess>;
/// All facts of one position, for one side.
pub type Facts = mind::fact::Facts<FeltChess>;
/// A condition of a rule.
pub type Condition = mind::goal::Condition<FeltChess>;
/// A rule of the ladder.
pub type GoalRule = mind::goal::GoalRule<FeltChess>;
/// A rule with the conditions that failed.
pub type ExaminedRule = mind::goal::ExaminedRule<FeltChess>;
/// Ratios for the groups of terms of both sides.
pub type Ratios = mind::relevance::Ratios<FeltChess>;
/// How a goal turns intensity into ratios.
pub type GoalRelevance = mind::relevance::GoalRelevance<FeltChess>;
/// The relevance of all goals.
pub type RelevanceTable = mind::relevance::RelevanceTable<FeltChess>;
/// A single ratio, identified by group and side.
pub type SideGroup = mind::side_group::SideGroup<FeltChess>;

impl FeltGame for FeltChess {
    type Position = Chess;
    type Side = Color;
    type Measures = Measures;
    type Thresholds = Thresholds;
    type Fact = Fact;
    type Goal = Goal;
    type Group = Group;

    const MEASURES: [MeasureSpec<Self>; 4] = [
        // BM is a balance and contains both sides' pieces
        measure(0, Group::Material, RelativeSide::Both),
        measure(1, Group::Mobility, RelativeSide::Own),
        measure(2, Group::King, RelativeSide::Own),
        measure(3, Group::King, RelativeSide::Other),
    ];

    fn measures(position: &Chess, side: Color) -> Measures {
        Measures::of(position, side)
    }

    fn facts(position: &Chess, side: Color, thresholds: &Thresholds) -> Facts {
        Facts::of(position, side, thresholds)
    }

    fn meaning(fact: Fact, thresholds: &Thresholds) -> String {
        fact.meaning(thresholds)
    }

    fn description(goal: Goal) -> &'static str {
        goal.description()
    }

    fn sides(group: Group) -> &'static [RelativeSide] {
        match group {
            Group::Material => &[RelativeSide::Both],
            Group::Placement
            | Group::Mobility
            | Group::Pawns
            | Group::Passed
            | Group::Pieces
            | Group::King
            | Group::Threats
            | Group::Space
            | Group::Ending => &[RelativeSide::Own, RelativeSide::Other],
        }
    }
}

/// Returns the name of a concept in chess, for example `king_safety`.
#[must_use]
pub fn concept_name(concept: Concept) -> &'static str {
    FeltChess::concept_name(concept)
}

/// Returns the concept with this name in chess.
#[must_use]
pub fn concept_named(name: &str) -> Option<Concept> {
    FeltChess::concept_named(name)
}

const fn measure(i: usize, group: Group, side: RelativeSide) -> MeasureSpec<FeltChess> {
    let (name, unit) = Measures::NAMES[i];
    MeasureSpec::new(name, unit, RANGES[i], group, side)
}

impl FourMeasures for Measures {
    fn natural(&self) -> [f64; 4] {
        self.in_order().map(|quarters| f64::from(quarters) / f64::from(QUARTERS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mind::{channels::ChannelEffects, concept::Activations, fcm::Settling};

    #[test]
    fn concepts_have_the_names_of_chess() {
        let names = Concept::ALL.map(concept_name);
        assert_eq!(names[..3], ["desirability", "relief", "arousal"]);
        assert_eq!(names[3..], ["material", "mobility", "king_safety", "king_exposure"]);
        for concept in Concept::ALL {
            assert_eq!(concept_named(concept_name(concept)), Some(concept));
        }
        assert_eq!(concept_named("fear"), None);
    }

    #[test]
    fn natural_measures_are_quarters_of_the_exact_ones() {
        let measures = Measures { material: 0, mobility: 20, king_safety: 40, king_exposure: -21 };
        let expected = [0.0, 5.0, 10.0, -5.25];
        for (natural, expected) in measures.natural().into_iter().zip(expected) {
            assert!((natural - expected).abs() < 1e-12);
        }
    }

    fn frightened() -> Appraisal {
        let mut ratios = Ratios::NEUTRAL;
        ratios.own[Group::King as usize] = 1.12;
        ratios.own[Group::Mobility as usize] = 1.05;
        ratios.other[Group::King as usize] = 0.9;
        Appraisal {
            side: Color::White,
            measures: Measures::default(),
            perceived: Activations::zeros(),
            facts: Facts::from_fn(|_| false),
            rules: Vec::new(),
            goal: Some(Goal::SecureKing),
            settled: Activations::zeros(),
            settling: Settling::FixedPoint { steps: 7 },
            felt: -0.71875,
            intensity: -0.71875,
            ratios,
            effects: ChannelEffects::default(),
        }
    }

    #[test]
    fn a_summary_lists_only_what_differs_from_neutral() {
        assert_eq!(
            frightened().summary(),
            "feeling fear -0.72 goal secure_king own mobility 1.05 king 1.12 other king 0.90 \
             map settled in 7 steps"
        );
    }

    #[test]
    fn channels_follow_the_groups() {
        let effects = ChannelEffects { draw: 14, ..ChannelEffects::default() };
        let summary = Appraisal { effects, ..frightened() }.summary();
        assert!(summary.ends_with("other king 0.90 draw +14 map settled in 7 steps"), "{summary}");
    }

    #[test]
    fn a_summary_reports_unsettled_and_cycling_maps() {
        let calm =
            Appraisal { ratios: Ratios::NEUTRAL, intensity: -0.0, goal: None, ..frightened() };
        let unsettled = Appraisal { settling: Settling::Unsettled, ..calm.clone() };
        assert_eq!(
            unsettled.summary(),
            "feeling neutral 0.00 goal none map did not settle and nothing is felt"
        );
        let cycling = Appraisal { settling: Settling::Cycle { period: 2 }, ..calm };
        assert!(cycling.summary().ends_with("map cycles with period 2"));
        let glad = Appraisal { intensity: 1.0, ..frightened() };
        assert!(glad.summary().starts_with("feeling relief 1.00 goal"));
    }
}
