//! A look back at a game: the feelings of both sides, and the two moves that turned it.

use super::{
    feeling::{self, Feeling},
    index,
    order::Order,
};
use crate::{
    evaluation::{Ends, Evaluation},
    search::root_moves,
    view::Shown,
};
use serde::Serialize;

/// The number of moves that are said to have turned the game.
const TURNING: usize = 2;
/// The least loss of a turning move, as a share of a win.
const LEAST_LOSS: f64 = 0.01;

/// A move of a game.
#[derive(Debug, Serialize)]
struct MoveView {
    side: usize,
    #[serde(rename = "move")]
    m: String,
    /// The feelings of both sides before the move.
    feelings: [Feeling; 2],
}

/// A move that turned the game.
#[derive(Debug, Serialize)]
struct TurningMove {
    /// The number of the move, counted from 1.
    number: usize,
    side: usize,
    #[serde(rename = "move")]
    m: String,
    /// What the neutral agent would have played.
    neutral: String,
}

/// A look back at a game.
#[derive(Debug, Serialize)]
pub(super) struct Review {
    course: Vec<MoveView>,
    /// The moves that gave away most in the eyes of the neutral agent.
    turning: Vec<TurningMove>,
    /// How many moves the neutral agent looks ahead.
    depth: u8,
}

/// Looks back at the game of an order.
pub(super) fn of<G: Shown>(order: &Order<G>) -> Review {
    let record = &order.record;
    let played = || record.positions().zip(record.moves.iter().copied());
    let course = played().map(|(position, m)| MoveView {
        side: index(position.turn()),
        m: m.to_string(),
        feelings: feeling::of(order, &position),
    });
    let judged = (1..).zip(played()).filter_map(|(number, (position, m))| {
        let (loss, neutral) = loss(&position, m)?;
        let (side, m) = (index(position.turn()), m.to_string());
        Some((loss, TurningMove { number, side, m, neutral: neutral.to_string() }))
    });
    let mut turning: Vec<(f64, TurningMove)> = judged.collect();
    turning.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    turning.truncate(TURNING);
    turning.sort_by_key(|(_, row)| row.number);
    Review {
        course: course.collect(),
        turning: turning.into_iter().map(|(_, row)| row).collect(),
        depth: G::JUDGE_DEPTH,
    }
}

/// Returns how much of a chance a move gives away in the eyes of the neutral agent, and the move that
/// it prefers. `None` if it loses nothing.
///
/// The chance is a logistic function of the value, so that moves count less in a game that is
/// already decided. This measure is ours.
fn loss<G: Shown>(position: &G, played: G::Move) -> Option<(f64, G::Move)> {
    let evaluation = Evaluation::new(position.turn(), G::BY_DEPTH.weights, Ends::Ranked);
    let moves = root_moves(position, G::JUDGE_DEPTH, &evaluation);
    let chance = |value: f64| 1.0 / (1.0 + (-value / G::LIKELY_WIN).exp());
    let value = moves.iter().find(|one| one.m == played)?.value;
    let best = moves.iter().max_by(|a, b| a.value.total_cmp(&b.value))?;
    let loss = chance(best.value) - chance(value);
    (loss >= LEAST_LOSS).then_some((loss, best.m))
}
