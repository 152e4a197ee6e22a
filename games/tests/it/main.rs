//! All integration tests in one binary, because linking each of them apart takes long.
#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![expect(clippy::float_cmp, reason = "values must agree exactly")]
#![expect(
    clippy::cast_precision_loss,
    clippy::similar_names,
    reason = "small numbers, close ideas"
)]
#![expect(clippy::format_collect, reason = "short texts")]

mod cli;
mod horses;
mod master;
mod matches;
mod minds;
mod serve;
mod temperaments;
mod tilt;

use deepfeeling::support::random::Random;
use deepfeeling_games::game::Game;

/// Returns a position after up to `most` random moves from the start of `seed`, not at the end of
/// the game.
fn after_random_moves<G: Game>(rules: G::Rules, seed: u64, most: usize) -> G {
    let mut random = Random::new(seed);
    let mut position = G::start(rules, seed);
    for _ in 0..random.below(most + 1) {
        let moves = position.moves();
        let after = position.after(moves.as_ref()[random.below(moves.as_ref().len())]);
        if after.outcome().is_some() {
            break;
        }
        position = after;
    }
    position
}
