//! Tests of `style`, which compares the playing styles of the players of a PGN file.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use assert_cmd::Command;
use predicates::{prelude::PredicateBooleanExt, str::contains};
use std::fs;

/// Légal's mate, and a game in which nothing happens.
const GAMES: &str = "[White \"Kermur\"]\n[Black \"Brie\"]\n[Result \"1-0\"]\n\n\
                     1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0\n\n\
                     [White \"Brie\"]\n[Black \"Kermur\"]\n\n1. a3 a6 2. h3 h6 1/2-1/2\n\n";

fn style(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("deepfeeling").unwrap();
    command.arg("style").args(args);
    command
}

fn json(args: &[&str]) -> serde_json::Value {
    let output = style(args).arg("--json").assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

#[test]
fn players_are_measured_and_compared() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.pgn");
    fs::write(&path, GAMES.repeat(10)).unwrap();
    let path = path.to_str().unwrap();
    let table = json(&[path, "--player", "Kermur", "--player", "Brie"]);
    let measures = [0, 1].map(|i| &table["players"][i]["measures"]);
    assert_eq!(
        (&table["players"][0]["name"], &table["players"][1]["games"]),
        (&"Kermur".into(), &20.into())
    );
    // one of Kermur's nine moves sacrifices the queen
    let of_kermur = measures[0]["sacrifices"]["mean"].as_f64().unwrap();
    assert!((of_kermur - 100.0 / 9.0).abs() < 1e-9, "{table}");
    assert_eq!(measures[1]["sacrifices"]["mean"], 0.0);
    assert_eq!(measures[0]["draws"]["mean"], 50.0);
    assert!(measures[0].get("intensity").is_none());
    let found = table["differences"][0]["measures"].as_array().unwrap();
    assert!(found.contains(&"sacrifices".into()) && !found.contains(&"length".into()), "{table}");
    style(&[path]).assert().success().stdout(
        contains("A Brie (20)")
            .and(contains("B Kermur (20)"))
            .and(contains("king_ward_moves"))
            // the games contain no feelings
            .and(contains(format!(": A-B {}+0\n", found.len()))),
    );
    let one = json(&[path, "--player", "Brie", "--limit", "3"]);
    assert_eq!((&one["players"][0]["games"], &one["left_out"]), (&3.into(), &1.into()));
}

#[test]
fn invalid_input_is_rejected_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let [games, nameless, empty] = ["a.pgn", "b.pgn", "c.pgn"].map(|name| dir.path().join(name));
    fs::write(&games, GAMES).unwrap();
    fs::write(&nameless, "[White \"?\"]\n\n1. e4 e5 *\n").unwrap();
    fs::write(&empty, "").unwrap();
    let [games, nameless, empty] = [&games, &nameless, &empty].map(|path| path.to_str().unwrap());
    for (args, complaint) in [
        (&["nowhere.pgn"][..], "nowhere.pgn: cannot be read"),
        (&[empty], "c.pgn: found no game that can be replayed, expected PGN"),
        (&[nameless], "no game names its players (tags White and Black)"),
        (&[games, "--player", "Nobody"], "found no games of `Nobody` (players: Brie, Kermur)"),
    ] {
        let output = style(args).assert().code(2).stderr(contains(complaint)).get_output().clone();
        let lines = String::from_utf8(output.stderr).unwrap();
        assert_eq!(lines.lines().count(), 1, "{lines}");
    }
    style(&[]).assert().code(2);
}

#[test]
fn games_from_one_opening_count_as_one_sample() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.pgn");
    let error_after = |openings: &[&str]| {
        let game = |pawn: &&str| {
            format!(
                "[White \"Brie\"]\n[Black \"Kermur\"]\n[FEN \"4k3/8/8/8/8/8/{pawn}/4K3 w - - 0 1\"]\n\n\
                 1. Kd1 Kd7 *\n\n"
            )
        };
        fs::write(&path, openings.iter().map(game).collect::<String>()).unwrap();
        let table = json(&[path.to_str().unwrap()]);
        assert_eq!(table["players"][0]["games"], openings.len());
        table["players"][0]["measures"]["king_ward_moves"]["error"].clone()
    };
    assert!(error_after(&["P7"; 10]).is_null(), "ten equal games count as one");
    assert!(error_after(&["P7", "1P6", "2P5", "3P4", "4P3"]).is_number());
}

fn fit(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("deepfeeling").unwrap();
    command.args(["tune", "--style", "--profile", "attacker"]).args(args);
    command
}

#[test]
fn a_fit_of_style_writes_a_profile_and_is_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (state, out) = (path("state.toml"), path("fitted.toml"));
    let args =
        ["--raise", "checks", "--state", &state, "--out", &out, "--nodes", "20", "--pairs", "1"];
    let run = || fit(&args).args(["--iterations", "2", "--json"]).assert().success();
    let first = run().get_output().stdout.clone();
    let report: serde_json::Value = serde_json::from_slice(&first).unwrap();
    assert_eq!((&report["iterations"], &report["games"]), (&serde_json::json!([2, 2]), &8.into()));
    assert_eq!(run().get_output().stdout, first, "a finished fit is only reported");
    let text = fs::read_to_string(&out).unwrap();
    assert!(
        text.starts_with("# Style fitted by `deepfeeling tune --style`, starting from attacker.\n")
    );
    Command::cargo_bin("deepfeeling").unwrap().args(["check", &out]).assert().success();
}

#[test]
fn a_fit_of_style_needs_measures_a_state_and_no_positions() {
    for (args, complaint) in [
        (&["--state", "x"][..], "--style needs --raise or --lower with a measure"),
        (&["--raise", "checks"], "--style needs --state FILE, which keeps the run"),
        (&["--raise", "check", "--state", "x"], "did you mean `checks`?"),
        (
            &["--raise", "checks", "--lower", "checks", "--state", "x"],
            "checks: given twice, allowed: once",
        ),
        (&["--raise", "checks", "--price", "900", "--state", "x"], "allowed: 0 to 400"),
        (&["positions.csv", "--raise", "checks", "--state", "x"], "cannot be used with"),
    ] {
        fit(args).assert().code(2).stdout("").stderr(contains(complaint));
    }
}

#[test]
fn the_temperament_that_played_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.pgn");
    let path = path.to_str().unwrap();
    let mut duel = Command::cargo_bin("deepfeeling").unwrap();
    duel.args(["duel", "berserker", "optimist", "--nodes", "1000", "--games", "16", "--seed", "4"]);
    duel.args(["--threads", "2", "--pgn", path]).assert().success();
    let table = json(&[path, "--identify", "--nodes", "1000"]);
    let players = table["players"].as_array().unwrap();
    assert_eq!(players.len(), 2);
    for player in players {
        let temperaments = player["temperaments"].as_object().unwrap();
        let sum: f64 = temperaments.values().map(|p| p.as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{table}");
        let own = player["name"].as_str().unwrap().to_lowercase();
        assert!(temperaments[&own].as_f64().unwrap() > 0.9, "{table}");
        assert_eq!(player["games"], 16);
    }
    style(&[path, "--identify", "--nodes", "1000", "--player", "Berserker"])
        .assert()
        .success()
        .stdout(contains("Berserker").and(contains("Optimist").not()));
    style(&[path, "--identify", "--nodes", "100", "--player", "Berserkr"])
        .assert()
        .code(2)
        .stderr("error: found no games of `Berserkr` (players: Berserker, Optimist)\n");
}
