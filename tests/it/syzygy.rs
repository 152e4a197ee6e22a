//! Tests of Syzygy tables: missing, empty and broken folders are harmless, and real tables guide
//! play.
//!
//! The tests with real tables need `../shared/data/syzygy`.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::dialogue::{Dialogue, count};
use crate::play::{engine, game, nodes, outcome, recorded};
use deepfeeling::{
    chess::{
        game::Game,
        score::Score,
        syzygy::{SEPARATOR, Syzygy},
        tablebase::{Dtz, Tablebase, Wdl},
    },
    player::Engine,
};
use shakmaty::{KnownOutcome, Position};
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::{TempDir, tempdir};

const ROOK_ENDING: &str = "position fen 8/8/8/8/3k4/8/8/R3K3 w - - 0 1\ngo nodes 2000";

/// Creates a folder with these files.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

/// Returns bytes with the magic number and a valid size of a table, but invalid content.
fn rubbish(magic: [u8; 4]) -> Vec<u8> {
    let mut bytes = magic.to_vec();
    bytes.resize(64 * 3 + 16, 0xa5);
    bytes
}

const WDL_MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
const DTZ_MAGIC: [u8; 4] = [0xd7, 0x66, 0x0c, 0xa5];

#[test]
fn a_path_without_tables_is_reported_once_and_play_continues() {
    let empty = folder(&[]);
    let unlike = folder(&[
        ("KRvK.rtbw", b"short"),
        ("KQvK.rtbw", &[7; 80]),
        ("KBvK.rtbz", &[7; 81]),
        ("KvK", b""),
        ("KKvK.rtbw", b""),
        ("readme.rtbw", b""),
        ("KQQQQQQQQvK.rtbw", b""),
        ("krvk.rtbw", b""),
    ]);
    fs::create_dir(unlike.path().join("KNvK.rtbw")).unwrap();
    let only_distances = folder(&[("KRvK.rtbz", &rubbish(DTZ_MAGIC))]);
    let mut gui = Dialogue::start();
    for (path, why) in [
        ("/no/such/folder".into(), "`/no/such/folder`: No such file"),
        (empty.path().display().to_string(), ": no tables"),
        (unlike.path().display().to_string(), "KBvK.rtbz: not a Syzygy table, or corrupt; "),
        (only_distances.path().display().to_string(), "no .rtbw files"),
        (format!("/no/such{SEPARATOR}/folder either"), "`/folder either`: No such file"),
    ] {
        let lines = gui.ask(&format!("setoption name SyzygyPath value {path}"));
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].starts_with("info string error: SyzygyPath: "), "{lines:?}");
        assert!(lines[0].contains(why) && lines[0].contains("(allowed: folders with"), "{lines:?}");
        let lines = gui.search(ROOK_ENDING);
        assert!(!lines.iter().any(|line| line.contains("Syzygy") || line.contains("table")));
        assert!(lines.iter().all(|line| !line.contains("tbhits") || line.contains(" tbhits 0 ")));
    }
    for nothing in ["", "<empty>"] {
        let none = gui.ask(&format!("setoption name SyzygyPath value {nothing}"));
        assert!(none.is_empty(), "{none:?}");
    }
}

#[test]
fn a_broken_table_is_reported_once_and_skipped() {
    let broken = folder(&[
        ("KRvK.rtbw", &rubbish(WDL_MAGIC)),
        ("KRvK.rtbz", &rubbish(DTZ_MAGIC)),
        ("KQvK.rtbw", b""),
    ]);
    let mut gui = Dialogue::start();
    let path = format!("setoption name SyzygyPath value {}", broken.path().display());
    let lines = gui.ask(&format!("{path}{SEPARATOR}/no/such/folder"));
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert_eq!(
        lines[0],
        "info string SyzygyPath: 1 WDL and 1 DTZ tables, up to 3 men; skipped: \
         KQvK.rtbw: not a Syzygy table, or corrupt; \
         `/no/such/folder`: No such file or directory (os error 2)"
    );
    for times in [1, 0, 0] {
        let lines = gui.search(ROOK_ENDING);
        assert_eq!(count(&lines, "info string endgame tables skipped: KRvK.rtbw: "), times);
        assert!(lines.iter().all(|line| !line.contains("tbhits") || line.contains(" tbhits 0 ")));
    }
    gui.ask(&path);
    let lines = gui.search(ROOK_ENDING);
    assert_eq!(
        count(&lines, "info string endgame tables skipped: "),
        1,
        "the broken table is probed again"
    );
}

#[test]
fn a_rejected_path_keeps_the_previous_tables() {
    let folder = folder(&[("KRvK.rtbw", &rubbish(WDL_MAGIC))]);
    let mut gui = Dialogue::start();
    gui.ask(&format!("setoption name SyzygyPath value {}", folder.path().display()));
    assert_eq!(gui.ask("setoption name SyzygyPath value /no/such/folder").len(), 1);
    let lines = gui.search(ROOK_ENDING);
    assert_eq!(count(&lines, "info string endgame tables skipped: KRvK.rtbw: "), 1, "{lines:?}");
}

#[test]
fn tables_of_other_endgames_do_not_change_the_search() {
    let folder = folder(&[("KRvK.rtbw", &rubbish(WDL_MAGIC))]);
    let position = game("r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1");
    let plain = outcome(&mut engine("standard"), &position, &nodes(20_000));
    let mut with = engine("standard");
    with.set_tablebase(Syzygy::open(folder.path().to_str().unwrap()).unwrap());
    assert_eq!(outcome(&mut with, &position, &nodes(20_000)), plain);
}

/// Returns the folder of the real tables.
fn tables() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/syzygy")
}

fn open() -> Syzygy {
    Syzygy::open(tables().to_str().unwrap()).unwrap()
}

#[test]
#[ignore = "reads ../shared/data/syzygy"]
fn tables_give_the_known_results() {
    let tables_found = open();
    assert_eq!(tables_found.to_string(), "36 WDL and 35 DTZ tables, up to 5 men");
    let expected = fs::read_to_string(tables().join("expect.csv")).unwrap();
    let (mut compared, mut without_table) = (0, 0);
    for line in expected.lines().skip(1) {
        let [epd, wdl, dtz] = line.split(',').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let position = game(epd).chess;
        let expected = match wdl {
            "-2" => Wdl::Loss,
            "-1" => Wdl::BlessedLoss,
            "0" => Wdl::Draw,
            "1" => Wdl::CursedWin,
            "2" => Wdl::Win,
            _ => panic!("{line}"),
        };
        let Some(found) = tables_found.wdl(&position) else {
            without_table += 1;
            continue;
        };
        assert_eq!(found, expected, "{line}");
        if let Ok(plies) = dtz.parse::<i32>() {
            let found = tables_found.dtz(&position).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(found.plies, plies, "{line}");
        }
        compared += 1;
    }
    // one position has five pieces and no table, but a capture leads to a known table
    assert_eq!((compared, without_table), (2_200, 1));
    assert_eq!(tables_found.take_faults(), None);
}

/// Plays `game` to its end with `per_move` nodes per move. Returns the result and the number of
/// moves.
fn play_out(engine: &mut Engine, mut game: Game, per_move: u64) -> (KnownOutcome, usize) {
    for plies in 0..600 {
        let chess = &game.chess;
        if let Some(outcome) = chess.outcome().known() {
            return (outcome, plies / 2);
        }
        if chess.halfmoves() >= 100 || game.repetitions() >= 2 {
            return (KnownOutcome::Draw, plies / 2);
        }
        let (best, ..) = outcome(engine, &game, &nodes(per_move));
        game.push(best);
    }
    panic!("no end: {}", game.fen())
}

#[test]
#[ignore = "reads ../shared/data"]
fn won_endgames_are_won_within_fifty_moves() {
    let suites = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/suites");
    for suite in ["mate-kbnvk.epd", "mate-kbbvk.epd", "mate-krvk.epd", "mate-kqvkr.epd"] {
        let text = fs::read_to_string(suites.join(suite)).unwrap();
        let known = open();
        let mut engine = engine("standard");
        engine.set_tablebase(open());
        let mut played = 0;
        for line in text.lines().step_by(41) {
            let game = game(&line.split(' ').take(4).collect::<Vec<_>>().join(" "));
            let turn = game.chess.turn();
            let winner = match known.wdl(&game.chess) {
                Some(Wdl::Win) => turn,
                Some(Wdl::Loss) => turn.other(),
                other => panic!("{other:?}: {line}"),
            };
            engine.new_game();
            let (end, moves) = play_out(&mut engine, game, 100);
            assert_eq!(end, KnownOutcome::Decisive { winner }, "after {moves} moves: {line}");
            played += 1;
        }
        assert!(played > 20, "{played} of {suite}");
    }
}

#[test]
#[ignore = "reads ../shared/data/syzygy"]
fn cursed_wins_are_draws() {
    // the mate takes at least 33 moves, too many with a half-move clock of 60
    let late = |halfmoves| format!("8/8/8/8/3k4/8/3N4/3BK3 w - - {halfmoves} 90");
    let (mut with_rule, mut without_rule) = (engine("standard"), engine("standard"));
    with_rule.set_tablebase(open());
    without_rule.set_tablebase(open());
    without_rule.change(|options| options.probing.fifty_move_rule = false).unwrap();
    let dtz = open().dtz(&game(&late(0)).chess).unwrap();
    assert!((50..90).contains(&dtz.plies), "{dtz:?}");
    let score = |engine: &mut Engine, halfmoves: i32| {
        let (.., score, _) = outcome(engine, &game(&late(halfmoves)), &nodes(3_000));
        score
    };
    let last_chance = 100 - dtz.plies - i32::from(dtz.rounded);
    assert!(score(&mut with_rule, 0) >= Score::win_in(100));
    assert!(score(&mut with_rule, last_chance) >= Score::win_in(100));
    assert_eq!(score(&mut with_rule, last_chance + 5), Score::cp(1));
    assert!(score(&mut without_rule, last_chance + 5) >= Score::win_in(100));
}

#[test]
#[ignore = "reads ../shared/data/syzygy"]
fn a_player_of_limited_strength_uses_no_tables() {
    let rook = game("8/8/8/4k3/8/8/8/R3K3 w - - 0 1");
    let mut engine = engine("standard");
    engine.set_tablebase(open());
    let hits = |engine: &mut Engine| {
        let (_, record) = recorded(engine, &rook, &nodes(500));
        record.reports.iter().map(|report| report.tablebase_hits).max()
    };
    assert!(hits(&mut engine) > Some(0));
    engine.change(|options| (options.limit_strength, options.elo) = (true, 1200)).unwrap();
    assert_eq!(hits(&mut engine), Some(0));
}

#[test]
#[ignore = "reads ../shared/data/syzygy"]
fn the_last_chance_is_taken() {
    let known = open();
    let mut engine = engine("standard");
    engine.set_tablebase(open());
    let mut played = 0;
    let expected = fs::read_to_string(tables().join("expect.csv")).unwrap();
    for line in expected.lines().skip(1).step_by(7) {
        let (epd, _) = line.split_once(',').unwrap();
        let position = game(epd).chess;
        let Some(Dtz { plies: plies @ 20.., rounded }) = known.dtz(&position) else { continue };
        let clock = 100 - plies - i32::from(rounded);
        let start = game(&format!("{epd} {clock} 90"));
        let winner = position.turn();
        engine.new_game();
        let (end, moves) = play_out(&mut engine, start, 50);
        assert_eq!(end, KnownOutcome::Decisive { winner }, "after {moves} moves: {line}");
        played += 1;
    }
    assert!(played >= 5, "{played}");
}

#[test]
#[ignore = "reads ../shared/data/syzygy"]
fn wdl_tables_without_dtz_tables_are_used() {
    // KBNvKN has only a WDL table
    let mut engine = engine("standard");
    engine.set_tablebase(open());
    let known = open();
    for (fen, wdl) in [
        ("8/8/nN6/8/5K2/B7/8/7k w - - 0 1", Wdl::Win),
        ("6kN/8/n4K2/8/8/8/8/7B w - - 0 1", Wdl::CursedWin),
        ("1BN5/6K1/8/8/8/6n1/8/2k5 b - - 0 1", Wdl::Draw),
        ("8/8/2B2K1k/8/8/8/n5N1/8 b - - 0 1", Wdl::BlessedLoss),
        ("8/8/7N/8/8/5B2/2k1K3/7n b - - 0 1", Wdl::Loss),
    ] {
        let position = game(fen);
        assert_eq!(known.wdl(&position.chess), Some(wdl), "{fen}");
        let (found, record) = recorded(&mut engine, &position, &nodes(5_000));
        let (best, _, score, _) = found.unwrap();
        let mut after = position.chess.clone();
        after.play_unchecked(best);
        assert_eq!(known.wdl(&after).map(|next| -next), Some(wdl), "{fen}");
        let is_consistent = match wdl {
            Wdl::Win => score >= Score::win_in(100),
            Wdl::CursedWin => score == Score::cp(1),
            Wdl::Draw => score == Score::DRAW,
            Wdl::BlessedLoss => score == Score::cp(-1),
            Wdl::Loss => score.is_lost(),
        };
        assert!(is_consistent, "{fen}: {wdl:?}, but {score}");
        assert!(record.reports.iter().all(|report| report.tablebase_hits > 0), "{fen}");
    }
}
