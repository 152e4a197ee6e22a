//! Runs the server for tests and talks to it over plain TCP.

use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
    time::Duration,
};

/// A wait longer than this means that the server hangs.
const HANGS: Duration = Duration::from_mins(1);

/// A running server. It is killed when the test ends.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) host: String,
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// Returns the error message of the answer.
    pub(crate) fn error(&self) -> String {
        self.json()["error"].as_str().unwrap().to_owned()
    }
}

pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deepfeeling"));
    command.arg("serve").args(arguments).stdout(Stdio::piped());
    command
}

impl Server {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut child = command(&[&["--port", "0"], arguments].concat()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let host = line.trim().strip_prefix("http://").unwrap().trim_end_matches('/').to_owned();
        Self { child, host }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(HANGS)).unwrap();
        stream
    }

    /// Sends raw bytes and reads until the server closes the connection.
    pub(crate) fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // the server may reject the request before it is complete
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub(crate) fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let length = body.len();
        let host = if headers.contains("Host:") { "" } else { &format!("Host: {}\r\n", self.host) };
        let head =
            format!("{method} {path} HTTP/1.1\r\n{host}{headers}Content-Length: {length}\r\n\r\n");
        let text = self.raw(format!("{head}{body}").as_bytes());
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).unwrap_or("0").parse().unwrap();
        Answer { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "", "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, "Content-Type: application/json\r\n", &body.to_string())
    }

    pub(crate) fn open(&self) -> String {
        self.post("/api/games", &json!({})).json()["id"].as_str().unwrap().to_owned()
    }

    /// Reads events until one of this name satisfies `is_it`, and returns its data.
    pub(crate) fn wait_for(&self, path: &str, name: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let mut stream = self.connect();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.host).unwrap();
        let mut is_named = false;
        for line in BufReader::new(stream).lines() {
            let line = line.unwrap();
            if let Some(event) = line.strip_prefix("event: ") {
                is_named = event == name;
            }
            let data = line.strip_prefix("data: ").filter(|_| is_named);
            if let Some(value) = data.map(|data| serde_json::from_str(data).unwrap())
                && is_it(&value)
            {
                return value;
            }
        }
        panic!("no such event at {path}");
    }

    pub(crate) fn state(&self, id: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        self.wait_for(&format!("/api/games/{id}/events"), "state", is_it)
    }

    pub(crate) fn moves(&self, id: &str, count: usize) -> Value {
        self.state(id, |state| state["moves"].as_array().unwrap().len() == count)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
