//! What a search was asked to keep to.

use super::time::Moment;
use shakmaty::{ByColor, Move};
use std::{num::NonZeroU64, time::Duration};

/// The limits of one search; an absent one does not bind.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Iterations, in plies.
    pub depth: Option<u8>,
    /// Exact on one thread: the search stops at this node, so results can be repeated.
    pub nodes: Option<NonZeroU64>,
    pub move_time: Option<Duration>,
    pub clock: Option<ByColor<Clock>>,
    pub moves_to_go: Option<u32>,
    /// Stop once a mate in this many moves or fewer is found.
    pub mate: Option<u8>,
    /// Root moves to consider; all when empty.
    pub moves: Vec<Move>,
    /// When the request came: time counts from then, or from the start of the search if absent.
    pub since: Option<Moment>,
}

/// One player's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    pub left: Duration,
    pub increment: Duration,
}
