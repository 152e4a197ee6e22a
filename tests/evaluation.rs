//! The evaluation: both tallies agree, colours are equal, known positions keep their score.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use deepfeeling::{
    bench::POSITIONS,
    eval::{
        TermEvaluator, explain, finish,
        group::Group,
        sums::Sums,
        trace,
        weights::{Factor, Relevance, Weights},
    },
    evaluator::Evaluator,
    game::Game,
    packed,
    profile::Profile,
    score::Score,
};
use proptest::{prelude::*, test_runner::Config};
use shakmaty::{ByColor, Chess, FromSetup, Position};
use std::{env, fs, iter, path::Path};

fn weights() -> Weights {
    Profile::builtin("default").unwrap().weights
}

fn neutral() -> ByColor<Weights> {
    ByColor { white: weights(), black: weights() }
}

fn score(weights: &ByColor<Weights>, position: &Chess) -> i32 {
    let mut evaluator = TermEvaluator::new(weights.clone());
    let sums = evaluator.sums(position);
    evaluator.evaluate(position, sums).centipawns()
}

/// A position some random moves after one of the bench.
fn wander(start: usize, choices: &[usize]) -> Chess {
    let mut chess = Game::from_fen(POSITIONS[start % POSITIONS.len()], None).unwrap().chess;
    for choice in choices {
        let moves = chess.legal_moves();
        if moves.is_empty() {
            break;
        }
        chess.play_unchecked(moves[choice % moves.len()]);
    }
    chess
}

fn factors() -> impl Strategy<Value = Relevance> {
    prop::collection::vec(-40.0..40.0_f64, Group::COUNT)
        .prop_map(|ratios| Relevance(std::array::from_fn(|i| Factor::from_ratio(ratios[i]))))
}

fn positions() -> impl Strategy<Value = Chess> {
    (any::<usize>(), prop::collection::vec(any::<usize>(), 0..60))
        .prop_map(|(start, choices)| wander(start, &choices))
}

proptest! {
    #![proptest_config(Config { cases: 2000, ..Config::default() })]

    #[test]
    fn trace_and_sum_agree(chess in positions(), white in factors(), black in factors()) {
        let base = weights();
        let bent = ByColor { white: base.under(&white), black: base.under(&black) };
        let total = trace(&chess).under(&bent);
        let phase = Sums::of(chess.board(), &bent).phase;
        let explained = chess.turn().fold_wb(1, -1) * finish(total, phase, &chess);
        prop_assert_eq!(Score::cp(explained).clamp_static().centipawns(), score(&bent, &chess));
        let table = explain::explain(&chess, &base, ByColor { white, black });
        prop_assert_eq!(table.total, total);
    }

    #[test]
    fn colours_are_equal(chess in positions(), own in factors(), other in factors()) {
        let base = weights();
        let bent = ByColor { white: base.under(&own), black: base.under(&other) };
        let setup = chess.to_setup(shakmaty::EnPassantMode::Legal).into_mirrored();
        let mirrored = Chess::from_setup(setup, chess.castles().mode()).unwrap();
        let swapped = ByColor { white: bent.black.clone(), black: bent.white.clone() };
        prop_assert_eq!(score(&swapped, &mirrored), score(&bent, &chess));
    }
}

#[test]
fn the_largest_factors_make_no_mate() {
    let most = Relevance([Factor::from_ratio(64.0); Group::COUNT]);
    let least = Relevance([Factor::from_ratio(-64.0); Group::COUNT]);
    let bent = ByColor { white: weights().under(&most), black: weights().under(&least) };
    for fen in POSITIONS {
        let chess = Game::from_fen(fen, None).unwrap().chess;
        assert!(!Score::cp(score(&bent, &chess)).is_decided(), "{fen}");
    }
}

#[test]
fn an_even_game_is_even_and_a_queen_up_is_won() {
    let start = Chess::default();
    let tempo = score(&neutral(), &start);
    assert!((0..60).contains(&tempo), "{tempo}");
    let queen_up = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert!(score(&neutral(), &Game::from_fen(queen_up, None).unwrap().chess) > 700);
}

/// After a change that is meant, `UPDATE_GOLDEN=1 cargo test --test evaluation` writes
/// `tests/data/scores.txt` anew; read its diff before it is committed.
#[test]
fn the_bench_positions_keep_their_neutral_scores() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scores.txt");
    let head =
        "# centipawns for the side to move, no feeling | FEN (tests/evaluation.rs)".to_owned();
    let scores = POSITIONS.iter().map(|fen| {
        let chess = Game::from_fen(fen, None).unwrap().chess;
        format!("{} | {fen}", score(&neutral(), &chess))
    });
    let now = iter::once(head).chain(scores).collect::<Vec<_>>().join("\n") + "\n";
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &now).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap();
    for (now, golden) in now.lines().zip(golden.lines()) {
        assert_eq!(now, golden);
    }
    assert_eq!(now, golden);
}

/// `cargo test --release --test evaluation -- --ignored` with the data beside the project.
#[test]
#[ignore = "reads ../shared/data/labelled"]
fn both_tallies_and_both_colours_agree_on_a_hundred_thousand_positions() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/labelled");
    let weights = neutral();
    let mut evaluator = TermEvaluator::new(weights.clone());
    let mut positions = 0;
    for name in ["lichess-big3-sample.csv.zst", "tcec-quiet.csv.zst"] {
        let bytes = packed::read(&folder.join(name), packed::LARGEST_DATA).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        for line in text.lines().skip(1).take(64_000) {
            let chess = Game::from_fen(line.split(',').next().unwrap(), None).unwrap().chess;
            let setup = chess.to_setup(shakmaty::EnPassantMode::Legal).into_mirrored();
            let mirrored = Chess::from_setup(setup, chess.castles().mode()).unwrap();
            let sums = evaluator.sums(&chess);
            let score = evaluator.evaluate(&chess, sums);
            let white = finish(trace(&chess).under(&weights), sums.phase, &chess);
            assert_eq!(score.centipawns(), chess.turn().fold_wb(1, -1) * white, "{line}");
            let sums = evaluator.sums(&mirrored);
            assert_eq!(evaluator.evaluate(&mirrored, sums), score, "{line}");
            positions += 1;
        }
    }
    assert!(positions >= 100_000, "{positions} positions");
}
