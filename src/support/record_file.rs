//! Files that grow: records and logs.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufRead, Read, Seek, SeekFrom, Write},
    path::Path,
};

/// The longest line that is read from a file that is continued, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// A file to which whole lines are appended.
#[derive(Debug)]
pub struct Lines(File);

impl Lines {
    /// Opens the file at `path`, and creates it if it is missing.
    ///
    /// # Errors
    /// If it is not a regular file, or cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        refuse_special(path)?;
        OpenOptions::new().create(true).append(true).read(true).open(path).map(Self)
    }

    /// Appends `line` and a line break by one write, so that engines can share a file. If the last
    /// line of the file is incomplete, as a full disk leaves it, a line break comes first.
    ///
    /// # Errors
    /// If the line cannot be written completely.
    pub fn append(&mut self, line: &str) -> io::Result<()> {
        let start = if self.is_at_line_start()? { "" } else { "\n" };
        write_once(&mut self.0, format!("{start}{line}\n").as_bytes())
    }

    /// Other programs may have appended to the file since the last time.
    fn is_at_line_start(&mut self) -> io::Result<bool> {
        if self.0.seek(SeekFrom::End(0))? == 0 {
            return Ok(true);
        }
        self.0.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        Ok(self.0.read(&mut last)? == 0 || last == *b"\n")
    }
}

/// Writes all `bytes` by one write.
///
/// # Errors
/// If only a part of them can be written, or nothing.
pub fn write_once(file: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let written = loop {
        match file.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            written => break written?,
        }
    };
    if written < bytes.len() {
        let why = format!("only {written} of {} bytes could be written", bytes.len());
        return Err(io::Error::other(why));
    }
    Ok(())
}

/// Opens the file at `path` to read what an earlier run wrote, and to continue it. Creates it if it is
/// missing.
///
/// # Errors
/// If it is not a regular file, or cannot be opened.
pub fn resume(path: &Path) -> io::Result<File> {
    refuse_special(path)?;
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

/// Reads the next line of a file that is continued, including its line break.
///
/// # Errors
/// If it is too long or not UTF-8, or the file cannot be read.
pub fn read_line(reader: &mut impl BufRead, line: &mut String) -> io::Result<usize> {
    line.clear();
    let length = reader.by_ref().take(LONGEST_LINE).read_line(line)?;
    if length as u64 == LONGEST_LINE && !line.ends_with('\n') {
        let why = format!("found a line of more than {LONGEST_LINE} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    Ok(length)
}

/// Refuses folders, devices and pipes. Opening a pipe could wait forever, so this comes first.
fn refuse_special(path: &Path) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::other("it is not a regular file"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_incomplete_line_does_not_spoil_the_next_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        fs::write(&path, "half").unwrap();
        let mut lines = Lines::open(&path).unwrap();
        lines.append("one").unwrap();
        // a write of another program that failed midway
        let mut other = OpenOptions::new().append(true).open(&path).unwrap();
        other.write_all(b"half again").unwrap();
        lines.append("two").unwrap();
        lines.append("three").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "half\none\nhalf again\ntwo\nthree\n");
    }

    #[test]
    fn special_files_are_not_continued() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path(), Path::new("/dev/zero")] {
            assert!(resume(path).is_err() && Lines::open(path).is_err(), "{}", path.display());
        }
    }

    #[test]
    fn lines_are_read_up_to_a_limit() {
        let mut reader = io::BufReader::new(&b"one\ntwo"[..]);
        let mut line = String::new();
        for (expected, length) in [("one\n", 4), ("two", 3), ("", 0)] {
            assert_eq!(read_line(&mut reader, &mut line).unwrap(), length);
            assert_eq!(line, expected);
        }
        let mut endless = io::BufReader::new(io::repeat(b'x'));
        let error = read_line(&mut endless, &mut line).unwrap_err();
        assert_eq!(error.to_string(), "found a line of more than 1048576 bytes");
    }
}
