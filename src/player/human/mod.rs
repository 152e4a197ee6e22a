//! Plays like a person of a given rating.
//!
//! A person reads a little, has moves come to mind, and chooses among them. [`reading`] says what
//! is read, [`cue`] what speaks for a move, and [`policy`] how likely each move is.

pub mod choice;
pub mod cue;
pub mod habit;
mod play;
pub mod policy;
pub mod reading;

pub(super) use play::Person;
