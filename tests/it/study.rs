//! Tests of `study`, which tests hypotheses about feelings on games of people.
//!
//! `tests/data/study/games.pgn` holds games of limited players of the engine itself, with invented
//! names, ratings and clocks.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use assert_cmd::Command;
use predicates::{prelude::PredicateBooleanExt, str::contains};
use serde_json::Value;
use std::{fs, path::Path};

const GAMES: &str = "tests/data/study/games.pgn";

fn study(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("deepfeeling").unwrap();
    command.args(["study", "--nodes", "100", "--placebos", "5"]).args(args);
    command
}

fn json(args: &[&str]) -> Value {
    let assert = study(args).arg("--json").assert().success();
    serde_json::from_slice(&assert.get_output().stdout).unwrap()
}

/// Writes the games without those comments and tags that contain a word.
fn without(word: &str, path: &Path) {
    let text = fs::read_to_string(GAMES).unwrap();
    let kept: String = text
        .split_inclusive(['}', '\n'])
        .map(|part| if part.contains(word) { part.split('{').next().unwrap() } else { part })
        .map(|part| if part.contains(word) { "" } else { part })
        .collect();
    fs::write(path, kept).unwrap();
}

#[test]
fn every_hypothesis_is_tested_and_a_cache_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let [cache, html] = ["cache", "study.html"].map(path);
    let first = json(&[GAMES, "--cache", &cache, "--html", &html]);
    let hypotheses = first["hypotheses"].as_array().unwrap();
    assert_eq!(hypotheses.len(), 5);
    assert_eq!((&first["games"], &first["players"]), (&24.into(), &12.into()));
    for number in [0, 2, 4] {
        assert!(hypotheses[number]["p_holm"].is_f64(), "{}", hypotheses[number]);
    }
    assert_eq!(hypotheses[0]["estimates"].as_array().unwrap().len(), 6);
    assert_eq!(hypotheses[4]["placebos"].as_array().unwrap().len(), 5);
    let page = fs::read_to_string(&html).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.matches("<svg ").count() == 3);
    let whole = fs::read_to_string(&cache).unwrap();
    assert_eq!(whole.lines().count(), 25);
    // an interrupted run is resumed, and threads do not matter
    fs::write(&cache, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(json(&[GAMES, "--cache", &cache, "--threads", "2"]), first);
    let mut lines: Vec<_> = whole.lines().collect();
    let resumed = fs::read_to_string(&cache).unwrap();
    let mut again: Vec<_> = resumed.lines().collect();
    lines.sort_unstable();
    again.sort_unstable();
    assert_eq!(lines, again);
    study(&[GAMES, "--cache", &cache])
        .assert()
        .success()
        .stdout(contains("H1  relief leads to errors: ").and(contains("after Holm")));
}

#[test]
fn hypotheses_that_the_data_cannot_test_have_a_reason() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.pgn");
    without("clk", &path);
    let json = json(&[path.to_str().unwrap()]);
    for number in [1, 2] {
        let tested = &json["hypotheses"][number];
        assert_eq!(tested["verdict"], "not tested");
        assert_eq!(tested["reason"], "the games have no clocks ([%clk])");
        assert!(tested["p_holm"].is_null());
    }
    assert!(json["hypotheses"][0]["p"].is_f64(), "{}", json["hypotheses"][0]);
    let few = self::json(&[GAMES, "--games", "2", "--every", "3"]);
    assert_eq!(few["games"], 2);
    assert!(few["hypotheses"][0]["reason"].as_str().unwrap().contains("at least"));
}

#[test]
fn invalid_input_is_rejected_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let empty = path("empty", "");
    let words = path("words", "no games here\n");
    let unrated = path("unrated", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n");
    for (args, complaint) in [
        (&[&*empty][..], "found no game that can be replayed"),
        (&[&words], "found no game that can be replayed"),
        (&[&unrated], "found no moves by rated players after the opening"),
        (&["nowhere.pgn"], "nowhere.pgn: cannot be read"),
        (&[GAMES, "--cache", &words], "begins with `no games here`, expected `# deepfeeling study"),
        (&[GAMES, "--html", &words], "is not an HTML page"),
        (&[GAMES, "--profile", "nobody"], "unknown profile `nobody`"),
    ] {
        let assert = study(args).assert().code(2).stderr(contains(complaint));
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    for args in [["--every", "0"], ["--games", "0"], ["--placebos", "0"], ["--threads", "0"]] {
        study(&[GAMES]).args(args).assert().code(2);
    }
}
