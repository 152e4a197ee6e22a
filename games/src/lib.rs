//! Board games under the mind of the chess engine Deep Feeling.

pub mod evaluation;
pub mod game;
pub mod horses;
pub mod notation;
pub mod perft;
pub mod search;
pub mod tilt;
