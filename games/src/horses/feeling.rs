//! What the mind perceives in Horses, and what it can be after. All of it is ours.
//!
//! A stranded knight is this game's checkmate: it costs 4 points and leaves the board to the other
//! side. Room, the number of squares within two moves, says how far a side is from it, so room
//! takes the place of the king's safety.

use super::{Horses, board::squares, evaluation::HorsesTerm};
use crate::game::{Game, Side};
use deepfeeling::{
    mind::{
        fact::Facts,
        game::{FactThresholds, FeltGame, MeasureSpec},
        listed::Listed,
        side_group::RelativeSide,
    },
    support::variants::variants,
};
use std::ops::RangeInclusive;

/// What is true or false of a position for the side that feels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum HorsesFact {
    /// The side has very few moves.
    LastDoor,
    /// The opponent has very few moves.
    RivalCornered,
    /// A rich square is one move away.
    PrizeInReach,
    /// A rich square is one move away for the opponent.
    PrizeInRivalsReach,
    /// A square with points to gain is left.
    PrizesLeft,
}

impl Listed for HorsesFact {
    type Each<T> = [T; 5];
    const ALL: [Self; 5] = variants();

    fn name(self) -> &'static str {
        self.into_str()
    }

    fn index(self) -> usize {
        self as usize
    }
}

/// What a player can be after, in the order of the default ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum HorsesGoal {
    /// Get out before the last door closes.
    BreakOut,
    /// Take the opponent's last squares.
    StrandRival,
    /// Go where squares are left.
    MakeRoom,
    /// Take a rich square.
    TakePrize,
    /// Keep the opponent from a rich square.
    DenyPrize,
    /// Let the board run out.
    SitOnLead,
    /// Collect while there is something.
    Hunt,
    /// Stay near the centre.
    HoldCentre,
}

impl Listed for HorsesGoal {
    type Each<T> = [T; 8];
    const ALL: [Self; 8] = variants();

    fn name(self) -> &'static str {
        self.into_str()
    }

    fn index(self) -> usize {
        self as usize
    }
}

/// The thresholds of facts: the section `[facts]` of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HorsesThresholds {
    /// `last_door`: the largest number of own moves, 0 to 8. A side with one move has no choice
    /// that a feeling could change, so 2 is the least that matters.
    pub doors: u16,
    /// `rival_cornered`: the largest number of the opponent's moves, 0 to 8.
    pub rival_doors: u16,
    /// `prize_in_reach` and `prize_in_rivals_reach`: the least number of points, 1 to 10.
    pub rich: u16,
}

impl Default for HorsesThresholds {
    fn default() -> Self {
        Self { doors: 2, rival_doors: 1, rich: 4 }
    }
}

impl FactThresholds for HorsesThresholds {
    fn keys(&mut self) -> Vec<(&'static str, RangeInclusive<u16>, &mut u16)> {
        vec![
            ("doors", 0..=8, &mut self.doors),
            ("rival_doors", 0..=8, &mut self.rival_doors),
            ("rich", 1..=10, &mut self.rich),
        ]
    }
}

impl FeltGame for Horses {
    type Position = Self;
    type Side = Side;
    type Measures = [f64; 4];
    type Thresholds = HorsesThresholds;
    type Fact = HorsesFact;
    type Goal = HorsesGoal;
    type Group = HorsesTerm;

    const MEASURES: [MeasureSpec<Self>; 4] = [
        MeasureSpec::new("score", "points", 100.0, HorsesTerm::Score, RelativeSide::Both),
        MeasureSpec::new("mobility", "moves", 8.0, HorsesTerm::Mobility, RelativeSide::Own),
        MeasureSpec::new("room", "squares", 34.0, HorsesTerm::Room, RelativeSide::Own),
        MeasureSpec::new("rival_exposure", "squares", 68.0, HorsesTerm::Room, RelativeSide::Other),
    ];

    /// Measures the lead in points, own moves, own room, and by how much own room exceeds the
    /// opponent's.
    ///
    /// The last one is a difference, because room shrinks for both sides alike.
    fn measures(position: &Self, side: Side) -> [f64; 4] {
        let [room, rivals] =
            [side, side.other()].map(|side| f64::from(position.room(side).count_ones()));
        let mobility = position.targets(side).count_ones();
        [position.lead(side).into(), mobility.into(), room, room - rivals]
    }

    fn facts(position: &Self, side: Side, thresholds: &HorsesThresholds) -> Facts<Self> {
        let rival = side.other();
        let is_tight = |side, doors: u16| position.targets(side).count_ones() <= doors.into();
        let sees = |set, least: u16| {
            squares(set).any(|one| i32::from(position.prize(one)) >= least.into())
        };
        Facts::from_fn(|fact| match fact {
            HorsesFact::LastDoor => is_tight(side, thresholds.doors),
            HorsesFact::RivalCornered => is_tight(rival, thresholds.rival_doors),
            HorsesFact::PrizeInReach => sees(position.targets(side), thresholds.rich),
            HorsesFact::PrizeInRivalsReach => sees(position.targets(rival), thresholds.rich),
            HorsesFact::PrizesLeft => sees(!position.destroyed(), 1),
        })
    }

    fn meaning(fact: HorsesFact, thresholds: &HorsesThresholds) -> String {
        let HorsesThresholds { doors, rival_doors, rich } = thresholds;
        match fact {
            HorsesFact::LastDoor => format!("the side has at most {doors} moves"),
            HorsesFact::RivalCornered => format!("the opponent has at most {rival_doors} moves"),
            HorsesFact::PrizeInReach => {
                format!("a square worth {rich} or more is one move away")
            }
            HorsesFact::PrizeInRivalsReach => {
                format!("a square worth {rich} or more is one move away for the opponent")
            }
            HorsesFact::PrizesLeft => "a square with points to gain is left".into(),
        }
    }

    fn description(goal: HorsesGoal) -> &'static str {
        match goal {
            HorsesGoal::BreakOut => "Get out before the last door closes.",
            HorsesGoal::StrandRival => "Take the opponent's last squares.",
            HorsesGoal::MakeRoom => "Go where squares are left.",
            HorsesGoal::TakePrize => "Take the rich square that is one move away.",
            HorsesGoal::DenyPrize => "Keep the opponent from the rich square before it.",
            HorsesGoal::SitOnLead => "Let the board run out.",
            HorsesGoal::Hunt => "Collect points while there are any.",
            HorsesGoal::HoldCentre => "Stay near the centre.",
        }
    }

    fn sides(group: HorsesTerm) -> &'static [RelativeSide] {
        match group {
            // a balance, and a sum that belongs to nobody
            HorsesTerm::Score | HorsesTerm::Rest => &[RelativeSide::Both],
            HorsesTerm::Mobility
            | HorsesTerm::Potential
            | HorsesTerm::Centre
            | HorsesTerm::Room => &[RelativeSide::Own, RelativeSide::Other],
        }
    }
}
