//! What all games of the engine with itself have in common: where they begin, when they are over, and
//! in which order they are taken.

pub mod opening;
pub mod order;
pub mod verdict;
pub mod written;
