//! Deep Feeling: a chess engine that speaks UCI and feels.

pub mod bench;
pub mod cli;
pub mod engine;
pub mod eval;
pub mod evaluator;
pub mod game;
pub mod mind;
pub mod paper;
pub mod position;
pub mod profile;
pub mod score;
pub mod search;
pub mod spelling;
pub mod story;
pub mod uci;
