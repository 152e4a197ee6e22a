//! Chooses a move as a person would, and records what the person did not see.

use super::{
    cue::{Scene, winning_chance},
    policy::Policy,
    reading::{Reader, Readings},
};
use crate::{
    chess::{evaluator::Evaluator, game::Game},
    support::random::{Random, mixed},
};
use shakmaty::{EnPassantMode, Move, Position, zobrist::Zobrist64};

/// The loss of winning chance that needs an explanation.
pub const BLUNDER: f64 = 0.3;
/// The moves that come to mind are the likeliest ones with this probability together.
const IN_MIND: f64 = 0.95;

/// A move that came to mind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    pub m: Move,
    /// The probability that a person of this rating plays it.
    pub chance: f64,
    /// The score by the longest reading, in centipawns.
    pub score: i32,
}

/// The choice of a person.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The move.
    pub m: Move,
    /// The score of the move as read, in centipawns.
    pub score: i32,
    /// The expected reply.
    pub reply: Option<Move>,
    /// The moves that came to mind, the likeliest first.
    pub in_mind: Vec<Candidate>,
    /// The reply that refutes the move, if the move is a blunder: it was not considered.
    pub overlooked: Option<Move>,
    /// Nodes searched.
    pub nodes: u64,
}

/// Chooses a move in `game`. `draw` decides between moves: equal draws give equal moves. A mate in
/// one is always seen. Returns `None` if there is no legal move.
pub fn choose<E: Evaluator + Clone + Send>(
    game: &Game,
    readings: &Readings,
    scene: &Scene<'_>,
    (policy, rating): (&Policy, u16),
    draw: f64,
    (reader, evaluator): (&mut Reader, &E),
) -> Option<Choice> {
    let cues: Vec<_> = readings.moves.iter().map(|reading| scene.cues(reading)).collect();
    let chances = policy.probabilities(rating, &cues);
    let all = readings.moves.iter().zip(chances);
    let mut all: Vec<Candidate> = all
        .filter_map(|(reading, chance)| {
            Some(Candidate { m: reading.m?, chance, score: reading.read })
        })
        .collect();
    all.sort_by(|a, b| b.chance.total_cmp(&a.chance));
    let mates = |m: Move| {
        let mut after = game.chess.clone();
        after.play_unchecked(m);
        after.is_checkmate()
    };
    let mate = all.iter().position(|candidate| mates(candidate.m));
    let mut sum = 0.0;
    let in_mind = all.iter().take_while(|candidate| {
        let comes = sum < IN_MIND;
        sum += candidate.chance;
        comes
    });
    let mut in_mind: Vec<Candidate> = in_mind.copied().collect();
    if let Some(mate) = mate {
        in_mind = vec![all[mate]];
    }
    let total: f64 = in_mind.iter().map(|candidate| candidate.chance).sum();
    let mut left = draw * total;
    let drawn = in_mind.iter().find(|candidate| {
        left -= candidate.chance;
        left < 0.0
    });
    let chosen = *drawn.or(in_mind.last())?;
    let best = readings.moves.iter().map(|reading| reading.read).max()?;
    let reading = readings.moves.iter().find(|reading| reading.m == Some(chosen.m))?;
    let overlooked = (mate.is_none() && chosen.score < best)
        .then(|| refutation(game, chosen.m, best, reader, evaluator))
        .flatten();
    Some(Choice {
        m: chosen.m,
        score: chosen.score,
        reply: overlooked.or(reading.reply),
        in_mind,
        overlooked,
        nodes: reader.take_nodes(),
    })
}

/// Returns the reply that makes `m` a blunder, compared with the score `best` before it. Returns
/// `None` if the move is no blunder.
fn refutation<E: Evaluator + Clone + Send>(
    game: &Game,
    m: Move,
    best: i32,
    reader: &mut Reader,
    evaluator: &E,
) -> Option<Move> {
    let mut after = game.clone();
    after.push(m);
    let (reply, score) = reader.best(&after, evaluator)?;
    let loss = winning_chance(best) - winning_chance(-score);
    (loss >= BLUNDER).then_some(reply)
}

/// Returns a number from 0 to 1 that depends on the seed, the position and its move number.
#[must_use]
pub fn drawn(seed: u64, game: &Game) -> f64 {
    let key: Zobrist64 = game.chess.zobrist_hash(EnPassantMode::Legal);
    let number = u64::from(game.chess.fullmoves().get());
    Random::new(mixed(key.0 ^ mixed(seed ^ mixed(number)))).unit()
}
