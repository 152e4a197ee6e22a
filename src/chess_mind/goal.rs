//! The goals of chess: the twelve of the article's figure 3.

use crate::{mind::listed::Listed, support::variants::variants};

/// One of the article's twelve goals, in the order of its ladder.
///
/// The conditions named here are the article's. A profile can replace them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
#[repr(usize)]
pub enum Goal {
    /// Get out of check. Chosen in check.
    EscapeCheck,
    /// Mate the exposed enemy king. Chosen if enough pieces are near it.
    GiveMate,
    /// Shelter the king. Chosen if it is defenceless.
    SecureKing,
    /// Castle. Chosen if castling is possible.
    Castle,
    /// Give the pieces more squares. Chosen if they are immobile.
    GainMobility,
    /// Promote a passed pawn. Chosen in an endgame with winning chances.
    PromotePawn,
    /// Attack the enemy king. Chosen with a material advantage.
    ConfineKing,
    /// Win material. Chosen with control of the centre.
    WinMaterial,
    /// Control the centre. Chosen with winning chances and nothing more urgent.
    DominateCentre,
    /// Stop enemy passed pawns. Chosen without winning chances.
    BlockPassedPawns,
    /// Capture or parry the attacker of a piece. Chosen without winning chances.
    CaptureThreat,
    /// Hold the position. Chosen if nothing else applies.
    ReachSafety,
}

impl Goal {
    /// Every goal, in the order of the article's ladder.
    pub const ALL: [Self; 12] = variants();
    /// The number of goals.
    pub const COUNT: usize = Self::ALL.len();

    /// Returns the name used in profiles and tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.into_str()
    }

    /// Returns the goal with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|goal| goal.name() == name)
    }

    /// Describes the goal in one sentence.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::EscapeCheck => "Get out of check, and stay out of the next one.",
            Self::GiveMate => "Mate the defenceless king.",
            Self::SecureKing => "Shelter the king.",
            Self::Castle => "Castle while it is possible.",
            Self::GainMobility => "Give the pieces more squares.",
            Self::PromotePawn => "Push a passed pawn to the last rank.",
            Self::ConfineKing => "Use the advantage to attack the opponent's king.",
            Self::WinMaterial => "Use control of the centre to win material.",
            Self::DominateCentre => "Take command of d4, e4, d5 and e5.",
            Self::BlockPassedPawns => "Stop the opponent's passed pawns.",
            Self::CaptureThreat => "Capture the threatening enemy piece, or parry its threat.",
            Self::ReachSafety => "Hold the position together.",
        }
    }
}

impl Listed for Goal {
    type Each<T> = [T; Self::COUNT];

    const ALL: [Self; Self::COUNT] = Self::ALL;

    fn name(self) -> &'static str {
        self.into_str()
    }

    fn index(self) -> usize {
        self as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess_mind::{Condition, Fact, Facts, GoalRule},
        mind::{
            concept::{Activations, Concept},
            goal::{chosen, examine},
        },
    };

    fn ladder() -> Vec<GoalRule> {
        vec![
            GoalRule { goal: Goal::EscapeCheck, when: vec![Condition::Fact(Fact::InCheck, true)] },
            GoalRule {
                goal: Goal::GiveMate,
                when: vec![
                    Condition::Label(Concept::Exposure, 2),
                    Condition::Fact(Fact::CanMate, true),
                ],
            },
            GoalRule { goal: Goal::ReachSafety, when: vec![] },
        ]
    }

    #[test]
    fn the_first_rung_whose_conditions_hold_gives_the_goal() {
        let mut facts = Facts::from_fn(|_| false);
        let mut perceived = Activations::zeros();
        let choose = |ladder: &[GoalRule], facts: &Facts, perceived: &Activations| {
            chosen(&examine(ladder, facts, perceived))
        };
        assert_eq!(choose(&ladder(), &facts, &perceived), Some(Goal::ReachSafety));
        facts.0[Fact::CanMate as usize] = true;
        assert_eq!(choose(&ladder(), &facts, &perceived), Some(Goal::ReachSafety));
        perceived[Concept::Exposure as usize] = 0.6;
        assert_eq!(choose(&ladder(), &facts, &perceived), Some(Goal::GiveMate));
        facts.0[Fact::InCheck as usize] = true;
        assert_eq!(choose(&ladder(), &facts, &perceived), Some(Goal::EscapeCheck));
        facts.0[Fact::InCheck as usize] = false;
        facts.0[Fact::CanMate as usize] = false;
        assert_eq!(choose(&ladder()[..2], &facts, &perceived), None);
    }

    #[test]
    fn examine_lists_the_failed_conditions_of_each_rung() {
        let facts = Facts::from_fn(|_| false);
        let examined = examine(&ladder(), &facts, &Activations::zeros());
        let listed: Vec<_> = examined
            .iter()
            .map(|rule| {
                (rule.goal, rule.failed.iter().map(ToString::to_string).collect::<Vec<_>>())
            })
            .collect();
        assert_eq!(
            listed,
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
    fn names_round_trip_and_the_list_is_in_order() {
        for (i, goal) in Goal::ALL.into_iter().enumerate() {
            assert_eq!(goal as usize, i);
            assert_eq!(Goal::from_name(goal.name()), Some(goal));
        }
    }
}
