//! The rules of chess, and the types shared by search and evaluation: scores, positions, games and
//! endgame tables.

pub mod evaluator;
pub mod game;
pub mod known;
pub mod node;
pub mod opening;
pub mod perft;
pub mod score;
pub mod syzygy;
pub mod tablebase;
pub mod time_control;
pub mod wdl;
pub mod win_chance;
