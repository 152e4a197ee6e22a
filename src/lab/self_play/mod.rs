//! What all games of the engine have in common: where they begin, when they are over, and how they are
//! written.

pub mod opening;
pub mod verdict;
pub mod written;
