//! Measurements of a temperament in real games: what it perceives and pursues, and whether each of
//! its numbers matters.

pub mod census;
pub mod knobs;

use crate::{
    agent::AgentOptions,
    level::{Playable, PlayerSpec},
    matches,
    record::GameRecord,
};

/// Games of a player against itself, from the starts of consecutive seeds.
pub fn games<'p, G: Playable>(
    player: &'p PlayerSpec<G>,
    rules: G::Rules,
    seeds: impl Iterator<Item = u64> + 'p,
    options: AgentOptions,
    stopped: &'p dyn Fn() -> bool,
) -> impl Iterator<Item = GameRecord<G>> + 'p
where
    G::Rules: 'p,
{
    seeds.map_while(move |seed| {
        matches::game([player, player], G::start(rules, seed), options, seed, stopped)
    })
}
