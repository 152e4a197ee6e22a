//! The JSON form of an appraisal and of a map, shared by every command, file and page.
//!
//! `docs/feelings-file.md` describes each key with its unit and range.

use crate::{
    chess_mind::{Appraisal, ExaminedRule, Fact, FeltChess, Goal},
    eval::measures::QUARTERS,
    mind::{
        Mind,
        appraisal::emotion_word,
        channels::ChannelEffects,
        concept::Concept,
        fcm::{Activation, Settling},
        game::FeltGame,
        listed::Listed,
        relevance::Ratios,
    },
};
use serde::Serialize;
use shakmaty::Color;
use std::collections::BTreeMap;

/// Returns the JSON text of a record.
#[must_use]
pub fn text(record: &impl Serialize) -> String {
    // our records have text as keys, so this cannot fail
    serde_json::to_string(record).unwrap_or_default()
}

/// Values by the name of a measure, fact, concept, group or term.
pub type ByName<T> = BTreeMap<&'static str, T>;

/// An appraisal. The default is the record of an engine without emotion: every key is null.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AppraisalRecord {
    /// The four measures in centipawns, squares and points.
    pub measures: Option<ByName<f64>>,
    /// Which facts hold.
    pub facts: Option<ByName<bool>>,
    /// The activations of the perceived concepts, -1 to 1, as read from the board.
    pub perceived: Option<ByName<f64>>,
    /// The rungs of the ladder up to the chosen one.
    pub ladder: Option<Vec<RungRecord>>,
    /// The goal, or `None` if no goal applies.
    pub goal: Option<&'static str>,
    /// The activations of all concepts, -1 to 1, after the map has settled.
    pub concepts: Option<ByName<f64>>,
    /// How the map settled, in words.
    pub settling: Option<String>,
    /// The intensity before rounding to steps, -1 to 1.
    pub felt: Option<f64>,
    /// The intensity from fear (-1) to relief (1).
    pub intensity: Option<f64>,
    /// The intensity in words.
    pub emotion: Option<&'static str>,
    /// The factors of all groups.
    pub factors: Option<FactorsRecord>,
    /// The effects of the emotion other than the factors.
    pub effects: Option<EffectsRecord>,
}

/// A rung of the ladder that was examined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RungRecord {
    pub goal: &'static str,
    /// The conditions that do not hold; empty for the chosen goal.
    pub failed: Vec<String>,
}

/// The factors of the groups of terms. 1 leaves a group unchanged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FactorsRecord {
    /// Factors for the terms of the side that feels.
    pub own: ByName<f64>,
    /// Factors for the terms of its opponent.
    pub other: ByName<f64>,
}

/// The effects of an emotion other than the factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct EffectsRecord {
    /// The score of a draw, in centipawns.
    pub draw: i32,
    /// The change in thinking time, in percent.
    pub time: i32,
    /// How much less late moves that concern the goal are reduced, in 1024ths of a ply.
    pub attention: i32,
    /// The largest price of a liked move, in centipawns.
    pub taste: i32,
    /// The worth of the opponent's full fear, in centipawns.
    pub empathy: i32,
}

impl From<&Appraisal> for AppraisalRecord {
    fn from(appraisal: &Appraisal) -> Self {
        let points = appraisal.measures.named().into_iter();
        let points =
            points.map(|(name, quarters)| (name, f64::from(quarters) / f64::from(QUARTERS)));
        let facts = Fact::ALL.into_iter().map(|fact| (fact.name(), appraisal.facts.holds(fact)));
        let perceived = Concept::ALL.into_iter().filter(|concept| concept.is_perceived());
        Self {
            measures: Some(points.collect()),
            facts: Some(facts.collect()),
            perceived: Some(activations::<FeltChess>(&appraisal.perceived, perceived)),
            ladder: Some(appraisal.rules.iter().map(RungRecord::from).collect()),
            goal: appraisal.goal.map(Goal::name),
            concepts: Some(activations::<FeltChess>(&appraisal.settled, Concept::ALL)),
            settling: Some(verdict(appraisal.settling)),
            felt: Some(rounded(appraisal.felt)),
            intensity: Some(rounded(appraisal.intensity)),
            emotion: Some(emotion_word(appraisal.intensity)),
            factors: Some(FactorsRecord::from(&appraisal.ratios)),
            effects: Some(appraisal.effects.into()),
        }
    }
}

impl From<&ExaminedRule> for RungRecord {
    fn from(rule: &ExaminedRule) -> Self {
        let failed = rule.failed.iter().map(ToString::to_string).collect();
        Self { goal: rule.goal.name(), failed }
    }
}

impl<G: FeltGame> From<&Ratios<G>> for FactorsRecord {
    fn from(ratios: &Ratios<G>) -> Self {
        let side = |ratios: &[f64]| {
            let named = G::Group::ALL.into_iter().zip(ratios);
            named.map(|(group, ratio)| (group.name(), rounded(*ratio))).collect()
        };
        Self { own: side(ratios.own.as_ref()), other: side(ratios.other.as_ref()) }
    }
}

impl From<ChannelEffects> for EffectsRecord {
    fn from(ChannelEffects { draw, time, attention, taste, empathy }: ChannelEffects) -> Self {
        Self { draw, time, attention, taste, empathy }
    }
}

/// Describes how the map settled: at a fixed point, in a cycle, or not at all.
#[must_use]
pub fn verdict(settling: Settling) -> String {
    match settling {
        Settling::FixedPoint { steps } => format!("fixed point after {steps} steps"),
        Settling::Cycle { period } => format!("cycle of length {period}: its mean is felt"),
        Settling::Unsettled => "unsettled: nothing is felt".to_owned(),
    }
}

/// Returns the activations of `concepts` by their names in a game.
pub fn activations<G: FeltGame>(
    state: &Activation<{ Concept::COUNT }>,
    concepts: impl IntoIterator<Item = Concept>,
) -> ByName<f64> {
    concepts.into_iter().map(|c| (G::concept_name(c), rounded(state[c as usize]))).collect()
}

/// Rounds to six decimals. Negative zero becomes zero.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6 + 0.0
}

/// Returns `white` or `black`.
#[must_use]
pub fn side(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}

/// A concept of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ConceptRecord {
    pub name: &'static str,
    /// Whether the concept is perceived from the board.
    pub perceived: bool,
}

impl From<Concept> for ConceptRecord {
    fn from(concept: Concept) -> Self {
        Self::of::<FeltChess>(concept)
    }
}

impl ConceptRecord {
    /// Describes a concept under its name in a game.
    #[must_use]
    pub fn of<G: FeltGame>(concept: Concept) -> Self {
        Self { name: G::concept_name(concept), perceived: concept.is_perceived() }
    }
}

/// A link of the map.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LinkRecord {
    /// The concept that acts.
    pub from: &'static str,
    /// The concept that changes.
    pub to: &'static str,
    /// The weight, -1 to 1. It is never 0.
    pub weight: f64,
    /// Whether the link has an effect: false if `to` is held or fixed.
    pub acts: bool,
}

/// Returns the links of a mind's map.
#[must_use]
pub fn links<G: FeltGame>(mind: &Mind<G>) -> Vec<LinkRecord> {
    let (_, still) = mind.entry(&Activation::zeros());
    let link = |link: crate::mind::analysis::Link| {
        let [from, to] = [link.from, link.to].map(|i| G::concept_name(Concept::ALL[i]));
        LinkRecord { from, to, weight: link.weight, acts: !still[link.to] }
    };
    mind.map.links().map(link).collect()
}

/// A goal and its description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GoalRecord {
    pub name: &'static str,
    pub description: &'static str,
}

/// Returns all goals, in the order of the article's ladder.
#[must_use]
pub fn goals() -> [GoalRecord; Goal::COUNT] {
    Goal::ALL.map(|goal| GoalRecord { name: goal.name(), description: goal.description() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::game::Game, chess_mind::concept_named, profile::Profile};
    use serde_json::{Value, json};
    use std::collections::BTreeSet;

    fn keys(record: &Value) -> BTreeSet<&str> {
        record.as_object().unwrap().keys().map(String::as_str).collect()
    }

    #[test]
    fn an_appraisal_and_no_appraisal_have_the_same_keys() {
        let mind = Profile::builtin("anxious").unwrap().mind;
        let felt = mind.appraise(&Game::default().chess, Color::Black, 100, None);
        let felt = serde_json::to_value(AppraisalRecord::from(&felt)).unwrap();
        let none = serde_json::to_value(AppraisalRecord::default()).unwrap();
        assert_eq!(keys(&felt), keys(&none));
        assert!(none.as_object().unwrap().values().all(Value::is_null));
        assert_eq!(keys(&felt["perceived"]).len(), 4);
        assert_eq!(keys(&felt["concepts"]).len(), Concept::COUNT);
        assert_eq!(felt["ladder"].as_array().unwrap().last().unwrap()["failed"], json!([]));
        assert_eq!(felt["measures"]["material"], 0.0);
    }

    #[test]
    fn every_key_is_documented() {
        let document = include_str!("../../docs/feelings-file.md");
        for key in keys(&serde_json::to_value(AppraisalRecord::default()).unwrap()) {
            assert!(document.contains(&format!("\n| `{key}` |")), "`{key}` is not documented");
        }
    }

    #[test]
    fn numbers_have_six_decimals_and_zero_has_no_sign() {
        assert_eq!(rounded(-1e-9).to_string(), "0");
        assert_eq!(rounded(1.0 / 3.0).to_string(), "0.333333");
    }

    #[test]
    fn links_into_held_concepts_do_not_act() {
        let mind = Profile::builtin("standard").unwrap().mind;
        for link in links(&mind) {
            let to = concept_named(link.to).unwrap() as usize;
            assert_eq!(link.acts, !mind.held[to] && mind.fixed[to].is_none(), "{link:?}");
        }
    }
}
