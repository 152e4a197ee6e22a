//! Benchmark of the cost of appraisals: a search of 20,000 nodes with emotion on and off.
//!
//! The neutral profile appraises positions but all its factors are 1, so both searches visit the
//! same nodes.

use criterion::{Criterion, criterion_group, criterion_main};
use deepfeeling::{
    chess::game::Game,
    player::{Engine, Options},
    profile::Profile,
};
use std::num::NonZeroU64;

fn search(c: &mut Criterion) {
    let fen = "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1";
    let game = Game::from_fen(fen, None).expect("a position");
    let nodes = NonZeroU64::new(20_000).expect("not zero");
    for (name, emotion) in [("emotion on", true), ("emotion off", false)] {
        let profile = Profile::builtin("neutral").expect("built in");
        let options = Options { emotion, ..Options::default() };
        let mut engine = Engine::new(profile, options).expect("a small table");
        c.bench_function(&format!("search, {name}"), |b| {
            b.iter(|| {
                engine.new_game();
                engine.best_at(&game, nodes)
            });
        });
    }
}

criterion_group!(benches, search);
criterion_main!(benches);
