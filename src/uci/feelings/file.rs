//! The file that grows by a line for each search, and never holds up play.
//!
//! A thread of its own writes; the search hands it lines through a bounded queue. Whatever goes wrong
//! is told once, and then nothing more is written until a file is asked for anew.

use super::{Notes, json_line};
use crate::support::{random::unforeseen, record_file::Lines};
use serde_json::Value;
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

/// Lines that may wait for the disk.
const QUEUE: usize = 64;
/// How long the end of the engine waits for the last lines.
const PATIENCE: Duration = Duration::from_secs(1);

/// A file that session and search share; it may be closed.
#[derive(Clone, Debug, Default)]
pub struct FeelingsFile(Arc<Mutex<Book>>);

/// Who writes, and where.
#[derive(Debug, Default)]
struct Book {
    /// Empty until the first file is opened.
    engine: String,
    /// Games before this one in which something was searched.
    game: u64,
    /// Whether something was searched in this game.
    is_begun: bool,
    /// Searches so far.
    search: u64,
    writer: Option<Writer>,
}

impl FeelingsFile {
    /// Goes on at the end of the file at `path`; without a path, the file is closed.
    ///
    /// # Errors
    /// If it is no file, or cannot be written; nothing is written then.
    pub fn open(&self, path: Option<&Path>) -> io::Result<()> {
        let mut book = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        book.writer = None;
        let Some(path) = path else { return Ok(()) };
        let mut lines = Lines::open(path)?;
        if book.engine.is_empty() {
            book.engine = format!("{:016x}", unforeseen()?);
        }
        book.writer = Some(Writer::spawn(move |line| lines.append(line))?);
        Ok(())
    }

    /// Whether there is a file to write to.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).writer.is_some()
    }

    /// Begins another game, unless nothing was searched in this one: most GUIs announce the first
    /// game, too.
    pub fn next_game(&self) {
        let mut book = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut book.is_begun) {
            book.game += 1;
        }
    }

    /// Appends the record of a search that is over.
    ///
    /// # Errors
    /// If this line or one before cannot be written: with the reason. The file is closed then.
    pub fn append(&self, notes: &Notes) -> Result<(), String> {
        let mut book = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        book.search += 1;
        book.is_begun = true;
        let mut record = notes.record();
        record.insert("engine".into(), book.engine.as_str().into());
        record.insert("game".into(), (book.game + 1).into());
        record.insert("search".into(), book.search.into());
        let Some(writer) = &mut book.writer else { return Ok(()) };
        let sent = writer.send(json_line(&Value::Object(record).to_string()));
        if sent.is_err() {
            book.writer = None;
        }
        sent
    }
}

/// A thread that writes lines.
#[derive(Debug)]
struct Writer {
    /// None once it is closed.
    lines: Option<SyncSender<String>>,
    /// Hears why the thread has ended, if not because it was closed.
    fault: Receiver<String>,
    /// How long to wait for its end.
    patience: Duration,
}

impl Writer {
    fn spawn(append: impl FnMut(&str) -> io::Result<()> + Send + 'static) -> io::Result<Self> {
        let (lines, waiting) = mpsc::sync_channel(QUEUE);
        let (faults, fault) = mpsc::channel();
        thread::Builder::new().name("feelings".into()).spawn(move || {
            if let Err(error) = append_all(append, &waiting) {
                // it was closed meanwhile: nobody needs to know
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
            TrySendError::Full(_) => format!("{QUEUE} searches wait for the disk"),
            TrySendError::Disconnected(_) => self.fault.recv().unwrap_or_default(),
        })
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.lines = None;
        // the thread ends when all is written, and what it would tell comes too late
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::game::Game, player::Engine, profile::Profile, support::record_file::write_once,
        uci::feelings::Record,
    };
    use shakmaty::CastlingMode;
    use std::io::Write;

    fn notes() -> Notes {
        let engine = Engine::new(Profile::builtin("default").unwrap()).unwrap();
        Notes::new(&engine, &Game::default(), CastlingMode::Standard)
    }

    /// A disk with room for so many bytes.
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

    /// Appends until it is refused.
    fn fill(writer: Writer) -> String {
        let file = FeelingsFile::default();
        file.0.lock().unwrap().writer = Some(writer);
        let refused = (0..100_000).find_map(|_| file.append(&notes()).err()).unwrap();
        assert!(!file.is_open() && file.append(&notes()).is_ok(), "it is told once");
        refused
    }

    #[test]
    fn lines_of_engines_that_share_a_file_stay_whole() {
        let disk = tempfile::NamedTempFile::new().unwrap();
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    let file = FeelingsFile::default();
                    file.open(Some(disk.path())).unwrap();
                    (0..QUEUE).for_each(|_| file.append(&notes()).unwrap());
                    file.next_game();
                    file.open(None).unwrap();
                });
            }
        });
        let text = std::fs::read_to_string(&disk).unwrap();
        let records: Vec<_> = text.lines().map(|line| Record::parse(line).unwrap()).collect();
        let mut engines: Vec<_> = records.iter().map(Record::engine).collect();
        engines.sort_unstable();
        engines.dedup();
        assert_eq!((records.len(), engines.len()), (3 * QUEUE, 3));
    }

    #[test]
    fn a_full_disk_is_told_once_and_ends_the_record() {
        let writer = |mut disk: Disk| {
            Writer::spawn(move |line| write_once(&mut disk, line.as_bytes())).unwrap()
        };
        let full = fill(writer(Disk(0)));
        assert_eq!(full, io::Error::from(io::ErrorKind::StorageFull).to_string());
        let nearly = fill(writer(Disk(10)));
        assert!(nearly.starts_with("only 10 of "), "{nearly}");
    }

    #[test]
    fn a_disk_that_hangs_holds_nothing_up() {
        let (_alive, never) = mpsc::channel::<()>();
        let hanging = move |_: &str| {
            let _ = never.recv();
            Ok(())
        };
        let hung = fill(Writer::spawn(hanging).unwrap());
        assert_eq!(hung, "64 searches wait for the disk");
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let file = FeelingsFile::default();
        for wrong in [dir.path(), &dir.path().join("no/such/folder")] {
            assert!(file.open(Some(wrong)).is_err() && !file.is_open());
        }
    }
}
