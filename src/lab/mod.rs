//! The laboratory: measurements over many positions or games, matches, data generation and tuning.

pub mod bench;
pub mod census;
pub mod datagen;
pub mod duel;
pub mod epd;
pub mod humans;
pub mod imitate;
pub mod knobs;
pub mod measure;
pub mod paper;
pub mod remember;
pub mod self_play;
#[cfg(feature = "tuning")]
pub mod spsa;
pub mod study;
pub mod style;
mod svg;
pub mod tune;

/// A malformed line of a text file, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, serde::Serialize)]
#[error("line {line}: {complaint}")]
pub struct BrokenLine {
    /// The line number, counted from 1.
    pub line: usize,
    pub complaint: String,
}
