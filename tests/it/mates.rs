//! Tests of what a player must not miss: mates, draws by rule, stalemate traps, hanging pieces.
//!
//! All searches are limited by nodes, never by time.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::play::{assert_legal_line, engine, fen, game, mirrored, nodes, outcome, recorded, uci};
use deepfeeling::{
    chess::{evaluator::Evaluator, game::Game, score::Score},
    eval::paper::MeasureEvaluator,
    search::{
        Signals,
        root::{limits::Limits, report::Silent},
    },
};
use shakmaty::{Position, san::San};

/// Position, the fastest mating moves, and the number of moves to mate.
const MATES: &[(&str, &str, u8)] = &[
    ("3k3B/7p/p1Q1p3/2n5/6P1/K3b3/PP5q/R7 w - - 0 1", "Bf6", 1),
    ("4bk2/ppp3p1/2np3p/2b5/2B2Bnq/2N5/PP4PP/4RR1K w - - 0 1", "Bxd6", 1),
    ("5rkr/ppp2p1p/8/3qp3/2pN4/8/PPPQ1PPP/4R1K1 w - - 0 1", "Qg5", 1),
    // a knight mates where a queen would not
    ("6n1/5P1k/7p/np4b1/3B4/1pP4P/5PP1/1b4K1 w - - 0 1", "f8=N", 1),
    ("r1b2rk1/pppp2p1/8/3qPN1Q/8/8/P5PP/b1B2R1K w - - 0 1", "Ne7", 1),
    // Morphy's opera game
    ("4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 1", "Qb8", 2),
    ("2kr3r/1Rp3pp/n1Bp1p2/3P4/1Q2PP1P/5q2/P7/1K2R3 w - - 0 1", "Rxc7 Rb8", 2),
    ("3rr2k/pp4pp/3b4/4qp2/1PQ2N2/1B5P/P3n1P1/5R1K w - - 0 1", "Ng6", 2),
    ("r2q1rk1/2pbbpp1/p4B1p/1n1pP1NQ/2p5/2P5/P1B2PPP/R4RK1 w - - 0 1", "Qxh6", 2),
    ("8/8/RR3pkp/3n2p1/8/5P2/PP3PKP/2r5 b - - 0 1", "Nf4", 2),
    // a quiet first move
    ("7k/8/4K3/8/8/8/8/6Q1 w - - 0 1", "Kf7 Kf6", 2),
    // promotion to a rook, because a queen would be stalemate
    ("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", "f8=R", 2),
    // smothered mate
    ("r5k1/5Npp/8/8/2Q5/8/6PP/6K1 w - - 0 1", "Nh6", 3),
    ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", "Bc5", 3),
    ("r3k2r/ppp2Npp/1b5n/4p2b/2B1P2q/BQP2P2/P5PP/RN5K w kq - 0 1", "Bb5", 3),
    ("r2n1rk1/1ppb2pp/1p1p4/3Ppq1n/2B3P1/2P4P/PP1N1P1K/R2Q1RN1 b - - 0 1", "Qxf2", 3),
    // a queen sacrifice for a double check
    ("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", "Qd1", 3),
    ("rn3rk1/p5pp/2p5/3Ppb2/2q5/1Q6/PPPB2PP/R3K1NR b - - 0 1", "Qf1", 3),
];

/// Returns limits that stop at the mate, or long after the search should have found it.
fn mate_search(moves: u8) -> Limits {
    Limits { mate: Some(moves), ..nodes(1_000_000) }
}

#[test]
fn mates_are_found_for_both_colours() {
    for (fen, best, moves) in MATES {
        let given = game(fen);
        let best: Vec<_> = best
            .split(' ')
            .map(|san| san.parse::<San>().unwrap().to_move(&given.chess).unwrap())
            .map(|m| (m.from().unwrap(), m.to(), m.promotion()))
            .collect();
        for (position, flipped) in [(mirrored(&given), true), (given, false)] {
            for profile in ["standard", "neutral"] {
                let mut engine = engine(profile);
                let (found, record) = recorded(&mut engine, &position, &mate_search(*moves));
                let (m, _, score, spent) = found.unwrap();
                let context = format!("{profile}: {score} after {spent} nodes of {fen}");
                assert_eq!(score, Score::mate_in(2 * usize::from(*moves) - 1), "{context}");
                let square = |square: shakmaty::Square| {
                    if flipped { square.flip_vertical() } else { square }
                };
                let m = (square(m.from().unwrap()), square(m.to()), m.promotion());
                assert!(best.contains(&m), "{m:?}: {context}");
                assert_mates(&position, &record.reports.last().unwrap().pv, &context);
            }
        }
    }
}

/// Panics unless `line` is legal and ends in mate.
fn assert_mates(game: &Game, line: &[shakmaty::Move], context: &str) {
    assert_legal_line(&game.chess, line);
    let mut chess = game.chess.clone();
    for m in line {
        chess.play_unchecked(*m);
    }
    assert!(chess.is_checkmate(), "{line:?} does not mate: {context}");
}

#[test]
fn being_mated_is_delayed_as_long_as_possible() {
    for (fen, moves) in
        [("6k1/8/6K1/8/8/8/8/R7 b - - 0 1", 2), ("7k/8/5K2/8/8/8/8/Q7 b - - 0 1", 2)]
    {
        let position = game(fen);
        let (.., score, _) = outcome(&mut engine("standard"), &position, &nodes(20_000));
        assert_eq!(score, Score::mated_in(2 * moves), "{fen}");
    }
}

#[test]
fn the_stronger_side_does_not_stalemate() {
    for (fen, trap) in [
        ("7k/8/4K3/8/8/8/8/6Q1 w - - 0 1", "g1g6"),
        ("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", "f7f8q"),
        ("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "c1c7"),
        ("8/8/8/8/4k3/1q6/8/K7 b - - 0 1", "e4d3"),
    ] {
        let position = game(fen);
        let mut after = position.clone();
        after.play(trap).unwrap();
        assert!(after.chess.is_stalemate(), "{trap} is no trap in {fen}");
        for limit in [500, 5000, 50_000] {
            let (best, _, score, _) = outcome(&mut engine("standard"), &position, &nodes(limit));
            let mut after = position.chess.clone();
            after.play_unchecked(best);
            assert!(!after.is_stalemate(), "{limit} nodes of {fen}");
            assert!(score > Score::cp(300), "{score} after {limit} nodes of {fen}");
        }
    }
}

/// Weights fitted only to games lose this ability, because games are decided long before the king
/// is cornered.
#[test]
fn a_bare_king_is_mated() {
    for fen in [
        "8/8/8/3k4/8/8/8/R3K3 w - - 0 1",
        "8/8/8/2k5/8/8/8/3QK3 w - - 0 1",
        "8/8/8/3k4/8/8/4B3/2B1K3 w - - 0 1",
    ] {
        let (mut engine, mut played) = (engine("standard"), game(fen));
        for _ in 0..100 {
            if played.chess.is_game_over() {
                break;
            }
            let (best, ..) = outcome(&mut engine, &played, &nodes(8000));
            played.play(&uci(best, &played.chess)).unwrap();
        }
        assert!(played.chess.is_checkmate(), "{fen} became {}", played.fen());
    }
}

#[test]
fn the_weaker_side_finds_stalemate() {
    for (fen, best) in [
        // the rook can be sacrificed on any square next to the king
        ("7k/R7/8/8/8/6q1/8/7K w - - 0 1", "a7a8 a7h7"),
        // the only move that keeps the king in front of the pawn
        ("8/8/8/8/8/3kp3/8/4K3 w - - 0 1", "e1d1"),
    ] {
        let position = game(fen);
        let (m, _, score, _) = outcome(&mut engine("standard"), &position, &nodes(200_000));
        let m = uci(m, &position.chess);
        assert!(best.contains(&m) && score == Score::DRAW, "{m}, {score}: {fen}");
    }
    let cornered = game("8/8/8/8/8/1k6/p7/K7 b - - 0 1");
    assert_eq!(outcome(&mut engine("standard"), &cornered, &nodes(50_000)).2, Score::DRAW);
}

#[test]
fn the_losing_side_repeats_the_position_a_third_time() {
    let shuffled = "6k1/5ppp/8/8/8/8/q7/2K5 b - - 0 1 \
                    moves g8h8 c1d1 h8g8 d1c1 g8h8 c1d1 h8g8";
    let position = game(shuffled);
    let (best, _, score, _) = outcome(&mut engine("standard"), &position, &nodes(50_000));
    assert_eq!((uci(best, &position.chess).as_str(), score), ("d1c1", Score::DRAW));
    // without the game history there is nothing to repeat
    let alone = game(&position.fen());
    let (.., score, _) = outcome(&mut engine("standard"), &alone, &nodes(50_000));
    assert!(score < Score::cp(-500), "{score}");
}

#[test]
fn the_winning_side_avoids_a_third_repetition() {
    let shuffled = "6k1/5ppp/8/8/8/8/q7/2K5 w - - 0 1 \
                    moves c1d1 g8h8 d1c1 h8g8 c1d1 g8h8 d1c1";
    let position = game(shuffled);
    let (best, _, score, _) = outcome(&mut engine("standard"), &position, &nodes(50_000));
    assert_ne!(uci(best, &position.chess), "h8g8");
    assert!(score > Score::cp(500), "{score}");
}

#[test]
fn against_a_bare_king_no_position_of_the_game_is_repeated() {
    let shuffled = game("8/8/8/3k4/8/8/8/R3K3 w - - 0 1 moves a1a2 d5e5 a2a1 e5d5");
    let moves = shuffled.chess.legal_moves().into_iter();
    let again = moves.filter(|m| uci(*m, &shuffled.chess) == "a1a2").collect();
    let limits = Limits { moves: again, ..nodes(5000) };
    let score = |game: &Game| outcome(&mut engine("standard"), game, &limits).2;
    assert_eq!(score(&shuffled), Score::DRAW);
    // without the game history there is nothing to repeat
    let alone = score(&game(&shuffled.fen()));
    assert!(alone > Score::cp(500), "{alone}");
}

#[test]
fn one_repetition_within_the_search_is_a_draw() {
    // far behind, but Qe8+ Kh7 Qh5+ is perpetual check
    let position = game("6k1/6p1/8/7Q/8/1r6/q7/7K w - - 0 1");
    let (best, _, score, _) = outcome(&mut engine("standard"), &position, &nodes(50_000));
    assert_eq!((uci(best, &position.chess).as_str(), score), ("h5e8", Score::DRAW));
}

#[test]
fn a_mate_must_come_before_the_fifty_move_rule() {
    let queen = |halfmoves: u32| format!("7k/8/4K3/8/8/8/8/6Q1 w - - {halfmoves} 80");
    let rook = |halfmoves: u32| format!("7k/8/6K1/8/8/8/8/R7 w - - {halfmoves} 80");
    for (fen, expected) in [
        // mate with the hundredth half-move counts
        (rook(99), Score::mate_in(1)),
        (queen(97), Score::mate_in(3)),
        // the draw comes first
        (queen(98), Score::DRAW),
        (queen(99), Score::DRAW),
    ] {
        let (.., score, _) = outcome(&mut engine("standard"), &game(&fen), &nodes(10_000));
        assert_eq!(score, expected, "{fen}");
    }
}

#[test]
fn a_pawn_move_restarts_the_fifty_move_count() {
    let position = game("6k1/8/8/8/8/8/P7/K1R5 w - - 99 80");
    let (best, _, score, _) = outcome(&mut engine("standard"), &position, &nodes(20_000));
    assert!(uci(best, &position.chess).starts_with("a2"), "{best:?}");
    assert!(score > Score::cp(300), "{score}");
}

#[test]
fn insufficient_material_is_a_draw() {
    for fen in [
        "8/8/4k3/8/8/3BK3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3NK3/8/8 b - - 0 1",
        // the last piece that could win is captured
        "8/8/4k3/8/8/4r3/3K4/8 w - - 0 1",
    ] {
        let (.., score, _) = outcome(&mut engine("standard"), &game(fen), &nodes(5000));
        assert_eq!(score, Score::DRAW, "{fen}");
    }
}

#[test]
fn hanging_pieces_are_taken() {
    for (fen, capture) in [
        ("rnb1kbnr/pppp1ppp/8/4p1q1/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3", "f3g5"),
        ("r3k2r/ppp2ppp/2n5/3q4/8/2N2N2/PPP2PPP/R2QK2R w KQkq - 0 10", "d1d5 c3d5"),
        ("6k1/5ppp/8/8/3r4/2P5/5PPP/6K1 w - - 0 1", "c3d4"),
        ("4k3/8/8/8/2b5/8/2R5/4K3 w - - 0 1", "c2c4"),
        // the pawn must be taken en passant or it promotes
        ("8/8/8/8/k1Pp4/8/8/K7 b - c3 0 1", "d4c3"),
    ] {
        let position = game(fen);
        for limit in [300, 3000, 30_000] {
            let (best, ..) = outcome(&mut engine("standard"), &position, &nodes(limit));
            let best = uci(best, &position.chess);
            assert!(capture.contains(&best), "{best} after {limit} nodes of {fen}");
        }
    }
}

#[test]
fn a_hanging_bishop_is_taken_by_the_queen() {
    let position = game("rnbqkbnr/ppp2ppp/8/3pp1B1/3P4/8/PPP1PPPP/RN1QKBNR b KQkq - 0 3");
    for limit in [300, 3000, 5000, 30_000] {
        let (best, ..) = outcome(&mut engine("standard"), &position, &nodes(limit));
        assert_eq!(uci(best, &position.chess), "d8g5", "{limit} nodes");
    }
}

#[test]
fn paper2012_plays_a_complete_game_against_itself() {
    let mut engine = engine("paper2012");
    let mut game = Game::default();
    let mut plies = 0;
    while plies < 400 && !game.chess.is_game_over() && game.chess.halfmoves() < 100 {
        let side = game.chess.turn();
        let appraisal = engine.appraise(&game).unwrap();
        let mut evaluator = MeasureEvaluator::new(side, appraisal.ratios.measures());
        let score = evaluator.evaluate(&game.chess, ());
        assert!(!score.is_mate() && score == score.clamp_static(), "{score} in {}", game.fen());
        let signals = Signals::default();
        let found = engine.go(&game, &nodes(300), &signals, &mut Silent).unwrap();
        let before = game.fen();
        game.play(&uci(found.best, &game.chess)).unwrap();
        if found.score == Score::mate_in(1) {
            assert!(game.chess.is_checkmate(), "{before}");
        }
        plies += 1;
    }
    assert!(plies > 10, "over after {plies} plies: {}", fen(&game.chess));
}
