//! Output files of long runs, which a later run can resume.
//!
//! A file grows by whole records. A run that was killed leaves at most one incomplete record at the
//! end. The next run checks the file with a scan of its own, which returns the length of the part to
//! keep. The rest is cut off when the first record is appended, so a file that is refused stays
//! unchanged.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// The longest line accepted from a file that is resumed, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// An error that prevents writing or resuming a file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", file.display())]
pub struct RecordError {
    file: PathBuf,
    reason: String,
}

impl RecordError {
    /// Creates an error about the file at `path`.
    pub fn new(path: &Path, reason: impl Into<String>) -> Self {
        Self { file: path.into(), reason: reason.into() }
    }
}

/// A file to which whole records are appended.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    file: File,
    /// Length in bytes of the header and the records to keep.
    end: u64,
    /// Whether the file ends there, because the rest was cut off.
    is_cut: bool,
}

impl RecordFile {
    /// Opens the file at `path`, or creates it. `scan` reads it from the start and returns how many
    /// bytes to keep, or the reason to refuse the file.
    ///
    /// # Errors
    /// If the path is not a regular file, or the file cannot be opened, or `scan` refuses it.
    pub fn resume(
        path: &Path,
        scan: impl FnOnce(&File) -> Result<u64, String>,
    ) -> Result<Self, RecordError> {
        let refuse = |reason: String| RecordError::new(path, reason);
        let open = || {
            reject_special(path)?;
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
        };
        let file = open().map_err(|e| refuse(format!("cannot be opened: {e}")))?;
        let end = scan(&file).map_err(refuse)?;
        Ok(Self { path: path.into(), file, end, is_cut: false })
    }

    /// Returns the length in bytes of the header and the whole records.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Cuts off what follows the last whole record.
    ///
    /// # Errors
    /// If the file cannot be changed.
    pub fn cut(&mut self) -> Result<(), RecordError> {
        if !self.is_cut {
            self.file
                .set_len(self.end)
                .and_then(|()| self.file.seek(SeekFrom::Start(self.end)))
                .map_err(|e| self.refusal(format!("cannot be resumed: {e}")))?;
            self.is_cut = true;
        }
        Ok(())
    }

    /// Appends `record` with a single write. If only part of it can be written, the part is removed.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&mut self, record: &[u8]) -> Result<(), RecordError> {
        self.cut()?;
        if let Err(error) = self.file.write_all(record) {
            self.is_cut = false;
            // the first error is the one to report
            let _ = self.cut();
            return Err(self.refusal(format!("cannot be written: {error}")));
        }
        self.end += record.len() as u64;
        Ok(())
    }

    /// Completes the file: returns when its content is on the disk.
    ///
    /// # Errors
    /// If the content cannot be written.
    pub fn finish(self) -> Result<(), RecordError> {
        self.file.sync_all().map_err(|e| self.refusal(format!("cannot be written: {e}")))
    }

    /// Returns an error that names the file.
    pub fn refusal(&self, reason: String) -> RecordError {
        RecordError::new(&self.path, reason)
    }
}

/// A complete line of a resumed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'t> {
    /// Counted from 1.
    pub number: usize,
    /// The text without the line break and other spaces at its end.
    pub text: &'t str,
    /// The offset of the line in bytes.
    pub start: u64,
    /// The offset of the next line in bytes.
    pub end: u64,
}

/// Calls `each` for every complete line of `source`. Returns the text after the last line break.
///
/// # Errors
/// If `each` fails, if a line is longer than 1 MiB or not UTF-8, or if `source` cannot be read.
pub fn for_each_line(
    source: impl Read,
    mut each: impl FnMut(Line<'_>) -> Result<(), String>,
) -> Result<String, String> {
    let mut reader = BufReader::new(source);
    let mut line = String::new();
    let mut start = 0;
    for number in 1.. {
        let length = read_line(&mut reader, &mut line).map_err(unreadable)?;
        if !line.ends_with('\n') {
            break;
        }
        let end = start + length as u64;
        each(Line { number, text: line.trim_end(), start, end })?;
        start = end;
    }
    Ok(line)
}

/// Returns the reason to refuse a file that cannot be read.
pub fn unreadable(error: impl std::fmt::Display) -> String {
    format!("cannot be read: {error}")
}

/// Reads the next line, including its line break, and returns its length in bytes.
fn read_line(reader: &mut impl BufRead, line: &mut String) -> io::Result<usize> {
    line.clear();
    let length = reader.by_ref().take(LONGEST_LINE).read_line(line)?;
    if length as u64 == LONGEST_LINE && !line.ends_with('\n') {
        let why = format!("found a line longer than {LONGEST_LINE} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    Ok(length)
}

/// Rejects folders, devices and pipes. Must run before the file is opened, because opening a pipe
/// can block forever.
///
/// # Errors
/// If there is something else than a regular file at `path`.
pub(super) fn reject_special(path: &Path) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::other("it is not a regular file"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const HEADER: &str = "squares\n";

    fn record(number: u64) -> String {
        format!("{number} {}\n", number * number)
    }

    /// Returns the length of the header and the whole records, and the number of records.
    fn scan(file: &File) -> Result<(u64, u64), String> {
        let (mut end, mut done) = (0, 0);
        for_each_line(file, |line| {
            let expected = if line.number == 1 { HEADER.into() } else { record(done) };
            if line.text != expected.trim_end() {
                return Err(format!("line {}: not a square", line.number));
            }
            done += u64::from(line.number > 1);
            end = line.end;
            Ok(())
        })?;
        Ok((end, done))
    }

    /// Writes the squares up to `last`, or resumes the file.
    fn write(path: &Path, last: u64) -> Result<(), RecordError> {
        let mut done = 0;
        let mut file = RecordFile::resume(path, |file| {
            let (end, found) = scan(file)?;
            done = found;
            Ok(end)
        })?;
        if file.end() == 0 {
            file.append(HEADER.as_bytes())?;
        }
        for number in done..last {
            file.append(record(number).as_bytes())?;
        }
        file.finish()
    }

    proptest! {
        #[test]
        fn a_file_killed_at_any_bytes_ends_up_the_same(
            last in 1..30_u64,
            kills in prop::collection::vec(any::<prop::sample::Index>(), 1..5),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("squares");
            write(&path, last).unwrap();
            let whole = fs::read(&path).unwrap();
            for kill in kills {
                fs::write(&path, &whole[..kill.index(whole.len() + 1)]).unwrap();
                // a run that ends early, and one that completes the file
                write(&path, last / 2).unwrap();
                write(&path, last).unwrap();
                prop_assert_eq!(&fs::read(&path).unwrap(), &whole);
            }
        }
    }

    #[test]
    fn a_refused_file_is_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("squares");
        fs::write(&path, "squares\n0 0\n1 2\n2 ").unwrap();
        let error = write(&path, 9).unwrap_err().to_string();
        assert!(error.ends_with("squares: line 3: not a square"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "squares\n0 0\n1 2\n2 ");
    }

    #[test]
    fn special_files_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path(), Path::new("/dev/zero")] {
            assert!(RecordFile::resume(path, |_| Ok(0)).is_err(), "{}", path.display());
        }
    }

    #[test]
    fn lines_longer_than_the_limit_are_rejected() {
        let mut lines = Vec::new();
        let rest = for_each_line(&b"one\r\ntwo"[..], |line| {
            lines.push((line.text.to_owned(), line.start, line.end));
            Ok(())
        });
        assert_eq!((lines, rest), (vec![("one".to_owned(), 0, 5)], Ok("two".to_owned())));
        let error = for_each_line(io::repeat(b'x'), |_| Ok(())).unwrap_err();
        assert_eq!(error, "cannot be read: found a line longer than 1048576 bytes");
    }
}
