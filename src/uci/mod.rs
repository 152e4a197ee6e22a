//! The Universal Chess Interface: lines in, one channel of events, lines out.
//!
//! A reader thread and a search thread send to one channel; the session at its other end owns the
//! engine while nothing is searched and lends it to the search thread while something is.
//! Protocol: Meyer-Kahlen and Huber, "Description of the universal chess interface", 2006.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod command;
mod event;
mod extra;
pub mod feelings;
pub mod go;
mod help;
pub mod info;
mod log;
pub mod options;
mod output;
mod pending;
mod reader;
mod search_thread;
mod session;
#[cfg(feature = "tuning")]
mod tuning;
mod waiting;

use std::io::{self, IsTerminal, Read, Write};

/// What a person reads who starts the engine at a terminal.
const GREETING: &str = concat!(
    "Deep Feeling ",
    env!("CARGO_PKG_VERSION"),
    " speaks UCI. Type `help` for commands, `quit` to leave; run `deepfeeling --help` for everything \
     else."
);

/// Serves the protocol on standard input and output until `quit` or the end of the input. Greets a
/// person at a terminal on stderr; GUIs and scripts, which use pipes, get no greeting.
///
/// # Errors
/// If a thread or the table cannot be had, or the output cannot be written; a closed output (the
/// GUI is gone) is a quiet end and no error.
pub fn run() -> io::Result<()> {
    let input = io::stdin();
    if input.is_terminal() {
        // a closed stderr is no reason to fail
        let _ = writeln!(io::stderr(), "{GREETING}");
    }
    converse(input, io::stdout())
}

/// Serves the protocol on `input` and `output` until `quit` or the end of the input.
///
/// # Errors
/// As [`run`].
pub fn converse(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    match session::serve(input, output) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// An argument that was refused: of what, what was found, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: found {} (allowed: {allowed})", quoted(found))]
pub struct Refusal {
    /// The command and argument, e.g. `go depth`.
    pub what: String,
    /// The text in its place, empty if there was none.
    pub found: String,
    pub allowed: String,
}

impl Refusal {
    fn new(what: impl Into<String>, found: &str, allowed: impl Into<String>) -> Self {
        Self { what: what.into(), found: found.into(), allowed: allowed.into() }
    }
}

/// `text` in quotes and at most 60 characters of it, or the word "nothing".
fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        None if text.is_empty() => "nothing".into(),
        None => format!("`{text}`"),
        Some((cut, _)) => format!("`{}…`", text.get(..cut).unwrap_or_default()),
    }
}
