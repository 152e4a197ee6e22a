//! Tests of the default profile's appraisals: recorded ones of named positions, and what a chess
//! player expects of any position.
//!
//! After an intended change, `UPDATE_GOLDEN=1 cargo test --test it appraisal` rewrites
//! `tests/data/appraisals.txt`. Read its diff before you commit it.
#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::float_cmp, reason = "exactly equal is what is asked")]

use crate::play::{game, mirrored};
use deepfeeling::{
    chess::game::Game,
    chess_mind::{Appraisal, Goal, Mind, Ratios},
    eval::group::Group,
    lab::bench::POSITIONS,
    mind::{concept::Concept, fcm::Settling},
    profile::Profile,
};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position};
use std::{env, fs, path::Path};

fn mind(profile: &str) -> Mind {
    Profile::builtin(profile).unwrap().mind
}

/// Returns the appraisal of the side to move.
fn appraise(mind: &Mind, game: &Game, temperament: u16) -> Appraisal {
    mind.appraise(&game.chess, game.chess.turn(), temperament, None)
}

fn felt(fen: &str) -> Appraisal {
    appraise(&mind("default"), &game(fen), 100)
}

fn bench_games() -> impl Iterator<Item = Game> {
    POSITIONS.iter().map(|fen| Game::from_fen(fen, None).unwrap())
}

#[test]
fn named_positions_keep_their_appraisal() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/appraisals.txt");
    let golden = fs::read_to_string(&path).unwrap();
    let mind = mind("default");
    let line_now = |line: &str| {
        if line.starts_with('#') {
            return line.to_owned() + "\n";
        }
        let mut fields = line.split('|').map(str::trim);
        let (name, fen) = (fields.next().unwrap(), fields.next().unwrap());
        let summary = appraise(&mind, &game(fen), 100).summary();
        format!("{name} | {fen} | {summary}\n")
    };
    let now: String = golden.lines().map(line_now).collect();
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &now).unwrap();
    }
    for (now, golden) in now.lines().zip(fs::read_to_string(&path).unwrap().lines()) {
        assert_eq!(now, golden);
    }
    for goal in Goal::ALL {
        let goal_text = format!(" goal {} ", goal.name());
        assert!(now.contains(&goal_text), "no named position has the goal {}", goal.name());
    }
}

#[test]
fn a_king_under_attack_causes_fear() {
    // material is nearly even, and mate in two or four is threatened
    for position in [
        "2bq1rk1/r1p1b1pn/p2pP1Np/1p1B1Q2/4P3/2P4P/PP3PP1/R1B1R1K1",
        "2krr3/1p1n1p1p/p1bB1np1/8/P1R1p3/1PN5/2P1BPPP/3R2K1",
        "2n5/q1r1k1pp/p3Pp2/2P1p3/4P3/6PP/P2Q3K/3R1B2",
    ] {
        let defender = felt(&format!("{position} b - - 0 1"));
        assert!(relief(&defender) < -0.25, "{}: {position}", defender.summary());
        let attacker = felt(&format!("{position} w - - 0 1"));
        assert!(relief(&attacker) > 0.5, "{}: {position}", attacker.summary());
    }
}

/// Returns the activation of relief, before it is rounded to steps.
fn relief(felt: &Appraisal) -> f64 {
    felt.settled[Concept::Relief as usize]
}

#[test]
fn a_queen_up_is_relief_and_a_queen_down_is_fear() {
    for (fen, sign) in [
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 1.0),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", -1.0),
        ("8/5pk1/6p1/8/8/6P1/3Q1P1K/8 w - - 0 1", 1.0),
        ("8/3q1pk1/6p1/8/8/6P1/5P1K/8 w - - 0 1", -1.0),
    ] {
        let felt = felt(fen);
        assert!(sign * felt.intensity > 0.5, "{}: {fen}", felt.summary());
    }
}

#[test]
fn an_even_game_causes_neither_strong_fear_nor_strong_relief() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "8/5pk1/6p1/8/1r6/4R1P1/5P1K/8 w - - 0 1",
        "8/5k2/3p4/3P4/8/5K2/8/8 w - - 0 1",
    ] {
        let felt = felt(fen);
        assert!(felt.intensity.abs() <= 0.5, "{}: {fen}", felt.summary());
    }
}

#[test]
fn goals_fit_the_position() {
    for (fen, goal) in [
        ("rnb1kbnr/pppp1ppp/8/4p3/4PP1q/8/PPPP2PP/RNBQKBNR w KQkq - 1 3", Goal::EscapeCheck),
        ("r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 0 5", Goal::Castle),
        ("8/5k2/8/P7/8/5K2/8/8 w - - 0 1", Goal::PromotePawn),
        ("8/5k2/8/P7/8/5K2/8/8 b - - 0 1", Goal::BlockPassedPawns),
        ("8/8/8/4k3/8/8/8/KQ6 w - - 0 1", Goal::ConfineKing),
        ("8/8/8/4k3/8/8/8/KQ6 b - - 0 1", Goal::ReachSafety),
    ] {
        assert_eq!(felt(fen).goal, Some(goal), "{fen}");
    }
}

#[test]
fn the_goal_in_check_is_to_escape_it() {
    let mind = mind("default");
    let mut checks = 0;
    for game in bench_games() {
        for m in game.chess.legal_moves() {
            let mut chess = game.chess.clone();
            chess.play_unchecked(m);
            let felt = mind.appraise(&chess, chess.turn(), 100, None);
            assert_eq!(felt.goal == Some(Goal::EscapeCheck), chess.is_check(), "{chess:?}");
            checks += u32::from(chess.is_check());
        }
    }
    assert!(checks > 20, "{checks}");
}

#[test]
fn both_colours_get_the_same_appraisal() {
    for profile in Profile::BUILTIN {
        let mind = mind(profile);
        for game in bench_games() {
            let flipped = mirrored(&game);
            for side in Color::ALL {
                let here = mind.appraise(&game.chess, side, 100, None);
                let there = mind.appraise(&flipped.chess, side.other(), 100, None);
                assert_eq!(there.side, side.other());
                assert_eq!(Appraisal { side, ..there }, here, "{profile}: {}", game.fen());
            }
        }
    }
}

#[test]
fn removing_an_enemy_queen_or_rook_never_lowers_intensity() {
    let mind = mind("default");
    for game in bench_games() {
        let side = game.chess.turn();
        let before = appraise(&mind, &game, 100);
        let board = game.chess.board();
        let pieces = board.by_color(side.other()) & board.rooks_and_queens();
        for square in pieces {
            let mut setup = game.chess.to_setup(EnPassantMode::Legal);
            setup.board.discard_piece_at(square);
            setup.castling_rights.discard(square);
            let Ok(without) = Chess::from_setup(setup, CastlingMode::Chess960) else { continue };
            let after = mind.appraise(&without, side, 100, None);
            assert!(after.intensity >= before.intensity, "{square} of {}", game.fen());
        }
    }
}

#[test]
fn capturing_pieces_one_by_one_turns_fear_into_relief() {
    // White lacks its queen and bishops, then Black loses its pieces, the most valuable first
    let fens = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RN2K1NR w KQkq - 0 1",
        "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RN2K1NR w KQkq - 0 1",
        "1nb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RN2K1NR w KQk - 0 1",
        "1nb1kbn1/pppppppp/8/8/8/8/PPPPPPPP/RN2K1NR w KQ - 0 1",
        "2b1kb2/pppppppp/8/8/8/8/PPPPPPPP/RN2K1NR w KQ - 0 1",
    ];
    let intensities: Vec<_> = fens.iter().map(|fen| felt(fen).intensity).collect();
    assert!(intensities.is_sorted(), "{intensities:?}");
    assert!(intensities[0] < -0.5 && intensities[4] > 0.5, "{intensities:?}");
}

#[test]
fn the_default_map_settles_and_its_intensity_is_rounded_to_steps() {
    let mind = mind("default");
    let steps = f64::from(mind.steps.unwrap());
    for game in bench_games() {
        let felt = appraise(&mind, &game, 100);
        let step = felt.intensity * steps;
        assert!(step == step.round() && step.abs() <= steps, "{}", felt.intensity);
        assert!(matches!(felt.settling, Settling::FixedPoint { .. }), "{:?}", felt.settling);
    }
}

#[test]
fn an_appraisal_is_a_function_of_position_and_profile() {
    let mind = mind("default");
    let once: Vec<_> = bench_games().map(|game| appraise(&mind, &game, 100)).collect();
    let mut again: Vec<_> =
        bench_games().collect::<Vec<_>>().iter().rev().map(|g| appraise(&mind, g, 100)).collect();
    again.reverse();
    assert_eq!(once, again);
}

/// Iterates over the side's own factors, then over those for the opponent.
fn all(ratios: &Ratios) -> impl Iterator<Item = f64> {
    ratios.own.into_iter().chain(ratios.other)
}

#[test]
fn all_factors_are_one_at_emotion_strength_0() {
    for profile in Profile::BUILTIN {
        let mind = mind(profile);
        for game in bench_games() {
            let felt = appraise(&mind, &game, 0);
            assert!(all(&felt.ratios).all(|ratio| ratio == 1.0), "{profile}: {:?}", felt.ratios);
        }
    }
    let neutral = mind("neutral");
    for game in bench_games() {
        let felt = appraise(&neutral, &game, 200);
        assert_eq!(felt.ratios, Ratios::NEUTRAL);
    }
}

#[test]
fn factors_deviate_twice_as_far_at_emotion_strength_200() {
    for profile in ["default", "guardian", "berserker"] {
        let mind = mind(profile);
        let (floor, ceiling) = (mind.relevance.floor.unwrap(), mind.relevance.ceiling.unwrap());
        for game in bench_games() {
            let (once, twice) = (appraise(&mind, &game, 100), appraise(&mind, &game, 200));
            assert_eq!((once.goal, once.intensity), (twice.goal, twice.intensity));
            for (once, twice) in all(&once.ratios).zip(all(&twice.ratios)) {
                let expected = (1.0 + 2.0 * (once - 1.0)).clamp(floor, ceiling);
                assert!((twice - expected).abs() < 1e-12, "{once} became {twice}");
            }
        }
    }
}

#[test]
fn default_factors_and_their_price_are_moderate() {
    let mind = mind("default");
    assert_eq!(mind.bend, 0.0, "the search stays neutral");
    for game in bench_games() {
        for side in Color::ALL {
            let felt = mind.appraise(&game.chess, side, 100, None);
            let ratios = &felt.ratios;
            assert!(all(ratios).all(|ratio| (1.0..=2.0).contains(&ratio)), "{}", felt.summary());
            assert!(felt.effects.taste <= 60, "{}", felt.summary());
            let material = Group::Material as usize;
            assert_eq!(ratios.own[material], ratios.other[material], "material is one balance");
        }
    }
}
