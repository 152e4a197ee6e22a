//! Tests of `tune --relevance`, which must find the factors of the goal that generated the results.
//!
//! Other goals keep their factors. Invalid input is rejected.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
#![allow(clippy::cast_precision_loss, reason = "scores are far within what floats hold")]

use assert_cmd::Command;
use deepfeeling::{
    chess_mind::{Goal, GoalRelevance, Ratios},
    eval::{finish, group::Group, sums::Sums, trace},
    lab::tune::model::logistic,
    profile::Profile,
    support::random::Random,
};
use predicates::str::contains;
use shakmaty::{ByColor, Chess, EnPassantMode, Position, fen::Fen};
use std::{fmt::Write as _, fs, path::Path};

/// Returns positions of random games, none of them in check.
fn walks(count: usize) -> Vec<Chess> {
    let mut random = Random::new(11);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut chess = Chess::default();
        for ply in 0..120 {
            let moves = chess.legal_moves();
            if moves.is_empty() || chess.is_insufficient_material() {
                break;
            }
            chess.play_unchecked(moves[random.below(moves.len())]);
            let alive = !chess.is_check() && !chess.legal_moves().is_empty();
            if ply > 8 && random.below(4) == 0 && alive {
                positions.push(chess.clone());
            }
        }
    }
    positions.truncate(count);
    positions
}

/// Returns CSV rows with results drawn from the scores of a player with `ratios` under `goal`.
fn csv(goal: Goal, ratios: Ratios) -> String {
    let profile = Profile::builtin("standard").unwrap();
    let mut mind = profile.mind.clone();
    for (other, relevance) in Goal::ALL.into_iter().zip(&mut mind.relevance.goals) {
        *relevance = GoalRelevance::neutral();
        if other == goal {
            *relevance = GoalRelevance::sides(ratios, ratios);
        }
    }
    let mut random = Random::new(12);
    let mut text = String::from("fen,result,cp\n");
    for chess in walks(16_000) {
        let side = chess.turn();
        let relevance = mind.appraise(&chess, side, 100, None).ratios.relevance(side);
        let weights = ByColor::new_with(|color| profile.weights.under(relevance.get(color)));
        let phase = Sums::of(chess.board(), &weights).phase;
        let white = finish(trace(&chess).under(&weights), phase, &chess);
        let chance = f64::from(logistic(0.003 * white as f32));
        let result = u8::from(random.unit() < chance);
        let fen = Fen::from_position(&chess, EnPassantMode::Legal);
        writeln!(text, "{fen},{result},{white}").unwrap();
    }
    text
}

fn tune(file: &Path) -> Command {
    let mut command = Command::cargo_bin("deepfeeling").unwrap();
    command.args(["tune", "--relevance", "--quiet", "trust"]).arg(file);
    command
}

#[test]
fn only_the_goal_of_the_positions_learns_factors() {
    let dir = tempfile::tempdir().unwrap();
    let (data, out) = (dir.path().join("data.csv"), dir.path().join("felt.toml"));
    let mut ratios = Ratios::NEUTRAL;
    ratios.other[Group::King as usize] = 2.0;
    ratios.own[Group::Mobility as usize] = 0.5;
    fs::write(&data, csv(Goal::DominateCentre, ratios)).unwrap();
    let args = ["--mix", "1", "--pull", "0.01", "--k", "0.003", "--out"];
    tune(&data).args(args).arg(&out).assert().success().stdout(contains("dominate_centre"));
    let felt = Profile::from_file(&out).unwrap();
    let start = Profile::builtin("standard").unwrap();
    assert_eq!((&felt.weights, &felt.mind.ladder), (&start.weights, &start.mind.ladder));
    let relief = |goal: Goal| felt.mind.relevance.goals[goal as usize].ratios(1.0);
    let learned = relief(Goal::DominateCentre);
    // less than the true factor: the mean score is fixed, so other groups absorb a part
    assert!((1.4..2.1).contains(&learned.other[Group::King as usize]), "{learned:?}");
    assert!((0.4..0.8).contains(&learned.own[Group::Mobility as usize]), "{learned:?}");
    let castle = relief(Goal::Castle);
    assert!((castle.other[Group::King as usize] - 1.0).abs() < 0.3, "{castle:?}");
}

#[test]
fn invalid_input_is_rejected_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("data.csv");
    fs::write(&file, "fen,result\n8/8/8/8/8/4k3/4p3/4K3 w - - 0 1,0\n").unwrap();
    for (args, complaint) in [
        (&["--only", "kng"][..], "did you mean `king`?"),
        (&["--only", "king", "--freeze", "king"], "no weight is left to fit"),
        (&["--epochs", "3"], "--epochs"),
        (&["--validate", "x.csv"], "--validate"),
        (&["--profile", "paper2012"], "measures"),
        (&[], "no position to train on"),
        (&["--out", "/no/such/folder/x.toml"], "no folder"),
    ] {
        let assert = tune(&file).args(args).assert().code(2).stderr(contains(complaint));
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(!error.contains("panicked"), "{error}");
    }
}
