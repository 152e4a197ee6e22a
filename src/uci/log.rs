//! A copy of the conversation in a file: `>>` before what was heard, `<<` before what was said.

use crate::support::record_file::Lines;
use std::{
    io::{self, Write},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

/// A log that session and search thread share; it may be closed.
#[derive(Clone, Debug, Default)]
pub(super) struct Log(Arc<Mutex<Option<Lines>>>);

impl Log {
    /// Goes on at the end of the file at `path`; without a path, the log is closed.
    ///
    /// # Errors
    /// If the file cannot be written; the log then stays as it is.
    pub(super) fn open(&self, path: Option<&str>) -> io::Result<()> {
        let file = path.map(|path| Lines::open(Path::new(path))).transpose()?;
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = file;
        Ok(())
    }

    /// Writes down a line that came in.
    pub(super) fn heard(&self, line: &str) {
        self.write(">>", line);
    }

    /// Writes down a line that goes out.
    pub(super) fn said(&self, line: &str) {
        self.write("<<", line);
    }

    /// A log that fails is closed: the game goes on.
    fn write(&self, mark: &str, line: &str) {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = log.as_mut() else { return };
        if let Err(error) = file.append(&format!("{mark} {line}")) {
            *log = None;
            // whoever closed stderr does not want to read it
            let _ = writeln!(io::stderr(), "the debug log is closed: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_grows_until_it_is_closed() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let path = file.path().to_str();
        let log = Log::default();
        log.heard("too early");
        log.open(path).unwrap();
        log.heard("uci");
        log.open(path).unwrap();
        log.said("uciok");
        assert!(log.open(Some("/no/such/folder/log")).is_err());
        assert!(log.open(Some(env!("CARGO_MANIFEST_DIR"))).is_err());
        log.heard("quit");
        log.open(None).unwrap();
        log.said("too late");
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(text, ">> uci\n<< uciok\n>> quit\n");
    }
}
