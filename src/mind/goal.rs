//! The decision list that chooses a goal (the article's figure 3).
//!
//! The list is called the ladder. The first rule whose conditions all hold gives the goal.

use super::{
    concept::{Activations, Concept},
    fact::Facts,
    game::FeltGame,
    listed::Listed,
};
use std::fmt;

/// A condition of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition<G: FeltGame> {
    /// The fact has this truth value.
    Fact(G::Fact, bool),
    /// The perceived concept has this label, as an index in [`Concept::labels`].
    Label(Concept, usize),
}

impl<G: FeltGame> Condition<G> {
    /// Returns whether the condition holds.
    #[must_use]
    pub fn holds(self, facts: &Facts<G>, perceived: &Activations) -> bool {
        match self {
            Self::Fact(fact, expected) => facts.holds(fact) == expected,
            Self::Label(concept, label) => concept.label_of(perceived[concept as usize]) == label,
        }
    }
}

impl<G: FeltGame> fmt::Display for Condition<G> {
    /// Writes the condition as in a profile: `in_check = true`, `king_safety = defenceless`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Fact(fact, expected) => write!(f, "{} = {expected}", fact.name()),
            Self::Label(concept, label) => {
                let word = concept.labels().get(label).copied().unwrap_or("no label");
                write!(f, "{} = {word}", G::concept_name(concept))
            }
        }
    }
}

/// A rule of the ladder: a goal and the conditions under which it is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoalRule<G: FeltGame> {
    /// The goal.
    pub goal: G::Goal,
    /// The conditions, all of which must hold.
    pub when: Vec<Condition<G>>,
}

/// A rule with the conditions that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExaminedRule<G: FeltGame> {
    /// The goal of the rule.
    pub goal: G::Goal,
    /// The failed conditions; empty for the chosen rule.
    pub failed: Vec<Condition<G>>,
}

/// Examines the rungs in order, up to the first one whose conditions all hold. That rung is last
/// and gives the goal, see [`chosen`].
#[must_use]
pub fn examine<G: FeltGame>(
    ladder: &[GoalRule<G>],
    facts: &Facts<G>,
    perceived: &Activations,
) -> Vec<ExaminedRule<G>> {
    let mut examined = Vec::new();
    for rule in ladder {
        let lacking = rule.when.iter().filter(|condition| !condition.holds(facts, perceived));
        let failed: Vec<_> = lacking.copied().collect();
        let chosen = failed.is_empty();
        examined.push(ExaminedRule { goal: rule.goal, failed });
        if chosen {
            break;
        }
    }
    examined
}

/// Returns the goal of the last examined rung if all its conditions hold.
#[must_use]
pub fn chosen<G: FeltGame>(examined: &[ExaminedRule<G>]) -> Option<G::Goal> {
    examined.last().filter(|rule| rule.failed.is_empty()).map(|rule| rule.goal)
}
