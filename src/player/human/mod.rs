//! Plays like a person of a given rating.
//!
//! A person searches a few plies (called reading), gives each move a probability, and draws one of
//! the likeliest. [`reading`] says what is read, [`cue`] what speaks for a move, and [`policy`] how
//! likely each move is. In the opening, [`book`] says what people play. [`clock`] says how long the
//! person thinks.

pub mod book;
pub mod choice;
pub mod clock;
pub mod clock_cue;
pub mod cue;
pub mod habit;
mod pacing;
mod play;
pub mod policy;
pub mod reading;
pub mod view;

pub use pacing::most;
pub(super) use play::Person;
