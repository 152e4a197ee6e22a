//! Tests of `serve` with valid requests of a browser and with invalid ones.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod blind;
#[cfg(target_os = "linux")]
mod limits;
mod opponents;
mod questions;
mod server;

use deepfeeling::{chess::game::Game, profile::Profile};
use serde_json::{Value, json};
use server::{Server, command};
use shakmaty::Color;
use std::{
    io::Write,
    process::{Command, Stdio},
};

const TOKEN: &str = "a-token-for-this-test";

#[test]
fn only_the_page_and_its_files_are_served() {
    let server = Server::start(&[]);
    let page = server.get("/");
    assert!(page.status == 200 && page.body.contains("<title>Deep Feeling"));
    let parts = page.body.split(['"', '\'']);
    for part in parts.filter(|part| [Some("css"), Some("js")].contains(&part.split('.').nth(1))) {
        let file = server.get(&format!("/{part}"));
        assert!(
            file.status == 200 && file.head.contains("x-content-type-options: nosniff"),
            "{part}"
        );
        assert!(
            file.head.contains("content-security-policy: default-src 'none'; script-src 'self'")
        );
    }
    assert!(
        !page.body.contains("<style") && !page.body.contains("onclick"),
        "no inline styles or scripts"
    );
    for path in [
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/etc/passwd",
        "/live.js/",
        "/api",
        "/api/",
        "/api/games/",
        "/api/games/x/events",
        "/api/games/x/move",
        "/api/follow",
        "/live.js%00",
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.json()["error"].is_string(), "{path}");
    }
    let about = server.get("/api/about").json();
    assert_eq!(
        (about["follows"].as_bool(), about["profiles"][0]["id"].as_str()),
        (Some(false), Some("standard"))
    );
}

#[test]
fn invalid_methods_bodies_and_types_are_rejected() {
    let server = Server::start(&[]);
    let id = server.open();
    for (method, path) in
        [("POST", "/"), ("DELETE", "/api/about"), ("GET", "/api/games"), ("PUT", "/live.js")]
    {
        let answer = server.send(method, path, "", "");
        assert_eq!(answer.status, 405, "{method} {path}");
        assert!(answer.error().starts_with("method: found"), "{}", answer.body);
    }
    let path = format!("/api/games/{id}/move");
    assert_eq!(server.get(&path).status, 405);
    assert_eq!(server.send("POST", &path, "", "{}").status, 415);
    let long = server.post(&path, &json!({ "move": "x".repeat(20_000) }));
    assert!(long.status == 413 && long.error().ends_with("(allowed: 16384)"), "{}", long.body);
    for (body, message) in [
        (json!([]), "body: found `[]` (allowed: a JSON object)"),
        (json!({"mvoe": "e4"}), "key: found `mvoe` (allowed: move)"),
        (json!({"move": "e5"}), "move: found `e5` (allowed: a legal move such as Nf3 or e2e4)"),
        (json!({}), "move: found nothing (allowed: a legal move such as Nf3 or e2e4)"),
    ] {
        let answer = server.post(&path, &body);
        assert_eq!((answer.status, answer.error()), (400, message.to_owned()));
    }
    let new = format!("/api/games/{id}/new");
    for body in [
        json!({"nodes": 0}),
        json!({"nodes": 5_000_001}),
        json!({"seconds": 1}),
        json!({"seconds": 60, "nodes": 5}),
        json!({"side": "red"}),
        json!({"profile": "nobody"}),
        json!({"temperament": 201}),
        json!({"position": "8/8 w"}),
        json!({"moves": "e2e5"}),
    ] {
        assert_eq!(server.post(&new, &body).status, 400, "{body}");
    }
}

#[test]
fn foreign_origins_and_host_names_are_rejected() {
    let server = Server::start(&[]);
    for host in ["evil.example", "localhost", "127.0.0.1:1"] {
        let answer = server.send("GET", "/", &format!("Host: {host}\r\n"), "");
        assert_eq!(answer.status, 421, "{host}");
    }
    let twice = format!("Host: {0}\r\nHost: {0}\r\n", server.host);
    assert_eq!(server.send("GET", "/", &twice, "").status, 400);
    let json = "Content-Type: application/json\r\n";
    for wrong in
        ["Origin: http://evil.example\r\n", "Origin: null\r\n", "Sec-Fetch-Site: cross-site\r\n"]
    {
        let answer = server.send("POST", "/api/games", &format!("{json}{wrong}"), "{}");
        assert_eq!(answer.status, 403, "{wrong}");
    }
    let ours = format!("{json}Origin: http://{}\r\nSec-Fetch-Site: same-origin\r\n", server.host);
    assert_eq!(server.send("POST", "/api/games", &ours, "{}").status, 200);
}

#[test]
fn the_release_profile_unwinds_panics_so_that_other_games_survive() {
    let manifest: toml::Table = include_str!("../../../Cargo.toml").parse().unwrap();
    let release = manifest["profile"]["release"].as_table().unwrap();
    assert!(release.get("panic").is_none_or(|panic| panic.as_str() == Some("unwind")));
}

#[test]
fn invalid_http_is_harmless() {
    let server = Server::start(&[]);
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "X: y\r\n".repeat(1000));
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(100_000));
    for bytes in [
        "\r\n\r\n",
        "GET\r\n\r\n",
        "\0\0\0\0",
        "GET / HTTP/9.9\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        &many,
        &long,
    ] {
        let answer = server.raw(bytes.as_bytes());
        assert!(!answer.contains(" 200 "), "{answer}");
    }
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn a_game_can_be_played_and_downloaded() {
    let server = Server::start(&[]);
    let id = server.open();
    let act = |what: &str, body: Value| server.post(&format!("/api/games/{id}/{what}"), &body);
    assert_eq!(act("new", json!({"nodes": 2000, "profile": "anxious"})).status, 200);
    assert_eq!(act("move", json!({"move": "e4"})).status, 200);
    let state = server.moves(&id, 2);
    assert!(state["moves"][1]["intensity"].is_f64() && state["dests"]["g1"].is_array(), "{state}");
    let thought = server.wait_for(&format!("/api/games/{id}/events"), "thought", |_| true);
    assert!(thought["depth"].as_u64() > Some(0) && thought["line"][0].is_string(), "{thought}");
    let would = act("whatif", json!({"king_safety": -1})).json();
    assert_eq!((&would["side"], &would["given"]), (&json!("black"), &json!({"king_safety": -1.0})));
    let pgn = server.get(&format!("/api/games/{id}/pgn"));
    assert!(pgn.body.contains("1. e4 1... ") && pgn.body.contains("[%emo "), "{}", pgn.body);
    let toml = server.get(&format!("/api/games/{id}/profile"));
    assert_eq!(toml.body, include_str!("../../../config/anxious.toml"));
    assert_eq!(act("undo", json!({})).status, 200);
    server.moves(&id, 0);
    assert_eq!(act("undo", json!({})).status, 409);
    act("resign", json!({}));
    let end = server.state(&id, |state| !state["end"].is_null());
    assert_eq!(end["end"]["result"], "0-1");
    assert_eq!(act("move", json!({"move": "e4"})).status, 409);
    act("new", json!({"side": "black", "nodes": 500}));
    assert_eq!(server.moves(&id, 1)["human"], "black");
}

#[test]
fn whatif_starts_from_the_last_emotion_like_the_next_search() {
    let text = "[feeling]\ninertia = 0.9\nsteps = 0\n";
    let file = tempfile::Builder::new().suffix(".toml").tempfile().unwrap();
    std::fs::write(&file, text).unwrap();
    let mind = Profile::from_text(text, "moody.toml").unwrap().mind;
    let server = Server::start(&["--profile", file.path().to_str().unwrap()]);
    let id = server.open();
    let act = |what: &str, body: Value| server.post(&format!("/api/games/{id}/{what}"), &body);
    // Black is a queen up
    let position = "rnbqkbnr/ppp1pppp/8/3p4/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1";
    act("new", json!({"nodes": 500, "profile": "own", "position": position}));
    let state = server.moves(&id, 1);
    let last = state["moves"][0]["intensity"].as_f64().unwrap();
    let chess = Game::parse(state["fen"].as_str().unwrap(), None).unwrap().chess;
    let feels = |last| mind.appraise(&chess, Color::Black, 100, last).intensity;
    let is_near = |found: &Value, expected: f64| (found.as_f64().unwrap() - expected).abs() < 1e-6;
    assert!((feels(None) - feels(Some(last))).abs() > 1e-3, "{last}");
    let would = act("whatif", json!({"king_safety": -1})).json();
    assert!(is_near(&would["is"]["intensity"], feels(Some(last))), "{would}");
    assert!(!is_near(&would["would_be"]["intensity"], feels(Some(last))), "{would}");
    // the page shows the same intensity with six decimals; another profile has no earlier emotion
    act("temper", json!({"temperament": 100}));
    let shown = server.moves(&id, 1);
    assert!(is_near(&shown["feeling"]["intensity"], feels(Some(last))), "{shown}");
    act("temper", json!({"profile": "anxious"}));
    let anxious = Profile::builtin("anxious").unwrap().mind;
    let fresh = anxious.appraise(&chess, Color::Black, 100, None).intensity;
    let would = act("whatif", json!({"king_safety": -1})).json();
    assert!(is_near(&would["is"]["intensity"], fresh), "{would}");
}

#[test]
fn games_stay_apart_and_end_by_the_rules() {
    let server = Server::start(&["--threads", "1"]);
    let [one, other] = [server.open(), server.open()];
    let post =
        |id: &str, what: &str, body: Value| server.post(&format!("/api/games/{id}/{what}"), &body);
    let fen = "6k1/P4ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    post(&one, "new", json!({"position": fen, "nodes": 500}));
    post(&one, "move", json!({"move": "a8=Q"}));
    let end = server.state(&one, |state| !state["end"].is_null());
    assert_eq!(end["end"], json!({"result": "1-0", "reason": "White wins by checkmate"}));
    assert_eq!(end["moves"][0]["uci"], "a7a8q");
    assert!(server.moves(&other, 0)["end"].is_null());
    // a game can be continued from any move list
    post(&other, "new", json!({"moves": "e2e4 e7e5 g1f3", "nodes": 500}));
    assert_eq!(server.moves(&other, 4)["moves"][2]["san"], "Nf3");
    post(&other, "new", json!({"seconds": 60, "increment": 1}));
    assert_eq!(server.moves(&other, 0)["clocks"]["running"], Value::Null);
    post(&other, "move", json!({"move": "d4"}));
    assert_eq!(server.moves(&other, 2)["clocks"]["running"], "white");
}

#[test]
fn mates_are_counted_in_moves_for_both_sides() {
    let server = Server::start(&["--threads", "1"]);
    let id = server.open();
    let post = |what: &str, body: Value| server.post(&format!("/api/games/{id}/{what}"), &body);
    post("new", json!({"position": "4k3/8/8/8/1r6/r7/8/6K1 b - - 0 1", "nodes": 2000}));
    let black = server.moves(&id, 1);
    assert_eq!(black["moves"][0]["score"], json!({"mate": -2}));
    post(
        "new",
        json!({"position": "6k1/8/R7/1R6/8/8/8/4K3 w - - 0 1", "side": "black", "nodes": 2000}),
    );
    let white = server.moves(&id, 1);
    assert_eq!(white["moves"][0]["score"], json!({"mate": 2}));
}

#[test]
fn a_public_address_needs_a_token() {
    for (arguments, message) in [
        (
            &["--bind", "0.0.0.0"][..],
            "--bind 0.0.0.0 is not a loopback address, so --token is required",
        ),
        (&["--token", "short"], "--token: found 5 characters (allowed: 16 to 256"),
        (&["--bind", "0.0.0.0", "--token", "with a space in the middle"], "--token: found 26"),
    ] {
        let output = command(arguments).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && error.contains(message), "{error}");
    }
    let server = Server::start(&["--token", TOKEN]);
    assert_eq!(server.get("/").status, 200, "the page asks for the token");
    for wrong in
        ["", "Authorization: Bearer a-token-for-this-tesT\r\n", "Authorization: Basic x\r\n"]
    {
        let answer = server.send("GET", "/api/about", wrong, "");
        assert!(answer.status == 401 && !answer.body.contains("this-tes"), "{}", answer.body);
    }
    for scheme in ["Bearer", "bearer", "BEARER"] {
        let right = format!("Authorization: {scheme} {TOKEN}\r\n");
        assert_eq!(server.send("GET", "/api/about", &right, "").status, 200, "{scheme}");
    }
}

#[test]
fn a_growing_feelings_file_is_followed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("feelings.jsonl");
    let server = Server::start(&["--follow", path.to_str().unwrap()]);
    assert_eq!(server.get("/api/about").json()["follows"], true);
    let mut engine = Command::new(env!("CARGO_BIN_EXE_deepfeeling"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = engine.stdin.take().unwrap();
    writeln!(input, "setoption name FeelingsFile value {}", path.display()).unwrap();
    writeln!(input, "position startpos moves e2e4\ngo depth 5\nquit").unwrap();
    assert!(engine.wait().unwrap().success());
    let record = server.wait_for("/api/follow", "record", |_| true);
    assert_eq!((&record["side"], &record["v"]), (&json!("black"), &json!(2)));
    assert!(record["line"][0].is_string(), "{record}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_server_and_an_address_in_use_is_reported() {
    for signal in ["-INT", "-TERM"] {
        let mut server = Server::start(&[]);
        let id = server.open();
        server.post(&format!("/api/games/{id}/new"), &json!({"side": "black", "nodes": 5_000_000}));
        let port = server.host.split(':').nth(1).unwrap();
        let second = command(&["--port", port]).output().unwrap();
        let error = String::from_utf8(second.stderr).unwrap();
        assert!(second.status.code() == Some(2) && error.contains("cannot listen on "), "{error}");
        Command::new("kill").args([signal, &server.child.id().to_string()]).status().unwrap();
        assert!(server.child.wait().unwrap().success());
    }
}
