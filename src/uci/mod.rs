//! Implements the Universal Chess Interface (UCI), the protocol between chess GUIs and engines.
//!
//! A reader thread and a search thread send events to one channel. The session receives them. It
//! owns the engine between searches and lends it to the search thread during a search.
//!
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
mod refusal;
mod search_thread;
mod session;
mod task_queue;
#[cfg(feature = "tuning")]
mod tuning;

pub use refusal::InvalidArgument;

use std::io::{self, IsTerminal, Read, Write};

/// Printed when a user starts the engine at a terminal.
const GREETING: &str = concat!(
    "Deep Feeling ",
    env!("CARGO_PKG_VERSION"),
    " speaks UCI. Type `help` for commands, `quit` to leave; run `deepfeeling --help` for everything \
     else."
);

/// Runs a UCI session on standard input and output until `quit` or the end of the input. Prints a
/// greeting on stderr if the input is a terminal. GUIs and scripts use pipes and get no greeting.
///
/// # Errors
/// If a thread cannot be started, the hash table cannot be allocated, or the output cannot be
/// written. A closed output means that the GUI has quit. It ends the session without an error.
pub fn run() -> io::Result<()> {
    let input = io::stdin();
    if input.is_terminal() {
        // the greeting is optional, so a closed stderr is not an error
        let _ = writeln!(io::stderr(), "{GREETING}");
    }
    converse(input, io::stdout())
}

/// Runs a UCI session on `input` and `output` until `quit` or the end of the input.
///
/// # Errors
/// Like [`run`].
pub fn converse(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    match session::serve(input, output) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
