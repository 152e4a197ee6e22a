//! Tests of move generation against known perft counts, and of incremental keys and sums.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use deepfeeling::{
    chess::{evaluator::Evaluator, game::Game, node::Node, perft::divide},
    eval::TermEvaluator,
    profile::Profile,
};
use shakmaty::{ByColor, Color, EnPassantMode, Position};
use std::{fs, path::Path, sync::atomic::AtomicBool};

/// FEN, depth and count: two Chess960 positions, the rest from
/// <https://www.chessprogramming.org/Perft_Results>.
const COUNTS: &[(&str, u32, u64)] = &[
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2_103_487),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3_894_594),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 4, 326_672),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", 4, 667_366),
];

fn evaluator() -> TermEvaluator {
    let weights = Profile::builtin("standard").unwrap().weights;
    // the sides get different weights, so that mixing them up is detected
    let halved = deepfeeling::eval::weights::Weights(weights.0.map(|weight| weight * 3));
    TermEvaluator::new(ByColor { white: weights, black: halved })
}

/// Walks the tree and compares incremental keys, sums and checkers with recomputed ones.
fn assert_incremental<E: Evaluator>(evaluator: &E, node: &Node<E::Sums>, depth: u32) {
    let chess = &node.chess;
    assert_eq!(node.key, chess.zobrist_hash(EnPassantMode::Legal), "key of {chess:?}");
    assert_eq!(node.sums, evaluator.sums(chess), "sums of {chess:?}");
    assert_eq!(node.checkers, chess.checkers(), "checkers of {chess:?}");
    if !node.in_check()
        && let Some(passed) = node.pass()
    {
        assert_eq!(passed.key, passed.chess.zobrist_hash(EnPassantMode::Legal));
        let swapped = chess.clone().swap_turn().unwrap();
        assert_eq!(passed.chess, swapped, "pass in {chess:?}");
    }
    if depth > 0 {
        for m in chess.legal_moves() {
            assert_incremental(evaluator, &node.play(evaluator, m, node.key_after(m)), depth - 1);
        }
    }
}

#[test]
fn perft_gives_the_known_counts() {
    for (fen, depth, count) in COUNTS {
        assert_counts(&Game::from_fen(fen, None).unwrap(), *depth, *count);
    }
}

fn assert_counts(game: &Game, depth: u32, count: u64) {
    let counted = divide(&game.chess, depth, &AtomicBool::new(false), |_, _| {});
    assert_eq!(counted, Some(count), "depth {depth} of {}", game.fen());
}

#[test]
fn incremental_key_and_sums_equal_recomputed_ones() {
    let evaluator = evaluator();
    for (fen, ..) in COUNTS {
        let game = Game::from_fen(fen, None).unwrap();
        assert_incremental(&evaluator, &Node::new(&evaluator, game.chess), 3);
    }
}

#[test]
fn passing_keeps_castling_rights() {
    // the rook on a1 is the only piece besides the kings, and has a castling right
    let evaluator = evaluator();
    let game = Game::from_fen("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", None).unwrap();
    let passed = Node::new(&evaluator, game.chess).pass().unwrap();
    assert!(passed.chess.castles().has(Color::White, shakmaty::CastlingSide::QueenSide));
}

/// Run it with `cargo test --release --test it perft -- --ignored`. It needs `../shared/data`.
#[test]
#[ignore = "reads ../shared/data/perft; takes minutes"]
fn counts_keys_and_sums_are_right_in_all_suites() {
    const MOST: u64 = 1_000_000;
    let evaluator = evaluator();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/perft");
    let mut positions = 0;
    for name in
        ["standard.epd", "tricky.epd", "sedlak-cpw.epd", "ferdy-double-check.epd", "fischer960.epd"]
    {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        for line in text.lines() {
            let mut fields = line.split(';').map(str::trim);
            let game = Game::from_fen(fields.next().unwrap(), None).unwrap();
            for count in fields {
                let (depth, count) = count.split_once(' ').unwrap();
                let depth = depth.strip_prefix('D').unwrap().parse().unwrap();
                match count.trim().parse().unwrap() {
                    count if count <= MOST => assert_counts(&game, depth, count),
                    _ => break,
                }
            }
            assert_incremental(&evaluator, &Node::new(&evaluator, game.chess), 3);
            positions += 1;
        }
    }
    assert!(positions > 1000, "{positions} positions");
}
