//! A scripted conversation with the engine's binary.
#![allow(dead_code, reason = "every test binary compiles this and uses a part of it")]

use deepfeeling::chess::game::Game;
use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

/// Nothing takes this long unless it hangs; no assertion depends on it.
const HANGS: Duration = Duration::from_mins(2);

/// A running engine. It is killed if the test ends first.
pub(crate) struct Dialogue {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Dialogue {
    pub(crate) fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_deepfeeling"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|l| sender.send(l))
        });
        Self { child, input, lines }
    }

    /// Sends bytes as they are.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is still open");
        input.write_all(bytes).and_then(|()| input.flush()).unwrap();
    }

    /// Sends `text`, one command on each line, at once.
    pub(crate) fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\n").as_bytes());
    }

    /// The lines up to the first that begins with `word`, that one included.
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

    /// What is said to `text`, once all of it is done; no search may run.
    pub(crate) fn ask(&mut self, text: &str) -> Vec<String> {
        self.send(&format!("{text}\nisready"));
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// A whole search: what `text`, which ends with `go …`, leads to, up to the move.
    pub(crate) fn search(&mut self, text: &str) -> Vec<String> {
        self.send(text);
        let lines = self.until("bestmove");
        assert_scored(&lines);
        lines
    }

    /// The position, as FEN.
    pub(crate) fn fen(&mut self) -> String {
        let lines = self.ask("d");
        assert_eq!(lines.len(), 1, "{lines:?}");
        lines[0].strip_prefix("info string fen ").unwrap().into()
    }

    /// Ends the input; what was still said, and how the engine ended.
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
        // It has ended already, if all went well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How many of `lines` begin with `word`.
pub(crate) fn count(lines: &[String], word: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(word)).count()
}

/// Before the move, the last of `lines`, there is one with an integer score, time and nps.
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

/// The move of a finished search, which must be legal in `game`.
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

/// What must be the same in two equal searches.
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

/// The words of every variation reported, with its place among the lines: 1 for the best.
pub(crate) fn variations(lines: &[String]) -> Vec<(usize, Vec<String>)> {
    let told = lines.iter().filter_map(|line| {
        let (head, pv) = line.split_once(" pv ")?;
        Some((number(head, "multipv")? as usize, pv.split(' ').map(String::from).collect()))
    });
    told.collect()
}

/// Panics unless every variation of a search of `game` can be played.
pub(crate) fn assert_playable(lines: &[String], game: &str) {
    let start = Game::parse(game, None).unwrap();
    for (_, pv) in variations(lines) {
        let mut game = start.clone();
        for m in &pv {
            game.play(m).unwrap_or_else(|e| panic!("{e} in {pv:?}"));
        }
    }
}

/// The number after `word`.
pub(crate) fn number(line: &str, word: &str) -> Option<i64> {
    let mut words = line.split(' ').skip_while(|&w| w != word).skip(1);
    words.next()?.parse().ok()
}
