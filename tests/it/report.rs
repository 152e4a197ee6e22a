//! Tests of `report`, which writes an HTML page for a game, and of its errors.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use assert_cmd::Command;
use predicates::prelude::*;
use std::{fs, path::Path};

const IMMORTAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/immortal.pgn");

fn report(pgn: &str, output: &Path, options: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("deepfeeling").unwrap();
    let command = command.args(["report", pgn, "--nodes", "100", "-o"]).arg(output).args(options);
    command.assert()
}

fn refused(pgn: &str, output: &Path, options: &[&str], complaint: &str) {
    let assert = report(pgn, output, options).code(2).stdout("");
    assert.stderr(
        predicate::str::contains(complaint)
            .and(predicate::function(|text: &str| text.trim_end().lines().count() == 1)),
    );
}

/// Returns the JSON data of a page.
fn data(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once("<script id=\"game\" type=\"application/json\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_game_becomes_a_self_contained_page() {
    let dir = tempfile::tempdir().unwrap();
    let output = dir.path().join("page.html");
    let message = predicate::str::ends_with("page.html: game 1, 45 plies\n");
    report(IMMORTAL, &output, &[]).success().stdout(message);
    let first = fs::read_to_string(&output).unwrap();
    assert!(first.starts_with("<!doctype html>") && first.len() < 1_500_000);
    assert!(first.contains("<title>Adolf Anderssen – Lionel Kieseritzky</title>"));
    for reach in ["src=\"", "href=\"", "@import", "fetch(", "url(http"] {
        assert!(!first.contains(reach), "{reach}");
    }
    let page_data = data(&first);
    assert_eq!(
        (&page_data["result"], &page_data["reviews"][0]["profile"]),
        (&"1-0".into(), &"Standard".into())
    );
    let plies = page_data["reviews"][0]["plies"].as_array().unwrap();
    assert_eq!((plies.len(), page_data["moves"].as_array().unwrap().len()), (45, 45));
    assert_eq!(page_data["occasion"], serde_json::json!(["Casual game", "London", "21 June 1851"]));
    assert_eq!(plies[44]["score"], serde_json::json!(["#1", "mate"]));
    assert_eq!(page_data["moves"][44]["label"], "23.");
    for ply in plies {
        let [without, with] = [0, 1].map(|i| {
            let terms = ply["terms"].as_array().unwrap().iter();
            terms.map(|term| term[i].as_f64().unwrap()).sum::<f64>()
        });
        assert!((without - ply["total"][0].as_f64().unwrap()).abs() < 0.06);
        assert!((with - ply["total"][1].as_f64().unwrap()).abs() < 0.06);
    }
    let lessons = page_data["lessons"].as_array().unwrap();
    assert_eq!((&lessons[0]["side"], &lessons[1]["side"]), (&"white".into(), &"black".into()));
    let all = lessons.iter().flat_map(|own| own["lessons"].as_array().unwrap());
    assert!((1..=6).contains(&all.clone().count()));
    for example in all.map(|lesson| &lesson["examples"][0]) {
        // the page finds the move by its number and its name
        let moves = page_data["moves"].as_array().unwrap().iter();
        let is_it = |m: &&serde_json::Value| {
            m["label"] == example["number"] && m["san"] == example["played"]
        };
        assert_eq!(moves.filter(is_it).count(), 1, "{example}");
    }
    // a second run overwrites the page with equal content
    report(IMMORTAL, &output, &[]).success();
    assert_eq!(fs::read_to_string(&output).unwrap(), first);
}

#[test]
fn two_temperaments_review_the_same_game() {
    let dir = tempfile::tempdir().unwrap();
    let output = dir.path().join("page.html");
    report(IMMORTAL, &output, &["--profile", "neutral", "--against", "paper2012"]).success();
    let page_data = data(&fs::read_to_string(&output).unwrap());
    let [calm, article] = [0, 1].map(|i| &page_data["reviews"][i]);
    assert_eq!(calm["terms"].as_array().unwrap().len(), 10);
    // the page marks moves by this key
    let grades: Vec<_> =
        calm["plies"].as_array().unwrap().iter().map(|ply| &ply["judgement"]).collect();
    assert!(grades.iter().any(|grade| grade.is_null()));
    assert!(grades.iter().any(|grade| *grade == "blunder"), "{grades:?}");
    assert_eq!(article["terms"], serde_json::json!(["material", "mobility", "king"]));
    for ply in calm["plies"].as_array().unwrap() {
        for side in ["own", "other"] {
            assert!(
                ply["factors"][side].as_object().unwrap().values().all(|factor| *factor == 1.0)
            );
        }
        assert_eq!(ply["total"][0], ply["total"][1]);
    }
}

#[test]
fn one_game_of_several_can_be_chosen() {
    let dir = tempfile::tempdir().unwrap();
    let [output, pgn] = ["page.html", "games.pgn"].map(|name| dir.path().join(name));
    let chess960 = "[White \"a\"]\n[Variant \"Chess960\"]\n\
         [FEN \"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1\"]\n\n1. O-O O-O 2. g3 *\n";
    let games = format!("1. e4 e5 *\n\n{chess960}\n1. e4 e5 2. Ke3 *\n\n[White \"c\"]\n\n*\n");
    fs::write(&pgn, games).unwrap();
    let pgn = pgn.to_str().unwrap();
    report(pgn, &output, &["--game", "2"]).success();
    let page_data = data(&fs::read_to_string(&output).unwrap());
    assert_eq!(page_data["players"]["white"], "a");
    assert_eq!(page_data["result"], "unfinished");
    let castles = &page_data["moves"][0];
    assert_eq!(
        (&castles["san"], &castles["from"], &castles["to"]),
        (&"O-O".into(), &"f1".into(), &"g1".into())
    );
    let before = fs::read(&output).unwrap();
    refused(pgn, &output, &["--game", "3"], "game 3: 2. Ke3 is illegal");
    refused(pgn, &output, &["--game", "4"], "game 4 has no moves");
    refused(pgn, &output, &["--game", "5"], "found no game 5, allowed: 1 to 4");
    refused(IMMORTAL, &output, &["--game", "2"], "found no game 2, allowed: 1 (the only game)");
    assert_eq!(fs::read(&output).unwrap(), before, "the old page is kept");
}

#[test]
fn errors_are_reported_and_existing_files_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let output = dir.path().join("page.html");
    let pgn = dir.path().join("games.pgn");
    fs::copy(IMMORTAL, &pgn).unwrap();
    refused(IMMORTAL, &pgn, &[], "exists and is not an HTML page: choose another name");
    assert_eq!(fs::read(&pgn).unwrap(), fs::read(IMMORTAL).unwrap());
    refused(IMMORTAL, &dir.path().join("no/page.html"), &[], "there is no folder");
    refused(IMMORTAL, dir.path(), &[], "cannot be written");
    refused("nowhere.pgn", &output, &[], "nowhere.pgn: cannot be read");
    fs::write(&pgn, "words\n").unwrap();
    refused(pgn.to_str().unwrap(), &output, &[], "found no game, expected PGN");
    refused(IMMORTAL, &output, &["--profile", "brave"], "unknown profile `brave`");
    assert!(!output.exists());
}
