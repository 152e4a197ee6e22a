//! Goals, and the decision list (figure 3) that picks one: the first rung whose conditions all hold.

use super::{concept::Concept, fcm::Activation};
use std::fmt;

pub use super::fact::{Fact, Facts};

/// The twelve goals of the article, in the order of its ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Goal {
    EscapeCheck,
    GiveMate,
    SecureKing,
    Castle,
    GainMobility,
    PromotePawn,
    ConfineKing,
    WinMaterial,
    DominateCentre,
    BlockPassedPawns,
    CaptureThreat,
    ReachSafety,
}

impl Goal {
    /// Every goal, in the order of the article's ladder.
    pub const ALL: [Self; 12] = [
        Self::EscapeCheck,
        Self::GiveMate,
        Self::SecureKing,
        Self::Castle,
        Self::GainMobility,
        Self::PromotePawn,
        Self::ConfineKing,
        Self::WinMaterial,
        Self::DominateCentre,
        Self::BlockPassedPawns,
        Self::CaptureThreat,
        Self::ReachSafety,
    ];
    /// How many goals there are.
    pub const COUNT: usize = Self::ALL.len();

    /// The name in profiles and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EscapeCheck => "escape_check",
            Self::GiveMate => "give_mate",
            Self::SecureKing => "secure_king",
            Self::Castle => "castle",
            Self::GainMobility => "gain_mobility",
            Self::PromotePawn => "promote_pawn",
            Self::ConfineKing => "confine_king",
            Self::WinMaterial => "win_material",
            Self::DominateCentre => "dominate_centre",
            Self::BlockPassedPawns => "block_passed_pawns",
            Self::CaptureThreat => "capture_threat",
            Self::ReachSafety => "reach_safety",
        }
    }

    /// The goal of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|goal| goal.name() == name)
    }

    /// What the goal is after, in a sentence.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::EscapeCheck => "Get out of check, and stay out of the next one.",
            Self::GiveMate => "Bring the pieces to the defenceless king and mate it.",
            Self::SecureKing => "Put shelter around the own king.",
            Self::Castle => "Castle while it is possible.",
            Self::GainMobility => "Give the pieces more squares to go to.",
            Self::PromotePawn => "Push a passed pawn to the last rank.",
            Self::ConfineKing => "Turn the advantage against the opponent's king.",
            Self::WinMaterial => "Make the command of the centre win material.",
            Self::DominateCentre => "Take command of d4, e4, d5 and e5.",
            Self::BlockPassedPawns => "Stop the opponent's passed pawns.",
            Self::CaptureThreat => "Take the enemy piece that threatens, or its threat.",
            Self::ReachSafety => "Hold together what is left.",
        }
    }
}

/// One condition of a rung.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// A board fact has this truth value.
    Fact(Fact, bool),
    /// A perceived concept bears this label (0 the lowest, of those the concept has).
    Label(Concept, usize),
}

impl Condition {
    /// Whether it is so.
    #[must_use]
    pub fn holds(self, facts: &Facts, perceived: &Activation<{ Concept::COUNT }>) -> bool {
        match self {
            Self::Fact(fact, expected) => facts.holds(fact) == expected,
            Self::Label(concept, label) => concept.label_of(perceived[concept as usize]) == label,
        }
    }
}

impl fmt::Display for Condition {
    /// As a profile writes it: `in_check = true`, `king_safety = defenceless`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Fact(fact, expected) => write!(f, "{} = {expected}", fact.name()),
            Self::Label(concept, label) => {
                let word = concept.labels().get(label).copied().unwrap_or("no label");
                write!(f, "{} = {word}", concept.name())
            }
        }
    }
}

/// A goal and what must hold for it to be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rung {
    pub goal: Goal,
    pub when: Vec<Condition>,
}

/// Why a rung held or not: its conditions that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examined {
    pub goal: Goal,
    /// Empty for the rung that gives the goal.
    pub failed: Vec<Condition>,
}

/// The goal of the first rung whose every condition holds.
#[must_use]
pub fn choose(
    ladder: &[Rung],
    facts: &Facts,
    perceived: &Activation<{ Concept::COUNT }>,
) -> Option<Goal> {
    let holds = |rung: &&Rung| rung.when.iter().all(|condition| condition.holds(facts, perceived));
    ladder.iter().find(holds).map(|rung| rung.goal)
}

/// Every rung that [`choose`] looks at, the chosen one last, with what it lacked.
#[must_use]
pub fn examine(
    ladder: &[Rung],
    facts: &Facts,
    perceived: &Activation<{ Concept::COUNT }>,
) -> Vec<Examined> {
    let mut examined = Vec::new();
    for rung in ladder {
        let lacking = rung.when.iter().filter(|condition| !condition.holds(facts, perceived));
        let failed: Vec<_> = lacking.copied().collect();
        let chosen = failed.is_empty();
        examined.push(Examined { goal: rung.goal, failed });
        if chosen {
            break;
        }
    }
    examined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ladder() -> Vec<Rung> {
        vec![
            Rung { goal: Goal::EscapeCheck, when: vec![Condition::Fact(Fact::InCheck, true)] },
            Rung {
                goal: Goal::GiveMate,
                when: vec![
                    Condition::Label(Concept::KingExposure, 2),
                    Condition::Fact(Fact::CanMate, true),
                ],
            },
            Rung { goal: Goal::ReachSafety, when: vec![] },
        ]
    }

    #[test]
    fn the_first_rung_that_holds_gives_the_goal() {
        let mut facts = Facts([false; Fact::COUNT]);
        let mut perceived = Activation::zeros();
        assert_eq!(choose(&ladder(), &facts, &perceived), Some(Goal::ReachSafety));
        facts.0[Fact::CanMate as usize] = true;
        assert_eq!(choose(&ladder(), &facts, &perceived), Some(Goal::ReachSafety));
        perceived[Concept::KingExposure as usize] = 0.6;
        assert_eq!(choose(&ladder(), &facts, &perceived), Some(Goal::GiveMate));
        facts.0[Fact::InCheck as usize] = true;
        assert_eq!(choose(&ladder(), &facts, &perceived), Some(Goal::EscapeCheck));
        facts.0[Fact::InCheck as usize] = false;
        facts.0[Fact::CanMate as usize] = false;
        assert_eq!(choose(&ladder()[..2], &facts, &perceived), None);
    }

    #[test]
    fn examination_says_what_each_rung_lacked() {
        let facts = Facts([false; Fact::COUNT]);
        let examined = examine(&ladder(), &facts, &Activation::zeros());
        let told: Vec<_> = examined
            .iter()
            .map(|rung| {
                (rung.goal, rung.failed.iter().map(ToString::to_string).collect::<Vec<_>>())
            })
            .collect();
        assert_eq!(
            told,
            [
                (Goal::EscapeCheck, vec!["in_check = true".to_owned()]),
                (
                    Goal::GiveMate,
                    vec!["king_exposure = defenceless".to_owned(), "can_mate = true".to_owned()]
                ),
                (Goal::ReachSafety, vec![]),
            ]
        );
    }

    #[test]
    fn names_are_found_again_and_the_list_is_in_order() {
        for (i, goal) in Goal::ALL.into_iter().enumerate() {
            assert_eq!(goal as usize, i);
            assert_eq!(Goal::from_name(goal.name()), Some(goal));
        }
    }
}
