//! Opens input files and pipes so that reading them can be interrupted.

use std::{
    fs::{self, File, FileType},
    io::{self, Cursor, ErrorKind, Read},
    path::{Path, PathBuf},
    sync::{
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::{self, Receiver, RecvTimeoutError, SyncSender},
    },
    thread,
    time::Duration,
};

/// The number of bytes requested from a pipe by one read.
const PIECE: usize = 1 << 16;
/// The number of reads from a pipe that are buffered.
const AHEAD: usize = 4;
/// How long a reader waits for data before it checks its stop flag again.
const PERIOD: Duration = Duration::from_millis(50);

/// An open input file.
pub struct Input<'s> {
    pub source: Box<dyn Read + Send + 's>,
    /// Length in bytes. `None` for a pipe.
    pub length: Option<u64>,
}

/// Opens the regular file or pipe (such as `/dev/stdin`) at `path`. Reading fails as soon as `stop`
/// is set.
///
/// # Errors
/// If the path names anything else, or cannot be opened.
pub fn open<'s>(path: &Path, stop: &'s AtomicBool) -> io::Result<Input<'s>> {
    // check the file type first: opening a pipe blocks until there is a writer
    let found = fs::metadata(path)?;
    if found.is_file() {
        let file = File::open(path)?;
        let source = Interruptible { source: file, stop };
        return Ok(Input { source: Box::new(source), length: Some(found.len()) });
    }
    if is_pipe(found.file_type()) {
        return Ok(Input { source: Box::new(Pipe::open(path.into(), stop)?), length: None });
    }
    let found = if found.is_dir() { "a folder" } else { "a device" };
    Err(io::Error::other(format!("it is {found}, allowed: a file or a pipe")))
}

#[cfg(unix)]
fn is_pipe(found: FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&found)
}

#[cfg(not(unix))]
fn is_pipe(_: FileType) -> bool {
    false
}

fn check(stop: &AtomicBool) -> io::Result<()> {
    if stop.load(Relaxed) { Err(io::Error::other("interrupted")) } else { Ok(()) }
}

/// A source that checks its stop flag before each read. Its reads must not block for long.
struct Interruptible<'s, R> {
    source: R,
    stop: &'s AtomicBool,
}

impl<R: Read> Read for Interruptible<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        check(self.stop)?;
        self.source.read(buffer)
    }
}

/// A pipe that is opened and read by its own thread, because both operations may block forever.
struct Pipe<'s> {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Cursor<Vec<u8>>,
    stop: &'s AtomicBool,
}

impl<'s> Pipe<'s> {
    fn open(path: PathBuf, stop: &'s AtomicBool) -> io::Result<Self> {
        let (sender, pieces) = mpsc::sync_channel(AHEAD);
        thread::Builder::new().name("input".into()).spawn(move || send_all(&path, &sender))?;
        Ok(Self { pieces, piece: Cursor::default(), stop })
    }
}

/// Sends the content of the pipe at `path`. Stops at its end, on an error, or when the receiver is
/// dropped.
fn send_all(path: &Path, sender: &SyncSender<io::Result<Vec<u8>>>) {
    let mut pipe = match File::open(path) {
        Ok(pipe) => pipe,
        Err(error) => return sender.send(Err(error)).unwrap_or_default(),
    };
    loop {
        let mut piece = vec![0; PIECE];
        let sent = match pipe.read(&mut piece) {
            Ok(0) => return,
            Ok(length) => {
                piece.truncate(length);
                sender.send(Ok(piece))
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return sender.send(Err(error)).unwrap_or_default(),
        };
        if sent.is_err() {
            return;
        }
    }
}

impl Read for Pipe<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            check(self.stop)?;
            let length = self.piece.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            match self.pieces.recv_timeout(PERIOD) {
                Ok(piece) => self.piece = Cursor::new(piece?),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
        }
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::{io::Write, process::Command};

    fn pipe(folder: &Path) -> PathBuf {
        let path = folder.join("pipe");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    }

    #[test]
    fn folders_and_devices_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let stop = AtomicBool::new(false);
        for (path, kind) in [(folder.path(), "a folder"), (Path::new("/dev/zero"), "a device")] {
            let error = open(path, &stop).err().unwrap().to_string();
            assert_eq!(error, format!("it is {kind}, allowed: a file or a pipe"));
        }
    }

    #[test]
    fn a_pipe_is_read_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let (path, stop) = (pipe(folder.path()), AtomicBool::new(false));
        let text = b"some text\n".repeat(100_000);
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut writer = fs::OpenOptions::new().write(true).open(&path).unwrap();
                writer.write_all(&text).unwrap();
            });
            let mut input = open(&path, &stop).unwrap();
            let mut found = Vec::new();
            input.source.read_to_end(&mut found).unwrap();
            assert!(found == text && input.length.is_none());
        });
    }

    #[test]
    fn a_pipe_without_a_writer_can_be_interrupted() {
        let folder = tempfile::tempdir().unwrap();
        let (path, stop) = (pipe(folder.path()), AtomicBool::new(false));
        thread::scope(|scope| {
            let reading = scope.spawn(|| {
                let mut byte = [0];
                open(&path, &stop).unwrap().source.read(&mut byte).unwrap_err().to_string()
            });
            stop.store(true, Relaxed);
            assert_eq!(reading.join().unwrap(), "interrupted");
        });
    }
}
