//! What the search remembers: transposition table, histories, corrections of the static score.

pub(super) mod correction;
pub(super) mod eval_cache;
pub mod history;
pub mod pages;
pub mod tt;
