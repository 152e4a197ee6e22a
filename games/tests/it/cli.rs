//! Tests of every command on valid and invalid input: its output, and its exit code 0 or 2.

use assert_cmd::{Command, assert::Assert};
use std::fs;

const VERBS: [&str; 9] =
    ["play", "feel", "match", "perft", "replay", "check", "census", "knobs", "minimax"];

fn run(arguments: &[&str]) -> Assert {
    Command::new(env!("CARGO_BIN_EXE_deepfeeling-games")).args(arguments).assert()
}

/// Returns the output of a successful run.
fn output(arguments: &[&str]) -> String {
    let assert = run(arguments).success().stderr("");
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

/// Returns what a run with exit code 2 prints to standard error.
fn refusal(arguments: &[&str]) -> String {
    let assert = run(arguments).code(2).stdout("");
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

/// Panics unless a run fails with one error line that contains all of `parts`.
fn assert_error(arguments: &[&str], parts: &[&str]) {
    let text = refusal(arguments);
    assert!(text.starts_with("error: ") && text.lines().count() == 1, "{text}");
    for part in parts {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
}

#[test]
fn every_command_has_help_with_an_example() {
    for game in ["horses", "tilt"] {
        let more: &[&str] = if game == "tilt" { &["shapes", "person"] } else { &[] };
        for verb in VERBS.iter().chain(more) {
            let help = output(&[game, verb, "--help"]);
            assert!(help.contains(&format!("\n  deepfeeling-games {game} {verb}")), "{help}");
            assert!(!help.contains('`'), "{help}");
        }
    }
    assert!(output(&["serve", "--help"]).contains("\n  deepfeeling-games serve"));
    let list = output(&["list"]);
    assert!(list.contains("horses: White against Black") && list.contains("  expert "), "{list}");
    assert!(output(&["list", "--json"]).starts_with("[{\"game\":\"horses\""));
    assert!(refusal(&["hoses"]).contains("horses"));
}

#[test]
fn a_game_is_played_to_its_end_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.txt");
    let path = path.to_str().unwrap();
    let start = "a1 h8 w 0:0 - b3,d1,f7,e6 c2+1,d4+3,g6-1";
    let arguments = [
        "horses",
        "play",
        "--level",
        "beginner",
        "--side",
        "white",
        "--position",
        start,
        "--out",
        path,
    ];
    let played = Command::new(env!("CARGO_BIN_EXE_deepfeeling-games"))
        .args(arguments)
        .write_stdin("h3\nc2\nundo\nposition\nboard\nc2\nquit\n")
        .assert()
        .success();
    let text = String::from_utf8(played.get_output().stdout.clone()).unwrap();
    for part in [
        "You play White, beginner+standard plays Black.",
        "White to move (c2): move: found `h3`, allowed: c2; or undo, board, position, quit",
        "Black plays g6, 2 moves deep, value ",
        "feels ",
        "a1 h8 w 0:0 - f7,e6",
    ] {
        assert!(text.contains(part) || part.starts_with("a1"), "no `{part}` in: {text}");
    }
    let replayed = output(&["horses", "replay", path, "--player", "beginner+standard"]);
    assert!(replayed.starts_with("person against beginner+standard\n"), "{replayed}");
    assert!(replayed.contains("  2 Black  g6"), "{replayed}");
    assert_error(&["horses", "replay", path, "--game", "2"], &["no such game, allowed: 1 to 1"]);
    assert_error(&["tilt", "replay", path], &["line 1: game: found `horses`, allowed: tilt"]);
    assert_error(&["tilt", "replay", "no-file"], &["no-file cannot be read"]);
}

#[test]
fn positions_are_counted_and_explained() {
    let start = "b1 g8 w 0:0 - - d6+10,f3+5,c3+4,e2+3,h6+1,f6-1,e7-3,a3-4,d2-5,c6-10";
    let counts = output(&["horses", "perft", "4", "--position", start]);
    assert_eq!(counts, format!("{start}\n1 3\n2 9\n3 45\n4 221\n"));
    assert_eq!(output(&["tilt", "perft", "2", "--json"]), "[13,169]\n");
    let words: Vec<&str> = start.split(' ').collect();
    let explained = output(&[&["horses", "feel"], words.as_slice()].concat());
    for part in ["White to move: expert+standard", "rival_exposure", "goal", "potential", "move c3"]
    {
        assert!(explained.contains(part), "no `{part}` in: {explained}");
    }
    let json = output(&["tilt", "feel", "--level", "master", "--nodes", "2000", "--json"]);
    assert!(json.contains("\"measures\":[{\"name\":\"home_lead\""), "{json}");
    assert_error(&["horses", "feel", "b1 g8"], &["position: found 2 fields, allowed: 7"]);
    assert_error(
        &["horses", "perft", "3", "--position", "-"],
        &["position: found 1 field, allowed: 7"],
    );
}

#[test]
fn minimax_is_shown_with_its_leaves_and_its_horizon() {
    let start = "b4 g6 w 0:0 - - h1-3,b3+3,f3-10,g4+4,d5-1,f5+1,a7-4,c8-5,e8+10,h8+5";
    let arguments = ["horses", "minimax", "--depth", "4", "--horizon", "--position", start];
    let text = output(&arguments);
    for part in ["White to move, 4 moves deep", "minimax     d5         -28.41          732"] {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
    assert!(text.contains("\nThe horizon, with alpha-beta\n"), "{text}");
    let json = output(&[&arguments[..], &["--json"]].concat());
    assert!(
        json.starts_with("{\"position\":\"b4 g6 w ") && json.contains("\"leaves\":732"),
        "{json}"
    );
    assert_error(
        &["tilt", "minimax", "--depth", "12", "--leaves", "10"],
        &["depth 12 needs more than 10 leaves"],
    );
}

#[test]
fn matches_and_measurements_print_text_or_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.txt");
    let path = path.to_str().unwrap();
    let text = output(&["horses", "match", "2", "random", "--games", "8", "--out", path]);
    assert!(text.starts_with("2 against random: 8 games, won "), "{text}");
    assert!(text.contains("\nfined in ") && text.contains("score of the first mover"), "{text}");
    assert_eq!(fs::read_to_string(path).unwrap().matches("\nresult ").count(), 8);
    assert_error(&["horses", "match", "2", "2", "--out", path], &["games.txt cannot be written"]);
    let rules = ["--rules", "goal=cells,jumps=true"];
    let json = output(
        &[&["tilt", "match", "normal", "novice", "--games", "4", "--json"], &rules[..]].concat(),
    );
    assert!(json.starts_with("{\"players\":[\"normal\",\"novice\"],\"games\":4,"), "{json}");
    let census = output(&["horses", "census", "2+standard", "--games", "3"]);
    assert!(census.starts_with("3 games, ") && census.contains("\nhold_centre "), "{census}");
    let knobs = output(&["tilt", "knobs", "normal+standard", "--games", "2"]);
    assert!(knobs.contains(" percentages change a move\n"), "{knobs}");
    let shares = output(&["tilt", "person", "--games", "2", "--steps", "1"]);
    assert!(shares.contains("novice 6-51") && shares.lines().count() == 5, "{shares}");
}

#[test]
fn temperaments_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("brave.toml");
    let name = path.to_str().unwrap();
    fs::write(&path, "[[goals]]\nname = \"hunt\"\nrelief = { own = { potential = 150 } }\n")
        .unwrap();
    assert!(output(&["horses", "check", name]).starts_with("brave: valid, 8 goals"));
    fs::write(&path, "[[goals]]\nname = \"hunt\"\nrelief = { own = { potental = 150 } }\n")
        .unwrap();
    let parts = ["brave.toml:3: goals.hunt.relief.own.potental", "unknown group", "`potential`"];
    assert_error(&["horses", "check", name], &parts);
    fs::write(&path, "[perception]\nrun = { from = 1, to = 1 }\n").unwrap();
    assert_error(
        &["tilt", "check", name],
        &["brave.toml:2: perception.run", "at least 0.001 apart"],
    );
    assert_error(&["tilt", "check", "brave"], &["unknown profile `brave`"]);
}

#[test]
fn wrong_arguments_are_refused() {
    for (arguments, parts) in [
        (vec!["horses", "match", "2", "2", "--games", "3"], "allowed: an even number"),
        (
            vec!["horses", "perft", "3", "--rules", "fine=never"],
            "allowed: fine=once, fine=each_turn",
        ),
        (vec!["tilt", "perft", "3", "--rules", "goals=steps"], "did you mean `goal`?"),
        (vec!["tilt", "perft", "13"], "13 is not in 1..=12"),
        (vec!["tilt", "play", "--noise=-1"], "allowed: a number from 0 to 100"),
        (vec!["tilt", "play", "--time", "0"], "allowed: 0.001 to 3600 seconds"),
    ] {
        let text = refusal(&arguments);
        assert!(text.contains(parts), "no `{parts}` in: {text}");
    }
    assert_error(
        &["horses", "play", "--side", "gold"],
        &["side: found `gold`, allowed: white, black"],
    );
    assert_error(&["horses", "census", "expert"], &["`expert` without a temperament"]);
}
