//! Tests of `UCI_LimitStrength`: weaker in human ways, repeatable, and without effect when off.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::play::{depth, engine, game, nodes, outcome, recorded, uci};
use deepfeeling::{
    chess::game::Game,
    lab::bench::POSITIONS,
    player::{Engine, Listener},
    search::{
        Signals,
        root::{handicap::Handicap, limits::Limits, report::SearchListener},
        see_ge,
    },
};
use shakmaty::{Position, Role, san::San};

fn limited(elo: u16) -> Engine {
    let mut engine = engine("standard");
    engine.change(|options| (options.limit_strength, options.elo) = (true, elo)).unwrap();
    engine
}

/// Returns the move that a new player of `elo` chooses without any search limit.
fn choice(elo: u16, game: &Game) -> shakmaty::Move {
    outcome(&mut limited(elo), game, &Limits::default()).0
}

#[test]
fn no_limit_and_full_strength_do_not_change_play() {
    for fen in POSITIONS.iter().step_by(5) {
        let game = game(fen);
        let plain = recorded(&mut engine("standard"), &game, &depth(7));
        let mut off = limited(Handicap::LEAST_ELO);
        off.change(|options| options.limit_strength = false).unwrap();
        assert_eq!(recorded(&mut off, &game, &depth(7)), plain, "off: {fen}");
        let full = &mut limited(Handicap::FULL_ELO);
        assert_eq!(recorded(full, &game, &depth(7)), plain, "full: {fen}");
    }
}

#[test]
fn the_weakest_player_sees_a_mate_in_one() {
    for (fen, mate) in [
        ("3k3B/7p/p1Q1p3/2n5/6P1/K3b3/PP5q/R7 w - - 0 1", "Bf6"),
        ("4bk2/ppp3p1/2np3p/2b5/2B2Bnq/2N5/PP4PP/4RR1K w - - 0 1", "Bxd6"),
        ("5rkr/ppp2p1p/8/3qp3/2pN4/8/PPPQ1PPP/4R1K1 w - - 0 1", "Qg5"),
        ("6n1/5P1k/7p/np4b1/3B4/1pP4P/5PP1/1b4K1 w - - 0 1", "f8=N"),
        ("r1b2rk1/pppp2p1/8/3qPN1Q/8/8/P5PP/b1B2R1K w - - 0 1", "Ne7"),
    ] {
        let game = game(fen);
        let mate = mate.parse::<San>().unwrap().to_move(&game.chess).unwrap();
        let (best, _, score, _) = outcome(&mut limited(1000), &game, &Limits::default());
        assert_eq!((best, score.mate_distance()), (mate, Some(1)), "{fen}");
    }
}

#[test]
fn the_only_move_is_played_without_a_search() {
    let game = game("7k/8/8/8/8/8/1r6/K7 w - - 0 1");
    for elo in [1000, 2000, 3000] {
        assert!(outcome(&mut limited(elo), &game, &Limits::default()).3 < 20, "{elo}");
    }
}

/// Short tactical positions and their solutions.
const TACTICS: [(&str, &str); 14] = [
    ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", "Qg6"),
    ("5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1", "Rg3"),
    ("r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1", "Qxh7"),
    ("5k2/6pp/p1qN4/1p1p4/3P4/2PKP2Q/PP3r2/3R4 b - - 0 1", "Qc4"),
    ("7k/p7/1R5K/6r1/6p1/6P1/8/8 w - - 0 1", "Rb7"),
    ("r4q1k/p2bR1rp/2p2Q1N/5p2/5p2/2P5/PP3PPP/R5K1 w - - 0 1", "Rf7"),
    ("2br2k1/2q3rn/p2NppQ1/2p1P3/Pp5R/4P3/1P3PPP/3R2K1 w - - 0 1", "Rxh7"),
    ("r2rb1k1/pp1q1p1p/2n1p1p1/2bp4/5P2/PP1BPR1Q/1BPN2PP/R5K1 w - - 0 1", "Qxh7"),
    ("1R6/1brk2p1/4p2p/p1P1Pp2/P7/6P1/1P4P1/2R3K1 w - - 0 1", "Rxb7"),
    ("R7/P4k2/8/8/8/8/r7/6K1 w - - 0 1", "Rh8"),
    ("5rk1/1b3p1p/pp3p2/3n1N2/1P6/P1qB1PP1/3Q3P/4R1K1 w - - 0 1", "Qh6"),
    ("7k/pp4np/2p3p1/3pN1q1/3P4/Q7/1r3rPP/2R2RK1 w - - 0 1", "Qf8"),
    ("6k1/p4p1p/1p3np1/2q5/4p3/4P1N1/PP3PPP/3Q2K1 w - - 0 1", "Qd8"),
    ("r3r2k/2R3pp/pp1q1p2/8/3P3R/7P/PP3PP1/3Q2K1 w - - 0 1", "Rxh7"),
];

#[test]
fn stronger_players_solve_more() {
    let solved = [1000, 2000, 2500].map(|elo| {
        let solves = |(fen, san): &&(&str, &str)| {
            let game = game(fen);
            choice(elo, &game) == san.parse::<San>().unwrap().to_move(&game.chess).unwrap()
        };
        TACTICS.iter().filter(solves).count()
    });
    // few positions, so neighbouring levels may solve equally many
    assert!(solved.is_sorted() && solved[0] < solved[2], "{solved:?} of {}", TACTICS.len());
}

#[test]
fn stronger_players_agree_more_with_full_strength() {
    let levels = [1000, 1750, 2500];
    let mut agreed = [0; 3];
    for fen in POSITIONS {
        let mut game = game(fen);
        // compare in this position and after the strong player's move
        for _ in 0..2 {
            if game.chess.legal_moves().is_empty() {
                break;
            }
            let strong = outcome(&mut engine("standard"), &game, &nodes(20_000)).0;
            for (count, elo) in agreed.iter_mut().zip(levels) {
                *count += usize::from(choice(elo, &game) == strong);
            }
            game.push(strong);
        }
    }
    assert!(agreed[0] < agreed[1] && agreed[1] < agreed[2], "{agreed:?}");
}

#[test]
fn players_from_1500_do_not_leave_an_attacked_queen() {
    for fen in [
        "r1bqkbnr/ppp2ppp/2n5/3pp3/3QP3/8/PPP2PPP/RNB1KBNR w KQkq - 0 5",
        "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 3",
        "r1b1k2r/pppp1ppp/2n2n2/2b1p1q1/2B1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 6",
        "r2q1rk1/ppp2ppp/2npbn2/2b1p1B1/2B1P3/2NP1N1P/PPPQ1PP1/R3K2R b KQ - 0 8",
        "2kr3r/ppp2ppp/2n1b3/2b1p3/4P1qP/2NP1P2/PPP1N1P1/R1BQKB1R b KQ - 0 10",
        "r3k2r/pp3ppp/2n1bn2/q1bp4/8/1PN1PN2/PB2BPPP/R2Q1RK1 b kq - 0 11",
    ] {
        for elo in [1500, 1700, 2000] {
            let mut game = game(fen);
            let best = choice(elo, &game);
            game.push(best);
            let queen = |m: &shakmaty::Move| m.capture() == Some(Role::Queen);
            let lost = game.chess.legal_moves().into_iter().filter(queen);
            let traded = best.capture() == Some(Role::Queen);
            for m in lost {
                assert!(traded || !see_ge(&game.chess, m, 300), "{elo} in {fen}: {best:?}, {m:?}");
            }
        }
    }
}

#[test]
fn a_limited_game_is_legal_and_repeatable() {
    for elo in [1000, 1900] {
        let play = || {
            let (mut engine, mut game) = (limited(elo), Game::default());
            engine.change(|options| options.threads = 2).unwrap();
            let mut moves = Vec::new();
            for _ in 0..60 {
                let Some((best, ..)) = recorded(&mut engine, &game, &Limits::default()).0 else {
                    break;
                };
                assert!(game.chess.is_legal(best));
                moves.push(uci(best, &game.chess));
                game.push(best);
            }
            moves
        };
        assert_eq!(play(), play(), "{elo}");
    }
}

#[test]
fn full_strength_does_not_reuse_scores_of_a_limited_player() {
    for fen in POSITIONS.iter().step_by(7) {
        let game = game(fen);
        let fresh = outcome(&mut engine("standard"), &game, &depth(1)).2;
        let mut recovered = limited(1000);
        outcome(&mut recovered, &game, &Limits::default());
        recovered.change(|options| options.limit_strength = false).unwrap();
        assert_eq!(outcome(&mut recovered, &game, &depth(1)).2, fresh, "{fen}");
    }
}

/// A listener that records the number of considered and of legal moves.
#[derive(Default)]
struct Attention(Vec<(usize, usize)>);

impl SearchListener for Attention {}

impl Listener for Attention {
    fn attended(&mut self, considered: usize, legal: usize) {
        self.0.push((considered, legal));
    }
}

#[test]
fn the_number_of_considered_moves_is_reported() {
    let attended = |engine: &mut Engine| {
        let mut attention = Attention::default();
        engine.go(&game(POSITIONS[0]), &nodes(100), &Signals::default(), &mut attention).unwrap();
        attention.0
    };
    let breadth = Handicap::of_elo(1000).unwrap().breadth[0];
    let legal = game(POSITIONS[0]).chess.legal_moves().len();
    assert_eq!(attended(&mut limited(1000)), [(breadth, legal)]);
    assert_eq!(attended(&mut limited(3000)), []);
    assert_eq!(attended(&mut engine("standard")), []);
}
