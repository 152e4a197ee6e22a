//! Explanations of one position: evaluation, feeling, map, reasons for a move, and what would change them.

pub mod evaluation;
pub mod feeling;
pub mod map;
pub mod whatif;
pub mod why;
