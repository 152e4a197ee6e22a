//! The feelings of both sides in a position, as the page shows them.

use super::order::Order;
use crate::{
    agent::AgentOptions,
    game::Side,
    view::{Shown, sentence},
};
use deepfeeling::mind::{appraisal::emotion_word, listed::Listed};
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

/// Returns the feelings of both sides by the temperament of the order.
pub(super) fn of<G: Shown>(order: &Order<G>, position: &G) -> [Feeling; 2] {
    let strength = AgentOptions::default().strength;
    Side::ALL.map(|side| {
        let appraisal = order.mind.mind.appraise(position, side, strength, None);
        Feeling {
            intensity: appraisal.intensity,
            emotion: emotion_word(appraisal.intensity),
            goal: appraisal.goal.map(Listed::name),
            sentence: sentence(&appraisal),
        }
    })
}
