//! The memory of the search: transposition table, evaluation cache, move histories and correction
//! history.

pub(super) mod correction;
pub(super) mod eval_cache;
mod gravity;
pub mod history;
pub mod packed_move;
pub mod pages;
pub(super) mod step;
pub mod tt;
