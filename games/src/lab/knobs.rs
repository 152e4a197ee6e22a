//! Whether each number of a temperament matters: for every percentage, a position where it changes
//! the move.

use crate::{
    evaluation::Evaluation,
    level::{Level, Playable, Strategy},
    search::{best_by, best_moves},
};
use deepfeeling::mind::{
    Mind,
    listed::Listed,
    relevance::{GoalRelevance, Ratios},
    side_group::SideGroup,
};
use serde::Serialize;

/// A percentage of a goal other than 100.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Knob<G: Playable> {
    goal: G::Goal,
    is_fear: bool,
    side_group: SideGroup<G>,
}

/// A percentage, and where it changes the move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KnobFinding {
    /// The goal.
    pub goal: &'static str,
    /// `fear` or `relief`.
    pub feeling: &'static str,
    /// The group of terms with its side, such as `own mobility`.
    pub group: String,
    /// The percentage at full intensity.
    pub percent: f64,
    /// The number of positions tried.
    pub tried: usize,
    /// The first position found: the position, the move with this percentage, and the move with 100
    /// instead.
    pub witness: Option<(String, String, String)>,
}

/// Looks for a position in which each percentage of `mind` changes the best move of `level`.
///
/// A position counts only if none of the best moves without the percentage is a best move with it.
/// `stopped` ends the search early.
pub fn find<G: Playable>(
    mind: &Mind<G>,
    level: &Level<G>,
    positions: &[G],
    stopped: &dyn Fn() -> bool,
) -> Vec<KnobFinding> {
    let mut findings: Vec<(Knob<G>, KnobFinding)> =
        knobs(mind).into_iter().map(|knob| (knob, finding(mind, knob))).collect();
    for position in positions {
        if stopped() {
            break;
        }
        let felt = mind.appraise(position, position.turn(), 100, None);
        let open = |(knob, finding): &&mut (Knob<G>, KnobFinding)| {
            let fits = felt.goal == Some(knob.goal) && knob.is_fear == (felt.intensity < 0.0);
            fits && felt.intensity != 0.0 && finding.witness.is_none()
        };
        let moves = |ratios: &Ratios<G>| best(level, position, ratios);
        let mut with = None;
        for (knob, finding) in findings.iter_mut().filter(open) {
            let with = with.get_or_insert_with(|| moves(&felt.ratios));
            let without =
                moves(&mind_without(mind, *knob).relevance.ratios(felt.goal, felt.intensity, 100));
            finding.tried += 1;
            if let (Some(a), Some(b)) = (with.first(), without.first())
                && !with.iter().any(|m| without.contains(m))
            {
                finding.witness = Some((position.to_string(), a.to_string(), b.to_string()));
            }
        }
    }
    findings.into_iter().map(|(_, finding)| finding).collect()
}

/// Returns the best moves of a level under the ratios of a feeling.
fn best<G: Playable>(level: &Level<G>, position: &G, ratios: &Ratios<G>) -> Vec<G::Move> {
    let evaluation = Evaluation::new(position.turn(), level.weights, level.ends).bent(ratios);
    let best = match level.strategy {
        Strategy::Minimax(depth) => best_moves(position, depth, &evaluation),
        Strategy::OnePly(value) => best_by(position, |m| value(position, m, &evaluation)),
        Strategy::Random | Strategy::Deepening => Vec::new(),
    };
    best.into_iter().map(|one| one.m).collect()
}

/// Lists the percentages of a mind that are not 100.
fn knobs<G: Playable>(mind: &Mind<G>) -> Vec<Knob<G>> {
    let mut knobs = Vec::new();
    for (goal, relevance) in G::Goal::ALL.into_iter().zip(mind.relevance.goals.as_ref()) {
        let GoalRelevance::Sides { fear, relief } = relevance else { continue };
        for (is_fear, ratios) in [(true, fear), (false, relief)] {
            let changed =
                SideGroup::all().filter(|side_group| (side_group.of(ratios) - 1.0).abs() > 1e-9);
            knobs.extend(changed.map(|side_group| Knob { goal, is_fear, side_group }));
        }
    }
    knobs
}

fn finding<G: Playable>(mind: &Mind<G>, knob: Knob<G>) -> KnobFinding {
    let intensity = if knob.is_fear { -1.0 } else { 1.0 };
    let ratios = mind.relevance.goals.as_ref()[knob.goal.index()].ratios(intensity);
    KnobFinding {
        goal: knob.goal.name(),
        feeling: if knob.is_fear { "fear" } else { "relief" },
        group: knob.side_group.name(),
        percent: 100.0 * knob.side_group.of(&ratios),
        tried: 0,
        witness: None,
    }
}

/// Returns the mind with one percentage set to 100.
fn mind_without<G: Playable>(mind: &Mind<G>, knob: Knob<G>) -> Mind<G> {
    let mut mind = mind.clone();
    if let GoalRelevance::Sides { fear, relief } =
        &mut mind.relevance.goals.as_mut()[knob.goal.index()]
    {
        knob.side_group.turn(if knob.is_fear { fear } else { relief }, 1.0);
    }
    mind
}
