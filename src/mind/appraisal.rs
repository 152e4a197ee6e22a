//! The record of one appraisal: goal, emotion and factors, and its one-line summary.

use super::{
    channels::ChannelEffects,
    concept::{Activations, Concept},
    fact::Facts,
    fcm::Settling,
    game::FeltGame,
    goal::ExaminedRule,
    listed::Listed,
    relevance::Ratios,
};
use std::fmt::Write;

/// The result of appraising a position, in the order it was computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Appraisal<G: FeltGame> {
    /// The side that feels.
    pub side: G::Side,
    /// The four measures of the position.
    pub measures: G::Measures,
    /// The activations that the measures give to the concepts.
    pub perceived: Activations,
    /// The facts of the position, which decide the goal together with the perceived activations.
    pub facts: Facts<G>,
    /// The rules of the ladder up to the chosen one, each with its failed conditions.
    pub rules: Vec<ExaminedRule<G>>,
    /// The goal, or `None` if no rule of the ladder holds. Without a goal, every ratio is 1.
    pub goal: Option<G::Goal>,
    /// The activations after the map has settled.
    pub settled: Activations,
    /// How the map settled.
    pub settling: Settling,
    /// The emotion before rounding, -1 to 1. With inertia, the next appraisal starts from it.
    pub felt: f64,
    /// The emotion from fear (-1) to relief (1), rounded to the steps of the profile.
    pub intensity: f64,
    /// The ratios of the groups under goal and intensity.
    pub ratios: Ratios<G>,
    /// The effect of the emotion beside the ratios.
    pub effects: ChannelEffects,
}

impl<G: FeltGame> Appraisal<G> {
    /// Returns a one-line summary, without the protocol's `info string`.
    ///
    /// It lists emotion, goal, groups with a ratio other than 1, active channels, and how the map
    /// settled.
    #[must_use]
    pub fn summary(&self) -> String {
        let goal = self.goal.map_or("none", Listed::name);
        let mut line = format!("feeling {} goal {goal}", emotion(self.intensity));
        let Ratios { own, other } = &self.ratios;
        for (side, ratios) in [("own", own), ("other", other)] {
            let mut lead = side;
            for (group, ratio) in G::Group::ALL.into_iter().zip(ratios.as_ref()) {
                let text = format!("{ratio:.2}");
                if text != "1.00" {
                    add(&mut line, &[lead, group.name(), &text]);
                    lead = "";
                }
            }
        }
        // writing to a String cannot fail
        let _ = write!(line, "{}", self.effects);
        match self.settling {
            Settling::FixedPoint { steps: 1 } => line += " map settled in 1 step",
            Settling::FixedPoint { steps } => {
                add(&mut line, &["map settled in", &steps.to_string(), "steps"]);
            }
            Settling::Cycle { period } => {
                add(&mut line, &["map cycles with period", &period.to_string()]);
            }
            Settling::Unsettled => line += " map did not settle and nothing is felt",
        }
        line
    }
}

/// Names the strength of an intensity, for all texts that users read: the label of the article's table 1,
/// except that half of "neutral" is a slight fear or relief.
pub fn emotion_word(intensity: f64) -> &'static str {
    /// From here on, in either direction, an emotion is called slight.
    const SLIGHT: f64 = 0.125;
    match Concept::Relief.label(intensity) {
        "neutral" if intensity >= SLIGHT => "slight relief",
        "neutral" if intensity <= -SLIGHT => "slight fear",
        label => label,
    }
}

/// Formats the emotion: its word and its intensity.
fn emotion(intensity: f64) -> String {
    // print no negative zero
    let text = format!("{intensity:.2}").replace("-0.00", "0.00");
    format!("{} {text}", emotion_word(intensity))
}

fn add(line: &mut String, words: &[&str]) {
    for word in words.iter().filter(|word| !word.is_empty()) {
        // writing to a String cannot fail
        let _ = write!(line, " {word}");
    }
}
