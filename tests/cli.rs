//! Every subcommand on good and bad input: what it prints, and 0, 1 or 2 as its exit code.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use assert_cmd::{Command, assert::Assert};
use deepfeeling::{eval::group::Group, profile::Profile};
use predicates::prelude::*;
use serde_json::Value;
use std::{
    fs,
    io::Write,
    process::{self, Stdio},
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn run(arguments: &[&str]) -> Assert {
    Command::new(env!("CARGO_BIN_EXE_deepfeeling")).args(arguments).assert()
}

/// What a successful run prints.
fn output(arguments: &[&str]) -> String {
    let assert = run(arguments).success().stderr("");
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let text = output(arguments);
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).unwrap()
}

/// The one line of complaint of a run that is refused with exit code 2, printing nothing else.
fn complaint(arguments: &[&str]) -> String {
    let assert = run(arguments).code(2).stdout("");
    let text = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "not one line: {text}");
    assert!(text.starts_with("error: "), "{text}");
    text
}

/// Panics unless the complaint has all of `parts`.
fn assert_complaint(arguments: &[&str], parts: &[&str]) {
    let text = complaint(arguments);
    for part in parts {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
}

fn file(content: &str, extension: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(extension).tempfile().unwrap();
    file.write_all(content.as_bytes()).unwrap();
    file
}

#[test]
fn help_and_version() {
    let help = output(&["--help"]);
    for command in ["bench", "perft", "eval", "feel", "paper", "check", "profiles", "wdl"] {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
        assert!(output(&[command, "--help"]).contains("Usage: deepfeeling"));
    }
    assert_eq!(output(&["--version"]), format!("deepfeeling {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn wdl_fits_chances_to_scores_and_results() {
    let boards = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "3rk3/8/8/8/8/8/8/3RK3"];
    let mut rows = String::from("fen,result,cp\n");
    for board in boards {
        for cp in (-400..=400).step_by(50) {
            for game in 0..10 {
                let result = if 60 * game < cp + 200 {
                    "1"
                } else if 60 * (9 - game) < 200 - cp {
                    "0"
                } else {
                    "0.5"
                };
                rows.extend([format!("{board} w - - 0 {},{result},{cp}\n", game + 1)]);
            }
        }
    }
    let good = file(&rows, ".csv");
    let path = good.path().to_str().unwrap();
    let text = output(&["wdl", path, "--holdout", "0.5"]);
    assert!(text.starts_with("pub const OURS: Model =\n    Model { steepness: ["), "{text}");
    assert!(text.contains("\nheld out ") && text.contains("foretold: win"), "{text}");
    let fitted = json(&["wdl", path, "--holdout", "0", "--json"]);
    let (loss, blind) = (&fitted["loss"][0], &fitted["loss_without_score"][0]);
    assert!(loss.as_f64().unwrap() < 0.7 * blind.as_f64().unwrap(), "{fitted}");
    assert_eq!(fitted["positions"], serde_json::json!([340, 0]));

    let without = file("fen,result\n4k3/8/8/8/8/8/8/4K3 w - - 0 1,1\n", ".csv");
    assert_complaint(&["wdl", without.path().to_str().unwrap()], &["line 2", "no score"]);
    let turned =
        file(&rows.replace(",1,", ",x,").replace(",0,", ",1,").replace(",x,", ",0,"), ".csv");
    assert_complaint(&["wdl", turned.path().to_str().unwrap()], &["White's point of view"]);
    assert_complaint(&["wdl", "/no/such.csv"], &["/no/such.csv", "cannot be read"]);
}

#[test]
fn what_is_no_command_is_refused() {
    for arguments in [&["bnech"][..], &["--depth", "3"], &["eval"], &["check"], &["perft"]] {
        run(arguments).code(2).stdout("").stderr(predicate::str::starts_with("error: "));
    }
    run(&["bnech"]).stderr(predicate::str::contains("bench"));
}

#[test]
fn without_a_command_it_speaks_uci() {
    Command::new(env!("CARGO_BIN_EXE_deepfeeling"))
        .write_stdin("uci\nquit\n")
        .assert()
        .success()
        .stdout(predicate::str::contains("\nuciok\n"));
    Command::new(env!("CARGO_BIN_EXE_deepfeeling")).write_stdin("").assert().success().stderr("");
}

#[test]
fn the_bench_is_a_signature() {
    let text = output(&["bench", "--depth", "3"]);
    let number = |prefix: &str| -> u64 {
        let line = text.lines().find_map(|line| line.strip_prefix(prefix));
        line.unwrap_or_else(|| panic!("no `{prefix}` in {text}")).parse().unwrap()
    };
    let (felt, neutral) = (number("Bench: "), number("Bench-neutral: "));
    let last = text.lines().last().unwrap();
    assert!(last.starts_with(&format!("{felt} nodes ")) && last.ends_with(" nps"), "{last}");

    let again = json(&["bench", "--depth", "3", "--json"]);
    assert_eq!(
        (again["nodes"].as_u64(), again["nodes_neutral"].as_u64()),
        (Some(felt), Some(neutral))
    );
    let positions = again["positions"].as_array().unwrap();
    let sum: u64 = positions.iter().map(|position| position["nodes"].as_u64().unwrap()).sum();
    assert_eq!(sum, felt);

    let off = json(&["bench", "--depth", "3", "--emotion", "false", "--json"]);
    assert_eq!(off["nodes"].as_u64(), Some(neutral));
    let profile = json(&["bench", "--depth", "3", "--profile", "neutral", "--json"]);
    assert_eq!(profile["nodes"].as_u64(), Some(neutral));
}

#[test]
fn the_bench_refuses_what_it_cannot_do() {
    for arguments in [
        &["bench", "--depth", "0"][..],
        &["bench", "--depth", "101"],
        &["bench", "--depth", "deep"],
        &["bench", "--emotion", "maybe"],
        &["bench", "extra"],
    ] {
        run(arguments).code(2).stdout("").stderr(predicate::str::starts_with("error: "));
    }
    assert_complaint(&["bench", "--profile", "neutrl"], &["`neutrl`", "`neutral`"]);
}

#[test]
fn perft_counts_and_divides() {
    let text = output(&["perft", "4", "startpos"]);
    let (moves, total) = text.split_once("\n\n").unwrap();
    assert!(total.starts_with("197281 nodes "), "{total}");
    let counts: Vec<u64> =
        moves.lines().map(|line| line.split_once(": ").unwrap().1.parse().unwrap()).collect();
    assert_eq!((counts.len(), counts.iter().sum::<u64>()), (20, 197_281));

    let divided = json(&["perft", "4", "--json"]);
    assert_eq!(divided["nodes"], 197_281);
    assert_eq!(divided["divide"]["e2e4"], 13_160);
    let after = json(&["perft", "3", "startpos", "moves", "e2e4", "--json"]);
    assert_eq!(after["nodes"], 13_160);
    let unquoted: Vec<_> = ["perft", "1"].into_iter().chain(START.split(' ')).collect();
    assert!(output(&unquoted).contains("\n20 nodes "));
}

#[test]
fn perft_castles_as_chess960_where_it_must() {
    let fen = "1k6/8/8/8/8/8/P1P5/RK4R1 w GA - 0 1";
    let divided = json(&["perft", "1", fen, "--json"]);
    assert_eq!(divided["divide"]["b1a1"], 1);
    assert_eq!(divided["divide"]["b1g1"], 1);
}

#[test]
fn a_suite_is_right_wrong_or_broken() {
    let path = |file: &tempfile::NamedTempFile| file.path().to_str().unwrap().to_owned();
    let right = file(&format!("{START} ;D1 20 ;D2 400 ;D3 8902\n\n{START} ;D9 1\n"), ".epd");
    let text = output(&["perft", "3", "--suite", &path(&right)]);
    assert!(text.starts_with("3 counts, 0 wrong, 9322 nodes "), "{text}");
    assert_eq!(json(&["perft", "2", "--json", "--suite", &path(&right)])["counts"], 2);

    let wrong = file(&format!("{START} ;D1 20 ;D2 401\n"), ".epd");
    run(&["perft", "2", "--suite", &path(&wrong)])
        .code(1)
        .stderr("")
        .stdout(predicate::str::starts_with("line 1: depth 2 gives 400, expected 401\n"));

    for (content, parts) in [
        (format!("{START} ;D1 20 ;D2\n"), ["line 1", "`D2`", "`D4 197281`"]),
        (format!("{START} ;D1 20\n8/8 ;D1 0\n"), ["line 2", "`8/8`", "expected e.g."]),
        (format!("{START} ;D1 many\n"), ["line 1", "`D1 many`", "`D4 197281`"]),
        (format!("{START}\n"), ["no count", "depth 2", "`;D4 197281`"]),
        (String::new(), ["no count", "depth 2", "`;D4 197281`"]),
    ] {
        let broken = file(&content, ".epd");
        let arguments = ["perft", "2", "--suite", &path(&broken)];
        assert_complaint(&arguments, &parts);
        assert_complaint(&arguments, &[&path(&broken)]);
    }
    assert_complaint(&["perft", "2", "--suite", "nowhere.epd"], &["nowhere.epd", "No such file"]);
    let binary = tempfile::NamedTempFile::new().unwrap();
    fs::write(binary.path(), [0xff, 0xfe, 0x00]).unwrap();
    assert_complaint(&["perft", "2", "--suite", &path(&binary)], &["cannot be read as text"]);
}

#[test]
fn perft_refuses_what_it_cannot_do() {
    for arguments in [
        &["perft", "0"][..],
        &["perft", "21"],
        &["perft", "-1"],
        &["perft", "deep"],
        &["perft", "2", "startpos", "--suite", "x.epd"],
    ] {
        run(arguments).code(2).stdout("").stderr(predicate::str::starts_with("error: "));
    }
}

#[test]
fn a_position_is_read_in_every_form() {
    for command in ["eval", "feel"] {
        let start = output(&[command, "startpos"]);
        assert!(start.starts_with(START), "{start}");
        assert_eq!(output(&[command, START]), start, "in quotes");
        let unquoted: Vec<_> = [command].into_iter().chain(START.split(' ')).collect();
        assert_eq!(output(&unquoted), start, "without");
        assert_eq!(output(&[command, "startpos", "moves"]), start, "no moves");
        assert_eq!(output(&[command, &format!("{START}\n")]), start, "with a line break");
        let moved = output(&[command, "startpos", "moves", "e2e4", "e7e5"]);
        assert_eq!(output(&[command, &format!("{START} moves e2e4 e7e5")]), moved);
        let fen = moved.lines().next().unwrap();
        assert_eq!(output(&[command, fen]), moved);
    }
}

#[test]
fn a_wrong_position_is_refused() {
    for command in [&["eval"][..], &["feel"], &["perft", "1"]] {
        let refuse = |words: &[&str], parts: &[&str]| {
            let arguments: Vec<_> = command.iter().chain(words).copied().collect();
            assert_complaint(&arguments, parts);
        };
        refuse(&["8/8/8 w - -"], &["`8/8/8 w - -`", "expected e.g.", START]);
        refuse(&["starpos"], &["`starpos`", START]);
        refuse(&["two\nlines"], &["`two lines`"]);
        refuse(&["8/8/8/8/8/8/8/K7 w - - 0 1"], &["illegal", "king"]);
        refuse(&["startpos", "moves", "e2e5"], &["`e2e5`", "illegal", START]);
        refuse(&["startpos", "moves", "knight"], &["`knight`", "e2e4"]);
    }
}

#[test]
fn a_profile_is_a_name_or_a_file() {
    for command in ["eval", "feel"] {
        for name in Profile::BUILTIN {
            let title = Profile::builtin(name).unwrap().name;
            assert!(output(&[command, "startpos", "--profile", name]).contains(&title));
        }
        let own = file("[about]\nname = \"Mine\"\n[feeling]\nfloor = 0.5\n", ".toml");
        let path = own.path().to_str().unwrap();
        assert!(output(&[command, "startpos", "--profile", path]).contains("profile Mine"));
        let refuse = |profile: &str, parts: &[&str]| {
            assert_complaint(&[command, "startpos", "--profile", profile], parts);
        };
        refuse("guardain", &["`guardain`", "berserker", "did you mean `guardian`"]);
        refuse("nowhere.toml", &["nowhere.toml", "No such file"]);
        let wrong = file("[feeling]\nfloor = 7\n", ".toml");
        let path = wrong.path().to_str().unwrap();
        refuse(path, &[path, ":2: feeling.floor", "7"]);
    }
}

#[test]
fn eval_takes_a_position_apart() {
    let table = output(&["eval", "startpos"]);
    for part in ["piece_value", "= material", "= king", "phase", "score"] {
        assert!(table.contains(part), "no {part} in {table}");
    }
    let parsed = json(&["eval", "startpos", "--json"]);
    assert_eq!(parsed["fen"], START);
    assert!(parsed["score"].is_i64() && parsed["terms"].as_array().unwrap().len() > 10);
    assert_eq!(parsed["groups"].as_array().unwrap().len(), Group::COUNT);
    let article = json(&["eval", "startpos", "--profile", "paper2012", "--json"]);
    assert_eq!(article["measures"].as_array().unwrap().len(), 4);
    assert!(article["score"].is_f64());
}

#[test]
fn feel_shows_the_way_from_board_to_factors() {
    let table = output(&["feel", "startpos"]);
    for part in ["Board", "Map", "Goal", "Factors", "king_exposure", "fixed point", "chosen:"] {
        assert!(table.contains(part), "no {part} in {table}");
    }
    let parsed = json(&["feel", "startpos", "--json"]);
    for key in ["measures", "perceived", "facts", "steps", "settled", "ladder", "factors"] {
        assert!(!parsed[key].is_null(), "no {key} in {parsed}");
    }
    assert_eq!(parsed["side"], "white");
    let felt = parsed["intensity"].as_f64().unwrap();
    assert!((-1.0..=1.0).contains(&felt));
    assert_eq!(json(&["feel", "startpos", "moves", "e2e4", "--json"])["side"], "black");
}

#[test]
fn profiles_are_listed() {
    let text = output(&["profiles"]);
    let names: Vec<_> = text.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(names, Profile::BUILTIN);
    let parsed = json(&["profiles", "--json"]);
    let names: Vec<_> =
        parsed.as_array().unwrap().iter().map(|row| row["profile"].as_str().unwrap()).collect();
    assert_eq!(names, Profile::BUILTIN);
}

#[test]
fn check_tells_right_from_wrong() {
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/config");
    for name in Profile::BUILTIN {
        let text = output(&["check", &format!("{config}/{name}.toml")]);
        assert!(text.contains("is right"), "{text}");
    }
    let check = |content: &str, parts: &[&str]| {
        let wrong = file(content, ".toml");
        assert_complaint(&["check", wrong.path().to_str().unwrap()], parts);
    };
    check("[feelings]\n", &[":1: ", "`feelings`", "did you mean `feeling`"]);
    check("[feeling]\nfloor = \n", &[":2: "]);
    check("[[goals]]\nname = \"flee_chek\"\n", &["`flee_chek`", "escape_check"]);
    // each raises the other where it is low: this map never rests
    check(
        "[map]\nactivation = { function = \"trivalent\" }\nheld = []\nlink = [\n\
         { from = \"material\", to = \"mobility\", weight = 1 },\n\
         { from = \"mobility\", to = \"material\", weight = -1 },\n\
         { from = \"mobility\", to = \"mobility\", weight = 0 },\n]\n",
        &["returns every 4 steps", "must come to rest"],
    );
    assert_complaint(&["check", "nowhere.toml"], &["nowhere.toml", "No such file"]);
    assert_complaint(&["check", config], &["is not a file"]);
}

#[test]
fn the_article_is_kept_to() {
    output(&["paper"]);
}

#[test]
fn who_has_seen_enough_may_leave() {
    for arguments in [
        &["perft", "3"][..],
        &["eval", "startpos"],
        &["feel", "startpos", "--json"],
        &["bench", "--depth", "1"],
        &["profiles"],
        &["paper"],
        &["--help"],
    ] {
        let mut child = process::Command::new(env!("CARGO_BIN_EXE_deepfeeling"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && stderr.is_empty(), "{arguments:?}: {stderr}");
    }
}
