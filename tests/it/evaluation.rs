//! Tests of the evaluation: trace and score agree, colours are symmetric, known scores are kept.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use deepfeeling::{
    chess::{
        evaluator::Evaluator,
        game::Game,
        score::{Score, Tapered},
    },
    eval::{
        TermEvaluator, danger, explain,
        feature::Feature,
        finish,
        group::Group,
        sums::Sums,
        trace,
        weights::{Factor, Relevance, Weights},
    },
    lab::bench::POSITIONS,
    profile::Profile,
    support::compressed,
};
use proptest::{prelude::*, test_runner::Config};
use shakmaty::{ByColor, Chess, Color, FromSetup, Position};
use std::{env, fs, iter, path::Path};

fn weights() -> Weights {
    Profile::builtin("standard").unwrap().weights
}

fn neutral() -> ByColor<Weights> {
    ByColor { white: weights(), black: weights() }
}

fn score(weights: &ByColor<Weights>, position: &Chess) -> i32 {
    let mut evaluator = TermEvaluator::new(weights.clone());
    let sums = evaluator.sums(position);
    evaluator.evaluate(position, sums).centipawns()
}

/// Plays moves by `choices` from a bench position and returns the position they lead to.
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
    fn trace_and_score_agree(chess in positions(), white in factors(), black in factors()) {
        let base = weights();
        let bent = ByColor { white: base.under(&white), black: base.under(&black) };
        let total = trace(&chess).under(&bent);
        let phase = Sums::of(chess.board(), &bent).phase;
        let explained = chess.turn().fold_wb(1, -1) * finish(total, phase, &chess);
        prop_assert_eq!(Score::cp(explained).clamp_static().centipawns(), score(&bent, &chess));
        let table = explain::explain(&chess, &base, ByColor { white, black });
        prop_assert_eq!(table.total, total);
        // the causes listed choose the entry of the table of king danger
        for side in Color::ALL {
            let entry = Feature::KingDanger.start() + danger::level(table.danger(side));
            prop_assert_eq!(trace(&chess).counts(side)[entry], 1);
        }
    }

    #[test]
    fn mirrored_positions_have_equal_scores(chess in positions(), own in factors(), other in factors()) {
        let base = weights();
        let bent = ByColor { white: base.under(&own), black: base.under(&other) };
        let setup = chess.to_setup(shakmaty::EnPassantMode::Legal).into_mirrored();
        let mirrored = Chess::from_setup(setup, chess.castles().mode()).unwrap();
        let swapped = ByColor { white: bent.black.clone(), black: bent.white.clone() };
        prop_assert_eq!(score(&swapped, &mirrored), score(&bent, &chess));
    }
}

#[test]
fn the_largest_factors_give_no_mate_score() {
    let most = Relevance([Factor::from_ratio(64.0); Group::COUNT]);
    let least = Relevance([Factor::from_ratio(-64.0); Group::COUNT]);
    let bent = ByColor { white: weights().under(&most), black: weights().under(&least) };
    for fen in POSITIONS {
        let chess = Game::from_fen(fen, None).unwrap().chess;
        assert!(!Score::cp(score(&bent, &chess)).is_decided(), "{fen}");
    }
}

#[test]
fn the_start_is_even_and_a_queen_up_is_winning() {
    let start = Chess::default();
    let tempo = score(&neutral(), &start);
    assert!((0..60).contains(&tempo), "{tempo}");
    let queen_up = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert!(score(&neutral(), &Game::from_fen(queen_up, None).unwrap().chess) > 700);
}

/// FEN, feature, index, and its counts for White and Black.
#[rustfmt::skip]
const COUNTS: &[(&str, Feature, usize, [i32; 2])] = &[
    // no black pawn can attack the queen; the pawn on d7 can
    ("6k1/8/8/4Q3/8/8/8/6K1 w - - 0 1", Feature::QueenInfiltration, 0, [1, 0]),
    ("6k1/3p4/8/4Q3/8/8/8/6K1 w - - 0 1", Feature::QueenInfiltration, 0, [0, 0]),
    // a passed pawn whose next square is guarded by a rook behind it, is safe, or is attacked
    ("r3k3/8/8/P7/8/8/8/R3K3 w - - 0 1", Feature::PassedGuardedStep, 4, [1, 0]),
    ("4k3/8/8/P7/8/8/8/4K3 w - - 0 1", Feature::PassedSafeStep, 4, [1, 0]),
    ("4k3/8/8/P7/8/8/8/r3K3 w - - 0 1", Feature::PassedSafeStep, 4, [0, 0]),
    ("4k3/8/8/P7/8/8/1P6/r3K3 w - - 0 1", Feature::PassedFreePath, 4, [0, 0]),
    ("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", Feature::CastlingRight, 0, [1, 0]),
    ("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", Feature::CastlingRight, 1, [0, 1]),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Feature::KnightByClosure, 5, [2, 2]),
    ("4k3/8/8/8/8/8/8/RN2K1nr w - - 0 1", Feature::RookByClosure, 0, [1, 1]),
    ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", Feature::KingPawnDistance, 4, [1, 0]),
    ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", Feature::KingPawnDistance, 6, [0, 1]),
    // two pawns side by side, only one of them opposed
    ("4k3/3p4/8/8/3PP3/8/8/4K3 w - - 0 1", Feature::FreeChain, 3, [1, 0]),
    // f3 counts as guarded by two pawns, but not by a pawn and the queen
    ("r2q1rk1/1b3ppp/8/4n3/8/5N1P/5PP1/3Q1RK1 w - - 0 1", Feature::RingAttack, 0, [1, 0]),
    ("r2q1rk1/1b3ppp/8/4n3/8/5N1P/4P1P1/3Q1RK1 w - - 0 1", Feature::RingAttack, 0, [0, 0]),
    // a bishop for a knight is no lead, an extra pawn is
    ("8/pp3pp1/3nk3/8/8/3BK3/PP3PP1/8 w - - 0 1", Feature::InitiativePawns, 0, [0, 0]),
    ("8/pp3p2/3nk3/8/8/3BK3/PP3PP1/8 w - - 0 1", Feature::InitiativePawns, 0, [7, 0]),
];

#[test]
fn terms_count_their_feature() {
    for (fen, feature, index, expected) in COUNTS {
        let trace = trace(&Game::from_fen(fen, None).unwrap().chess);
        let counts =
            [Color::White, Color::Black].map(|side| trace.counts(side)[feature.start() + index]);
        assert_eq!(counts, *expected, "{feature:?} {index} in {fen}");
    }
}

#[test]
fn a_level_ending_is_scaled_for_neither_side() {
    // a bishop without pawns cannot win, so an ending in its favour is worth nothing
    let chess = Game::from_fen("8/8/7p/pB1kp3/6K1/8/8/8 b - - 0 1", None).unwrap().chess;
    let score = |mg, eg| finish(Tapered::new(mg * 2400, eg * 2400), 1, &chess);
    assert_eq!([score(24, 1), score(24, 0), score(-24, 0)], [0, 9, -9]);
    assert!(score(-24, -1) < -9);
}

/// After an intended change, `UPDATE_GOLDEN=1 cargo test --test it evaluation` rewrites
/// `tests/data/scores.txt`. Read its diff before you commit it.
#[test]
fn the_bench_positions_keep_their_neutral_scores() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scores.txt");
    let head =
        "# centipawns for the side to move, no feeling | FEN (tests/it/evaluation.rs)".to_owned();
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

/// Run it with `cargo test --release --test it evaluation -- --ignored`. It needs `../shared/data`.
#[test]
#[ignore = "reads ../shared/data/labelled"]
fn traces_and_colours_agree_on_a_hundred_thousand_positions() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/labelled");
    let weights = neutral();
    let mut evaluator = TermEvaluator::new(weights.clone());
    let mut positions = 0;
    for name in ["lichess-big3-sample.csv.zst", "tcec-quiet.csv.zst"] {
        let bytes = compressed::read(&folder.join(name), compressed::LARGEST_DATA).unwrap();
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
