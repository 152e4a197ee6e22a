//! Entry point: parses the command line, runs it, prints errors and sets the exit code.

use clap::Parser;
use deepfeeling::cli::{self, Cli};
use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run(Cli::parse()) {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&error);
            ExitCode::from(2)
        }
    }
}

/// Returns whether the reader closed our output early, as `head` does. This is not a failure.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

#[expect(clippy::print_stderr, reason = "the only place that prints errors for the user")]
fn print_error(error: &anyhow::Error) {
    eprintln!("error: {error:#}");
}
