//! Shared code for games that the engine plays against itself: openings, adjudication and PGN
//! output.

pub mod opening;
pub mod verdict;
pub mod written;
