//! Runs a scripted UCI dialogue with the engine's binary.

use deepfeeling::chess::game::Game;
use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

/// A wait longer than this means that the engine hangs. No assertion depends on it.
const HANGS: Duration = Duration::from_mins(2);

/// Starts the engine's binary with pipes for input and output.
pub(crate) fn spawn(errors: Stdio) -> Child {
    Command::new(env!("CARGO_BIN_EXE_deepfeeling"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(errors)
        .spawn()
        .unwrap()
}

/// A running engine. It is killed if the test ends first.
pub(crate) struct Dialogue {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Dialogue {
    pub(crate) fn start() -> Self {
        let mut child = spawn(Stdio::null());
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|l| sender.send(l))
        });
        Self { child, input, lines }
    }

    /// Sends raw bytes.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is still open");
        input.write_all(bytes).and_then(|()| input.flush()).unwrap();
    }

    /// Sends `text`, one command per line.
    pub(crate) fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    /// Returns the lines up to and including the first that begins with `word`.
    pub(crate) fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.lines.recv_timeout(HANGS);
            lines.push(line.unwrap_or_else(|e| panic!("no `{word}`, {e}, after {lines:?}")));
            if lines.last().is_some_and(|line| line.starts_with(word)) {
                return lines;
            }
        }
    }

    /// Sends `text` and returns the answer after all commands are done. No search may run.
    pub(crate) fn ask(&mut self, text: &str) -> Vec<String> {
        self.send(&format!("{text}\nisready"));
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends `text`, which ends with `go …`, and returns the lines of the search up to `bestmove`.
    pub(crate) fn search(&mut self, text: &str) -> Vec<String> {
        self.send(text);
        let lines = self.until("bestmove");
        assert_scored(&lines);
        lines
    }

    /// Returns the FEN of the current position.
    pub(crate) fn fen(&mut self) -> String {
        let lines = self.ask("d");
        assert_eq!(lines.len(), 1, "{lines:?}");
        lines[0].strip_prefix("info string fen ").unwrap().into()
    }

    /// Closes the input and returns the remaining lines and the exit status.
    pub(crate) fn end(&mut self) -> (Vec<String>, ExitStatus) {
        self.input = None;
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(HANGS) {
                Ok(line) => lines.push(line),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => panic!("still runs after {lines:?}"),
            }
        }
        (lines, self.child.wait().unwrap())
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        // The engine has already ended unless the test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns how many of `lines` begin with `word`.
pub(crate) fn count(lines: &[String], word: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(word)).count()
}

/// Panics unless a line before `bestmove` has an integer score, time and nps.
pub(crate) fn assert_scored(lines: &[String]) {
    let is_scored = |line: &&String| {
        let score = line.split_once(" score ").map(|(_, rest)| rest.split(' ').collect::<Vec<_>>());
        let scored =
            matches!(score.as_deref(), Some(["cp" | "mate", n, ..]) if n.parse::<i32>().is_ok());
        scored && number(line, "time") >= Some(0) && number(line, "nps") >= Some(0)
    };
    assert!(lines.iter().any(|line| is_scored(&line)), "{lines:?}");
    assert!(lines.iter().all(|line| !line.ends_with(" pv")), "{lines:?}");
}

/// Returns the move of a finished search. Panics if it is illegal in `game`.
pub(crate) fn best_move(lines: &[String], game: &str) -> String {
    let words: Vec<&str> = lines.last().unwrap().split(' ').collect();
    let mut game = Game::parse(game, None).unwrap();
    match words.as_slice() {
        ["bestmove", best] => game.play(best).unwrap(),
        ["bestmove", best, "ponder", reply] => {
            game.play(best).and_then(|()| game.play(reply)).unwrap();
        }
        _ => panic!("{words:?}"),
    }
    words[1].into()
}

/// Returns the lines without times, for comparing two equal searches.
pub(crate) fn without_time(lines: &[String]) -> Vec<String> {
    let strip = |line: &String| {
        let mut words: Vec<&str> = line.split(' ').collect();
        for word in ["time", "nps"] {
            if let Some(at) = words.iter().position(|&w| w == word) {
                words.drain(at..at + 2);
            }
        }
        words.join(" ")
    };
    lines.iter().map(strip).collect()
}

/// Returns the moves of every reported pv with its `multipv` number, 1 for the best.
pub(crate) fn variations(lines: &[String]) -> Vec<(usize, Vec<String>)> {
    let pvs = lines.iter().filter_map(|line| {
        let (head, pv) = line.split_once(" pv ")?;
        Some((number(head, "multipv")? as usize, pv.split(' ').map(String::from).collect()))
    });
    pvs.collect()
}

/// Panics unless every pv of a search of `game` is legal.
pub(crate) fn assert_playable(lines: &[String], game: &str) {
    let start = Game::parse(game, None).unwrap();
    for (_, pv) in variations(lines) {
        let mut game = start.clone();
        for m in &pv {
            game.play(m).unwrap_or_else(|e| panic!("{e} in {pv:?}"));
        }
    }
}

/// Returns the number after `word`.
pub(crate) fn number(line: &str, word: &str) -> Option<i64> {
    let mut words = line.split(' ').skip_while(|&w| w != word).skip(1);
    words.next()?.parse().ok()
}
