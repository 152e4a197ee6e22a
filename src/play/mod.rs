//! What all games of the engine with itself have in common: where they begin, and when they are
//! over.

pub mod opening;
pub mod verdict;
