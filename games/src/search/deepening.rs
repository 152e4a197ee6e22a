//! Iterative deepening with a table of positions: the level `master`. It is ours; the sources
//! search to a fixed depth.
//!
//! The search knows which values rest on finished games only. Near the end of a game it therefore
//! solves the position and can say so. <https://www.chessprogramming.org/Iterative_Deepening>

use super::{
    RootMove,
    table::{Entry, SOLVED, Table},
};
use crate::{
    evaluation::{Evaluation, Terms},
    game::Game,
};
use deepfeeling::search::root::{
    moment::{Moment, now},
    report::Bound,
};
use std::time::Duration;

/// The greatest depth, in moves. No game of this package lasts longer.
const DEEPEST: u8 = SOLVED - 1;
/// The search looks at the clock once per this number of positions.
const PERIOD: u64 = 1024;

/// When a search ends, unless it solves the position before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// After this number of positions. The result is then reproducible.
    Nodes(u64),
    /// After this time.
    Time(Duration),
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found<M> {
    /// The best move with its value.
    pub best: RootMove<M>,
    /// The depth of the last complete iteration, in moves.
    pub depth: u8,
    /// The number of positions searched.
    pub nodes: u64,
    /// Whether the value rests on finished games only.
    pub is_solved: bool,
}

/// A value, and whether it rests on finished games only.
type Judged = (f64, bool);

struct Search<'s, G: Terms> {
    evaluation: &'s Evaluation<G>,
    table: &'s mut Table<G::Move>,
    nodes: u64,
    limit: Limit,
    started: Moment,
}

/// The limit was reached.
struct Stopped;

/// Searches `position` deeper and deeper. Returns `None` if the game is over.
///
/// The evaluation must be for the side to move. The table must hold values of this evaluation only.
pub fn deepen<G: Terms>(
    position: &G,
    evaluation: &Evaluation<G>,
    limit: Limit,
    table: &mut Table<G::Move>,
) -> Option<Found<G::Move>> {
    let mut moves: Vec<G::Move> = position.moves().into_iter().collect();
    moves.sort_by_key(|&m| std::cmp::Reverse(position.promise(m)));
    let first = RootMove { m: *moves.first()?, value: 0.0 };
    let mut search = Search { evaluation, table, nodes: 0, limit, started: now() };
    let mut found = Found { best: first, depth: 0, nodes: 0, is_solved: false };
    for depth in 1..=DEEPEST {
        let (best, is_complete) = search.root(position, &moves, depth);
        found.nodes = search.nodes;
        // the first move of a broken iteration is the best one of the iteration before
        found.best = best.unwrap_or(found.best);
        let Some(is_solved) = is_complete else { break };
        (found.depth, found.is_solved) = (depth, is_solved);
        if is_solved {
            break;
        }
        let best = found.best.m;
        moves.sort_by_key(|&m| m != best);
    }
    Some(found)
}

impl<G: Terms> Search<'_, G> {
    /// Searches all root moves. Returns the best one so far, and whether the value is solved if no
    /// limit was reached.
    fn root(
        &mut self,
        position: &G,
        moves: &[G::Move],
        depth: u8,
    ) -> (Option<RootMove<G::Move>>, Option<bool>) {
        let mut best: Option<RootMove<G::Move>> = None;
        let mut is_solved = true;
        for &m in moves {
            let alpha = best.map_or(f64::NEG_INFINITY, |best| best.value);
            let window = (alpha, f64::INFINITY);
            let Ok((value, solved)) = self.value(&position.after(m), depth - 1, window) else {
                return (best, None);
            };
            is_solved &= solved;
            if best.is_none_or(|best| value > best.value) {
                best = Some(RootMove { m, value });
            }
        }
        (best, Some(is_solved))
    }

    /// Like [`super::alpha_beta`], with the table.
    fn value(
        &mut self,
        position: &G,
        depth: u8,
        (mut alpha, mut beta): (f64, f64),
    ) -> Result<Judged, Stopped> {
        self.count()?;
        let moves = position.moves();
        if moves.as_ref().is_empty() {
            return Ok((self.evaluation.end(position), true));
        }
        if depth == 0 {
            return Ok((self.evaluation.leaf(position), false));
        }
        let key = position.key();
        let known = self.table.get(key);
        if let Some(judged) = known.and_then(|entry| usable(&entry, depth, (alpha, beta))) {
            return Ok(judged);
        }
        let (low, high) = (alpha, beta);
        let maximises = position.turn() == self.evaluation.side;
        let mut best: Option<RootMove<G::Move>> = None;
        let mut is_solved = true;
        for m in ordered(position, moves, known.map(|entry| entry.best)) {
            let (value, solved) = self.value(&position.after(m), depth - 1, (alpha, beta))?;
            is_solved &= solved;
            if best
                .is_none_or(|best| if maximises { value > best.value } else { value < best.value })
            {
                best = Some(RootMove { m, value });
            }
            if maximises {
                alpha = alpha.max(value);
            } else {
                beta = beta.min(value);
            }
            if alpha >= beta {
                // a refutation rests on this move alone
                is_solved = solved;
                break;
            }
        }
        let Some(RootMove { m: best, value }) = best else { return Ok((0.0, false)) };
        let bound = if value <= low {
            Bound::Upper
        } else if value >= high {
            Bound::Lower
        } else {
            Bound::Exact
        };
        let depth = if is_solved { SOLVED } else { depth };
        self.table.put(Entry { key, value, bound, depth, best });
        Ok((value, is_solved))
    }

    /// Counts a position, and reports whether the limit is reached.
    fn count(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        let is_over = match self.limit {
            Limit::Nodes(most) => self.nodes > most,
            Limit::Time(most) => {
                self.nodes.is_multiple_of(PERIOD) && now().duration_since(self.started) >= most
            }
        };
        if is_over { Err(Stopped) } else { Ok(()) }
    }
}

/// Returns what an entry says at this depth and window, if that is enough.
fn usable<M>(entry: &Entry<M>, depth: u8, (alpha, beta): (f64, f64)) -> Option<Judged> {
    let is_enough = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.value >= beta,
        Bound::Upper => entry.value <= alpha,
    };
    (entry.depth >= depth && is_enough).then_some((entry.value, entry.depth == SOLVED))
}

/// Returns the moves with the best ones of the table first, then by their promise.
fn ordered<G: Game>(position: &G, mut moves: G::Moves, known: Option<G::Move>) -> G::Moves {
    moves.as_mut().sort_by_key(|&m| std::cmp::Reverse((known == Some(m), position.promise(m))));
    moves
}
