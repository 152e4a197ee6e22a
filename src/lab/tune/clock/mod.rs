//! Fits the think times of human-like play to the clocks of people's games.

mod figure;
mod fit;
mod report;
mod sample;

pub use figure::figure;
pub use fit::fit;
pub use report::{ClockReport, SourceReport};
pub use sample::{ClockSample, ThinkTime};
