//! Fits the policy of human-like play to moves that people chose.

mod fit;
mod report;
mod sample;

pub use fit::fit;
pub use report::{PolicyBand, PolicyReport};
pub use sample::{PolicyChoice, PolicySample, count_habits};
