//! Minds built by hand, for comparison with the profiles.

use deepfeeling::{
    chess_mind::{Fact, Goal, GoalRelevance, GoalRule, Mind, Ratios, RelevanceTable, Thresholds},
    eval::group::Group,
    mind::{
        channels::Channels,
        concept::Concept,
        fcm::{FuzzyCognitiveMap, Rule, Squash},
        goal::Condition,
        perception::{Perception, Ramp},
    },
};
use nalgebra::SMatrix;

/// Returns the article's mind: a free map with `IndROp` fixed at 0, and factors for escape check
/// only.
pub(crate) fn paper_mind() -> Mind {
    let mut fixed = [None; Concept::COUNT];
    fixed[Concept::Exposure as usize] = Some(0.0);
    let mut goals = Goal::ALL.map(|_| GoalRelevance::neutral());
    goals[Goal::EscapeCheck as usize] =
        GoalRelevance::Shares { share: [0.05, 0.30, 0.60, 0.05], at: -0.7 };
    Mind {
        perception: Perception {
            material: Ramp { from: -4075.0, to: 4075.0 },
            mobility: Ramp { from: 0.0, to: 137.0 },
            safety: Ramp { from: -115.5, to: 64.0 },
            exposure: Ramp { from: -64.0, to: 115.5 },
        },
        map: paper_map(),
        held: [false; Concept::COUNT],
        fixed,
        thresholds: Thresholds {
            mating_pieces: 2,
            castling_blockers: 1,
            deficit: 100,
            endgame_pieces: 1325,
            centre_squares: 3,
        },
        ladder: ladder(),
        relevance: RelevanceTable { goals, floor: None, ceiling: None },
        steps: None,
        inertia: 0.0,
        bend: 0.0,
        channels: Channels::default(),
    }
}

/// Returns a mind for play: the article's map with held perceptions, and bounded factors.
pub(crate) fn held_mind() -> Mind {
    let mut fear = Ratios::NEUTRAL;
    fear.own[Group::King as usize] = 1.8;
    fear.other[Group::King as usize] = 0.7;
    let mut relief = Ratios::NEUTRAL;
    relief.other[Group::King as usize] = 1.5;
    let paper = paper_mind();
    Mind {
        held: Concept::ALL.map(Concept::is_perceived),
        fixed: [None; Concept::COUNT],
        relevance: RelevanceTable {
            goals: Goal::ALL.map(|_| GoalRelevance::sides(fear, relief)),
            floor: Some(0.25),
            ceiling: Some(4.0),
        },
        steps: Some(32),
        ..paper
    }
}

/// Returns the map of table 2.
fn paper_map() -> FuzzyCognitiveMap<{ Concept::COUNT }> {
    use Concept::{Arousal, Desirability, Exposure, Material, Mobility, Relief, Safety};
    let mut influence = SMatrix::<f64, { Concept::COUNT }, { Concept::COUNT }>::zeros();
    for (from, to, weight) in [
        (Desirability, Relief, 0.25),
        (Desirability, Arousal, 0.25),
        (Arousal, Relief, 0.5),
        (Material, Desirability, 1.0),
        (Material, Relief, 1.0),
        (Material, Arousal, 1.0),
        (Material, Mobility, 1.0),
        (Material, Safety, 1.0),
        (Material, Exposure, 1.0),
        (Mobility, Desirability, 0.5),
        (Mobility, Relief, 0.5),
        (Mobility, Mobility, 0.5),
        (Mobility, Safety, 1.0),
        (Mobility, Exposure, 0.25),
        (Safety, Desirability, 0.5),
        (Safety, Relief, 0.13),
        (Safety, Safety, 0.5),
        (Exposure, Desirability, 1.0),
        (Exposure, Relief, 1.0),
        (Exposure, Arousal, 1.0),
    ] {
        influence[(to as usize, from as usize)] = weight;
    }
    FuzzyCognitiveMap {
        influence,
        squash: Squash::BipolarLogistic { slope: 5.0 },
        rule: Rule::Kosko,
        tolerance: 1e-6,
        step_limit: 200,
    }
}

/// Returns the goal ladder of figure 3, with the labels of table 1.
fn ladder() -> Vec<GoalRule> {
    use Condition::{Fact as Is, Label};
    let seek = Is(Fact::CanSeekMate, true);
    [
        (Goal::EscapeCheck, vec![Is(Fact::InCheck, true)]),
        (Goal::GiveMate, vec![Label(Concept::Exposure, 2), Is(Fact::CanMate, true)]),
        (Goal::SecureKing, vec![Label(Concept::Safety, 0)]),
        (Goal::Castle, vec![Is(Fact::CanCastle, true)]),
        (Goal::GainMobility, vec![Label(Concept::Mobility, 0)]),
        (Goal::PromotePawn, vec![seek, Is(Fact::PassedPawn, true), Is(Fact::Endgame, true)]),
        (Goal::ConfineKing, vec![seek, Label(Concept::Material, 2)]),
        (Goal::WinMaterial, vec![seek, Is(Fact::CentreDominated, true)]),
        (Goal::DominateCentre, vec![seek]),
        (Goal::BlockPassedPawns, vec![Is(Fact::OpposingPassedPawn, true)]),
        (Goal::CaptureThreat, vec![Is(Fact::EnemyThreat, true)]),
        (Goal::ReachSafety, vec![]),
    ]
    .into_iter()
    .map(|(goal, when)| GoalRule { goal, when })
    .collect()
}
