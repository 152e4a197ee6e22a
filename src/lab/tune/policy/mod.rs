//! Fits the policy of human-like play to moves that people chose.

mod fit;
mod outcome;
mod report;
mod sample;

pub use fit::fit;
pub use outcome::{FitOutcome, OutcomeReport, fit_and_judge};
pub use report::{PolicyBand, PolicyReport};
pub use sample::{PolicyChoice, PolicySample, count_habits, count_openings};

pub(super) use sample::is_held_out;
