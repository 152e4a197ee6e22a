//! Tests of `serve`: opponents in human style, draw offers, earlier feelings and reviews.

use super::server::{Answer, Server};
use serde_json::{Value, json};
use std::{thread, time::Duration};

/// A server with one game.
pub(super) struct Table {
    pub(super) server: Server,
    pub(super) id: String,
}

impl Table {
    pub(super) fn new() -> Self {
        let server = Server::start(&[]);
        let id = server.open();
        Self { server, id }
    }

    pub(super) fn act(&self, what: &str, body: &Value) -> Answer {
        self.server.post(&format!("/api/games/{}/{what}", self.id), body)
    }

    pub(super) fn get(&self, what: &str) -> Answer {
        self.server.get(&format!("/api/games/{}/{what}", self.id))
    }
}

#[test]
fn an_engine_in_human_style_pauses_and_shows_what_came_to_mind() {
    let table = Table::new();
    assert_eq!(table.act("new", &json!({"level": 1200, "nodes": 1})).status, 200);
    table.act("move", &json!({"move": "e4"}));
    let state = table.server.moves(&table.id, 2);
    assert_eq!(state["level"], 1200);
    let answer = &state["moves"][1];
    assert!(answer["spent"].as_u64() >= Some(500), "{answer}");
    let mind = &answer["mind"];
    let candidates = mind["moves"].as_array().unwrap();
    assert!(mind["legal"] == 20 && candidates.len() <= 7, "{mind}");
    assert!(candidates.iter().any(|one| one["san"] == answer["san"]), "{answer}");
    let percents = candidates.iter().map(|one| one["percent"].as_f64().unwrap());
    assert!(percents.clone().is_sorted_by(|a, b| a >= b) && percents.sum::<f64>() < 100.1);
    assert!(candidates.iter().all(|one| one["from"].as_str().unwrap().len() == 2), "{mind}");
    assert!(state["moves"][0]["mind"].is_null());
    assert_eq!(state["moves"][0]["board"], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR");
    let pgn = table.get("pgn").body;
    assert!(pgn.contains("[Black \"Deep Feeling (Standard, level 1200)\"]"), "{pgn}");
    // the moves without a pause, and then at full strength
    table.act("move", &json!({"move": "nf3"}));
    table.act("hurry", &json!({}));
    table.server.moves(&table.id, 4);
    for wrong in [1, 999, 2401] {
        assert_eq!(table.act("new", &json!({"level": wrong})).status, 400, "{wrong}");
    }
    table.act("new", &json!({"level": 0, "nodes": 100, "side": "black"}));
    let state = table.server.moves(&table.id, 1);
    assert!(state["level"].is_null() && state["moves"][0]["mind"].is_null(), "{state}");
}

#[test]
fn a_move_taken_back_during_the_pause_is_not_answered() {
    let table = Table::new();
    table.act("new", &json!({"level": 1400, "nodes": 1}));
    table.act("move", &json!({"move": "e4"}));
    table.act("undo", &json!({}));
    table.act("move", &json!({"move": "d4"}));
    let state = table.server.moves(&table.id, 2);
    assert_eq!(state["moves"][0]["san"], "d4");
}

#[test]
fn earlier_feelings_can_be_read() {
    let table = Table::new();
    table.act("new", &json!({"nodes": 100}));
    table.act("move", &json!({"move": "e4"}));
    table.server.moves(&table.id, 2);
    let start = table.get("felt/0").json();
    assert_eq!((&start["depth"], &start["side"]), (&json!(0), &json!("black")));
    let after = table.get("felt/2").json();
    assert!(after["fen"].as_str().unwrap().contains("/4P3/") && after["depth"] != 0, "{after}");
    for missing in ["felt/3", "felt/x", "felt/-1"] {
        assert_eq!(table.get(missing).status, 404, "{missing}");
    }
}

#[test]
fn a_draw_is_declined_early_and_once_per_move() {
    let table = Table::new();
    table.act("new", &json!({"nodes": 100}));
    assert_eq!(table.act("draw", &json!({})).status, 200);
    let state = table.server.moves(&table.id, 0);
    assert!(state["declined"] == true && state["end"].is_null(), "{state}");
    let again = table.act("draw", &json!({}));
    assert!(again.status == 409 && again.error().starts_with("It has declined."), "{}", again.body);
    table.act("move", &json!({"move": "e4"}));
    assert_eq!(table.server.moves(&table.id, 2)["declined"], false);
    table.act("resign", &json!({}));
    assert_eq!(table.act("draw", &json!({})).status, 409);
}

#[test]
fn a_finished_game_is_reviewed() {
    let table = Table::new();
    table.act("new", &json!({"moves": "f2f3", "side": "black", "nodes": 100}));
    let early = table.act("review", &json!({}));
    assert!(early.status == 409 && early.error().contains("when it is over"), "{}", early.body);
    assert_eq!(table.get("review").status, 409);
    let mate = "startpos moves f3 e5 g4 Qh4";
    table.act("new", &json!({"position": mate, "profile": "anxious", "nodes": 100}));
    let progress = loop {
        let progress = table.act("review", &json!({})).json();
        if progress["ready"] == true {
            break progress;
        }
        thread::sleep(Duration::from_millis(20));
    };
    assert_eq!((&progress["done"], &progress["all"]), (&json!(8), &json!(8)));
    let review = table.get("review").json();
    assert_eq!(review["moves"].as_array().unwrap().len(), 4);
    assert_eq!(review["reviews"][0]["profile"], "Standard");
    assert_eq!(review["reviews"][1]["profile"], "Anxious");
    assert_eq!(review["result"], "0-1");
    let page = table.get("report");
    assert!(page.status == 200 && page.body.starts_with("<!doctype html>"));
    table.act("new", &json!({}));
    assert_eq!(table.act("review", &json!({})).status, 409);
}

#[test]
fn chess960_is_played_from_its_positions() {
    let table = Table::new();
    let position = "1r1k1bqr/pppppppp/8/8/8/8/PPPPPPPP/1R1K1BQR w HBhb - 0 1";
    assert_eq!(table.act("new", &json!({"position": position, "nodes": 50})).status, 200);
    let state = table.server.moves(&table.id, 0);
    assert!(state["dests"]["d1"].as_array().unwrap().contains(&json!("b1")), "{state}");
    table.act("move", &json!({"move": "0-0-0"}));
    let state = table.server.moves(&table.id, 2);
    let castles = &state["moves"][0];
    assert_eq!((&castles["san"], &castles["uci"]), (&json!("O-O-O"), &json!("d1b1")));
    let pgn = table.get("pgn").body;
    assert!(pgn.contains("[Variant \"Chess960\"]"), "{pgn}");
}
