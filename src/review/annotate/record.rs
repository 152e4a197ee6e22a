//! The output file of `annotate`, which a later run can resume.
//!
//! Its first line, an escape that PGN readers skip, records the command. The last game may be
//! incomplete, so it is annotated again.

use super::{Annotated, is_of};
use crate::{
    pgn::raw::{BYTE_ORDER_MARK, RawGame, RawGames},
    support::record_file::{RecordError, RecordFile, unreadable},
};
use std::{fs::File, path::Path};

/// A PGN file to which games are appended.
#[derive(Debug)]
pub struct AnnotationRecord {
    file: RecordFile,
    scan: Scan,
}

/// What an earlier run left in the file.
#[derive(Debug)]
struct Scan {
    /// The first line of the file.
    header: String,
    /// Number of complete games.
    done: usize,
    /// The last complete game.
    last: Option<RawGame>,
}

impl AnnotationRecord {
    /// Creates the file at `path`, or resumes it. `settings` describes the command in one line.
    ///
    /// # Errors
    /// If the file cannot be opened or was started with other settings.
    pub fn open(path: &Path, settings: &str) -> Result<Self, RecordError> {
        let header = format!("% annotated by deepfeeling: {settings}\n");
        let mut scan = Scan { header, done: 0, last: None };
        let file = RecordFile::resume(path, |file| scan.read(file))?;
        Ok(Self { file, scan })
    }

    /// Returns the number of complete games from an earlier run.
    pub fn done(&self) -> usize {
        self.scan.done
    }

    /// Checks that the last complete game of an earlier run is `raw`, if they have the same number.
    ///
    /// # Errors
    /// If the games differ.
    pub fn check_last(&self, raw: &RawGame) -> Result<(), RecordError> {
        let Some(last) = self.scan.last.as_ref().filter(|last| last.number == raw.number) else {
            return Ok(());
        };
        let mut bytes = last.bytes.clone();
        if raw.number == 1 {
            // the first line is our header
            let start = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
            bytes.drain(start..(start + self.scan.header.len()).min(bytes.len()));
        }
        let last = RawGame { bytes, ..last.clone() };
        if is_of(&last, raw) || !last.is_whole {
            return Ok(());
        }
        Err(self.file.refusal(format!(
            "game {} differs from the game to annotate; choose another file",
            raw.number
        )))
    }

    /// Appends a game.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, game: &Annotated) -> Result<(), RecordError> {
        if self.file.end() > 0 {
            return self.file.append(&game.bytes);
        }
        // a byte order mark must remain at the start of the file
        let (mark, bytes) = match game.bytes.strip_prefix(BYTE_ORDER_MARK) {
            Some(rest) => (BYTE_ORDER_MARK, rest),
            None => (&b""[..], &game.bytes[..]),
        };
        self.file.append(&[mark, self.scan.header.as_bytes(), bytes].concat())
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<(), RecordError> {
        self.file.finish()
    }
}

impl Scan {
    /// Counts the complete games and returns the offset after them. The last game is ignored, since
    /// it may be incomplete.
    fn read(&mut self, file: &File) -> Result<u64, String> {
        let mut games = RawGames::of(Box::new(file));
        let (mut at, mut end) = (0, 0);
        let mut last: Option<RawGame> = None;
        while let Some(game) = games.next().transpose().map_err(unreadable)? {
            if at == 0 {
                self.check(&game.bytes)?;
            }
            let length = game.bytes.len() as u64;
            if game.number != last.as_ref().map_or(0, |last| last.number) {
                end = at;
                self.last = last.replace(game);
            }
            at += length;
        }
        self.done = self.last.as_ref().map_or(0, |last| last.number);
        Ok(end)
    }

    /// Checks that the file begins with our header.
    fn check(&self, first: &[u8]) -> Result<(), String> {
        let first = first.strip_prefix(BYTE_ORDER_MARK).unwrap_or(first);
        let header = self.header.as_bytes();
        let is_begun = header.starts_with(first) || BYTE_ORDER_MARK.starts_with(first);
        if first.starts_with(header) || is_begun {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, io::Cursor};

    const GAMES: &str = "\u{feff}[White \"a\"]\n\n1. e4 {a\n\n} e5 1-0\n\n\
                         [White \"b\"]\n\n1. d4 *\n\n\n[White \"c\"]\n\n1. c4 c5 2. g3 0-1\n";

    fn write(path: &Path) -> Vec<u8> {
        let mut record = AnnotationRecord::open(path, "sample").unwrap();
        let done = record.done();
        for raw in RawGames::of(Box::new(Cursor::new(GAMES))).map(Result::unwrap) {
            if raw.number <= done {
                record.check_last(&raw).unwrap();
            } else {
                record.add(&Annotated { bytes: raw.bytes, broken: None }).unwrap();
            }
        }
        record.finish().unwrap();
        fs::read(path).unwrap()
    }

    #[test]
    fn a_file_cut_anywhere_is_resumed_to_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let whole = write(&path);
        assert!(whole.starts_with("\u{feff}% annotated by deepfeeling: sample\n[".as_bytes()));
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            assert!(write(&path) == whole, "cut to {length} bytes");
        }
    }
}
