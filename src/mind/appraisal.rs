//! The record of one appraisal: goal, emotion and factors, and its one-line summary.

use super::{
    channels::ChannelEffects,
    concept::{Activations, Concept},
    fact::Facts,
    fcm::Settling,
    goal::{ExaminedRule, Goal},
    relevance::Ratios,
};
use crate::eval::{group::Group, measures::Measures};
use shakmaty::Color;
use std::fmt::Write;

/// The result of appraising a position, in the order it was computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Appraisal {
    /// The side that feels.
    pub side: Color,
    /// The four measures of the board.
    pub measures: Measures,
    /// The activations that the measures give to the concepts.
    pub perceived: Activations,
    /// The facts of the board, which decide the goal together with the perceived activations.
    pub facts: Facts,
    /// The rules of the ladder up to the chosen one, each with its failed conditions.
    pub rules: Vec<ExaminedRule>,
    /// The goal, or `None` if no rule of the ladder holds. Without a goal, every ratio is 1.
    pub goal: Option<Goal>,
    /// The activations after the map has settled.
    pub settled: Activations,
    /// How the map settled.
    pub settling: Settling,
    /// The emotion before rounding, -1 to 1. With inertia, the next appraisal starts from it.
    pub felt: f64,
    /// The emotion from fear (-1) to relief (1), rounded to the steps of the profile.
    pub intensity: f64,
    /// The ratios of the groups under goal and intensity.
    pub ratios: Ratios,
    /// The effect of the emotion beside the ratios.
    pub effects: ChannelEffects,
}

impl Appraisal {
    /// Returns a one-line summary, without the protocol's `info string`.
    ///
    /// It lists emotion, goal, groups with a ratio other than 1, active channels, and how the map
    /// settled.
    #[must_use]
    pub fn summary(&self) -> String {
        let goal = self.goal.map_or("none", Goal::name);
        let mut line = format!("feeling {} goal {goal}", emotion(self.intensity));
        for (side, ratios) in [("own", &self.ratios.own), ("other", &self.ratios.other)] {
            let mut lead = side;
            for (group, ratio) in Group::ALL.into_iter().zip(ratios) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mind::fact::Fact;

    fn frightened() -> Appraisal {
        let mut ratios = Ratios::NEUTRAL;
        ratios.own[Group::King as usize] = 1.12;
        ratios.own[Group::Mobility as usize] = 1.05;
        ratios.other[Group::King as usize] = 0.9;
        Appraisal {
            side: Color::White,
            measures: Measures::default(),
            perceived: Activations::zeros(),
            facts: Facts([false; Fact::COUNT]),
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
