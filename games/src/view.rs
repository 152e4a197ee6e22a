//! What a game shows on a page: its board, its rules in words, and feelings in sentences.

use crate::{game::Side, level::Playable};
use deepfeeling::mind::{
    appraisal::{Appraisal, emotion_word},
    concept::Concept,
    game::FourMeasures,
};
use serde::Serialize;

/// A game with a page. The texts are ours.
pub trait Shown: Playable {
    /// The game in one sentence.
    const SUMMARY: &'static str;
    /// The rules in a few sentences.
    const RULES: &'static [&'static str];
    /// The strength of each level in words, by the name of the level.
    const STRENGTHS: &'static [(&'static str, &'static str)];
    /// The readings of the rules to choose from, with a description. The first is the default.
    const VARIANTS: &'static [(&'static str, &'static str)];
    /// How many moves the neutral agent looks ahead when it judges a finished game.
    const JUDGE_DEPTH: u8;
    /// The value of the evaluation at which the neutral agent gives a side a chance of 73 %.
    const LIKELY_WIN: f64;

    /// What the page draws.
    type Board: Serialize;

    /// Returns the board of this position.
    fn board(&self) -> Self::Board;

    /// Returns the squares that a legal move of the side to move leaves and reaches.
    fn step(&self, m: Self::Move) -> [String; 2];

    /// Returns what `side` has scored, in [`crate::game::Game::UNIT`].
    fn scored(&self, side: Side) -> i32;

    /// Says what each of the four measures means for its side, such as "one square left". In the
    /// order of [`FourMeasures::natural`].
    fn reasons(measures: [f64; 4]) -> [String; 4];

    /// Says what a side with this goal wants to do, such as "break out".
    fn wish(goal: Self::Goal) -> &'static str;
}

/// The perceived concepts with their measures, those first that people notice first.
const NOTICED: [(Concept, usize); 4] =
    [(Concept::Mobility, 1), (Concept::Safety, 2), (Concept::Exposure, 3), (Concept::Material, 0)];

/// Describes a feeling in one sentence: the emotion, the perception that speaks most for it, and
/// the goal.
pub fn sentence<G: Shown>(appraisal: &Appraisal<G>) -> String {
    let (mood, sign) = match emotion_word(appraisal.intensity) {
        "fear" => ("afraid", Some(-1.0)),
        "slight fear" => ("uneasy", Some(-1.0)),
        "relief" => ("relieved", Some(1.0)),
        "slight relief" => ("at ease", Some(1.0)),
        _ => ("composed", None),
    };
    let telling = |(concept, _): &(Concept, usize)| {
        let activation = appraisal.perceived[*concept as usize];
        sign.map_or(activation.abs(), |sign| sign * activation)
    };
    // of equal ones, the last is the maximum
    let noticed = NOTICED.iter().rev().max_by(|a, b| telling(a).total_cmp(&telling(b)));
    let reasons = G::reasons(appraisal.measures.natural());
    let reason = &reasons[noticed.map_or(0, |(_, measure)| *measure)];
    let wish = appraisal.goal.map_or(String::new(), |goal| format!("; wants to {}", G::wish(goal)));
    format!("{mood}: {reason}{wish}")
}

/// Writes a number with its unit in the singular or plural: `one square`, `3 squares`.
pub(crate) fn counted(number: f64, unit: &str) -> String {
    match number {
        0.0 => format!("no {unit}"),
        1.0 => format!("one {unit}"),
        _ => format!("{number} {unit}s"),
    }
}

/// Compares the two sides: `3 points ahead`, `one point behind`, or `level`.
pub(crate) fn compared(difference: f64, unit: &str, [more, less, level]: [&str; 3]) -> String {
    match difference {
        0.0 => level.to_owned(),
        lead if lead > 0.0 => format!("{} {more}", counted(lead, unit)),
        lead => format!("{} {less}", counted(-lead, unit)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_with_their_units() {
        let words = ["ahead", "behind", "level on points"];
        assert_eq!(compared(1.0, "point", words), "one point ahead");
        assert_eq!(compared(-3.0, "point", words), "3 points behind");
        assert_eq!(compared(0.0, "point", words), "level on points");
        assert_eq!(counted(0.0, "square"), "no square");
    }
}
