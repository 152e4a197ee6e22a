//! The rules of chess and what search and evaluation share: scores, positions, games, endgame tables.

pub mod evaluator;
pub mod game;
pub mod node;
pub mod perft;
pub mod score;
pub mod syzygy;
pub mod tablebase;
pub mod wdl;
