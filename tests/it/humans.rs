//! Tests of `humans` and `tune --target human`, which compare profiles with human moves and fit
//! them.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use assert_cmd::Command;
use deepfeeling::{
    chess_mind::{Goal, Ratios},
    eval::group::Group,
    profile::Profile,
};
use predicates::{prelude::PredicateBooleanExt, str::contains};
use serde_json::Value;
use std::{fs, path::PathBuf};
use tempfile::TempDir;

const GAMES: &str = "[WhiteElo \"1150\"]\n[BlackElo \"1400\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 \
                     5. O-O Be7 6. Re1 b5 7. Bb3 O-O *\n\n[White \"unrated\"]\n\n1. d4 d5 2. c4 e6 3. Nc3 \
                     Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 *\n\n[WhiteElo \"1399\"]\n\n1. d4 d5 2. c4 e6 3. Nc3 \
                     Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 h6 *\n";

fn games() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.pgn");
    fs::write(&path, GAMES).unwrap();
    (dir, path)
}

fn command(words: &[&str]) -> Command {
    let mut command = Command::cargo_bin("deepfeeling").unwrap();
    command.args(words);
    command
}

#[test]
fn players_answer_the_same_positions_in_each_rating_band() {
    let (_dir, path) = games();
    let file = path.to_str().unwrap();
    let asked = |args: &[&str]| -> Value {
        let base = ["humans", file, "--nodes", "200", "--json"];
        let assert = command(&[&base[..], args].concat()).assert().success();
        serde_json::from_slice(&assert.get_output().stdout).unwrap()
    };
    let players = ["standard", "neutral", "standard,Emotion=false"];
    let args: Vec<_> = players.iter().flat_map(|player| ["--profile", player]).collect();
    let json = asked(&args);
    assert_eq!(json["players"][2], "Standard Emotion=false");
    let bands = json["bands"].as_array().unwrap();
    let counts: Vec<_> = bands
        .iter()
        .map(|band| (band["band"].as_str().unwrap(), band["positions"].as_u64().unwrap()))
        .collect();
    assert_eq!(counts, [("1000-1199", 3), ("1200-1399", 2), ("1400-1599", 3), ("all", 8)]);
    for band in bands {
        assert_eq!((band["shares"].as_array().unwrap().len(), band["humans"].is_u64()), (3, true));
        let differences = band["differences"].as_array().unwrap();
        assert_eq!(differences.len(), 3);
        // without emotion, `standard` plays like `neutral`; so few games give no confidence interval
        let last = &differences[2];
        assert_eq!((&last["first"], &last["second"]), (&json["players"][1], &json["players"][2]));
        assert_eq!((last["mean"].as_f64(), last["error"].is_null()), (Some(0.0), true));
    }
    assert_eq!(asked(&args), json);
    let wide = asked(&["--band-width", "1000", "--from-game", "3", "--profile", "neutral"]);
    assert_eq!(wide["bands"][0]["band"], "1000-1999");
    assert_eq!(wide["bands"][1]["positions"], 2);
    command(&["humans", file, "--nodes", "50"])
        .assert()
        .success()
        .stdout(contains("1200-1399").and(contains("Standard - Neutral")));
}

#[test]
fn choices_are_reported_and_a_few_of_them_change_nothing() {
    let (dir, path) = games();
    let out = dir.path().join("human.toml");
    let [file, out_name] = [&path, &out].map(|path| path.to_str().unwrap());
    let base = ["tune", "--relevance", "--target", "human", file, "--holdout", "0"];
    let args = ["--band", "1200-1500", "--json", "--out", out_name];
    let assert = command(&[&base[..], &args].concat()).assert().success();
    let json: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    assert_eq!((&json["moves"], &json["band"][1]), (&5.into(), &1500.into()));
    let goals = json["goals"].as_array().unwrap();
    assert!(json["choices"].as_u64().unwrap() <= 5 && goals.len() == 24, "{json}");
    for key in ["training", "held_out", "fitted", "likelihood_one", "top1_without", "own", "other"]
    {
        assert!(goals[0].get(key).is_some(), "{key}");
    }
    let start = Profile::builtin("standard").unwrap();
    assert_eq!(Profile::from_file(&out).unwrap().mind.relevance, start.mind.relevance);
    command(&base).assert().success().stdout(contains("8 moves of players rated 0 to 4000"));
}

#[test]
fn preferences_are_learned_from_the_moves_that_follow_them() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    // two nearly equal players, because a duel of equal players is rejected
    let [one, other] = ["one", "other"].map(|name| path(&format!("{name}.toml")));
    let taste = |percent: u16| {
        let felt = format!("{{ other = {{ king = {percent} }}, own = {{ pawns = 10 }} }}");
        format!("[feeling]\ntaste = 0\nsteps = 0\nfear = {felt}\nrelief = {felt}\n")
    };
    fs::write(&one, taste(300)).unwrap();
    fs::write(&other, taste(299)).unwrap();
    let played = path("played.pgn");
    command(&[
        "duel",
        &one,
        &other,
        "--nodes",
        "60",
        "--games",
        "300",
        "--threads",
        "2",
        "--pgn",
        &played,
    ])
    .assert()
    .success();
    let games = fs::read_to_string(&played).unwrap();
    let rated = games.replace("[White ", "[WhiteElo \"1500\"]\n[BlackElo \"1500\"]\n[White ");
    fs::write(&played, rated).unwrap();
    let (learned, flat) = (path("learned.toml"), path("flat.toml"));
    fs::write(&flat, "[feeling]\ntaste = 0\nfear = {}\nrelief = {}\n").unwrap();
    let fit = ["tune", "--relevance", "--target", "human", "--pull", "1", "--profile", &flat];
    let fit = [&fit[..], &["--json", &played]].concat();
    let assert = command(&fit).args(["--out", &learned]).assert().success();
    let json: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    let gain = &json["gain_over_none"];
    assert!(gain["mean"].as_f64() > gain["error"].as_f64(), "{gain}");
    let relevance = Profile::from_file(learned.as_ref()).unwrap().mind.relevance;
    // the goals of most choices; the others have too few choices to learn from
    let learned = [Goal::ConfineKing, Goal::DominateCentre]
        .map(|goal| relevance.goals[goal as usize].ratios(1.0));
    let mean = |of: fn(&Ratios) -> f64| learned.iter().map(of).sum::<f64>() / 2.0;
    assert!(mean(|ratios| ratios.other[Group::King as usize]) > 1.2, "{learned:?}");
    assert!(mean(|ratios| ratios.own[Group::Pawns as usize]) < 0.95, "{learned:?}");
}

#[test]
fn invalid_input_is_rejected_in_one_line() {
    let (_dir, path) = games();
    let file = path.to_str().unwrap();
    let target = ["tune", file, "--target", "human"];
    let fit = ["tune", file, "--target", "human", "--relevance"];
    let humans = ["humans", file];
    for (base, args, complaint) in [
        (&target[..], &[][..], "needs --relevance"),
        (&fit, &["--mix", "0.5"], "--mix cannot be used with --target human"),
        (&fit, &["--quiet", "skip"], "--quiet cannot be used with"),
        (&fit, &["--profile", "paper2012"], "measures"),
        (&fit, &["--only", "kng"], "did you mean `king`?"),
        (&fit, &["--band", "2000-2400"], "no choice to train on: none of the 0 moves"),
        (&["tune", "--relevance", file], &["--every", "2"], "--every needs --target human"),
        (&humans, &["--profile", "nobody"], "unknown profile `nobody`"),
        (&humans, &["--profile", "standard,Mood=1"], "Mood=1"),
        (&humans, &["--from-game", "4"], "found no moves by rated players (from game 4 on"),
        (&["humans", "nowhere.pgn"], &[], "nowhere.pgn: cannot be read"),
    ] {
        let assert = command(base).args(args).assert().code(2).stderr(contains(complaint));
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    for args in [&["--band", "1800-1000"][..], &["--band", "x"], &["--every", "0"]] {
        command(&fit).args(args).assert().code(2);
    }
    for args in [&["--nodes", "0"][..], &["--band-width", "0"], &["--from-game", "x"]] {
        command(&humans).args(args).assert().code(2);
    }
}
