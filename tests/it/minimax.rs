//! Tests of the `minimax` command: its table, its JSON, the horizon, and what it refuses.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use assert_cmd::{Command, assert::Assert};
use serde_json::Value;

/// A queen may take a pawn that is protected.
const BAIT: &str = "4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1";

fn run(arguments: &[&str]) -> Assert {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deepfeeling"));
    command.arg("minimax").args(arguments).assert()
}

fn output(arguments: &[&str]) -> String {
    String::from_utf8(run(arguments).success().stderr("").get_output().stdout.clone()).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&output(&[arguments, &["--json"]].concat())).unwrap()
}

/// Panics unless the run fails with one error line that contains all of `parts`.
fn assert_refused(arguments: &[&str], parts: &[&str]) {
    let assert = run(arguments).code(2).stdout("");
    let text = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    for part in parts {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
}

#[test]
fn both_searches_stand_side_by_side() {
    let text = output(&["startpos", "moves", "e4", "d5", "--depth", "2"]);
    assert!(text.contains("White to move, 2 half-moves deep."), "{text}");
    assert!(text.contains("\nBest line: 2.exd5 Qxd5\n"), "{text}");
    let record = json(&["startpos", "moves", "e4", "d5", "--depth", "2"]);
    let [whole, pruned] = ["minimax", "alpha_beta"].map(|search| &record[search]);
    for search in [whole, pruned] {
        assert_eq!((&search["move"], &search["value"]), (&"2.exd5".into(), &0.0.into()));
        assert_eq!(search["stopped"], false);
    }
    assert!(pruned["leaves"].as_u64() < whole["leaves"].as_u64(), "{record}");
    assert_eq!(record["horizon"], Value::Null);
}

#[test]
fn the_horizon_has_two_lines() {
    let text = output(&[BAIT, "--horizon"]);
    assert!(text.contains("The move changes at depth 2."), "{text}");
    assert!(text.contains("    -1   1.Qxd6 cxd6\n"), "{text}");
    let record = json(&[BAIT, "--horizon"]);
    let change = &record["horizon"]["change"];
    assert_eq!((&change["depth"], &change["hidden"]["value"]), (&2.into(), &(-1.0).into()));
    assert_eq!(record["horizon"]["depths"].as_array().unwrap().len(), 2);
    let steady = output(&["startpos", "--depth", "2", "--horizon"]);
    assert!(steady.ends_with("The move does not change up to depth 2.\n"), "{steady}");
}

#[test]
fn a_finished_game_has_no_move() {
    let record = json(&["7k/6Q1/5K2/8/8/8/8/8 b - - 0 1", "--horizon"]);
    let search = &record["minimax"];
    assert_eq!((&search["move"], &search["value"]), (&Value::Null, &"loss".into()));
    assert_eq!((&search["leaves"], &record["horizon"]["change"]), (&1.into(), &Value::Null));
}

#[test]
fn too_much_work_and_wrong_input_are_refused() {
    let few = ["--leaves", "1000"];
    assert_refused(
        &[&["startpos", "--depth", "8"], &few[..]].concat(),
        &[
            "error: depth 8 needs more than 1000 leaves, even with alpha-beta; use a smaller --depth",
        ],
    );
    // plain minimax is stopped, alpha-beta is not
    let text = output(&[&["startpos", "--depth", "4"], &few[..]].concat());
    assert!(text.contains("minimax     stopped                  65536\n"), "{text}");
    assert!(text.contains("alpha-beta  1.a3"), "{text}");
    for depth in ["0", "21", "x"] {
        assert_refused(&["startpos", "--depth", depth], &["--depth <N>", depth]);
    }
    assert_refused(&["8/8/8/8/8/8/8/K7", "w"], &["missing king"]);
    assert_refused(&["startpos", "moves", "e5"], &["e5"]);
}
