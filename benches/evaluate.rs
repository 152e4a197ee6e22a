//! Benchmarks of the evaluation and its parts over the positions of `deepfeeling bench`.
//!
//! Each iteration visits all positions once, except in `weights_under`.

use deepfeeling::{
    chess::{evaluator::Evaluator, game::Game},
    eval::{
        TermEvaluator, attacks, trace,
        weights::{Relevance, Weights},
    },
    lab::bench::POSITIONS,
    profile::Profile,
};
use divan::Bencher;
use shakmaty::{ByColor, Chess, Position};
use std::hint::black_box;

fn main() {
    divan::main();
}

fn positions() -> Vec<Chess> {
    POSITIONS.iter().map(|fen| Game::from_fen(fen, None).expect("a bench position").chess).collect()
}

fn weights() -> Weights {
    Profile::builtin("default").expect("built in").weights
}

fn evaluator() -> TermEvaluator {
    TermEvaluator::new(ByColor { white: weights(), black: weights() })
}

#[divan::bench]
fn evaluate(bencher: Bencher) {
    let (positions, mut evaluator) = (positions(), evaluator());
    let sums: Vec<_> = positions.iter().map(|chess| evaluator.sums(chess)).collect();
    bencher.bench_local(|| {
        for (chess, sums) in positions.iter().zip(&sums) {
            black_box(evaluator.evaluate(black_box(chess), *sums));
        }
    });
}

#[divan::bench]
fn attacks_of(bencher: Bencher) {
    let positions = positions();
    bencher.bench_local(|| {
        for chess in &positions {
            black_box(attacks::of(black_box(chess.board())));
        }
    });
}

#[divan::bench]
fn sums(bencher: Bencher) {
    let (positions, evaluator) = (positions(), evaluator());
    bencher.bench_local(|| {
        for chess in &positions {
            black_box(evaluator.sums(black_box(chess)));
        }
    });
}

#[divan::bench]
fn after(bencher: Bencher) {
    let (positions, evaluator) = (positions(), evaluator());
    let sums: Vec<_> = positions.iter().map(|chess| evaluator.sums(chess)).collect();
    let moves: Vec<_> = positions.iter().map(|chess| chess.legal_moves()[0]).collect();
    bencher.bench_local(|| {
        for ((chess, sums), m) in positions.iter().zip(&sums).zip(&moves) {
            black_box(evaluator.after(*sums, black_box(chess), *m));
        }
    });
}

#[divan::bench]
fn traces(bencher: Bencher) {
    let positions = positions();
    bencher.bench_local(|| {
        for chess in &positions {
            black_box(trace(black_box(chess)));
        }
    });
}

#[divan::bench]
fn weights_under(bencher: Bencher) {
    let weights = weights();
    bencher.bench_local(|| weights.under(black_box(&Relevance::NEUTRAL)));
}
