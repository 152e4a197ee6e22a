//! Tests of `coach`: it finds planted errors, and says when it knows too little.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::Value;
use std::fs;

/// White blunders in each game: moves a knight to an unsafe square, misses a mate, allows a mate.
const PLANTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/planted.pgn");

fn coach(pgn: &str, options: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("deepfeeling").unwrap();
    command.args(["coach", pgn]).args(options).assert()
}

fn json(options: &[&str]) -> Value {
    let assert = coach(PLANTED, &[options, &["--json"]].concat()).success();
    serde_json::from_slice(&assert.get_output().stdout).unwrap()
}

/// Returns kind, game, number, played and better of the first example of each lesson.
fn found(record: &Value) -> Vec<String> {
    let lessons = record["lessons"].as_array().unwrap().iter();
    let text = |lesson: &Value| {
        let example = &lesson["examples"][0];
        let of = |key: &str| example[key].as_str().unwrap().to_owned();
        format!(
            "{} {}: {} {} ({})",
            lesson["kind"].as_str().unwrap(),
            example["game"],
            of("number"),
            of("played"),
            of("better")
        )
    };
    lessons.map(text).collect()
}

#[test]
fn planted_errors_become_lessons() {
    let record = json(&["--player", "pat"]);
    let mut lessons = found(&record);
    lessons.sort();
    assert_eq!(
        lessons,
        ["mate 2: 6. d3 (Qxf7#)", "mate_threat 3: 5. a4 (Ne4)", "unsafe_square 1: 7. Nd4 (Bb3)",],
        "{record}"
    );
    let lost: Vec<f64> = record["lessons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|lesson| lesson["lost_per_game"].as_f64().unwrap())
        .collect();
    assert!(lost.is_sorted_by(|a, b| a >= b), "{lost:?}");
    assert_eq!((&record["games"], &record["is_enough"]), (&3.into(), &false.into()));
    assert_eq!(record["next"], Value::Null);
    // equal games give equal advice
    assert_eq!(json(&["--player", "Pat"])["lessons"], record["lessons"]);
}

#[test]
fn the_text_says_what_is_not_known() {
    let text = coach(PLANTED, &["--player", "Pat", "--rating", "1400"]).success();
    let contains = predicate::str::contains;
    text.stdout(
        contains("Pat, rated 1400: 3 games")
            .and(contains("too few to compare"))
            .and(contains("no link between feelings and errors"))
            .and(contains("complacen").not())
            .and(contains("1. ").and(contains("3. "))),
    );
    let text = coach(PLANTED, &["--player", "Sam"]).success();
    text.stdout(contains("instead of 3"));
}

#[test]
fn bad_input_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("games.pgn");
    let pgn_name = pgn.to_str().unwrap();
    fs::write(&pgn, "[White \"Ann\"]\n[WhiteElo \"1500\"]\n\n1. e4 e5 *\n").unwrap();
    for (options, complaint) in [
        (vec!["--player", "Ann"], "found no moves of `Ann` after the opening"),
        (vec!["--player", "An"], "did you mean `Ann` (1 game)?"),
        (vec!["--player", "Ann", "--profile", "brave"], "unknown profile `brave`"),
    ] {
        let refused = coach(pgn_name, &options).code(2).stdout("");
        refused.stderr(
            predicate::str::contains(complaint)
                .and(predicate::function(|text: &str| text.trim_end().lines().count() == 1)),
        );
    }
}
