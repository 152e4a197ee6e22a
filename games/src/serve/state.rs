//! The state of a game, as the page shows it.

use super::{
    feeling::{self, Feeling, FeelingDetail, MapView},
    index,
    order::Order,
};
use crate::{
    agent::Thought,
    game::{Outcome, Side},
    view::Shown,
};
use deepfeeling::mind::listed::Listed;
use serde::Serialize;

/// A move with the squares that it leaves and reaches.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Step {
    name: String,
    from: String,
    to: String,
    /// The side that moves: 0 or 1.
    side: usize,
}

/// The state of a game. Sides are 0 and 1, and rows for both sides have this order.
#[derive(Debug, Serialize)]
pub(super) struct GameState<B> {
    game: &'static str,
    rules: String,
    level: &'static str,
    temperament: &'static str,
    seed: u64,
    sides: [&'static str; 2],
    /// The side of the person.
    person: usize,
    /// The side to move. After the end, the side that moved last.
    turn: usize,
    /// The moves so far, with spaces between them.
    moves: String,
    /// The position in one-line notation.
    position: String,
    /// The legal moves.
    legal: Vec<Step>,
    /// The last move.
    last: Option<Step>,
    /// What both sides have scored, in units.
    scores: [i32; 2],
    unit: &'static str,
    /// The result in words, once the game is over.
    result: Option<String>,
    /// The feelings of both sides. `None` once the game is over.
    feelings: Option<[Feeling; 2]>,
    /// What lies behind the machine's feeling. `None` once the game is over.
    detail: Option<FeelingDetail>,
    map: MapView,
    /// The groups of terms that a feeling can weigh.
    groups: Vec<&'static str>,
    /// How the machine found its move, right after it.
    thought: Option<String>,
    board: B,
}

/// Returns the state of a game, in which the machine has just had this thought.
pub(super) fn of<G: Shown>(order: &Order<G>, thought: Option<&Thought<G>>) -> GameState<G::Board> {
    let record = &order.record;
    let last = record.last();
    let moves: Vec<String> = record.moves.iter().map(ToString::to_string).collect();
    let outcome = last.outcome();
    GameState {
        game: G::NAME,
        rules: last.rules().to_string(),
        level: order.player.level.name,
        temperament: order.temperament,
        seed: order.seed,
        sides: G::SIDES,
        person: index(order.person),
        turn: index(last.turn()),
        moves: moves.join(" "),
        position: last.to_string(),
        legal: last.moves().into_iter().map(|m| step(&last, m)).collect(),
        last: record.positions().zip(&record.moves).last().map(|(from, &m)| step(&from, m)),
        scores: Side::ALL.map(|side| last.scored(side)),
        unit: G::UNIT,
        result: outcome.map(|outcome| result(outcome, &last)),
        feelings: outcome.is_none().then(|| feeling::of(order, &last)),
        detail: outcome.is_none().then(|| feeling::detail(order, &last)),
        map: feeling::map(order),
        groups: G::Group::ALL.into_iter().map(Listed::name).collect(),
        thought: thought.map(|thought| found(thought, order.person.other())),
        board: last.board(),
    }
}

fn step<G: Shown>(position: &G, m: G::Move) -> Step {
    let [from, to] = position.step(m);
    Step { name: m.to_string(), from, to, side: index(position.turn()) }
}

/// Describes the result of a finished game.
fn result<G: Shown>(outcome: Outcome, last: &G) -> String {
    let (what, side) = match outcome {
        Outcome::Draw => ("a draw,".to_owned(), Side::First),
        Outcome::Win(side) => (format!("{} wins", G::side_name(side)), side),
    };
    let [own, other] = [side, side.other()].map(|side| last.scored(side));
    format!("{what} {own} : {other} {}", G::UNIT)
}

/// Describes how the machine found its move.
fn found<G: Shown>(thought: &Thought<G>, mover: Side) -> String {
    if let Some(verdict) = thought.verdict(mover) {
        return verdict;
    }
    match thought.depth {
        Some(1) => "looked one move ahead".into(),
        Some(depth) => format!("looked {depth} moves ahead"),
        None if thought.value.is_some() => "compared its moves".into(),
        None => "drew a move at random".into(),
    }
}
