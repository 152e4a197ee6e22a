//! The feelings of both sides in a position, as the page shows them.

use super::order::Order;
use crate::{
    agent::AgentOptions,
    game::Side,
    view::{Shown, sentence},
};
use deepfeeling::{
    explain::schema::{self, ByName, ConceptRecord, FactorsRecord, LinkRecord},
    mind::{
        appraisal::{Appraisal, emotion_word},
        concept::Concept,
        listed::Listed,
    },
};
use serde::Serialize;

/// What a side feels.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Feeling {
    /// The emotion, from fear (-1) to relief (1).
    intensity: f64,
    /// The emotion in a word or two.
    emotion: &'static str,
    /// The name of the goal.
    goal: Option<&'static str>,
    /// Emotion, reason and goal, such as "afraid: one square left; wants to break out".
    sentence: String,
}

/// The map of a temperament.
#[derive(Debug, Serialize)]
pub(super) struct MapView {
    /// The concepts: the four perceived ones in the order of the measures, among the others.
    concepts: [ConceptRecord; Concept::COUNT],
    links: Vec<LinkRecord>,
}

/// What lies behind a feeling: the map after it has settled, and what the feeling changes.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct FeelingDetail {
    /// The activations of all concepts, from -1 to 1.
    concepts: ByName<f64>,
    /// The factors of the weights of both sides.
    factors: FactorsRecord,
}

impl Feeling {
    /// Describes an appraisal.
    pub(super) fn new<G: Shown>(appraisal: &Appraisal<G>) -> Self {
        Self {
            intensity: appraisal.intensity,
            emotion: emotion_word(appraisal.intensity),
            goal: appraisal.goal.map(Listed::name),
            sentence: sentence(appraisal),
        }
    }
}

impl FeelingDetail {
    /// Describes what lies behind an appraisal.
    pub(super) fn new<G: Shown>(appraisal: &Appraisal<G>) -> Self {
        Self {
            concepts: schema::activations::<G>(&appraisal.settled, Concept::ALL),
            factors: FactorsRecord::from(&appraisal.ratios),
        }
    }
}

/// Returns the map of the temperament of the order.
pub(super) fn map<G: Shown>(order: &Order<G>) -> MapView {
    MapView {
        concepts: Concept::ALL.map(ConceptRecord::of::<G>),
        links: schema::links(&order.mind.mind),
    }
}

/// Returns what a side feels by the temperament of the order, with emotions of this strength in percent.
pub(super) fn appraise<G: Shown>(
    order: &Order<G>,
    position: &G,
    side: Side,
    strength: u16,
) -> Appraisal<G> {
    order.mind.mind.appraise(position, side, strength, None)
}

/// Returns the feelings of both sides by the temperament of the order.
pub(super) fn of<G: Shown>(order: &Order<G>, position: &G) -> [Feeling; 2] {
    let strength = AgentOptions::default().strength;
    Side::ALL.map(|side| Feeling::new(&appraise(order, position, side, strength)))
}

/// Returns what lies behind the machine's feeling.
pub(super) fn detail<G: Shown>(order: &Order<G>, position: &G) -> FeelingDetail {
    let strength = AgentOptions::default().strength;
    FeelingDetail::new(&appraise(order, position, order.person.other(), strength))
}
