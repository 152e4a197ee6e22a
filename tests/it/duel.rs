//! Tests of `duel`: equal seeds give equal matches, also after a resume. Invalid input is rejected.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use assert_cmd::Command;
use predicates::str::contains;
use std::{fs, path::Path};

fn duel(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("deepfeeling").unwrap();
    command.arg("duel").args(args);
    command
}

/// Plays a duel and returns its output and its PGN.
fn played(pgn: &Path, games: &str, args: &[&str]) -> (String, String) {
    let fixed = ["standard", "neutral", "--nodes", "300", "--games", games, "--pgn"];
    let output = duel(&fixed).arg(pgn).args(args).assert().success().get_output().stdout.clone();
    (String::from_utf8(output).unwrap(), fs::read_to_string(pgn).unwrap())
}

#[test]
fn a_record_of_a_changed_profile_is_not_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let [own, pgn] = ["own.toml", "games.pgn"].map(|name| dir.path().join(name));
    let play = |contempt: u8| {
        let about = "[about]\nname = \"Own\"\nsummary = \"x\"\nextends = \"default\"";
        fs::write(&own, format!("{about}\n[feeling]\ncontempt = {contempt}\n")).unwrap();
        let args = ["neutral", "--nodes", "50", "--games", "2", "--pgn"];
        duel(&[own.to_str().unwrap()]).args(args).arg(&pgn).assert()
    };
    play(5).success();
    play(5).success();
    play(6).code(2).stderr(contains("choose another file, or repeat that duel"));
}

#[test]
fn equal_seeds_give_equal_openings_for_any_players() {
    let dir = tempfile::tempdir().unwrap();
    let openings = |players: [&str; 2]| {
        let pgn = dir.path().join(players.join("-"));
        let args = ["--nodes", "50", "--games", "20", "--seed", "3", "--pgn"];
        duel(&players).args(args).arg(&pgn).assert().success();
        let text = fs::read_to_string(pgn).unwrap();
        text.lines().filter(|l| l.starts_with("[FEN")).map(str::to_owned).collect::<Vec<_>>()
    };
    let (one, other) = (openings(["paper2012", "standard"]), openings(["standard", "paper2012"]));
    assert_eq!((one.len(), &one), (20, &other));
}

#[test]
fn a_duel_depends_only_on_its_seed() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let whole = played(&path("whole.pgn"), "6", &["--seed", "5"]);
    assert!(whole.0.contains("Standard against Neutral: 6 games"), "{}", whole.0);
    assert_eq!(whole.1.matches("[Event ").count(), 6);
    assert!(whole.1.contains("[%emo "), "{}", whole.1);
    assert_eq!(whole, played(&path("threads.pgn"), "6", &["--seed", "5", "--threads", "3"]));
    assert_ne!(whole.1, played(&path("other.pgn"), "6", &["--seed", "6"]).1);
    // resumed from a file that ends in the middle of a game
    played(&path("part.pgn"), "4", &["--seed", "5"]);
    let part = fs::read_to_string(path("part.pgn")).unwrap();
    fs::write(path("part.pgn"), &part[..part.len() - 40]).unwrap();
    assert_eq!(whole, played(&path("part.pgn"), "6", &["--seed", "5"]));
}

#[test]
fn the_weaker_player_loses_and_the_sprt_ends_the_match() {
    let args = ["standard", "standard", "--option-b", "UCI_Elo=1000", "--nodes", "2000"];
    let output = duel(&args)
        .args(["--games", "200", "--sprt", "0", "400", "--json"])
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    let json: serde_json::Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(json["test"], "passed");
    assert!(json["games"].as_u64().unwrap() < 200, "{json}");
    assert!(json["wins"].as_u64() > json["losses"].as_u64(), "{json}");
    assert_eq!(json["second"], "Standard UCI_Elo=1000");
}

#[test]
fn players_of_the_same_name_get_different_labels() {
    let output = duel(&["standard", "standard", "--tc", "0.3+0.003", "--games", "2", "--json"])
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    let json: serde_json::Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(json["games"], 2);
    assert_eq!([&json["first"], &json["second"]], ["Standard A", "Standard B"]);
}

#[test]
fn invalid_input_is_rejected_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let book = dir.path().join("book.epd");
    fs::write(&book, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n").unwrap();
    let other = dir.path().join("other.pgn");
    fs::write(&other, "[Event \"a game\"]\n\n1. e4 1-0\n").unwrap();
    let book = book.to_str().unwrap();
    let other = other.to_str().unwrap();
    let pair = ["standard", "neutral"];
    for (players, args, complaint) in [
        (["standard", "standard"], &[][..], "`Standard` and `Standard` play alike"),
        (
            pair,
            &["--option-a", "Emotion=false"],
            "`Standard Emotion=false` and `Neutral` play alike",
        ),
        (
            ["neutral", "neutral"],
            &["--tc", "1+0.01", "--nodes-per-ms", "10"],
            "`Neutral` and `Neutral` play alike",
        ),
        (["standard", "neutrol"], &[], "neutral"),
        (pair, &["--games", "3"], "even number"),
        (pair, &["--games", "4", "--book", book], "1 openings"),
        (pair, &["--games", "0"], "--games"),
        (pair, &["--sprt", "5", "0"], "the second greater"),
        (pair, &["--sprt", "0", "inf"], "must be finite"),
        (pair, &["--option-a", "Emotion=true", "--option-a", "Emotion=false"], "given twice"),
        (pair, &["--option-a", "Mood=1"], "`Mood=1` (allowed: Emotion="),
        (pair, &["--tc", "0+1"], "e.g. 2+0.02"),
        (pair, &["--nodes", "0"], "--nodes"),
        (pair, &["--pgn", other], "choose another"),
        (pair, &["--book", "nowhere.epd"], "nowhere.epd"),
    ] {
        let assert = duel(&players).args(args).assert().code(2).stderr(contains(complaint));
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(!error.contains("panicked"), "{error}");
    }
    assert_eq!(fs::read_to_string(other).unwrap(), "[Event \"a game\"]\n\n1. e4 1-0\n");
}
