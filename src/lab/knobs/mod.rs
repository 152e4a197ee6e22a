//! The knobs of a profile, and positions that prove that each of them has an effect.
//!
//! A knob is the percentage to which an emotion scales a group of weights. It has an effect if
//! setting it alone to 100 % changes the move played in some position.

use crate::support::variants::variants;

pub mod matrix;
pub mod mine;
pub mod table;

use crate::{
    chess::{game::Game, score::Score},
    chess_mind::{Goal, GoalRelevance, Mind, SideGroup},
    player::{Engine, Options, OptionsError},
    profile::Profile,
};
use shakmaty::{Position, uci::UciMove};
use std::num::NonZeroU64;

/// A feeling. Each goal has separate percentages for fear and for relief.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum EmotionSign {
    Fear,
    Relief,
}

impl EmotionSign {
    /// Both feelings, fear first.
    pub const ALL: [Self; 2] = variants();

    /// Returns the key used in profiles.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.into_str()
    }

    /// Returns the feeling of an intensity from -1 to 1, or `None` at 0.
    #[must_use]
    pub fn of(intensity: f64) -> Option<Self> {
        if intensity < 0.0 { Some(Self::Fear) } else { (intensity > 0.0).then_some(Self::Relief) }
    }

    /// Returns the intensity of the feeling at full strength.
    const fn full(self) -> f64 {
        match self {
            Self::Fear => -1.0,
            Self::Relief => 1.0,
        }
    }
}

/// The part of a goal that a knob controls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnobPart {
    /// All percentages of the goal, for fear and for relief.
    Whole,
    /// A single percentage.
    Percentage { feeling: EmotionSign, ratio: SideGroup },
}

/// A setting of a profile that controls how a feeling changes the evaluation under one goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knob {
    pub goal: Goal,
    pub part: KnobPart,
}

impl Knob {
    /// Returns the knobs of `mind` that differ from 100 %, in the order of its goal ladder.
    ///
    /// Each goal with such percentages yields the whole goal first, then each percentage.
    /// Percentages that the profile's bounds keep at 100 %, as in `neutral`, are omitted.
    #[must_use]
    pub fn all(mind: &Mind) -> Vec<Self> {
        let mut knobs = Vec::new();
        for goal in mind.ladder.iter().map(|rule| rule.goal) {
            let percentages: Vec<_> =
                Self::percentages(goal).filter(|knob| knob.bends(mind)).collect();
            if !percentages.is_empty() {
                knobs.push(Self { goal, part: KnobPart::Whole });
                knobs.extend(percentages);
            }
        }
        knobs
    }

    /// Returns whether the knob changes a weight at full emotion.
    fn bends(self, mind: &Mind) -> bool {
        let KnobPart::Percentage { feeling, ratio } = self.part else { return true };
        let ratios = mind.relevance.ratios(Some(self.goal), feeling.full(), 100);
        (percent(ratio.of(&ratios)) - 100.0).abs() > 0.0
    }

    fn percentages(goal: Goal) -> impl Iterator<Item = Self> {
        EmotionSign::ALL.into_iter().flat_map(move |feeling| {
            let part = move |ratio| KnobPart::Percentage { feeling, ratio };
            SideGroup::all().map(move |ratio| Self { goal, part: part(ratio) })
        })
    }

    /// Returns the knob's percentage in `mind` at full emotion, rounded to three decimals.
    ///
    /// Returns `None` for a whole goal.
    #[must_use]
    pub fn percent(self, mind: &Mind) -> Option<f64> {
        let KnobPart::Percentage { feeling, ratio } = self.part else { return None };
        let ratios = mind.relevance.goals[self.goal as usize].ratios(feeling.full());
        Some(percent(ratio.of(&ratios)))
    }

    /// Returns a copy of `profile` with only this knob set to 100 %.
    #[must_use]
    pub fn turned_back(self, profile: &Profile) -> Profile {
        let mut profile = profile.clone();
        let relevance = &mut profile.mind.relevance.goals[self.goal as usize];
        *relevance = match self.part {
            KnobPart::Whole => GoalRelevance::neutral(),
            KnobPart::Percentage { feeling, ratio } => {
                // all ratios, those by shares included, are linear in the intensity on each side
                // of 0, so full fear and full relief determine them
                let [fear, relief] = EmotionSign::ALL.map(|each| {
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

    /// Returns whether the knob can have an effect when its goal is pursued with feeling `felt`.
    #[must_use]
    pub fn works_in(self, felt: EmotionSign) -> bool {
        match self.part {
            KnobPart::Whole => true,
            KnobPart::Percentage { feeling, .. } => feeling == felt,
        }
    }
}

/// Converts a ratio to percent, rounded to three decimals.
fn percent(ratio: f64) -> f64 {
    (ratio * 100_000.0).round() / 1000.0
}

/// The move that a profile plays in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileChoice {
    /// The move in UCI notation.
    pub best: String,
    pub score: Score,
    pub nodes: u64,
}

/// Chooses moves for profiles at a fixed number of nodes.
///
/// Each search starts a new game, so that equal positions always give equal moves.
#[derive(Debug)]
pub struct MoveChooser {
    engine: Engine,
    nodes: NonZeroU64,
}

impl MoveChooser {
    /// The hash table size in MiB. It is small because the table is cleared before every search.
    const HASH: usize = 1;

    /// Creates a player that searches `nodes` nodes per move.
    ///
    /// # Errors
    /// If the hash table cannot be allocated.
    pub fn new(profile: Profile, nodes: NonZeroU64) -> Result<Self, OptionsError> {
        let options = Options { hash: Self::HASH, ..Options::default() };
        Ok(Self { engine: Engine::new(profile, options)?, nodes })
    }

    /// Returns the move that `profile` plays in `game`, or `None` if there is no legal move.
    pub fn choose(&mut self, profile: &Profile, game: &Game) -> Option<ProfileChoice> {
        self.engine.set_profile(profile.clone());
        self.engine.new_game();
        let outcome = self.engine.best_at(game, self.nodes)?;
        let best = UciMove::from_move(outcome.best, game.chess.castles().mode()).to_string();
        Some(ProfileChoice { best, score: outcome.score, nodes: outcome.nodes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{eval::group::Group, mind::side_group::RelativeSide};

    #[test]
    fn knobs_are_the_percentages_that_differ_from_100() {
        let neutral = Profile::builtin("neutral").unwrap();
        assert_eq!(Knob::all(&neutral.mind), []);
        let text = "[[goals]]\nname = \"castle\"\nrelief = {}\n\
                    fear = { both = { material = 90, king = 110 }, own = { pawns = 100 } }";
        let mind = Profile::from_text(text, "test").unwrap().mind;
        let knob = |side, group| {
            let ratio = SideGroup { group, side };
            KnobPart::Percentage { feeling: EmotionSign::Fear, ratio }
        };
        let parts = [
            KnobPart::Whole,
            knob(RelativeSide::Both, Group::Material),
            knob(RelativeSide::Own, Group::King),
            knob(RelativeSide::Other, Group::King),
        ];
        let castles = |knob: &Knob| knob.goal == Goal::Castle;
        let knobs: Vec<_> = Knob::all(&mind).into_iter().filter(castles).collect();
        assert_eq!(knobs, parts.map(|part| Knob { goal: Goal::Castle, part }));
        let percents: Vec<_> = knobs.iter().map(|knob| knob.percent(&mind)).collect();
        assert_eq!(percents, [None, Some(90.0), Some(110.0), Some(110.0)]);
    }

    #[test]
    fn turning_back_a_knob_leaves_the_others_unchanged() {
        for name in Profile::BUILTIN {
            let profile = Profile::builtin(name).unwrap();
            let knobs = Knob::all(&profile.mind);
            for knob in &knobs {
                let turned = knob.turned_back(&profile);
                let stays = |other: &&Knob| match knob.part {
                    KnobPart::Whole => other.goal != knob.goal,
                    KnobPart::Percentage { .. } => *other != knob,
                };
                let left = Knob::all(&turned.mind);
                let percentages = |knobs: Vec<Knob>| {
                    knobs.into_iter().filter(|other| other.part != KnobPart::Whole)
                };
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
