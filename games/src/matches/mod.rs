//! Matches between two players: pairs of games from the same start, with sides exchanged.

pub mod statistics;

use crate::{
    agent::{Agent, AgentOptions},
    game::{Game, Side},
    level::{Playable, PlayerSpec},
    record::GameRecord,
};
use deepfeeling::{
    lab::duel::{Decision, Sprt},
    support::{
        random::mixed,
        threads::{NoThread, numbers_in_order},
    },
};
use statistics::MatchTally;
use std::sync::atomic::AtomicBool;

/// The options of a match.
#[derive(Clone, Debug)]
pub struct MatchOptions<G: Playable> {
    /// The two players.
    pub players: [PlayerSpec<G>; 2],
    /// The rules.
    pub rules: G::Rules,
    /// The number of pairs of games.
    pub pairs: u64,
    /// The seed of the first start. Each pair has the next one.
    pub seed: u64,
    /// The number of games played in parallel. It does not affect the result.
    pub threads: usize,
    /// Options of both players.
    pub agents: AgentOptions,
    /// A sequential test that ends the match once it is decided.
    pub sprt: Option<Sprt>,
}

/// A pair of games. The first player has [`Side::First`] in the first game, and the other side in
/// the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamePair<G: Game>(pub [GameRecord<G>; 2]);

/// Plays a match. Passes the tally so far and each finished pair to `show`, in order.
///
/// # Errors
/// If a thread cannot be started.
pub fn run<G: Playable>(
    options: &MatchOptions<G>,
    stop: &AtomicBool,
    mut show: impl FnMut(&MatchTally, &GamePair<G>),
) -> Result<MatchTally, NoThread> {
    let mut tally = MatchTally::default();
    let workers = vec![(); options.threads];
    let work = |(): &mut (), number, stopped: &dyn Fn() -> bool| Ok(pair(options, number, stopped));
    numbers_in_order(workers, 0..options.pairs, stop, work, |_, pair| {
        tally.add(pair);
        show(&tally, pair);
        Ok(options.sprt.is_some_and(|sprt| sprt.decision(&tally.score) != Decision::Open))
    })?;
    Ok(tally)
}

/// Plays one pair. Returns `None` if stopped midway.
fn pair<G: Playable>(
    options: &MatchOptions<G>,
    number: u64,
    stopped: &dyn Fn() -> bool,
) -> Option<GamePair<G>> {
    let [a, b] = &options.players;
    let start = G::start(options.rules, options.seed.wrapping_add(number));
    let game = |players: [&PlayerSpec<G>; 2], seed| {
        game(players, start, options.agents, mixed(options.seed) ^ seed, stopped)
    };
    Some(GamePair([game([a, b], 2 * number)?, game([b, a], 2 * number + 1)?]))
}

/// Plays a game between two players, in the order of their sides. Returns `None` if stopped midway.
pub fn game<G: Playable>(
    players: [&PlayerSpec<G>; 2],
    start: G,
    options: AgentOptions,
    seed: u64,
    stopped: &dyn Fn() -> bool,
) -> Option<GameRecord<G>> {
    let mut record = GameRecord::new(players.map(|player| player.name.as_str()), start);
    let mut agents = [0, 1].map(|i| Agent::new(players[i], options, mixed(seed) ^ i as u64));
    let mut position = start;
    while let Some(thought) = agents[position.turn() as usize].choose(&position) {
        if stopped() {
            return None;
        }
        position.play(thought.m);
        record.moves.push(thought.m);
    }
    Some(record)
}

/// Returns the side of the first player in the first and in the second game of a pair.
pub const SIDES_OF_FIRST: [Side; 2] = Side::ALL;
