//! The output file of `annotate`, which a later run can resume.
//!
//! Its first line, an escape that PGN readers skip, records the command. The last game may be
//! incomplete, so it is annotated again.

use super::{Annotated, is_of};
use crate::{
    pgn::raw::{BYTE_ORDER_MARK, RawGame, RawGames},
    support::record_file,
};
use std::{
    fs::File,
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// An error that prevents writing or resuming the file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", file.display())]
pub struct AnnotationRecordError {
    file: PathBuf,
    reason: String,
}

/// A PGN file to which games are appended.
#[derive(Debug)]
pub struct AnnotationRecord {
    path: PathBuf,
    file: File,
    /// The first line of the file.
    header: String,
    /// Length in bytes of the complete games. The rest is cut off when the first game is added.
    end: u64,
    /// Whether a game was added in this run.
    is_begun: bool,
    /// Number of complete games from an earlier run.
    done: usize,
    /// The last complete game from an earlier run.
    last: Option<RawGame>,
}

impl AnnotationRecord {
    /// Creates the file at `path`, or resumes it. `settings` describes the command in one line.
    ///
    /// # Errors
    /// If the file cannot be opened or was started with other settings.
    pub fn open(path: &Path, settings: &str) -> Result<Self, AnnotationRecordError> {
        let refuse = |reason| AnnotationRecordError { file: path.into(), reason };
        let file =
            record_file::resume(path).map_err(|e| refuse(format!("cannot be opened: {e}")))?;
        let header = format!("% annotated by deepfeeling: {settings}\n");
        let path = path.to_owned();
        let mut record = Self { path, file, header, end: 0, is_begun: false, done: 0, last: None };
        match record.resume() {
            Ok(()) => Ok(record),
            Err(reason) => Err(record.error(reason)),
        }
    }

    /// Counts the complete games. The last game is ignored, since it may be incomplete.
    fn resume(&mut self) -> Result<(), String> {
        let unreadable = |e: io::Error| format!("cannot be read: {e}");
        let reading = self.file.try_clone().map_err(unreadable)?;
        let mut games = RawGames::of(Box::new(reading));
        let mut at = 0;
        let mut last: Option<RawGame> = None;
        while let Some(game) = games.next().transpose().map_err(unreadable)? {
            if at == 0 {
                self.check(&game.bytes)?;
            }
            let length = game.bytes.len() as u64;
            if game.number != last.as_ref().map_or(0, |last| last.number) {
                self.end = at;
                self.last = last.replace(game);
            }
            at += length;
        }
        self.done = self.last.as_ref().map_or(0, |last| last.number);
        Ok(())
    }

    /// Checks that the file begins with our header.
    fn check(&self, first: &[u8]) -> Result<(), String> {
        let first = first.strip_prefix(BYTE_ORDER_MARK).unwrap_or(first);
        let header = self.header.as_bytes();
        if first.starts_with(header) || header.starts_with(first) {
            return Ok(());
        }
        let line = first.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let found: String = String::from_utf8_lossy(line).chars().take(120).collect();
        Err(format!(
            "begins with `{}`, expected `{}`; choose another file or repeat the earlier command",
            found.trim(),
            self.header.trim()
        ))
    }

    /// Returns the number of complete games from an earlier run.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Checks that the last complete game of an earlier run is `raw`, if they have the same number.
    ///
    /// # Errors
    /// If the games differ.
    pub fn check_last(&self, raw: &RawGame) -> Result<(), AnnotationRecordError> {
        let Some(last) = self.last.as_ref().filter(|last| last.number == raw.number) else {
            return Ok(());
        };
        let mut bytes = last.bytes.clone();
        if raw.number == 1 {
            // the first line is our header
            let start = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
            bytes.drain(start..(start + self.header.len()).min(bytes.len()));
        }
        let last = RawGame { bytes, ..last.clone() };
        if is_of(&last, raw) || !last.is_whole {
            return Ok(());
        }
        Err(self.error(format!(
            "game {} differs from the game to annotate; choose another file",
            raw.number
        )))
    }

    /// Appends a game.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, game: &Annotated) -> Result<(), AnnotationRecordError> {
        let mut bytes = &game.bytes[..];
        let mut text = Vec::with_capacity(bytes.len() + self.header.len());
        if self.end == 0 && !self.is_begun {
            // a byte order mark must remain at the start of the file
            if let Some(rest) = bytes.strip_prefix(BYTE_ORDER_MARK) {
                text.extend_from_slice(BYTE_ORDER_MARK);
                bytes = rest;
            }
            text.extend_from_slice(self.header.as_bytes());
        }
        text.extend_from_slice(bytes);
        self.write(&text).map_err(|e| self.error(format!("cannot be written: {e}")))
    }

    fn write(&mut self, text: &[u8]) -> io::Result<()> {
        if !self.is_begun {
            self.file.set_len(self.end)?;
            self.file.seek(SeekFrom::Start(self.end))?;
            self.is_begun = true;
        }
        self.file.write_all(text)
    }

    fn error(&self, reason: String) -> AnnotationRecordError {
        AnnotationRecordError { file: self.path.clone(), reason }
    }
}
