//! Benchmarks of an appraisal and of its steps: measures, facts, settling the map, evaluation.

#[path = "../tests/it/minds.rs"]
mod minds;

use deepfeeling::{
    chess::{evaluator::Evaluator, game::Game},
    chess_mind::{Facts, Mind},
    eval::{measures::Measures, paper::MeasureEvaluator},
};
use divan::Bencher;
use shakmaty::{Chess, Color, Position};
use std::hint::black_box;

const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";
/// The maps of the article: with free concepts, and with the concepts of the board held.
const MAPS: [&str; 2] = ["free", "held"];

fn main() {
    divan::main();
}

fn middlegame() -> Chess {
    Game::from_fen(MIDDLEGAME, None).expect("a position").chess
}

fn mind(map: &str) -> Mind {
    if map == "free" { minds::paper_mind() } else { minds::held_mind() }
}

#[divan::bench(args = MAPS)]
fn appraise(bencher: Bencher, map: &str) {
    let (mind, chess) = (mind(map), middlegame());
    bencher.bench_local(|| mind.appraise(black_box(&chess), chess.turn(), 100, None));
}

#[divan::bench(args = MAPS)]
fn settle(bencher: Bencher, map: &str) {
    let (mind, chess) = (mind(map), middlegame());
    let perceived = mind.perception.perceive(&Measures::of(&chess, chess.turn()));
    bencher.bench_local(|| mind.settle(black_box(&perceived)));
}

#[divan::bench]
fn measures(bencher: Bencher) {
    let chess = middlegame();
    bencher.bench_local(|| Measures::of(black_box(&chess), Color::White));
}

#[divan::bench]
fn facts(bencher: Bencher) {
    let (thresholds, chess) = (minds::paper_mind().thresholds, middlegame());
    bencher.bench_local(|| Facts::of(black_box(&chess), Color::White, &thresholds));
}

#[divan::bench]
fn evaluate_by_measures(bencher: Bencher) {
    let chess = middlegame();
    let mut evaluator = MeasureEvaluator::new(Color::White, [1.0; 4]);
    bencher.bench_local(|| evaluator.evaluate(black_box(&chess), ()));
}
