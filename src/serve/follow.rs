//! Follows a feelings file that other engines write, and reads new records as they are appended.

use super::line::san_line;
use crate::uci::feelings::FeelingsRecord;
use std::{
    collections::VecDeque,
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{
    sync::watch,
    time::{MissedTickBehavior, interval},
};

/// Interval between two checks of the file.
const PERIOD: Duration = Duration::from_millis(200);
/// Number of records remembered for listeners that connect later.
const REMEMBERED: usize = 400;
/// The largest number of bytes read at a time, and how far before its end an existing file is read.
const PIECE: u64 = 1 << 20;

/// The records of a file read so far.
#[derive(Debug)]
pub(super) struct Follower {
    path: PathBuf,
    lines: Mutex<RecordWindow>,
    /// Number of records so far.
    count: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct RecordWindow {
    /// Number of the first record that is remembered.
    first: u64,
    records: VecDeque<Arc<str>>,
}

/// The reading position in the file.
#[derive(Debug, Default)]
struct ReadPosition {
    begun: bool,
    at: u64,
    /// The beginning of a line that is not yet complete.
    rest: Vec<u8>,
}

impl Follower {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, lines: Mutex::default(), count: watch::Sender::new(0) }
    }

    /// Returns a receiver that is notified of every new record.
    pub(super) fn news(&self) -> watch::Receiver<u64> {
        self.count.subscribe()
    }

    /// Returns the first remembered record with this number or a later one, and its number.
    pub(super) fn line(&self, number: u64) -> Option<(u64, Arc<str>)> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let number = number.max(lines.first);
        let line = lines.records.get((number - lines.first) as usize)?;
        Some((number, Arc::clone(line)))
    }

    /// Reads new records forever. A missing or unreadable file is tried again at each check.
    pub(super) async fn follow(self: Arc<Self>) {
        let mut place = ReadPosition::default();
        let mut clock = interval(PERIOD);
        clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            clock.tick().await;
            if let Ok(pieces) = place.read(&self.path) {
                for line in &pieces {
                    self.add(line);
                }
            }
        }
    }

    /// Remembers a line if it is a record. Other lines are ignored.
    fn add(&self, line: &str) {
        let Ok(record) = FeelingsRecord::parse(line) else { return };
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.records.len() == REMEMBERED {
            lines.records.pop_front();
            lines.first += 1;
        }
        let line = san_line(record.fen(), record.pv());
        // serialised again, because the original may contain line breaks between values
        lines.records.push_back(record.with_line(line).to_string().into());
        drop(lines);
        self.count.send_modify(|count| *count += 1);
    }
}

impl ReadPosition {
    /// Returns the lines completed since the last call.
    fn read(&mut self, path: &Path) -> io::Result<Vec<String>> {
        // check the file type first: opening a pipe would block until there is a writer
        let found = fs::metadata(path)?;
        if !found.is_file() {
            return Ok(Vec::new());
        }
        let length = found.len();
        let mut skipping = false;
        if length < self.at {
            // the file was truncated or replaced
            *self = Self { begun: true, ..Self::default() };
        } else if !self.begun {
            self.at = length.saturating_sub(PIECE);
            skipping = self.at > 0;
        }
        self.begun = true;
        if length == self.at {
            return Ok(Vec::new());
        }
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(self.at))?;
        let mut bytes = std::mem::take(&mut self.rest);
        self.at += file.take(PIECE).read_to_end(&mut bytes)? as u64;
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        self.rest = bytes.split_off(end);
        if self.rest.len() as u64 > PIECE {
            self.rest.clear();
        }
        let text = String::from_utf8_lossy(&bytes);
        let lines = text.lines().skip(usize::from(skipping));
        Ok(lines.map(str::to_owned).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        player::{Engine, Options},
        profile::Profile,
    };
    use std::io::Write;

    #[test]
    fn lines_are_returned_once_they_are_complete() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let path = file.path().to_owned();
        let mut place = ReadPosition::default();
        file.write_all(b"one\ntw").unwrap();
        assert_eq!(place.read(&path).unwrap(), ["one"]);
        file.write_all(b"o\nthree\n").unwrap();
        assert_eq!(place.read(&path).unwrap(), ["two", "three"]);
        assert!(place.read(&path).unwrap().is_empty());
        std::fs::write(&path, "anew\n").unwrap();
        assert_eq!(place.read(&path).unwrap(), ["anew"]);
    }

    #[test]
    fn only_the_end_of_a_long_file_is_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "0123456789abcde\n".repeat(1 << 17)).unwrap();
        let lines = ReadPosition::default().read(file.path()).unwrap();
        assert_eq!(lines.len(), (1 << 16) - 1);
        assert!(lines.iter().all(|line| line.len() == 15));
    }

    #[test]
    fn missing_files_and_folders_are_not_fatal() {
        let dir = tempfile::tempdir().unwrap();
        let mut place = ReadPosition::default();
        assert!(place.read(&dir.path().join("later")).is_err());
        assert!(place.read(dir.path()).unwrap().is_empty());
    }

    #[test]
    fn records_are_remembered_up_to_a_limit_and_other_lines_are_ignored() {
        let engine = Engine::new(Profile::builtin("standard").unwrap(), Options::default());
        let game = crate::chess::game::Game::default();
        let notes = crate::uci::feelings::Notes::new(
            &engine.unwrap(),
            &game,
            shakmaty::CastlingMode::Standard,
        );
        let mut record = serde_json::to_value(notes.record()).unwrap();
        let follower = Follower::new("nowhere".into());
        follower.add("no record");
        assert_eq!(follower.line(0), None);
        for number in 0..REMEMBERED as u64 + 5 {
            record["engine"] = "a".into();
            record["game"] = 1.into();
            record["search"] = number.into();
            follower.add(&record.to_string());
        }
        let (number, line) = follower.line(0).unwrap();
        assert!(number == 5 && line.contains("\"search\":5"), "{number} {line}");
        assert_eq!(follower.line(REMEMBERED as u64 + 5), None);
    }
}
