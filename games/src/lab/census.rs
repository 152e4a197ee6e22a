//! What a temperament perceives, feels and pursues in games: the distribution of each concept, and
//! the share of each goal.
#![expect(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

use crate::{level::Playable, record::GameRecord};
use deepfeeling::mind::{Mind, concept::Concept, listed::Listed};
use serde::Serialize;

/// The spread of a number over positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The value that 10 % of positions do not exceed.
    pub low: f64,
    /// The value that half of the positions do not exceed.
    pub median: f64,
    /// The value that 90 % of positions do not exceed.
    pub high: f64,
}

impl Spread {
    /// Returns the spread of `values`, and 0 if there are none.
    fn of(mut values: Vec<f64>) -> Self {
        values.sort_unstable_by(f64::total_cmp);
        let at = |percent: usize| {
            let place = (values.len() * percent).div_ceil(100).saturating_sub(1);
            values.get(place).copied().unwrap_or_default()
        };
        Self { low: at(10), median: at(50), high: at(90) }
    }
}

/// The distribution of one concept.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConceptSpread {
    /// The name of the concept.
    pub concept: &'static str,
    /// The measure behind it in its unit. `None` for concepts that are not perceived.
    pub measure: Option<Spread>,
    /// The activation, -1 to 1.
    pub activation: Spread,
    /// The share of positions with each label, in percent.
    pub labels: Vec<(&'static str, f64)>,
    /// The share of positions at either end of the scale, in percent.
    pub at_an_end: f64,
}

/// The share of a goal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GoalShare {
    /// The name of the goal.
    pub goal: &'static str,
    /// The share of positions with this goal, in percent.
    pub share: f64,
    /// The share of those with an intensity below 0, in percent.
    pub in_fear: f64,
}

/// The result of a census.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Census {
    /// The number of games.
    pub games: usize,
    /// The number of positions, each seen by the side to move.
    pub positions: usize,
    /// The four perceived concepts, and the emotion.
    pub concepts: Vec<ConceptSpread>,
    /// The goals.
    pub goals: Vec<GoalShare>,
}

/// The perceived concepts, in the order of the measures, and the emotion.
const COUNTED: [Concept; 5] =
    [Concept::Material, Concept::Mobility, Concept::Safety, Concept::Exposure, Concept::Relief];

/// Appraises all positions of `games` for the side to move, without inertia.
pub fn census<G: Playable>(mind: &Mind<G>, games: &[GameRecord<G>]) -> Census {
    let mut activations: [Vec<f64>; 5] = Default::default();
    let mut measures: [Vec<f64>; 4] = Default::default();
    let mut pursued = vec![[0_u32; 2]; G::Goal::ALL.into_iter().count()];
    let mut positions = 0;
    let open = |position: &G| position.outcome().is_none();
    for position in games.iter().flat_map(GameRecord::positions).filter(open) {
        let appraisal = mind.appraise(&position, position.turn(), 100, None);
        positions += 1;
        for (values, concept) in activations.iter_mut().zip(COUNTED) {
            let felt = concept == Concept::Relief;
            let perceived = appraisal.perceived[concept as usize];
            values.push(if felt { appraisal.intensity } else { perceived });
        }
        let natural = deepfeeling::mind::game::FourMeasures::natural(&appraisal.measures);
        measures.iter_mut().zip(natural).for_each(|(values, measure)| values.push(measure));
        if let Some(goal) = appraisal.goal {
            pursued[goal.index()][usize::from(appraisal.intensity < 0.0)] += 1;
        }
    }
    let mut measures = measures.into_iter().map(Spread::of);
    let concepts = COUNTED.into_iter().zip(activations);
    let concepts = concepts.map(|(concept, values)| spread::<G>(concept, values, measures.next()));
    let goals = G::Goal::ALL.into_iter().zip(pursued);
    Census {
        games: games.len(),
        positions,
        concepts: concepts.collect(),
        goals: goals.map(|(goal, counts)| share(goal.name(), counts, positions)).collect(),
    }
}

fn spread<G: Playable>(
    concept: Concept,
    values: Vec<f64>,
    measure: Option<Spread>,
) -> ConceptSpread {
    let percent = |count: usize| 100.0 * count as f64 / values.len().max(1) as f64;
    let of_label = |label| values.iter().filter(|&&value| concept.label_of(value) == label).count();
    let labels = concept.labels().iter().enumerate();
    let labels = labels.map(|(i, &name)| (name, percent(of_label(i)))).collect();
    let at_an_end = percent(values.iter().filter(|value| value.abs() >= 1.0).count());
    let activation = Spread::of(values);
    ConceptSpread { concept: G::concept_name(concept), measure, activation, labels, at_an_end }
}

fn share(goal: &'static str, [calm, afraid]: [u32; 2], positions: usize) -> GoalShare {
    let percent = |part: u32, all: f64| 100.0 * f64::from(part) / all.max(1.0);
    let all = calm + afraid;
    GoalShare {
        goal,
        share: percent(all, positions as f64),
        in_fear: percent(afraid, f64::from(all)),
    }
}
