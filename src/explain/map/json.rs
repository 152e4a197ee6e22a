//! The analysis of a map as JSON, as printed by `deepfeeling map --json`.

use super::{MapAnalysis, survey::SurveyRecord};
use crate::{
    explain::schema::{self, ConceptRecord, LinkRecord},
    mind::{
        analysis::{Contraction, Norms},
        concept::Concept,
    },
};
use serde::Serialize;

/// The JSON form of [`MapAnalysis`].
#[derive(Debug, Serialize)]
pub struct AnatomyRecord<'a> {
    profile: &'a str,
    rule: &'static str,
    activation: ActivationRecord,
    tolerance: f64,
    step_limit: u16,
    concepts: Vec<NodeRecord>,
    links: Vec<LinkRecord>,
    density: f64,
    settles: bool,
    restless: Option<&'a str>,
    contraction: ContractionRecord,
    ends: SurveyRecord,
}

/// The squashing function.
#[derive(Debug, Serialize)]
struct ActivationRecord {
    function: &'static str,
    slope: Option<f64>,
}

/// A concept and its place in the map. Degrees are sums of absolute link weights.
#[derive(Debug, Serialize)]
struct NodeRecord {
    #[serde(flatten)]
    concept: ConceptRecord,
    in_degree: f64,
    out_degree: f64,
    centrality: f64,
    part: &'static str,
    held: bool,
    fixed: Option<f64>,
}

/// Bounds on how much a step can change the distance between two states.
#[derive(Debug, Serialize)]
struct ContractionRecord {
    steepest_slope: Option<f64>,
    /// The order of the norms below.
    norms: &'static str,
    all_links: [f64; 3],
    links_on_loops: [f64; 3],
    smallest: &'static str,
    bound: Option<f64>,
    proves_one_rest: bool,
}

impl MapAnalysis {
    /// Returns the analysis for JSON.
    pub fn record(&self) -> AnatomyRecord<'_> {
        let mind = &self.profile.mind;
        let map = &mind.map;
        let node = |concept: Concept| {
            let i = concept as usize;
            let (in_degree, out_degree) = (map.in_degree(i), map.out_degree(i));
            NodeRecord {
                concept: concept.into(),
                in_degree,
                out_degree,
                centrality: in_degree + out_degree,
                part: map.part(i).name(),
                held: mind.held[i],
                fixed: mind.fixed[i],
            }
        };
        let (function, slope) = (map.squash.name(), map.squash.slope());
        AnatomyRecord {
            profile: &self.profile.name,
            rule: map.rule.name(),
            activation: ActivationRecord { function, slope },
            tolerance: map.tolerance,
            step_limit: map.step_limit,
            concepts: Concept::ALL.into_iter().map(node).collect(),
            links: schema::links(mind),
            density: map.density(),
            settles: self.restless.is_none(),
            restless: self.restless.as_deref(),
            contraction: ContractionRecord::from(&self.contraction),
            ends: self.survey.record(),
        }
    }
}

impl From<&Contraction> for ContractionRecord {
    fn from(contraction: &Contraction) -> Self {
        let norms = |norms: &Norms| [norms.one, norms.two, norms.infinity];
        let Contraction { slope, all, loops } = contraction;
        Self {
            steepest_slope: *slope,
            norms: "1, 2, infinity",
            all_links: norms(all),
            links_on_loops: norms(loops),
            smallest: loops.smallest().1,
            bound: contraction.bound(),
            proves_one_rest: contraction.proves_one_rest(),
        }
    }
}
