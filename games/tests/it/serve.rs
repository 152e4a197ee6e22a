//! Tests of the JSON answers of `serve`, over plain TCP.

use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    time::Duration,
};

/// A wait longer than this means that the server hangs.
const HANGS: Duration = Duration::from_mins(1);
/// The seed of all games here.
const START: u64 = 7;

/// A running server. It is killed when the test ends.
struct Server {
    child: Child,
    host: String,
}

impl Server {
    fn start() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_deepfeeling-games"));
        let mut child =
            command.args(["serve", "--port", "0"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let host = line.trim().strip_prefix("http://").unwrap().trim_end_matches('/').to_owned();
        Self { child, host }
    }

    /// Returns status and body of an answer.
    fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(HANGS)).unwrap();
        let (host, length) = (&self.host, body.len());
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{headers}");
        write!(stream, "{head}Content-Length: {length}\r\n\r\n{body}").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let path = format!("/api/{path}");
        let json = "Content-Type: application/json\r\n";
        let (status, text) = self.send("POST", &path, json, &body.to_string());
        (status, serde_json::from_str(&text).unwrap())
    }

    /// Returns the answer to a valid request.
    fn answer(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.post(path, body);
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    /// Returns status and message of the answer to an invalid request.
    fn refusal(&self, path: &str, body: &Value) -> (u16, String) {
        let (status, answer) = self.post(path, body);
        let error = answer["error"].as_str().unwrap().to_owned();
        assert_eq!(error.lines().count(), 1, "{error}");
        (status, error)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Plays a game to its end, with the first legal move for the person. Returns the last state and the
/// request for it.
fn played(server: &Server, game: &str, mut order: Value) -> (Value, Value) {
    let mut state = server.answer(&format!("{game}/state"), &order);
    while state["result"].is_null() {
        order["moves"] = state["moves"].clone();
        if state["turn"] == state["person"] {
            let mut order = order.clone();
            order["move"] = state["legal"][0]["name"].clone();
            state = server.answer(&format!("{game}/move"), &order);
        } else {
            state = server.answer(&format!("{game}/reply"), &order);
        }
    }
    order["moves"] = state["moves"].clone();
    (state, order)
}

#[test]
fn the_page_and_its_parts_are_served() {
    let server = Server::start();
    let (status, page) = server.send("GET", "/", "", "");
    assert!(status == 200 && page.contains("<title>Deep Feeling Games</title>"), "{page}");
    let styles = page.split("href=\"").skip(1).filter_map(|part| part.split('"').next());
    for file in styles.chain(["games.js", "ribbon.js", "map.js", "tilt.js"]) {
        let (status, text) = server.send("GET", &format!("/{file}"), "", "");
        assert!(status == 200 && !text.is_empty(), "{file}: {status}");
    }
    let (status, games) = server.send("GET", "/api/games", "", "");
    let games: Value = serde_json::from_str(&games).unwrap();
    assert!(status == 200 && games[0]["game"] == "horses" && games[1]["game"] == "tilt");
    assert_eq!(games[0]["temperaments"].as_array().unwrap().last().unwrap()["name"], "calm");
    for path in ["/no-file", "/api/chess", "/api/", "/live.js", "/../Cargo.toml"] {
        assert_eq!(server.send("GET", path, "", "").0, 404, "{path}");
    }
    assert_eq!(server.send("DELETE", "/api/games", "", "").0, 405);
    let foreign = "Origin: http://evil.example\r\n";
    assert_eq!(server.send("GET", "/api/games", foreign, "").0, 403);
}

#[test]
fn a_taken_port_is_an_error_on_one_line() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_deepfeeling-games"));
    let ended = command.args(["serve", "--port", &port]).output().unwrap();
    let error = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.code() == Some(2) && ended.stdout.is_empty(), "{error}");
    let place = format!("error: serve: cannot listen on 127.0.0.1:{port}: ");
    assert!(error.starts_with(&place) && error.lines().count() == 1, "{error}");
}

#[test]
fn a_move_is_answered_and_taken_back() {
    let server = Server::start();
    let order = json!({"level": "beginner", "seed": START, "side": "white"});
    let start = server.answer("horses/state", &order);
    assert_eq!((&start["turn"], &start["person"]), (&json!(0), &json!(0)));
    assert_eq!(start["board"]["squares"].as_array().unwrap().len(), 62);
    let name = start["legal"][0]["name"].as_str().unwrap().to_owned();
    let mut order = order;
    order["move"] = json!(name);
    let moved = server.answer("horses/move", &order);
    assert_eq!(moved["last"]["to"], json!(name));
    assert_eq!(moved["turn"], 1);
    order.as_object_mut().unwrap().remove("move");
    order["moves"] = moved["moves"].clone();
    let replied = server.answer("horses/reply", &order);
    assert_eq!(replied["thought"], "looked 2 moves ahead");
    assert_eq!(replied, server.answer("horses/reply", &order), "equal requests, equal answers");
    order["moves"] = replied["moves"].clone();
    assert_eq!(server.answer("horses/undo", &order), start);
}

#[test]
fn both_sides_feel_and_the_feeling_can_be_switched_off_in_a_game() {
    let server = Server::start();
    let (_, mut order) = played(&server, "horses", json!({"level": "beginner", "seed": START}));
    let all = order["moves"].as_str().unwrap().to_owned();
    let moves: Vec<&str> = all.split(' ').collect();
    let mut sentences = Vec::new();
    for count in 0..moves.len() {
        order["moves"] = json!(moves[..count].join(" "));
        let state = server.answer("horses/state", &order);
        for feeling in state["feelings"].as_array().unwrap() {
            let (words, intensity) =
                (feeling["sentence"].as_str().unwrap(), feeling["intensity"].as_f64().unwrap());
            assert!((-1.0..=1.0).contains(&intensity) && words.contains(": "), "{words}");
            sentences.push(words.to_owned());
        }
        let choice = server.answer("horses/choice", &order);
        order["temperament"] = json!("calm");
        assert_eq!(server.answer("horses/state", &order)["temperament"], "calm");
        assert_eq!(server.answer("horses/choice", &order), choice);
        order["temperament"] = json!("standard");
        if !choice.is_null() {
            assert_eq!(choice["played"], choice["felt"], "the machine played with its feeling");
        }
    }
    assert!(sentences.iter().any(|text| text.contains("; wants to ")), "{sentences:?}");
    assert!(sentences.iter().any(|text| text.starts_with("afraid: ")), "{sentences:?}");
}

#[test]
fn the_map_the_factors_and_another_strength_are_answered() {
    let server = Server::start();
    let mut order = json!({"level": "beginner", "seed": START, "side": "white"});
    let start = server.answer("horses/state", &order);
    let concepts = start["map"]["concepts"].as_array().unwrap();
    assert_eq!(concepts.len(), 7);
    for concept in concepts {
        let name = concept["name"].as_str().unwrap();
        assert!(start["detail"]["concepts"][name].is_f64(), "{name}: {start}");
    }
    for group in start["groups"].as_array().unwrap() {
        assert!(start["detail"]["factors"]["own"][group.as_str().unwrap()].is_f64(), "{group}");
    }
    assert_eq!(server.answer("horses/imagine", &order), Value::Null, "it has not moved");
    order["moves"] = start["legal"][0]["name"].clone();
    order["moves"] = server.answer("horses/reply", &order)["moves"].clone();
    let played = order["moves"].as_str().unwrap().split(' ').next_back().unwrap().to_owned();
    let usual = server.answer("horses/imagine", &order);
    assert_eq!((&usual["played"], &usual["chosen"]), (&json!(played), &json!(played)));
    order["strength"] = json!(0);
    let calm = server.answer("horses/imagine", &order);
    assert_eq!(calm["chosen"], {
        order.as_object_mut().unwrap().remove("strength");
        server.answer("horses/choice", &order)["calm"].clone()
    });
    let factors = calm["detail"]["factors"]["own"].as_object().unwrap();
    assert!(factors.values().all(|factor| *factor == json!(1.0)), "{calm}");
}

#[test]
fn games_end_with_a_result_and_a_look_back() {
    let server = Server::start();
    for (game, level) in [("horses", "random"), ("tilt", "normal")] {
        let (state, order) = played(&server, game, json!({"level": level, "seed": START}));
        assert!(state["feelings"].is_null() && state["legal"] == json!([]), "{state}");
        let review = server.answer(&format!("{game}/review"), &order);
        let course = review["course"].as_array().unwrap();
        let moves = state["moves"].as_str().unwrap();
        assert_eq!(course.len(), moves.split(' ').count());
        let turning = review["turning"].as_array().unwrap();
        assert_eq!(turning.len(), 2, "{game}: the person played at random");
        for row in turning {
            let number = row["number"].as_u64().unwrap() as usize;
            assert_eq!(course[number - 1]["move"], row["move"]);
            assert_ne!(row["move"], row["neutral"]);
        }
        assert!(turning[0]["number"].as_u64() < turning[1]["number"].as_u64());
    }
}

#[test]
fn wrong_requests_are_refused_on_one_line() {
    let server = Server::start();
    for (path, body, message) in [
        ("horses/state", json!({"level": "amatur"}), "did you mean `amateur`?"),
        ("horses/state", json!({"level": "12"}), "allowed: random, beginner, amateur"),
        ("horses/state", json!({"temperament": "/etc/passwd"}), "allowed: standard, neutral, calm"),
        ("horses/state", json!({"side": "gold"}), "side: found `gold`, allowed: white, black"),
        ("tilt/state", json!({"rules": "jump=true"}), "did you mean `jumps`?"),
        ("tilt/state", json!({"seed": -1}), "a whole number from 0 to 999999999"),
        ("tilt/state", json!({"moves": "a1b1 x"}), "move 1: move: found `a1b1`, allowed: "),
        ("tilt/state", json!({"move": "b1c1"}), "key: found `move`"),
        ("tilt/move", json!({"seed": 2, "move": "a1b1"}), "move: found `a1b1`, allowed: "),
        ("tilt/move", json!({"seed": 1, "move": "b1c1"}), "none, because it is Gold's turn"),
        ("tilt/reply", json!({"seed": 2}), "the machine is not to move"),
        ("tilt/state", json!({"strength": 100}), "key: found `strength`"),
        ("tilt/imagine", json!({"strength": 201}), "a whole number from 0 to 200"),
        ("horses/undo", json!({}), "undo: found no move of yours"),
        ("horses/state", json!([]), "body: found `[]` (allowed: a JSON object)"),
    ] {
        let (status, error) = server.refusal(path, &body);
        assert!(status == 400 && error.contains(message), "{path} {body}: {status} {error}");
    }
    for path in ["horses/resign", "chess/state", "horses"] {
        assert_eq!(server.refusal(path, &json!({})).0, 404, "{path}");
    }
    let long = json!({"moves": "x".repeat(20_000)});
    assert_eq!(server.refusal("horses/state", &long).0, 413);
    let json = "Content-Type: text/plain\r\n";
    assert_eq!(server.send("POST", "/api/horses/state", json, "{}").0, 415);
    assert_eq!(server.send("GET", "/api/games", "", "").0, 200, "the server still answers");
}
