//! Tests of `imitate`: it finds an invented taste again, and refuses what it cannot fit.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use assert_cmd::Command;
use deepfeeling::{
    chess::game::Game,
    chess_mind::salience::Focus,
    lab::{imitate::imitate_choices, tune::policy::PolicyChoice},
    pgn::GameStage,
    player::human::{
        cue::{Cue, Scene},
        habit::Habits,
        policy::Policy,
        reading::{MoveReading, Readings},
    },
    profile::{HumanTaste, Profile},
    support::random::Random,
};
use predicates::prelude::*;
use shakmaty::Position;
use std::fs;

/// Plays `plies` moves of a person of this taste who reads nothing, and returns the choices.
fn played(policy: &Policy, plies: usize, random: &mut Random) -> Vec<PolicyChoice> {
    let (mut game, habits, focus) = (Game::default(), Habits::counted(), Focus::default());
    let mut choices = Vec::new();
    while choices.len() < plies && !game.chess.is_game_over() {
        let legal = game.chess.legal_moves();
        let moves =
            legal.iter().map(|&m| MoveReading { m, glance: 0, look: 0, read: 0, reply: None });
        let readings = Readings { moves: moves.collect(), best: None };
        let scene = Scene::new(&game, &readings, &focus, 0.0, &habits);
        let mut cues: Vec<_> = readings.moves.iter().map(|reading| scene.cues(reading)).collect();
        let mut left = random.unit();
        let chances = policy.probabilities(1500, &cues);
        let chosen = chances.iter().position(|chance| {
            left -= chance;
            left < 0.0
        });
        let chosen = chosen.unwrap_or_default();
        game.push(legal[chosen]);
        cues.swap(0, chosen);
        choices.push(PolicyChoice {
            moves: cues,
            book: None,
            rating: 1500,
            stage: GameStage::Opening,
            is_held_out: false,
        });
    }
    choices
}

#[test]
fn an_invented_taste_is_found_again() {
    let mut taste = HumanTaste::default();
    (taste.cues[Cue::Check as usize], taste.cues[Cue::Queen as usize]) = (1.2, -0.9);
    let policy = Policy::fitted().unwrap().with(&taste);
    let mut random = Random::new(1);
    let games = (0..60).map(|_| played(&policy, 30, &mut random)).collect();
    let standard = Profile::builtin("standard").unwrap();
    let found = imitate_choices(&standard, games, 0.2).unwrap();
    assert!(found.fitted[0] == 48 && found.fitted[1] > 1300, "{:?}", found.fitted);
    for (cue, added) in Cue::names().into_iter().zip(found.taste.cues) {
        match cue {
            "check" => assert!((0.6..1.8).contains(&added), "{added}"),
            "queen" => assert!((-1.5..-0.4).contains(&added), "{added}"),
            _ => assert!(added.abs() < 0.6, "{cue}: {added}"),
        }
    }
    let gain = found.judged.gain.estimate(2.0).unwrap();
    assert!(gain.mean > 0.005 && found.judged.likelihoods[1] > found.judged.likelihoods[0]);
    // a player like all others has hardly any weight of its own
    let games = (0..60).map(|_| played(&Policy::fitted().unwrap(), 20, &mut random)).collect();
    let plain = imitate_choices(&standard, games, 0.2).unwrap();
    assert!(plain.additions.len() < 6, "{:?}", plain.additions);
}

const GAME: &str = "[White \"Ann\"]\n[Black \"bob\"]\n[WhiteElo \"1500\"]\n[BlackElo \"1600\"]\n\n\
    1. a3 h6 2. h3 a6 3. Ra2 Rh7 4. Rh2 Ra7 5. Nc3 Nc6 *\n\n";

fn imitate(pgn: &str, options: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("deepfeeling").unwrap();
    command.args(["imitate", pgn]).args(options).assert()
}

#[test]
fn a_profile_is_written_and_few_games_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [pgn, out] = ["games.pgn", "ann.toml"].map(|name| folder.path().join(name));
    let [pgn_name, out_name] = [&pgn, &out].map(|path| path.to_str().unwrap());
    fs::write(&pgn, GAME.repeat(20)).unwrap();
    let options = ["--player", "ANN", "-o", out_name];
    let assert = imitate(pgn_name, &options).success();
    let warning = predicate::str::contains("warning: fewer than 200 games");
    assert.stdout(warning.and(predicate::str::contains("nats per move over human")));
    let profile = Profile::from_file(&out).unwrap();
    assert_eq!(profile.name, "ANN");
    assert_eq!(profile.weights, Profile::builtin("standard").unwrap().weights);
    // the file is ours, so it may be replaced
    let json = imitate(pgn_name, &[&options[..], &["--json"]].concat()).success();
    let json: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).unwrap();
    assert_eq!((&json["games"], &json["fitted_games"]), (&20.into(), &16.into()));
    for (text, options, complaint) in [
        (
            GAME.repeat(19),
            vec!["--player", "ann"],
            "found 19 games of the player, needed: at least 20",
        ),
        (GAME.repeat(2), vec!["--player", "anm"], "did you mean `Ann` (2 games)?"),
        (GAME.repeat(2), vec!["--player", "Ann", "--rating", "0"], "--rating"),
        (GAME.repeat(2), vec!["--player", "Ann", "--holdout", "0.9"], "allowed: 0.05 to 0.5"),
        (GAME.replace("1500", "?").repeat(20), vec!["--player", "Ann"], "give --rating"),
    ] {
        fs::write(&pgn, text).unwrap();
        let refused = imitate(pgn_name, &[&["-o", out_name], &options[..]].concat());
        refused.code(2).stdout("").stderr(predicate::str::contains(complaint));
    }
    let foreign = imitate(pgn_name, &["--player", "Ann", "-o", pgn_name]).code(2);
    foreign.stderr(predicate::str::contains("exists and is not a fitted profile"));
}
