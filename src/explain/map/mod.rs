//! An analysis of a profile's map, as printed by `deepfeeling map`: its concepts and links, whether
//! it settles, and in which states.

mod dot;
mod json;
mod survey;
mod svg;

use crate::{
    chess_mind::{Mind, concept_name},
    mind::{
        analysis::{ConceptRole, Contraction, Norms},
        concept::{Activations, Concept},
        fcm::Settling,
    },
    profile::Profile,
};
use std::fmt::{self, Write};
use survey::Survey;

/// Everything that is known about a map without a position.
#[derive(Clone, Debug)]
pub struct MapAnalysis {
    profile: Profile,
    /// Whether each concept is held or fixed, so that the map does not change its value.
    still: [bool; Concept::COUNT],
    contraction: Contraction,
    /// How and from where the map fails to settle, or `None` if it always settles.
    restless: Option<String>,
    survey: Survey,
}

impl MapAnalysis {
    /// Analyses the map of `profile`, starting it from thousands of states.
    pub fn of(profile: Profile) -> Self {
        let mind = &profile.mind;
        let (_, still) = mind.entry(&Activations::zeros());
        let contraction = mind.map.contraction(&still);
        let (restless, survey) = (unsettled_perception(mind), Survey::of(mind));
        Self { profile, still, contraction, restless, survey }
    }

    /// Returns the map as a Graphviz graph.
    pub fn dot(&self) -> String {
        dot::graph(&self.profile, self.still)
    }

    /// Returns the map as a self-contained SVG picture.
    pub fn svg(&self) -> String {
        svg::picture(&self.profile, self.still)
    }

    fn parts(&self, part: ConceptRole) -> Vec<&'static str> {
        let map = &self.profile.mind.map;
        let of_part =
            Concept::ALL.into_iter().filter(|&concept| map.part(concept as usize) == part);
        of_part.map(concept_name).collect()
    }

    fn head(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mind = &self.profile.mind;
        let slope =
            mind.map.squash.slope().map_or(String::new(), |slope| format!(", slope {slope}"));
        let (function, rule) = (mind.map.squash.name(), mind.map.rule.name());
        writeln!(f, "profile {}: rule {rule}, function {function}{slope}", self.profile.name)?;
        let held = Concept::ALL.into_iter().filter(|&concept| mind.held[concept as usize]);
        writeln!(
            f,
            "held at the perceived value: {}",
            listed(held.map(|concept| concept_name(concept).to_owned()))
        )?;
        let fixed = Concept::ALL.into_iter().filter_map(|concept| {
            mind.fixed[concept as usize]
                .map(|value| format!("{} at {value}", concept_name(concept)))
        });
        writeln!(f, "fixed: {}", listed(fixed))
    }

    fn concepts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let map = &self.profile.mind.map;
        let (inward, outward, both) = ("in", "out", "centrality");
        writeln!(f, "\nConcepts (in, out: sums of absolute link weights; centrality: in + out)")?;
        writeln!(f, "  {:<14} {inward:>6} {outward:>6} {both:>11}  part", "concept")?;
        for concept in Concept::ALL {
            let (inward, outward) =
                (map.in_degree(concept as usize), map.out_degree(concept as usize));
            let (name, part) = (concept_name(concept), map.part(concept as usize).name());
            let both = inward + outward;
            writeln!(f, "  {name:<14} {inward:>6.2} {outward:>6.2} {both:>11.2}  {part}")?;
        }
        for (part, plural) in
            [(ConceptRole::Driver, "drivers"), (ConceptRole::Receiver, "receivers")]
        {
            writeln!(f, "  {plural}: {}", listed(self.parts(part).into_iter().map(str::to_owned)))?;
        }
        let (links, density) = (map.links().count(), map.density());
        writeln!(f, "  {links} links of {}: density {density:.3}", Concept::COUNT * Concept::COUNT)
    }

    fn links(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let influence = &self.profile.mind.map.influence;
        let mut text =
            format!("\nLinks (weight of the row's influence on the column)\n  {:<13}", "");
        let width = |concept: Concept| concept_name(concept).len().max("-0.25".len());
        for to in Concept::ALL {
            write!(text, " {:>1$}", concept_name(to), width(to))?;
        }
        for from in Concept::ALL {
            write!(text, "\n  {:<13}", concept_name(from))?;
            for to in Concept::ALL {
                let weight = influence[(to as usize, from as usize)];
                let cell = if weight == 0.0 { ".".into() } else { weight.to_string() };
                write!(text, " {cell:>0$}", width(to))?;
            }
        }
        let idle = self.profile.mind.map.links().filter(|link| self.still[link.to]).count();
        if idle > 0 {
            write!(text, "\n  {idle} of them have no effect: they lead to held or fixed concepts")?;
        }
        writeln!(f, "{text}")
    }

    fn rest(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settles = "settles from every start on a grid of perceptions";
        writeln!(f, "\nConvergence\n  {}", self.restless.as_deref().unwrap_or(settles))?;
        let Contraction { slope, all, loops } = &self.contraction;
        let heading =
            format!("weights between free concepts (rule {})", self.profile.mind.map.rule.name());
        writeln!(f, "  {heading:<50} 1-norm  2-norm  infinity norm")?;
        for (name, Norms { one, two, infinity }) in [("all", all), ("on loops", loops)] {
            writeln!(f, "    {name:<47} {one:>7.3} {two:>7.3} {infinity:>14.3}")?;
        }
        let function = self.profile.mind.map.squash.name();
        let (norm, kind) = loops.smallest();
        match (slope, self.contraction.bound()) {
            (_, Some(0.0)) => writeln!(
                f,
                "  no loops: exactly one fixed point for the held values, reached from every start"
            ),
            (Some(slope), Some(bound)) => {
                let verdict = if self.contraction.proves_one_rest() {
                    "below 1: exactly one fixed point for the held values, reached from every start"
                } else {
                    "not below 1: there may be several fixed points, or the map may not settle"
                };
                let product =
                    format!("{slope:.3} (steepest slope of {function}) × {norm:.3} ({kind})");
                writeln!(f, "  {product} = {bound:.3}\n  {verdict}")
            }
            (_, _) => writeln!(f, "  no bound: {function} jumps"),
        }
    }
}

/// Describes how a mind's map fails to settle and from which perception. Returns `None` if it
/// settles from every start on a grid of perceptions.
pub fn unsettled_perception(mind: &Mind) -> Option<String> {
    let restless = mind.first_unsettled()?;
    let how = match restless.settling {
        Settling::Cycle { period } => format!("returns every {period} steps"),
        Settling::FixedPoint { .. } | Settling::Unsettled => {
            format!("does not settle within {} steps", mind.map.step_limit)
        }
    };
    let board = Concept::ALL.into_iter().filter(|concept| concept.is_perceived());
    Some(format!("{how} from {}", values(&restless.perceived, board)))
}

/// Lists concepts with their values: `material 1, mobility -0.5`.
fn values(state: &Activations, concepts: impl Iterator<Item = Concept>) -> String {
    let pairs =
        concepts.map(|concept| format!("{} {}", concept_name(concept), state[concept as usize]));
    pairs.collect::<Vec<_>>().join(", ")
}

fn listed(names: impl Iterator<Item = String>) -> String {
    let names: Vec<_> = names.collect();
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

impl fmt::Display for MapAnalysis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.head(f)?;
        self.concepts(f)?;
        self.links(f)?;
        self.rest(f)?;
        write!(f, "\n{}", self.survey)
    }
}
