//! Parses the command line, runs, prints the error chain, gives the exit code.

use clap::Parser;
use deepfeeling::cli::{self, Cli};
use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run(Cli::parse()) {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&error);
            ExitCode::from(2)
        }
    }
}

/// Whoever closes our output early, as `head` does, has seen enough.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

#[expect(clippy::print_stderr, reason = "the one place where errors reach the person")]
fn complain(error: &anyhow::Error) {
    eprintln!("error: {error:#}");
}
