//! Tests of `census`, which prints how often each goal and label occurs in real games.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use assert_cmd::Command;
use predicates::{prelude::PredicateBooleanExt, str::contains};
use std::fs;

const GAMES: &str = "[White \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 1-0\n\n\
                     1. e4 e5 2. Ke3\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 *\n";

fn census(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("deepfeeling").unwrap();
    command.arg("census").args(args);
    command
}

#[test]
fn plain_and_compressed_games_are_counted_and_broken_ones_reported() {
    let dir = tempfile::tempdir().unwrap();
    let [plain, packed] = ["a.pgn", "a.pgn.zst"].map(|name| dir.path().join(name));
    fs::write(&plain, GAMES).unwrap();
    fs::write(&packed, zstd::encode_all(GAMES.as_bytes(), 3).unwrap()).unwrap();
    let [plain, packed] = [&plain, &packed].map(|path| path.to_str().unwrap());
    census(&[plain])
        .assert()
        .success()
        .stdout(
            contains("7 positions of 2 games from ply 8 on: 7 opening").and(contains("castle ")),
        )
        .stdout(contains("NaN").not())
        .stderr(contains("a.pgn: game 2: 2. Ke3 is illegal in ").and(contains("; skipped")));
    let output = census(&[plain, packed, "--json"]).assert().success().get_output().stdout.clone();
    let json: serde_json::Value = serde_json::from_slice(&output).unwrap();
    assert_eq!((&json["games"], &json["positions"]), (&4.into(), &14.into()));
    let goals = json["goals"].as_object().unwrap();
    let all: f64 = goals.values().map(|goal| goal["all"].as_f64().unwrap()).sum();
    assert!((all - 1000.0).abs() < 1e-9 && goals.len() == 13, "{json}");
    for args in [&["--limit", "1"][..], &["--every", "2", "--profile", "neutral"]] {
        let positions = if args[0] == "--limit" { "4 positions of 1" } else { "3 positions of 2" };
        census(&[&[plain], args].concat()).assert().success().stdout(contains(positions));
    }
}

/// Checks the perception ranges of `standard`, which are chosen so that this holds.
#[test]
#[ignore = "reads ../shared/data/games"]
fn every_goal_and_label_occurs_in_human_games_and_no_goal_dominates() {
    let games =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/games/fics-blitz-eval.pgn.zst");
    let output =
        census(&[games, "--limit", "300", "--json"]).assert().success().get_output().clone();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for (goal, row) in json["goals"].as_object().unwrap().iter().filter(|(goal, _)| *goal != "none")
    {
        let share = row["all"].as_f64().unwrap();
        assert!(share > 0.0 && share < 500.0, "{goal}: {share} in 1,000 positions");
    }
    // the scales are used to their ends, or nearly; the opponent's king has a wide scale on
    // purpose, see config/standard.toml
    for (concept, least, most) in [
        ("material", -1.0, 1.0),
        ("mobility", -0.8, 0.8),
        ("king_safety", -1.0, 1.0),
        ("king_exposure", -0.6, 0.8),
    ] {
        let end = |name: &str| json["concepts"][concept][name].as_f64().unwrap();
        assert!(end("min") <= least && end("max") >= most, "{concept}: {}", json["concepts"]);
    }
    for (concept, row) in json["concepts"].as_object().unwrap() {
        for (label, share) in row["labels"].as_object().unwrap() {
            assert!(share.as_f64().unwrap() > 10.0, "{concept} {label}: {share}");
        }
    }
}

#[test]
fn invalid_input_is_rejected_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let names = ["empty.pgn", "short.pgn", "torn.pgn.zst"];
    let [empty, short, torn] = names.map(|name| dir.path().join(name));
    fs::write(&empty, "").unwrap();
    fs::write(&short, "1. e4 e5 *\n").unwrap();
    let packed = zstd::encode_all(GAMES.as_bytes(), 3).unwrap();
    fs::write(&torn, &packed[..packed.len() - 9]).unwrap();
    let [empty, short, torn] = [&empty, &short, &torn].map(|path| path.to_str().unwrap());
    for (args, complaint) in [
        (&["nowhere.pgn"][..], "nowhere.pgn: cannot be read"),
        (&[empty], "empty.pgn: found no game that can be replayed, expected PGN"),
        (&[short], "found no game longer than 8 plies"),
        (&[torn], "torn.pgn.zst: cannot be read: incomplete frame"),
        (&[short, "--profile", "nobody"], "nobody"),
    ] {
        let output = census(args).assert().code(2).stderr(contains(complaint)).get_output().clone();
        let lines = String::from_utf8(output.stderr).unwrap();
        assert_eq!(lines.lines().count(), 1, "{lines}");
    }
    for args in [&[][..], &[short, "--every", "0"], &[short, "--limit", "x"]] {
        census(args).assert().code(2);
    }
}
