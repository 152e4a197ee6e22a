//! The file that annotated games go to; one that was begun is gone on with.
//!
//! Its first line, which readers of PGN skip, says what made it. Its last game may be cut short, so
//! that one is annotated again.

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

/// Why a file cannot be written or gone on with.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", file.display())]
pub struct RecordError {
    file: PathBuf,
    reason: String,
}

/// A PGN file that grows game by game.
#[derive(Debug)]
pub struct Record {
    path: PathBuf,
    file: File,
    header: String,
    /// The end of what stays, in bytes; what follows goes with the first game that is added.
    end: u64,
    is_begun: bool,
    done: usize,
    last: Option<RawGame>,
}

impl Record {
    /// Opens the file at `path`, or begins it, for games annotated under these settings (one line).
    ///
    /// # Errors
    /// If it cannot be opened, or was not begun under the same settings.
    pub fn open(path: &Path, settings: &str) -> Result<Self, RecordError> {
        let refuse = |reason| RecordError { file: path.into(), reason };
        let file =
            record_file::resume(path).map_err(|e| refuse(format!("cannot be opened: {e}")))?;
        let header = format!("% annotated by deepfeeling: {settings}\n");
        let path = path.to_owned();
        let mut record = Self { path, file, header, end: 0, is_begun: false, done: 0, last: None };
        match record.take_up() {
            Ok(()) => Ok(record),
            Err(reason) => Err(record.error(reason)),
        }
    }

    /// Counts the games that are whole, without the last, which may not be.
    fn take_up(&mut self) -> Result<(), String> {
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

    fn check(&self, first: &[u8]) -> Result<(), String> {
        let first = first.strip_prefix(BYTE_ORDER_MARK).unwrap_or(first);
        let header = self.header.as_bytes();
        if first.starts_with(header) || header.starts_with(first) {
            return Ok(());
        }
        let line = first.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let found: String = String::from_utf8_lossy(line).chars().take(120).collect();
        Err(format!(
            "begins with `{}`, allowed: `{}`; choose another file, or repeat that command",
            found.trim(),
            self.header.trim()
        ))
    }

    /// So many games it holds.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Makes sure that its last game, if it holds any, is that of `raw`.
    ///
    /// # Errors
    /// If it is not.
    pub fn check_last(&self, raw: &RawGame) -> Result<(), RecordError> {
        let Some(last) = self.last.as_ref().filter(|last| last.number == raw.number) else {
            return Ok(());
        };
        let mut bytes = last.bytes.clone();
        if raw.number == 1 {
            // the first line is ours
            let start = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
            bytes.drain(start..(start + self.header.len()).min(bytes.len()));
        }
        let last = RawGame { bytes, ..last.clone() };
        if is_of(&last, raw) || !last.is_whole {
            return Ok(());
        }
        Err(self.error(format!(
            "game {} is another than in the games to annotate; choose another file",
            raw.number
        )))
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, game: &Annotated) -> Result<(), RecordError> {
        let mut bytes = &game.bytes[..];
        let mut text = Vec::with_capacity(bytes.len() + self.header.len());
        if self.end == 0 && !self.is_begun {
            // a byte order mark stays what the file begins with
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

    fn error(&self, reason: String) -> RecordError {
        RecordError { file: self.path.clone(), reason }
    }
}
