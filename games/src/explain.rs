//! From a position to a feeling and a move, step by step, for people and programs to read.

use crate::{
    agent::{Agent, AgentOptions},
    evaluation::Weights,
    game::Side,
    level::{Playable, PlayerSpec},
};
use deepfeeling::mind::{
    Mind,
    appraisal::{Appraisal, emotion_word},
    concept::Concept,
    game::FourMeasures,
    listed::Listed,
    relevance::Ratios,
};
use serde::Serialize;

/// A measure and the concept that it activates.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasureRow {
    /// The name of both.
    pub name: &'static str,
    /// The measure.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// The activation, -1 to 1.
    pub activation: f64,
    /// The label of the activation.
    pub label: &'static str,
}

/// A fact.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FactRow {
    /// The name.
    pub name: &'static str,
    /// When it is true.
    pub meaning: String,
    /// Whether it is true.
    pub holds: bool,
}

/// A rung of the ladder that was examined.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RungRow {
    /// The goal of the rung.
    pub goal: &'static str,
    /// The conditions that fail. None fails on the chosen rung.
    pub failed: Vec<String>,
}

/// A term of the evaluation, for the side that feels and its opponent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TermRow {
    /// The name.
    pub name: &'static str,
    /// The counts of the side that feels and of its opponent.
    pub counts: [f64; 2],
    /// The weights without the feeling.
    pub weights: [f64; 2],
    /// The weights under the feeling.
    pub felt_weights: [f64; 2],
    /// What the term adds to the evaluation without the feeling.
    pub value: f64,
    /// What it adds under the feeling.
    pub felt_value: f64,
}

/// How a position becomes a feeling and a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The side that feels: the side to move.
    pub side: &'static str,
    /// The measures.
    pub measures: Vec<MeasureRow>,
    /// The facts.
    pub facts: Vec<FactRow>,
    /// The rungs of the ladder up to the chosen one.
    pub ladder: Vec<RungRow>,
    /// The goal, if any rung holds.
    pub goal: Option<&'static str>,
    /// The goal in one sentence.
    pub aim: Option<&'static str>,
    /// The emotion, from fear (-1) to relief (1).
    pub intensity: f64,
    /// The emotion in words.
    pub emotion: &'static str,
    /// Desirability, relief and arousal after the map has settled.
    pub settled: Vec<(&'static str, f64)>,
    /// Emotion, goal and changed groups on one line.
    pub summary: String,
    /// The terms of the evaluation.
    pub terms: Vec<TermRow>,
    /// The move with the feeling. `None` if the game is over.
    pub felt_move: Option<String>,
    /// The move without the feeling.
    pub plain_move: Option<String>,
}

/// Explains what `player` feels and plays in `position`. A player without a temperament feels by
/// `mind`, and plays without.
pub fn explain<G: Playable>(
    position: &G,
    player: &PlayerSpec<G>,
    mind: &Mind<G>,
    options: AgentOptions,
    seed: u64,
) -> Explanation {
    let side = position.turn();
    let appraisal = mind.appraise(position, side, options.strength, None);
    let bare = PlayerSpec { temperament: None, ..player.clone() };
    let chosen = |player: &PlayerSpec<G>| {
        let thought = Agent::new(player, options, seed).choose(position);
        thought.map(|thought| thought.m.to_string())
    };
    let plain = &player.level.weights;
    let concept =
        |concept: Concept| (G::concept_name(concept), appraisal.settled[concept as usize]);
    Explanation {
        side: G::side_name(side),
        measures: measures(&appraisal),
        facts: facts(mind, &appraisal),
        ladder: ladder(&appraisal),
        goal: appraisal.goal.map(Listed::name),
        aim: appraisal.goal.map(G::description),
        intensity: appraisal.intensity,
        emotion: emotion_word(appraisal.intensity),
        settled: [Concept::Desirability, Concept::Relief, Concept::Arousal].map(concept).into(),
        summary: appraisal.summary(),
        terms: terms(position, side, plain, &appraisal.ratios),
        felt_move: chosen(player),
        plain_move: chosen(&bare),
    }
}

fn measures<G: Playable>(appraisal: &Appraisal<G>) -> Vec<MeasureRow> {
    let concepts = [Concept::Material, Concept::Mobility, Concept::Safety, Concept::Exposure];
    let natural = appraisal.measures.natural();
    let rows = G::MEASURES.into_iter().zip(natural).zip(concepts);
    rows.map(|((spec, value), concept)| {
        let activation = appraisal.perceived[concept as usize];
        let label = concept.label(activation);
        MeasureRow { name: spec.name, value, unit: spec.unit, activation, label }
    })
    .collect()
}

fn facts<G: Playable>(mind: &Mind<G>, appraisal: &Appraisal<G>) -> Vec<FactRow> {
    let row = |fact: G::Fact| FactRow {
        name: fact.name(),
        meaning: G::meaning(fact, &mind.thresholds),
        holds: appraisal.facts.holds(fact),
    };
    G::Fact::ALL.into_iter().map(row).collect()
}

fn ladder<G: Playable>(appraisal: &Appraisal<G>) -> Vec<RungRow> {
    let rungs = appraisal.rules.iter();
    rungs
        .map(|rung| RungRow {
            goal: rung.goal.name(),
            failed: rung.failed.iter().map(ToString::to_string).collect(),
        })
        .collect()
}

/// Returns the evaluation of `position` for `side`, term by term, without and with a feeling.
pub fn terms<G: Playable>(
    position: &G,
    side: Side,
    weights: &Weights<G>,
    ratios: &Ratios<G>,
) -> Vec<TermRow> {
    let felt = weights.bent(ratios);
    let row = |term: G::Group| {
        let i = term.index();
        let counts = [side, side.other()].map(|side| position.count(side, term));
        let of = |weights: &Weights<G>| [weights.own.as_ref()[i], weights.other.as_ref()[i]];
        let value = |[own, other]: [f64; 2]| own * counts[0] - other * counts[1];
        let (weights, felt_weights) = (of(weights), of(&felt));
        let (value, felt_value) = (value(weights), value(felt_weights));
        TermRow { name: term.name(), counts, weights, felt_weights, value, felt_value }
    };
    G::Group::ALL.into_iter().map(row).collect()
}
