//! Entry point: runs the command, prints errors and sets the exit code.

use deepfeeling::cli;
use std::process::ExitCode;

fn main() -> ExitCode {
    match deepfeeling_games::cli::run() {
        Ok(()) => ExitCode::SUCCESS,
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
