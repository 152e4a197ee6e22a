//! Appends a record of each search to a file without delaying play.
//!
//! A separate thread writes the lines that the search sends through a bounded queue. The first
//! error is reported once and closes the file. It stays closed until the option is set again.

use super::{Notes, SearchRecord};
use crate::{
    explain::schema,
    support::{lines::LineFile, random::unforeseen},
};
use serde::Serialize;
use std::{
    io,
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError},
    },
    thread,
    time::Duration,
};

/// The maximum number of lines waiting for the disk.
const QUEUE: usize = 64;
/// How long closing the file waits for the last lines.
const PATIENCE: Duration = Duration::from_secs(1);

/// A feelings file shared by the session and the search. It may be closed.
#[derive(Clone, Debug, Default)]
pub struct FeelingsFile(Arc<Mutex<Recorder>>);

/// The identifiers of the current search, and the writer.
#[derive(Debug, Default)]
struct Recorder {
    /// The identifier of this run of the engine. Empty until the first file is opened.
    engine: String,
    /// The number of earlier games with at least one search.
    game: u64,
    /// Whether this game has had a search.
    is_begun: bool,
    /// The number of searches so far.
    search: u64,
    writer: Option<Writer>,
}

/// A line of the file: the record of a search with its identifiers.
#[derive(Serialize)]
struct Line<'a> {
    engine: &'a str,
    game: u64,
    search: u64,
    #[serde(flatten)]
    record: SearchRecord,
}

impl FeelingsFile {
    /// Opens the file at `path` for appending. Closes the file if `path` is `None`.
    ///
    /// # Errors
    /// If `path` is not a file or cannot be written. The file is then closed.
    pub fn open(&self, path: Option<&Path>) -> io::Result<()> {
        let mut recorder = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        recorder.writer = None;
        let Some(path) = path else { return Ok(()) };
        let mut lines = LineFile::open(path)?;
        if recorder.engine.is_empty() {
            recorder.engine = format!("{:016x}", unforeseen()?);
        }
        recorder.writer = Some(Writer::spawn(move |line| lines.append(line))?);
        Ok(())
    }

    /// Returns whether a file is open.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).writer.is_some()
    }

    /// Starts the next game. Does nothing if this game has had no search, because most GUIs also
    /// announce the first game.
    pub fn next_game(&self) {
        let mut recorder = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut recorder.is_begun) {
            recorder.game += 1;
        }
    }

    /// Appends the record of a finished search.
    ///
    /// # Errors
    /// Returns the reason if this line or an earlier one cannot be written, and closes the file.
    pub fn append(&self, notes: &Notes) -> Result<(), String> {
        let mut recorder = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        recorder.search += 1;
        recorder.is_begun = true;
        let Some(mut writer) = recorder.writer.take() else { return Ok(()) };
        let line = Line {
            engine: &recorder.engine,
            game: recorder.game + 1,
            search: recorder.search,
            record: notes.record(),
        };
        writer.send(json_line(&schema::text(&line)))?;
        recorder.writer = Some(writer);
        Ok(())
    }
}

/// A handle to the thread that writes lines.
#[derive(Debug)]
struct Writer {
    /// `None` after closing.
    lines: Option<SyncSender<String>>,
    /// Receives the error that ended the thread.
    fault: Receiver<String>,
    /// How long to wait for the thread to end.
    patience: Duration,
}

impl Writer {
    fn spawn(append: impl FnMut(&str) -> io::Result<()> + Send + 'static) -> io::Result<Self> {
        let (lines, waiting) = mpsc::sync_channel(QUEUE);
        let (faults, fault) = mpsc::channel();
        thread::Builder::new().name("feelings".into()).spawn(move || {
            if let Err(error) = append_all(append, &waiting) {
                // the file may have been closed in the meantime
                let _ = faults.send(error.to_string());
            }
        })?;
        Ok(Self { lines: Some(lines), fault, patience: PATIENCE })
    }

    fn send(&mut self, line: String) -> Result<(), String> {
        let sent = self.lines.as_ref().map(|lines| lines.try_send(line));
        let Some(Err(error)) = sent else { return Ok(()) };
        self.patience = Duration::ZERO;
        Err(match error {
            TrySendError::Full(_) => format!("{QUEUE} searches are waiting for the disk"),
            TrySendError::Disconnected(_) => self.fault.recv().unwrap_or_default(),
        })
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.lines = None;
        // the thread ends when all lines are written; its errors can no longer be reported
        match self.fault.recv_timeout(self.patience) {
            Ok(_) | Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
    }
}

fn append_all(
    mut append: impl FnMut(&str) -> io::Result<()>,
    lines: &Receiver<String>,
) -> io::Result<()> {
    lines.iter().try_for_each(|line| append(&line))
}

/// Escapes the Unicode line breaks that JSON allows in strings. Some line readers, such as `.` and
/// `$` in JavaScript's regular expressions, would split the text there.
#[must_use]
pub fn json_line(json: &str) -> String {
    json.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029").replace('\u{85}', "\\u0085")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::game::Game,
        player::{Engine, Options},
        profile::Profile,
        support::lines::write_once,
        uci::feelings::FeelingsRecord,
    };
    use shakmaty::CastlingMode;
    use std::io::Write;

    fn notes() -> Notes {
        let engine =
            Engine::new(Profile::builtin("standard").unwrap(), Options::default()).unwrap();
        Notes::new(&engine, &Game::default(), CastlingMode::Standard)
    }

    /// A disk with this many free bytes.
    struct Disk(usize);

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0 == 0 {
                return Err(io::Error::from(io::ErrorKind::StorageFull));
            }
            let written = bytes.len().min(self.0);
            self.0 -= written;
            Ok(written)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Appends records until an error occurs, and returns the error.
    fn fill(writer: Writer) -> String {
        let file = FeelingsFile::default();
        file.0.lock().unwrap().writer = Some(writer);
        let refused = (0..100_000).find_map(|_| file.append(&notes()).err()).unwrap();
        assert!(!file.is_open() && file.append(&notes()).is_ok(), "the error is reported once");
        refused
    }

    #[test]
    fn engines_that_share_a_file_write_whole_lines() {
        let disk = tempfile::NamedTempFile::new().unwrap();
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    let file = FeelingsFile::default();
                    file.open(Some(disk.path())).unwrap();
                    (0..QUEUE).for_each(|_| file.append(&notes()).unwrap());
                    file.next_game();
                    // a busy disk must not end the test early
                    file.0.lock().unwrap().writer.as_mut().unwrap().patience = Duration::MAX;
                    file.open(None).unwrap();
                });
            }
        });
        let text = std::fs::read_to_string(&disk).unwrap();
        let records: Vec<_> =
            text.lines().map(|line| FeelingsRecord::parse(line).unwrap()).collect();
        let mut engines: Vec<_> = records.iter().map(FeelingsRecord::engine).collect();
        engines.sort_unstable();
        engines.dedup();
        assert_eq!((records.len(), engines.len()), (3 * QUEUE, 3));
    }

    #[test]
    fn a_full_disk_is_reported_once_and_closes_the_file() {
        let writer = |mut disk: Disk| {
            Writer::spawn(move |line| write_once(&mut disk, line.as_bytes())).unwrap()
        };
        let full = fill(writer(Disk(0)));
        assert_eq!(full, io::Error::from(io::ErrorKind::StorageFull).to_string());
        let nearly = fill(writer(Disk(10)));
        assert!(nearly.starts_with("only 10 of "), "{nearly}");
    }

    #[test]
    fn a_disk_that_hangs_does_not_block_the_engine() {
        let (_alive, never) = mpsc::channel::<()>();
        let hanging = move |_: &str| {
            let _ = never.recv();
            Ok(())
        };
        let hung = fill(Writer::spawn(hanging).unwrap());
        assert_eq!(hung, "64 searches are waiting for the disk");
    }

    #[test]
    fn a_path_that_is_not_a_file_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let file = FeelingsFile::default();
        for wrong in [dir.path(), &dir.path().join("no/such/folder")] {
            assert!(file.open(Some(wrong)).is_err() && !file.is_open());
        }
    }
}
