//! The laboratory: measurements over many positions or games, matches, data generation and tuning.

pub mod bench;
pub mod census;
pub mod datagen;
pub mod duel;
pub mod epd;
pub mod humans;
pub mod knobs;
pub mod paper;
pub mod self_play;
pub mod style;
pub mod tune;
