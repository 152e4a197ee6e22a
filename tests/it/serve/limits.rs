//! Tests of the limits per client, which always leave connections and searches for other clients.
//!
//! Linux has all of 127.0.0.0/8 as loopback, so 127.0.0.2 is a client of its own.

use super::{TOKEN, server::Server};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};
use tokio::net::TcpSocket;

const GREEDY: &str = "127.0.0.2:0";
const OTHER: &str = "127.0.0.3:0";

/// Opens a connection from this address.
fn connect(server: &Server, from: &str) -> TcpStream {
    let address: SocketAddr = server.host.parse().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
    let stream = runtime.block_on(async {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(from.parse().unwrap()).unwrap();
        socket.connect(address).await.unwrap().into_std().unwrap()
    });
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    stream
}

/// Sends a request from this address and returns the connection.
fn ask(server: &Server, from: &str, line: &str, headers: &str, body: &str) -> TcpStream {
    let mut stream = connect(server, from);
    let (host, length) = (&server.host, body.len());
    // writing to a rejected connection may fail
    let _ = write!(
        stream,
        "{line} HTTP/1.1\r\nHost: {host}\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    );
    stream
}

/// Returns the status of an answer, or 0 without one.
fn status(stream: &TcpStream) -> u16 {
    let mut line = String::new();
    let _ = BufReader::new(stream).read_line(&mut line);
    line.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

fn get(server: &Server, from: &str, path: &str) -> u16 {
    status(&ask(server, from, &format!("GET {path}"), "", ""))
}

fn post(server: &Server, from: &str, path: &str, body: &Value) -> Value {
    let json = "Content-Type: application/json\r\n";
    let mut stream = ask(server, from, &format!("POST {path}"), json, &body.to_string());
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (_, body) = text.split_once("\r\n\r\n").unwrap();
    serde_json::from_str(body).unwrap()
}

fn open(server: &Server, from: &str) -> String {
    post(server, from, "/api/games", &json!({}))["id"].as_str().unwrap().to_owned()
}

#[test]
fn incomplete_requests_of_one_client_do_not_block_others() {
    let server = Server::start(&[]);
    for half in ["GET / HTTP/1.1\r\nHo", "POST /api/games HTTP/1.1\r\nContent-Length: 9\r\n\r\n"] {
        let send = |_| {
            let mut stream = connect(&server, GREEDY);
            let _ = stream.write_all(half.as_bytes());
            stream
        };
        let held: Vec<_> = (0..260).map(send).collect();
        assert_eq!(get(&server, OTHER, "/"), 200);
        assert_eq!(get(&server, GREEDY, "/"), 200, "the oldest incomplete request is dropped");
        drop(held);
    }
}

#[test]
fn event_streams_of_one_client_and_of_one_game_are_limited() {
    let server = Server::start(&[]);
    let games: Vec<_> = (0..6).map(|_| open(&server, GREEDY)).collect();
    let listen = |game: &String| {
        let stream = ask(&server, GREEDY, &format!("GET /api/games/{game}/events"), "", "");
        (status(&stream), stream)
    };
    let first: Vec<_> = (0..9).map(|_| listen(&games[0])).collect();
    assert!(first[..8].iter().all(|(status, _)| *status == 200));
    assert_eq!(first[8].0, 429, "a ninth stream of one game");
    let rest: Vec<_> = (0..30).map(|number| listen(&games[1 + number / 6])).collect();
    let open_streams = first.iter().chain(&rest).filter(|(status, _)| *status == 200).count();
    assert_eq!(open_streams, 32);
    assert_eq!(get(&server, GREEDY, "/"), 200, "other requests are still served");
    let id = open(&server, OTHER);
    assert_eq!(get(&server, OTHER, &format!("/api/games/{id}/events")), 200);
}

#[test]
fn a_client_that_opens_games_closes_only_its_own() {
    let server = Server::start(&[]);
    let idle = open(&server, OTHER);
    let games: Vec<_> = (0..80).map(|_| open(&server, GREEDY)).collect();
    let is_open = |id: &String| get(&server, OTHER, &format!("/api/games/{id}/pgn")) == 200;
    assert!(is_open(&idle));
    assert_eq!(games.iter().filter(|id| is_open(id)).count(), 16);
}

#[test]
fn clients_take_turns_in_searching() {
    let server = Server::start(&["--threads", "1"]);
    let long = json!({"side": "black", "nodes": 5_000_000});
    let games: Vec<_> = (0..8).map(|_| open(&server, GREEDY)).collect();
    for id in &games {
        post(&server, GREEDY, &format!("/api/games/{id}/new"), &long);
    }
    let own = open(&server, OTHER);
    post(&server, OTHER, &format!("/api/games/{own}/new"), &json!({"side": "black", "nodes": 500}));
    // the first search ends now; without turns, seven long searches would run before ours
    post(&server, GREEDY, &format!("/api/games/{}/hurry", games[0]), &json!({}));
    server.moves(&own, 1);
    for id in &games[1..] {
        let state = server.state(id, |_| true);
        assert_eq!(state["moves"], json!([]), "a game of the greedy client was served first");
    }
}

#[test]
fn only_wrong_tokens_are_delayed() {
    let server = Server::start(&["--token", TOKEN]);
    let show = |from: &str, token: &str| {
        let headers = format!("Authorization: Bearer {token}\r\n");
        ask(&server, from, "GET /api/about", &headers, "")
    };
    assert_eq!(status(&show(OTHER, TOKEN)), 200);
    let guesses = |from| (0..40).map(|_| show(from, "not-the-right-token")).collect::<Vec<_>>();
    let (greedy, other) = (guesses(GREEDY), guesses(OTHER));
    assert_eq!(status(greedy.last().unwrap()), 429, "too many wrong tokens");
    assert_eq!(status(&show(OTHER, TOKEN)), 200, "valid tokens from the same address still work");
    assert_eq!(status(&show("127.0.0.4:0", TOKEN)), 200);
    // the delay grows from a quarter of a second to 8 seconds, so the last ones have no answer yet
    let late = other.last().unwrap();
    late.set_nonblocking(true).unwrap();
    assert!(late.peek(&mut [0]).is_err(), "a wrong token was answered without a delay");
}
