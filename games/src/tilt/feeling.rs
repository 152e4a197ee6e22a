//! What the mind perceives in Tilt, and what it can be after. All of it is ours.
//!
//! The balance is this game's own idea: its holder acts, and it slips with every step. It takes the
//! place of the king's safety, so fear is a board that is about to tip.

use super::{Tilt, advance, evaluation::TiltTerm, is_home};
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
pub enum TiltFact {
    /// A man is one column away from the opponent's home.
    ManAtDoor,
    /// The side has an extra man left.
    ExtraLeft,
    /// A man of the opponent is close to the home of the side that feels.
    Runner,
    /// The opponent has an extra man left.
    RivalExtraLeft,
}

impl Listed for TiltFact {
    type Each<T> = [T; 4];
    const ALL: [Self; 4] = variants();

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
pub enum TiltGoal {
    /// Get the side's men moving.
    Unblock,
    /// Step into the opponent's home.
    BringHome,
    /// Use the moves in hand.
    UseRun,
    /// Stop a man of the opponent.
    StopRunner,
    /// Take the opponent's moves.
    HemIn,
    /// Keep the board from tipping.
    KeepBalance,
    /// Move forward.
    Advance,
}

impl Listed for TiltGoal {
    type Each<T> = [T; 7];
    const ALL: [Self; 7] = variants();

    fn name(self) -> &'static str {
        self.into_str()
    }

    fn index(self) -> usize {
        self as usize
    }
}

/// The thresholds of facts: the section `[facts]` of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TiltThresholds {
    /// `runner`: the largest distance to this side's home, 1 to 14 columns.
    pub runner_columns: u16,
}

impl Default for TiltThresholds {
    fn default() -> Self {
        Self { runner_columns: 3 }
    }
}

impl FactThresholds for TiltThresholds {
    fn keys(&mut self) -> Vec<(&'static str, RangeInclusive<u16>, &mut u16)> {
        vec![("runner_columns", 1..=14, &mut self.runner_columns)]
    }
}

/// Columns from a side's own edge to the opponent's home.
const TO_HOME: u8 = super::COLUMNS - 2;

/// Returns whether a man of `side` is 1 to `columns` columns away from the opponent's home.
fn is_near_home(position: &Tilt, side: Side, columns: u16) -> bool {
    let mut men = position.men(side).filter(|&cell| !is_home(side, cell));
    men.any(|cell| u16::from(TO_HOME - advance(side, cell)) <= columns)
}

impl FeltGame for Tilt {
    type Position = Self;
    type Side = Side;
    type Measures = [f64; 4];
    type Thresholds = TiltThresholds;
    type Fact = TiltFact;
    type Goal = TiltGoal;
    type Group = TiltTerm;

    const MEASURES: [MeasureSpec<Self>; 4] = [
        MeasureSpec::new("home_lead", "steps home", 20.0, TiltTerm::Home, RelativeSide::Own),
        MeasureSpec::new("mobility", "moves", 30.0, TiltTerm::Mobility, RelativeSide::Own),
        MeasureSpec::new("run", "moves", 312.0, TiltTerm::Lean, RelativeSide::Own),
        MeasureSpec::new("rival_exposure", "moves", 60.0, TiltTerm::Mobility, RelativeSide::Other),
    ];

    /// Measures the lead in steps home, own moves, the lean of the board to the side's half, and own
    /// moves minus the opponent's moves.
    ///
    /// An ordinary move costs 1 of the lean, so the lean is the number of moves until the turn
    /// passes.
    fn measures(position: &Self, side: Side) -> [f64; 4] {
        let [own, rivals] =
            [side, side.other()].map(|side| f64::from(position.moves_of(side).len() as u32));
        [position.lead(side).into(), own, position.lean_to(side).into(), own - rivals]
    }

    fn facts(position: &Self, side: Side, thresholds: &TiltThresholds) -> Facts<Self> {
        let rival = side.other();
        Facts::from_fn(|fact| match fact {
            TiltFact::ManAtDoor => is_near_home(position, side, 1),
            TiltFact::ExtraLeft => position.extras_left(side) > 0,
            TiltFact::Runner => is_near_home(position, rival, thresholds.runner_columns),
            TiltFact::RivalExtraLeft => position.extras_left(rival) > 0,
        })
    }

    fn meaning(fact: TiltFact, thresholds: &TiltThresholds) -> String {
        match fact {
            TiltFact::ManAtDoor => "a man is one column away from the opponent's home".into(),
            TiltFact::ExtraLeft => "the side has an extra man left".into(),
            TiltFact::Runner => {
                let columns = thresholds.runner_columns;
                format!(
                    "a man of the opponent is at most {columns} columns away from this side's home"
                )
            }
            TiltFact::RivalExtraLeft => "the opponent has an extra man left".into(),
        }
    }

    fn description(goal: TiltGoal) -> &'static str {
        match goal {
            TiltGoal::Unblock => "Get the side's men moving.",
            TiltGoal::BringHome => "Step into the opponent's home and set an extra man.",
            TiltGoal::StopRunner => "Stop the opponent's man who is close to home.",
            TiltGoal::UseRun => "Use the moves in hand to run forward.",
            TiltGoal::HemIn => "Take the opponent's last moves.",
            TiltGoal::KeepBalance => "Keep the board from tipping.",
            TiltGoal::Advance => "Move forward.",
        }
    }
}
