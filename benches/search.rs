//! Benchmark of the cost of appraisals: a search of 20,000 nodes with emotion on and off.
//!
//! The neutral profile appraises positions but all its factors are 1, so both searches visit the
//! same nodes.

use deepfeeling::{
    chess::game::Game,
    player::{Engine, Options},
    profile::Profile,
};
use divan::Bencher;
use std::num::NonZeroU64;

fn main() {
    divan::main();
}

#[divan::bench(args = [true, false])]
fn search_with_emotion(bencher: Bencher, emotion: bool) {
    let fen = "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1";
    let game = Game::from_fen(fen, None).expect("a position");
    let nodes = NonZeroU64::new(20_000).expect("not zero");
    let profile = Profile::builtin("neutral").expect("built in");
    let mut engine =
        Engine::new(profile, Options { emotion, ..Options::default() }).expect("a small table");
    bencher.bench_local(|| {
        engine.new_game();
        engine.best_at(&game, nodes)
    });
}
