//! The coach: what one player can learn from their own games.
//!
//! It compares the player's moves with the best moves of a short search, and with what people of
//! the same rating would play by the policy of the human style. Equal games give equal advice.
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

mod decision;
mod in_game;
mod lesson;
mod miss;
mod report;
mod text;

pub use decision::{CoachError, Decision, DecisionReader, STRONGER, Spot};
pub use in_game::{PlayerLessons, lessons_of};
pub use lesson::{Checker, Example, LESSONS, Lesson, lessons};
pub use miss::Miss;
pub use report::{
    CoachRecord, FeltRecord, GoalRow, KindRecord, MindRecord, NextRecord, RaisingCue,
};
