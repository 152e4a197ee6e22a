//! Benchmark of the cost of appraisals: a search of 20,000 nodes with emotion on and off.
//!
//! The neutral profile appraises positions but all its factors are 1, so both searches visit the
//! same nodes.

use criterion::{Criterion, criterion_group, criterion_main};
use deepfeeling::{
    chess::game::Game,
    player::Engine,
    profile::Profile,
    search::{
        Signals,
        root::{limits::Limits, report::Silent},
    },
};
use std::num::NonZeroU64;

fn search(c: &mut Criterion) {
    let fen = "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1";
    let game = Game::from_fen(fen, None).expect("a position");
    let limits = Limits { nodes: NonZeroU64::new(20_000), ..Limits::default() };
    for (name, emotion) in [("emotion on", true), ("emotion off", false)] {
        let mut engine =
            Engine::new(Profile::builtin("neutral").expect("built in")).expect("a small table");
        engine.emotion = emotion;
        c.bench_function(&format!("search, {name}"), |b| {
            b.iter(|| {
                engine.new_game();
                engine.go(&game, &limits, &Signals::default(), &mut Silent)
            });
        });
    }
}

criterion_group!(benches, search);
criterion_main!(benches);
