//! Entry point: runs the command, prints errors and sets the exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    match deepfeeling_games::cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&error);
            ExitCode::from(2)
        }
    }
}

/// Returns whether the reader closed our output early, as `head` does. This is not a failure.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
    let json = error.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
    io.or(json) == Some(std::io::ErrorKind::BrokenPipe)
}

#[expect(clippy::print_stderr, reason = "the only place that prints errors for the user")]
fn print_error(error: &anyhow::Error) {
    eprintln!("error: {error:#}");
}
