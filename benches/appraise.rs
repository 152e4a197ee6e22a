//! Benchmarks of an appraisal and of its steps: measures, facts, settling the map, evaluation.

#[path = "../tests/it/minds.rs"]
mod minds;

use criterion::{Criterion, criterion_group, criterion_main};
use deepfeeling::{
    chess::{evaluator::Evaluator, game::Game},
    chess_mind::Facts,
    eval::{measures::Measures, paper::MeasureEvaluator},
};
use shakmaty::{Color, Position};
use std::hint::black_box;

const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";

fn appraise(c: &mut Criterion) {
    let Ok(game) = Game::from_fen(MIDDLEGAME, None) else { return };
    let chess = &game.chess;
    for (name, mind) in [("free", minds::paper_mind()), ("held", minds::held_mind())] {
        c.bench_function(&format!("appraise, {name} map"), |b| {
            b.iter(|| mind.appraise(black_box(chess), chess.turn(), 100, None));
        });
        let perceived = mind.perception.perceive(&Measures::of(chess, chess.turn()));
        c.bench_function(&format!("settle, {name} map"), |b| {
            b.iter(|| mind.settle(black_box(&perceived)));
        });
    }
    c.bench_function("measures", |b| b.iter(|| Measures::of(black_box(chess), Color::White)));
    let thresholds = minds::paper_mind().thresholds;
    c.bench_function("facts", |b| {
        b.iter(|| Facts::of(black_box(chess), Color::White, &thresholds));
    });
    let mut evaluator = MeasureEvaluator::new(Color::White, [1.0; 4]);
    c.bench_function("evaluate by measures", |b| {
        b.iter(|| evaluator.evaluate(black_box(chess), ()));
    });
}

criterion_group!(benches, appraise);
criterion_main!(benches);
