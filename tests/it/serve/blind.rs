//! Tests of `serve`: blind games, in which the player guesses the engine's profile.

use super::opponents::Table;
use serde_json::{Value, json};

/// Plays two moves of a blind game.
fn begun(table: &Table) -> Value {
    assert_eq!(table.act("new", &json!({"blind": true, "nodes": 100})).status, 200);
    table.act("move", &json!({"move": "e4"}));
    table.server.moves(&table.id, 2);
    table.act("move", &json!({"move": "Nf3"}));
    table.server.moves(&table.id, 4)
}

#[test]
fn nothing_names_the_profile_before_the_guess() {
    let table = Table::new();
    let state = begun(&table);
    assert_eq!(state["blind"]["candidates"].as_array().unwrap().len(), 4, "{state}");
    assert!(state["blind"]["guess"].is_null() && state["profile"].is_null(), "{state}");
    assert!(state["feeling"].is_null(), "{state}");
    for key in ["intensity", "goal", "comparison", "mind"] {
        assert!(state["moves"].as_array().unwrap().iter().all(|one| one[key].is_null()), "{key}");
    }
    for (action, body) in [
        ("temper", json!({"temperament": 0})),
        ("whatif", json!({"material": 1})),
        ("compare", json!({"ply": 2})),
        ("review", json!({})),
    ] {
        let answer = table.act(action, &body);
        assert_eq!(answer.status, 409, "{action}");
        assert_eq!(answer.json()["error"], "Guess first who you are playing.", "{action}");
    }
    assert_eq!((table.get("profile").status, table.get("felt/2").status), (409, 404));
    let pgn = table.get("pgn").body;
    assert!(pgn.contains("[Black \"Deep Feeling (hidden)\"]") && !pgn.contains("feels"), "{pgn}");
    let hint = table.act("hint", &json!({}));
    assert_eq!(hint.status, 200, "a hint comes from another profile");
}

#[test]
fn the_guess_shows_everything() {
    let table = Table::new();
    let state = begun(&table);
    let candidates = state["blind"]["candidates"].as_array().unwrap();
    let wrong = table.act("guess", &json!({"profile": "neutral"}));
    assert_eq!((wrong.status, &wrong.json()["key"]), (400, &json!("profile")));
    assert_eq!(table.act("guess", &json!({})).status, 400);
    let guess = &candidates[2];
    assert_eq!(table.act("guess", &json!({ "profile": guess })).status, 200);
    let state = table.server.moves(&table.id, 4);
    assert_eq!(&state["blind"]["guess"], guess);
    assert!(candidates.contains(&state["profile"]), "{state}");
    assert!(state["feeling"]["intensity"].is_number(), "{state}");
    assert!(state["moves"][3]["intensity"].is_number(), "{state}");
    assert_eq!((table.get("profile").status, table.get("felt/2").status), (200, 200));
    assert_eq!(table.act("guess", &json!({ "profile": guess })).status, 409, "only one guess");
    // the next game is not blind
    table.act("new", &json!({"profile": "gambler"}));
    let state = table.server.moves(&table.id, 0);
    assert!(state["blind"].is_null() && state["profile"] == "gambler", "{state}");
    assert_eq!(table.act("guess", &json!({"profile": "gambler"})).status, 409);
}

#[test]
fn a_blind_game_chooses_its_profile_itself() {
    let table = Table::new();
    for (key, value) in
        [("profile", json!("gambler")), ("temperament", json!(50)), ("pgn", json!("1. e4"))]
    {
        let answer = table.act("new", &json!({"blind": true, key: value}));
        assert_eq!((answer.status, &answer.json()["key"]), (400, &json!("blind")), "{key}");
    }
    assert_eq!(table.act("new", &json!({"blind": 1})).status, 400);
    assert_eq!(table.act("new", &json!({"blind": false, "profile": "gambler"})).status, 200);
}
