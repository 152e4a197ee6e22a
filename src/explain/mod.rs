//! Explanations of one position: its evaluation, the feeling it causes, the map, and the reasons
//! for a move.

pub mod evaluation;
pub mod feeling;
pub mod known;
pub mod map;
pub mod minimax;
pub mod person;
pub mod schema;
pub mod split;
pub mod whatif;
pub mod why;
