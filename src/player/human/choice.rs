//! Chooses a move as a person would, and records what the person did not see.

use super::reading::{Reader, Readings};
use crate::{
    chess::{evaluator::Evaluator, game::Game, score::Score, win_chance::win_chance},
    chess_mind::cue::Cue,
    search::root::weakening::gives_mate,
    support::random::{Random, mixed},
};
use shakmaty::{EnPassantMode, Move, Position, zobrist::Zobrist64};
use strum::EnumCount;

/// The loss of winning chance that needs an explanation, in percentage points.
pub const BLUNDER: f64 = 30.0;

/// A move that came to mind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    pub m: Move,
    /// The probability that a person of this rating plays it.
    pub chance: f64,
    /// The score by the longest reading, in centipawns.
    pub score: i32,
    /// How much each cue raises the move above the others, in nats.
    pub lifts: [f64; Cue::COUNT],
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
    /// The number of people's games from this position that count, or 0.
    pub known_games: f64,
    /// Nodes searched.
    pub nodes: u64,
}

/// Returns the moves that come to mind, by their place in `chances`, the likeliest first. These are
/// the likeliest ones that have the probability `share` together.
#[must_use]
pub fn in_mind(chances: &[f64], share: f64) -> Vec<usize> {
    let mut places: Vec<_> = (0..chances.len()).collect();
    places.sort_by(|&a, &b| chances[b].total_cmp(&chances[a]));
    let mut sum = 0.0;
    let comes = |&place: &usize| {
        let comes = sum < share;
        sum += chances[place];
        comes
    };
    places.into_iter().take_while(comes).collect()
}

/// How a person weighs the moves of a position, in the order of their readings.
#[derive(Clone, Debug)]
pub struct Weighed {
    /// The probabilities.
    pub chances: Vec<f64>,
    /// How much each cue raises each move above the others, in nats.
    pub lifts: Vec<[f64; Cue::COUNT]>,
    /// The number of people's games from this position that count, or 0.
    pub known_games: f64,
    /// The share of the probability that comes to mind.
    pub share: f64,
}

/// Chooses a move in `game`. `draw`, from 0 to 1, decides between the moves that come to mind. A mate
/// in one is always seen. Returns `None` if there is no legal move.
pub fn choose<E: Evaluator + Clone + Send>(
    game: &Game,
    readings: &Readings,
    weighed: &Weighed,
    draw: f64,
    (reader, evaluator): (&mut Reader, &E),
) -> Option<Choice> {
    let candidate = |place: usize| {
        let reading = &readings.moves[place];
        let (chance, lifts) = (weighed.chances[place], weighed.lifts[place]);
        Candidate { m: reading.m, chance, score: reading.read, lifts }
    };
    let mate = readings.moves.iter().position(|reading| gives_mate(&game.chess, reading.m));
    let places = mate.map_or_else(|| in_mind(&weighed.chances, weighed.share), |mate| vec![mate]);
    let in_mind: Vec<Candidate> = places.into_iter().map(candidate).collect();
    let total: f64 = in_mind.iter().map(|candidate| candidate.chance).sum();
    let mut left = draw * total;
    let drawn = in_mind.iter().find(|candidate| {
        left -= candidate.chance;
        left < 0.0
    });
    let chosen = *drawn.or(in_mind.last())?;
    let best = readings.moves.iter().map(|reading| reading.read).max()?;
    let reading = readings.moves.iter().find(|reading| reading.m == chosen.m)?;
    let overlooked = (mate.is_none() && chosen.score < best)
        .then(|| refutation(game, chosen.m, best, reader, evaluator))
        .flatten();
    Some(Choice {
        m: chosen.m,
        score: chosen.score,
        reply: overlooked.or(reading.reply),
        in_mind,
        overlooked,
        known_games: weighed.known_games,
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
    let loss = win_chance(Score::cp(best)) - win_chance(Score::cp(-score));
    (loss >= BLUNDER).then_some(reply)
}

/// Returns a number from 0 to 1 that depends on the seed, the position and its move number.
#[must_use]
pub fn drawn(seed: u64, game: &Game) -> f64 {
    let key: Zobrist64 = game.chess.zobrist_hash(EnPassantMode::Legal);
    let number = u64::from(game.chess.fullmoves().get());
    Random::new(mixed(key.0 ^ mixed(seed ^ mixed(number)))).unit()
}
