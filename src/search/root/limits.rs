//! The limits of a search, as requested by `go`.

use super::time::Moment;
use shakmaty::{ByColor, Move};
use std::{num::NonZeroU64, time::Duration};

/// The limits of one search. A limit that is absent or empty does not apply.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Maximum depth of iterative deepening, in plies.
    pub depth: Option<u8>,
    /// Maximum number of nodes. With one thread, the limit is exact and the search is repeatable.
    pub nodes: Option<NonZeroU64>,
    /// The fixed time for the move.
    pub move_time: Option<Duration>,
    /// The clocks of both players.
    pub clock: Option<ByColor<Clock>>,
    /// The number of moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Stops when a mate in at most this many moves is found.
    pub mate: Option<u8>,
    /// Root moves to search. All legal moves if empty.
    pub moves: Vec<Move>,
    /// The start of the clock. The start of the search if absent.
    pub since: Option<Moment>,
}

/// The clock of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The remaining time.
    pub left: Duration,
    /// The time added after each move.
    pub increment: Duration,
}
