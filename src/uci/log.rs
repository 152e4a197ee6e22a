//! Logs the UCI session to a file: input lines after `>>`, output lines after `<<`.

use crate::support::lines::LineFile;
use std::{
    io::{self, Write},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

/// A log file shared by the session and the search thread. It may be closed.
#[derive(Clone, Debug, Default)]
pub(super) struct Log(Arc<Mutex<Option<LineFile>>>);

impl Log {
    /// Opens the file at `path` for appending. Closes the log if `path` is `None`.
    ///
    /// # Errors
    /// If the file cannot be opened for writing. The previous log then stays open.
    pub(super) fn open(&self, path: Option<&str>) -> io::Result<()> {
        let file = path.map(|path| LineFile::open(Path::new(path))).transpose()?;
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = file;
        Ok(())
    }

    /// Appends a line of input.
    pub(super) fn input(&self, line: &str) {
        self.write(">>", line);
    }

    /// Appends a line of output.
    pub(super) fn output(&self, line: &str) {
        self.write("<<", line);
    }

    /// Appends a line after `mark`. Closes the log on failure so that the game can continue.
    fn write(&self, mark: &str, line: &str) {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = log.as_mut() else { return };
        if let Err(error) = file.append(&format!("{mark} {line}")) {
            *log = None;
            // a closed stderr must not stop the game
            let _ =
                writeln!(io::stderr(), "cannot write to the debug log, so it was closed: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_appended_until_the_log_is_closed() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let path = file.path().to_str();
        let log = Log::default();
        log.input("too early");
        log.open(path).unwrap();
        log.input("uci");
        log.open(path).unwrap();
        log.output("uciok");
        assert!(log.open(Some("/no/such/folder/log")).is_err());
        assert!(log.open(Some(env!("CARGO_MANIFEST_DIR"))).is_err());
        log.input("quit");
        log.open(None).unwrap();
        log.output("too late");
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text, ">> uci\n<< uciok\n>> quit\n");
    }
}
