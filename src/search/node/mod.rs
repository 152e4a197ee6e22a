//! Searches one node: negamax, quiescence search, move ordering, pruning and reductions.

pub(super) mod attention;
pub(super) mod cutoffs;
pub(super) mod learning;
pub(super) mod move_loop;
pub(super) mod move_pruning;
pub(super) mod negamax;
pub(super) mod node_pruning;
pub(super) mod ordering;
pub(super) mod qsearch;
pub(super) mod quiet_line;
pub(super) mod quiet_ranks;
mod ranked_moves;
pub(super) mod reductions;
pub(super) mod see;
