//! The knobs of a profile, and proof that each of them lives: a position in which turning it alone
//! back to 100 % changes the move that is played.

pub mod matrix;
pub mod mine;
pub mod table;

use crate::{
    chess::{game::Game, score::Score},
    mind::{Mind, goal::Goal, knob, relevance::GoalRelevance},
    player::{Engine, HashError},
    profile::Profile,
    search::{
        Signals,
        root::{limits::Limits, report::Silent},
    },
};
use shakmaty::{Position, uci::UciMove};
use std::num::NonZeroU64;

/// One of the two feelings, for which a goal has percentages each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feeling {
    Fear,
    Relief,
}

impl Feeling {
    /// Both, fear first.
    pub const ALL: [Self; 2] = [Self::Fear, Self::Relief];

    /// The key in profiles.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fear => "fear",
            Self::Relief => "relief",
        }
    }

    /// The feeling of this intensity; none at 0.
    #[must_use]
    pub fn of(intensity: f64) -> Option<Self> {
        if intensity < 0.0 { Some(Self::Fear) } else { (intensity > 0.0).then_some(Self::Relief) }
    }

    /// Its full intensity.
    const fn full(self) -> f64 {
        match self {
            Self::Fear => -1.0,
            Self::Relief => 1.0,
        }
    }
}

/// What a knob turns of its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Everything that the goal makes of fear and of relief.
    Whole,
    /// One percentage.
    Percentage { feeling: Feeling, ratio: knob::Knob },
}

/// A place in a profile where a number decides how a feeling shapes play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knob {
    pub goal: Goal,
    pub part: Part,
}

impl Knob {
    /// The knobs of `mind` that stand away from 100 %, in the order of its ladder: of each goal with
    /// such percentages the whole, and then each of them. Those that the profile's bounds hold at
    /// 100 %, as in `neutral`, are none.
    #[must_use]
    pub fn all(mind: &Mind) -> Vec<Self> {
        let mut knobs = Vec::new();
        for goal in mind.ladder.iter().map(|rung| rung.goal) {
            let percentages: Vec<_> =
                Self::percentages(goal).filter(|knob| knob.bends(mind)).collect();
            if !percentages.is_empty() {
                knobs.push(Self { goal, part: Part::Whole });
                knobs.extend(percentages);
            }
        }
        knobs
    }

    /// Whether anything weighs more or less by it at full feeling.
    fn bends(self, mind: &Mind) -> bool {
        let Part::Percentage { feeling, ratio } = self.part else { return true };
        let ratios = mind.relevance.ratios(Some(self.goal), feeling.full(), 100);
        (percent(ratio.of(&ratios)) - 100.0).abs() > 0.0
    }

    fn percentages(goal: Goal) -> impl Iterator<Item = Self> {
        Feeling::ALL.into_iter().flat_map(move |feeling| {
            let part = move |ratio| Part::Percentage { feeling, ratio };
            knob::Knob::all().map(move |ratio| Self { goal, part: part(ratio) })
        })
    }

    /// Where it stands in `mind`, in percent at full feeling, to three decimals; none for a whole
    /// goal.
    #[must_use]
    pub fn percent(self, mind: &Mind) -> Option<f64> {
        let Part::Percentage { feeling, ratio } = self.part else { return None };
        let ratios = mind.relevance.goals[self.goal as usize].ratios(feeling.full());
        Some(percent(ratio.of(&ratios)))
    }

    /// `profile` with this knob alone turned back to 100 %.
    #[must_use]
    pub fn turned_back(self, profile: &Profile) -> Profile {
        let mut profile = profile.clone();
        let relevance = &mut profile.mind.relevance.goals[self.goal as usize];
        *relevance = match self.part {
            Part::Whole => GoalRelevance::neutral(),
            Part::Percentage { feeling, ratio } => {
                // shares too are linear in the intensity, so full fear and full relief tell them
                let [fear, relief] = Feeling::ALL.map(|each| {
                    let mut ratios = relevance.ratios(each.full());
                    if each == feeling {
                        ratio.turn(&mut ratios, 1.0);
                    }
                    ratios
                });
                GoalRelevance::sides(fear, relief)
            }
        };
        profile
    }

    /// Whether it can bend anything when its goal is pursued with this feeling.
    #[must_use]
    pub fn works_in(self, felt: Feeling) -> bool {
        match self.part {
            Part::Whole => true,
            Part::Percentage { feeling, .. } => feeling == felt,
        }
    }
}

/// A ratio in percent, to three decimals.
fn percent(ratio: f64) -> f64 {
    (ratio * 100_000.0).round() / 1000.0
}

/// What is played in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// As UCI writes it.
    pub best: String,
    pub score: Score,
    pub nodes: u64,
}

/// Plays one move at a time, each as the first of a new game: the same question has the same answer.
#[derive(Debug)]
pub struct Player {
    engine: Engine,
    limits: Limits,
}

impl Player {
    /// The table, in MiB: small, because it is emptied for every move.
    const HASH: usize = 1;

    /// One that searches so many nodes.
    ///
    /// # Errors
    /// If the table cannot be had.
    pub fn new(profile: Profile, nodes: NonZeroU64) -> Result<Self, HashError> {
        let mut engine = Engine::new(profile)?;
        engine.set_hash(Self::HASH)?;
        Ok(Self { engine, limits: Limits { nodes: Some(nodes), ..Limits::default() } })
    }

    /// What `profile` plays in `game`; none if there is no legal move.
    pub fn choose(&mut self, profile: &Profile, game: &Game) -> Option<Choice> {
        self.engine.set_profile(profile.clone());
        self.engine.new_game();
        let outcome = self.engine.go(game, &self.limits, &Signals::default(), &mut Silent)?;
        let best = UciMove::from_move(outcome.best, game.chess.castles().mode()).to_string();
        Some(Choice { best, score: outcome.score, nodes: outcome.nodes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{eval::group::Group, mind::knob::Side};

    #[test]
    fn knobs_are_what_stands_away_from_100_percent() {
        let neutral = Profile::builtin("neutral").unwrap();
        assert_eq!(Knob::all(&neutral.mind), []);
        let text = "[[goals]]\nname = \"castle\"\nrelief = {}\n\
                    fear = { both = { material = 90, king = 110 }, own = { pawns = 100 } }";
        let mind = Profile::from_text(text, "test").unwrap().mind;
        let knob = |side, group| {
            let ratio = knob::Knob { group, side };
            Part::Percentage { feeling: Feeling::Fear, ratio }
        };
        let parts = [
            Part::Whole,
            knob(Side::Both, Group::Material),
            knob(Side::Own, Group::King),
            knob(Side::Other, Group::King),
        ];
        let castles = |knob: &Knob| knob.goal == Goal::Castle;
        let knobs: Vec<_> = Knob::all(&mind).into_iter().filter(castles).collect();
        assert_eq!(knobs, parts.map(|part| Knob { goal: Goal::Castle, part }));
        let percents: Vec<_> = knobs.iter().map(|knob| knob.percent(&mind)).collect();
        assert_eq!(percents, [None, Some(90.0), Some(110.0), Some(110.0)]);
    }

    #[test]
    fn a_knob_is_turned_alone() {
        for name in Profile::BUILTIN {
            let profile = Profile::builtin(name).unwrap();
            let knobs = Knob::all(&profile.mind);
            for knob in &knobs {
                let turned = knob.turned_back(&profile);
                let stays = |other: &&Knob| match knob.part {
                    Part::Whole => other.goal != knob.goal,
                    Part::Percentage { .. } => *other != knob,
                };
                let left = Knob::all(&turned.mind);
                let percentages =
                    |knobs: Vec<Knob>| knobs.into_iter().filter(|other| other.part != Part::Whole);
                let expected: Vec<_> = knobs.iter().filter(stays).copied().collect();
                let [left, expected] =
                    [left, expected].map(|knobs| percentages(knobs).collect::<Vec<_>>());
                assert_eq!(left, expected, "{name} {knob:?}");
                for other in left {
                    assert_eq!(other.percent(&turned.mind), other.percent(&profile.mind));
                }
            }
        }
    }
}
