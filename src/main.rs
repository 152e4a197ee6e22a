//! Entry point: parses the command line, runs it, prints errors and sets the exit code.

use clap::Parser;
use deepfeeling::cli::{self, Cli};
use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run(Cli::parse()) {
        Ok(code) => code,
        Err(error) if cli::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&error);
            ExitCode::from(2)
        }
    }
}

#[expect(clippy::print_stderr, reason = "the only place that prints errors for the user")]
fn print_error(error: &anyhow::Error) {
    eprintln!("error: {error:#}");
}
