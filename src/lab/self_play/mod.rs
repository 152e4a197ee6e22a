//! Shared code for games that the engine plays against itself: openings, adjudication and PGN
//! output.

pub mod adjudication;
pub mod opening;
pub mod written;
