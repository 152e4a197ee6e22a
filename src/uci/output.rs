//! Writes whole lines to standard output from any thread, and flushes each line.

use super::log::Log;
use std::{
    fmt::Display,
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
};

/// A writer shared by the session and the search thread, with a log of all lines.
#[derive(Debug)]
pub(super) struct SharedOutput<W> {
    writer: Arc<Mutex<W>>,
    log: Log,
}

impl<W> Clone for SharedOutput<W> {
    fn clone(&self) -> Self {
        Self { writer: Arc::clone(&self.writer), log: self.log.clone() }
    }
}

impl<W: Write> SharedOutput<W> {
    pub(super) fn new(writer: W, log: Log) -> Self {
        Self { writer: Arc::new(Mutex::new(writer)), log }
    }

    /// Writes and logs one line.
    pub(super) fn line(&self, text: impl Display) -> io::Result<()> {
        let line = format!("{text}\n");
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        self.log.output(line.trim_end_matches('\n'));
        writer.write_all(line.as_bytes())?;
        writer.flush()
    }

    /// Logs a line of input.
    pub(super) fn log_input(&self, line: &str) {
        self.log.input(line);
    }

    /// Writes a message for the user as `info string`. GUIs do not interpret it.
    pub(super) fn note(&self, text: impl Display) -> io::Result<()> {
        self.line(format_args!("info string {}", one_line(&text.to_string())))
    }

    /// Writes an error message as `info string error`.
    pub(super) fn error(&self, why: impl Display) -> io::Result<()> {
        self.note(format_args!("error: {why}"))
    }
}

/// Converts `text` to a single line of limited length. Removes the middle of a long text, because
/// an error starts with what was found and ends with what is allowed.
pub(super) fn one_line(text: &str) -> String {
    const KEPT: usize = 240;
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let length = line.chars().count();
    if length <= 2 * KEPT {
        return line;
    }
    let head: String = line.chars().take(KEPT).collect();
    let tail: String = line.chars().skip(length - KEPT).collect();
    format!("{head} … {tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_of_limited_length() {
        assert_eq!(one_line("a\r\nb\0c"), "a  b c");
        let long = format!("found {} allowed", "é".repeat(1_000_000));
        let line = one_line(&long);
        assert!(line.starts_with("found é") && line.ends_with("é allowed"));
        assert!(line.chars().count() < 500);
    }
}
