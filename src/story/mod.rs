//! What a person looks at.

pub mod annotate;
pub mod evaluation;
pub mod feeling;
pub mod map;
pub mod report;
pub mod whatif;
pub mod why;
