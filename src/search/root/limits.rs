//! The limits of a search, as requested by `go`.

use super::moment::Moment;
use shakmaty::{ByColor, Color, Move};
use std::{
    num::{NonZeroU32, NonZeroU64},
    time::Duration,
};

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
    /// If set, clocks count nodes instead of time, at this many per millisecond. With one thread,
    /// games on the clock are then repeatable and do not depend on the load of the machine.
    pub nodes_per_ms: Option<NonZeroU32>,
}

impl Limits {
    /// Returns the limits of a search of this number of nodes.
    pub fn of_nodes(nodes: NonZeroU64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Estimates the number of nodes that `threads` threads search in the rest of the game, from
    /// the clock of `side`, the move time, or the node limit. Returns `None` if these do not limit
    /// the search.
    pub fn nodes_in_game(&self, side: Color, threads: usize) -> Option<u64> {
        /// A game lasts for this many more moves.
        const MOVES: u32 = 40;
        /// The usual speed of one thread.
        const NODES_PER_SECOND: u64 = 1_000_000;
        if let Some(nodes) = self.nodes {
            return Some(nodes.get().saturating_mul(u64::from(MOVES)));
        }
        let time = match (self.move_time, &self.clock) {
            (Some(time), _) => time.saturating_mul(MOVES),
            (None, Some(clocks)) => {
                let clock = clocks.get(side);
                clock.left.saturating_add(clock.increment.saturating_mul(MOVES))
            }
            (None, None) => return None,
        };
        let seconds = time.as_secs().saturating_add(1);
        Some(seconds.saturating_mul(NODES_PER_SECOND).saturating_mul(threads as u64))
    }
}

/// The clock of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// The remaining time.
    pub left: Duration,
    /// The time added after each move.
    pub increment: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nodes_of_a_game_follow_from_its_limits() {
        let second = Duration::from_secs(1);
        let clock = Clock { left: 60 * second, increment: second };
        let clock = Some(ByColor { white: clock, black: Clock::default() });
        let nodes = |limits: Limits, threads| limits.nodes_in_game(Color::White, threads);
        assert_eq!(nodes(Limits::default(), 8), None);
        assert_eq!(nodes(Limits { depth: Some(9), ..Limits::default() }, 1), None);
        assert_eq!(nodes(Limits { clock, ..Limits::default() }, 2), Some(202_000_000));
        let move_time = Some(second);
        assert_eq!(nodes(Limits { move_time, clock, ..Limits::default() }, 1), Some(41_000_000));
        let limit = NonZeroU64::new(1000);
        assert_eq!(nodes(Limits { nodes: limit, clock, ..Limits::default() }, 4), Some(40_000));
    }
}
