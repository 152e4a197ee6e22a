//! Tests of Chess960 and of double Chess960, in which White and Black start from different arrays.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::dialogue::{Dialogue, assert_playable, best_move, variations};
use crate::play::{assert_legal_line, depth, engine, recorded};
use deepfeeling::chess::game::Game;
use shakmaty::{CastlingMode, Position};

/// Starts of double Chess960, with castling rights in Shredder-FEN and in X-FEN.
const STARTS: [(&str, &str, &str); 4] = [
    ("rkrbnnbq/pppppppp/8/8/8/8/PPPPPPPP/BRNKQNRB w", "GBca", "KQkq"),
    ("nnbbqrkr/pppppppp/8/8/8/8/PPPPPPPP/RKRNNBBQ w", "CAhf", "KQkq"),
    ("rbbkrnqn/pppppppp/8/8/8/8/PPPPPPPP/QNBBNRKR b", "HFea", "KQkq"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w", "HFha", "KQkq"),
];

/// Double Chess960 positions in which castling is possible soon.
const OPENINGS: [&str; 3] = [
    "2rkr3/ppb2ppp/2npbn2/4p3/4P3/2NPBN2/PPB2PPP/R3KR2 w FAec - 0 9",
    "r1kr4/ppp2ppp/2nqbn2/3pp3/3PP3/2NQBN2/PPP2PPP/5RKR b HFda - 2 8",
    "1rk3r1/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R4K1R w HAgb - 0 1",
];

/// Position, castling move as king takes rook, and the position after it.
const CASTLINGS: [(&str, &str, &str); 6] = [
    // king and rook swap squares
    ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
    ("2rk4/8/8/8/8/8/8/4K3 b c - 0 1", "d8c8", "2kr4/8/8/8/8/8/8/4K3 w - - 1 2"),
    // the king stays
    ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
    ("r1k5/8/8/8/8/8/8/4K3 b a - 0 1", "c8a8", "2kr4/8/8/8/8/8/8/4K3 w - - 1 2"),
    // the rook stays
    ("4k3/8/8/8/8/8/8/3RK3 w D - 0 1", "e1d1", "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"),
    // both move far
    ("rk6/8/8/8/8/8/8/1K5R w H - 0 1", "b1h1", "rk6/8/8/8/8/8/8/5RK1 b - - 1 1"),
];

#[test]
fn shredder_fen_and_x_fen_give_the_same_position() {
    for (position, shredder, x_fen) in STARTS {
        let game = |rights: &str| {
            Game::from_fen(&format!("{position} {rights} - 0 1"), Some(CastlingMode::Chess960))
        };
        assert_eq!(game(shredder).unwrap().chess, game(x_fen).unwrap().chess);
        let mut gui = Dialogue::start();
        gui.send("setoption name UCI_Chess960 value true");
        for rights in [shredder, x_fen] {
            assert!(gui.ask(&format!("position fen {position} {rights} - 0 1")).is_empty());
            assert!(gui.fen().starts_with(position), "{position}");
        }
    }
}

#[test]
fn castling_is_king_takes_rook_on_every_start_square() {
    let mut gui = Dialogue::start();
    gui.send("setoption name UCI_Chess960 value true");
    for (before, castling, after) in CASTLINGS {
        gui.send(&format!("position fen {before} moves {castling}"));
        assert_eq!(gui.fen(), after);
        let lines =
            gui.search(&format!("position fen {before}\ngo depth 4 searchmoves {castling}"));
        assert_eq!(best_move(&lines, before), castling);
        assert!(variations(&lines).iter().all(|(_, pv)| pv[0] == castling), "{lines:?}");
        assert_playable(&lines, before);
    }
}

#[test]
fn every_pv_of_a_search_is_legal() {
    let starts = STARTS.map(|(position, rights, _)| format!("{position} {rights} - 0 1"));
    let openings = OPENINGS.map(String::from);
    for fen in starts.into_iter().chain(openings) {
        let game = Game::from_fen(&fen, Some(CastlingMode::Chess960)).unwrap();
        let (outcome, record) = recorded(&mut engine("standard"), &game, &depth(8));
        assert!(record.reports.iter().any(|report| report.depth == 8), "{fen}");
        for report in &record.reports {
            assert_legal_line(&game.chess, &report.pv);
        }
        let (best, reply, ..) = outcome.unwrap();
        assert!(game.chess.is_legal(best), "{fen}");
        assert_legal_line(&game.chess, &[best].into_iter().chain(reply).collect::<Vec<_>>());
    }
}
