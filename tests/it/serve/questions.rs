//! Tests of `serve`: hints, comparisons with and without feeling, pasted games and opening names.

use super::{opponents::Table, server::Server};
use serde_json::{Value, json};

/// Waits for the state that satisfies `is_it`.
fn wait(table: &Table, is_it: impl Fn(&Value) -> bool) -> Value {
    table.server.state(&table.id, is_it)
}

#[test]
fn a_hint_is_a_good_move_until_the_next_move() {
    let table = Table::new();
    table.act("new", &json!({"position": "startpos moves f3 e5 g4", "side": "black"}));
    assert_eq!(table.act("hint", &json!({})).status, 200);
    let state = wait(&table, |state| !state["hint"].is_null());
    assert_eq!(
        (&state["hint"]["san"], &state["hint"]["score"]),
        (&json!("Qh4#"), &json!({"mate": -1}))
    );
    table.act("move", &json!({"move": "Qh4"}));
    let state = wait(&table, |state| !state["end"].is_null());
    assert!(state["hint"].is_null());
    assert_eq!(table.act("hint", &json!({})).status, 409, "the game is over");
}

#[test]
fn a_move_ends_the_question_about_the_position_before_it() {
    let table = Table::new();
    table.act("new", &json!({"nodes": 100}));
    table.act("hint", &json!({}));
    table.act("move", &json!({"move": "e4"}));
    let state = table.server.moves(&table.id, 2);
    assert!(state["asked"].is_null() && state["hint"].is_null(), "{state}");
}

#[test]
fn moves_are_compared_with_and_without_feeling() {
    let table = Table::new();
    for level in [0, 1400] {
        let order = json!({"profile": "anxious", "nodes": 2000, "level": level});
        table.act("new", &order);
        table.act("move", &json!({"move": "e4"}));
        let state = table.server.moves(&table.id, 2);
        assert!(state["moves"][1]["comparison"].is_null());
        for wrong in [json!({}), json!({"ply": 1}), json!({"ply": 3})] {
            assert_eq!(table.act("compare", &wrong).status, 409, "{wrong}");
        }
        assert_eq!(table.act("compare", &json!({"ply": 0})).status, 400);
        assert_eq!(table.act("compare", &json!({"ply": 2})).status, 200);
        let state = wait(&table, |state| !state["moves"][1]["comparison"].is_null());
        let answer = &state["moves"][1];
        for kind in ["with", "without"] {
            let choice = &answer["comparison"][kind];
            assert_eq!(choice["from"].as_str().unwrap().len(), 2, "{choice}");
            assert_eq!(choice["line"][0], choice["san"]);
        }
        if level > 0 {
            // in human style, an equal seed gives an equal move
            assert_eq!(answer["comparison"]["with"]["san"], answer["san"]);
        }
    }
}

#[test]
fn a_comparison_keeps_the_hint() {
    let table = Table::new();
    table.act("new", &json!({"profile": "anxious", "nodes": 500}));
    table.act("move", &json!({"move": "e4"}));
    table.server.moves(&table.id, 2);
    table.act("hint", &json!({}));
    wait(&table, |state| !state["hint"].is_null());
    table.act("compare", &json!({"ply": 2}));
    let state = wait(&table, |state| !state["moves"][1]["comparison"].is_null());
    assert!(!state["hint"].is_null() && state["asked"].is_null(), "{state}");
}

#[test]
fn a_record_has_the_squares_terms_and_the_opponents_feeling() {
    let table = Table::new();
    table.act("new", &json!({"profile": "anxious", "nodes": 500}));
    table.act("move", &json!({"move": "e4"}));
    let state = table.server.moves(&table.id, 2);
    let record = &state["feeling"];
    assert!(
        record["squares"].is_array() && record["opponent"]["intensity"].is_number(),
        "{record}"
    );
    assert_eq!(record["terms"]["king"].as_array().unwrap().len(), 2);
    assert!(state["moves"][0]["intensity"].is_number(), "imagined for the person");
}

#[test]
fn a_pasted_game_is_continued_or_looked_back_at() {
    let table = Table::new();
    let pgn = "[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n1. e4 c5 2. Nf3 1-0";
    assert_eq!(table.act("import", &json!({})).status, 400);
    assert_eq!(table.act("import", &json!({"pgn": pgn, "side": "black"})).status, 200);
    let state = wait(&table, |state| !state["end"].is_null());
    assert_eq!(state["players"], json!(["Ann", "Bob"]));
    assert_eq!(state["end"], json!({"result": "1-0", "reason": "End of the pasted game"}));
    assert_eq!(state["moves"][1]["opening"], json!({"eco": "B20", "name": "Sicilian Defense"}));
    let saved = table.get("pgn").body;
    assert!(saved.contains("[White \"Ann\"]") && saved.contains("[Result \"1-0\"]"), "{saved}");
    assert!(saved.contains("[ECO \"B27\"]"), "{saved}");
    assert_eq!(table.act("review", &json!({})).status, 200);
    let order = json!({"pgn": pgn, "side": "black", "nodes": 100});
    assert_eq!(table.act("new", &order).status, 200);
    let state = wait(&table, |state| state["end"].is_null());
    assert!(state["players"].is_null() && state["moves"].as_array().unwrap().len() == 3, "{state}");
    let error = table.act("new", &json!({"pgn": "1. e4 e5 2. Ke3 *"}));
    assert!(error.status == 400 && error.error().contains("Ke3"), "{}", error.body);
    assert_eq!(error.json()["key"], "pgn");
}

#[test]
fn the_page_can_be_installed() {
    let server = Server::start(&[]);
    for (path, kind) in [
        ("/app.webmanifest", "application/manifest+json"),
        ("/sw.js", "text/javascript"),
        ("/offline.html", "text/html"),
        ("/icon.svg", "image/svg+xml"),
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.head.contains(&format!("content-type: {kind}")), "{path}: {}", answer.head);
    }
    let head = server.get("/").head;
    assert!(head.contains("manifest-src 'self'") && head.contains("worker-src 'self'"), "{head}");
}
