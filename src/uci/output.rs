//! The one way out: whole lines, flushed, from whichever thread.

use super::log::Log;
use std::{
    fmt::Display,
    io::{self, Write},
    sync::{Arc, Mutex, PoisonError},
};

/// A writer that session and search thread share, with a log of what it writes.
#[derive(Debug)]
pub(super) struct Output<W> {
    writer: Arc<Mutex<W>>,
    log: Log,
}

impl<W> Clone for Output<W> {
    fn clone(&self) -> Self {
        Self { writer: Arc::clone(&self.writer), log: self.log.clone() }
    }
}

impl<W: Write> Output<W> {
    pub(super) fn new(writer: W, log: Log) -> Self {
        Self { writer: Arc::new(Mutex::new(writer)), log }
    }

    /// Writes one line.
    pub(super) fn line(&self, text: impl Display) -> io::Result<()> {
        let line = format!("{text}\n");
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        self.log.said(line.trim_end_matches('\n'));
        writer.write_all(line.as_bytes())?;
        writer.flush()
    }

    /// Notes a line of input in the log.
    pub(super) fn heard(&self, line: &str) {
        self.log.heard(line);
    }

    /// Tells a person something, without the GUI acting on it.
    pub(super) fn note(&self, text: impl Display) -> io::Result<()> {
        self.line(format_args!("info string {}", one_line(&text.to_string())))
    }

    /// Says why a command was not carried out.
    pub(super) fn error(&self, why: impl Display) -> io::Result<()> {
        self.note(format_args!("error: {why}"))
    }
}

/// `text` as a single line of bearable length: its middle goes if it is too long, because what was
/// found stands at its beginning and what is allowed at its end.
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
    fn whatever_is_told_is_one_line_of_bearable_length() {
        assert_eq!(one_line("a\r\nb\0c"), "a  b c");
        let long = format!("found {} allowed", "é".repeat(1_000_000));
        let line = one_line(&long);
        assert!(line.starts_with("found é") && line.ends_with("é allowed"));
        assert!(line.chars().count() < 500);
    }
}
