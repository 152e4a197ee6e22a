//! Benchmarks of the evaluation and its parts over the positions of `deepfeeling bench`.

use criterion::{Criterion, criterion_group, criterion_main};
use deepfeeling::{
    chess::{evaluator::Evaluator, game::Game},
    eval::{TermEvaluator, attacks, trace, weights::Relevance},
    lab::bench::POSITIONS,
    profile::Profile,
};
use shakmaty::{ByColor, Chess, Position};
use std::hint::black_box;

fn positions() -> Vec<Chess> {
    POSITIONS.iter().map(|fen| Game::from_fen(fen, None).expect("a bench position").chess).collect()
}

/// Each iteration visits all positions once. Divide the time by their number for one call.
fn evaluate(c: &mut Criterion) {
    let positions = positions();
    let weights = Profile::builtin("default").expect("built in").weights;
    let mut evaluator =
        TermEvaluator::new(ByColor { white: weights.clone(), black: weights.clone() });
    let sums: Vec<_> = positions.iter().map(|chess| evaluator.sums(chess)).collect();
    let mut group = c.benchmark_group(format!("{} positions", positions.len()));
    group.bench_function("evaluate", |b| {
        b.iter(|| {
            for (chess, sums) in positions.iter().zip(&sums) {
                black_box(evaluator.evaluate(black_box(chess), *sums));
            }
        });
    });
    group.bench_function("attacks", |b| {
        b.iter(|| {
            for chess in &positions {
                black_box(attacks::of(black_box(chess.board())));
            }
        });
    });
    group.bench_function("sums", |b| {
        b.iter(|| {
            for chess in &positions {
                black_box(evaluator.sums(black_box(chess)));
            }
        });
    });
    group.bench_function("after", |b| {
        let moves: Vec<_> = positions.iter().map(|chess| chess.legal_moves()[0]).collect();
        b.iter(|| {
            for ((chess, sums), m) in positions.iter().zip(&sums).zip(&moves) {
                black_box(evaluator.after(*sums, black_box(chess), *m));
            }
        });
    });
    group.bench_function("trace", |b| {
        b.iter(|| {
            for chess in &positions {
                black_box(trace(black_box(chess)));
            }
        });
    });
    group.finish();
    c.bench_function("weights under", |b| b.iter(|| weights.under(black_box(&Relevance::NEUTRAL))));
}

criterion_group!(benches, evaluate);
criterion_main!(benches);
