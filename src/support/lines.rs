//! Log files to which several programs may append lines.

use super::record_file::reject_special;
use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
};

/// A file to which complete lines are appended.
#[derive(Debug)]
pub struct LineFile(File);

impl LineFile {
    /// Opens the file at `path` for appending and creates it if it does not exist.
    ///
    /// # Errors
    /// If the path is not a regular file, or cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        reject_special(path)?;
        OpenOptions::new().create(true).append(true).read(true).open(path).map(Self)
    }

    /// Appends `line` and a line break in one write, so that several engines can share a file. If
    /// the last line of the file is incomplete, for example after a full disk, a line break is
    /// written first.
    ///
    /// # Errors
    /// If the line cannot be written completely.
    pub fn append(&mut self, line: &str) -> io::Result<()> {
        let start = if self.is_at_line_start()? { "" } else { "\n" };
        write_once(&mut self.0, format!("{start}{line}\n").as_bytes())
    }

    /// Whether the file is empty or ends with a line break. Checked on each append, because other
    /// programs may have written to the file.
    fn is_at_line_start(&mut self) -> io::Result<bool> {
        if self.0.seek(SeekFrom::End(0))? == 0 {
            return Ok(true);
        }
        self.0.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        Ok(self.0.read(&mut last)? == 0 || last == *b"\n")
    }
}

/// Writes all `bytes` in one write.
///
/// # Errors
/// If nothing or only part of them can be written.
pub fn write_once(file: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let written = loop {
        match file.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            written => break written?,
        }
    };
    if written < bytes.len() {
        let why = format!("only {written} of {} bytes written", bytes.len());
        return Err(io::Error::other(why));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn an_incomplete_line_does_not_corrupt_the_next_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        fs::write(&path, "half").unwrap();
        let mut lines = LineFile::open(&path).unwrap();
        lines.append("one").unwrap();
        // an interrupted write by another program
        let mut other = OpenOptions::new().append(true).open(&path).unwrap();
        other.write_all(b"half again").unwrap();
        lines.append("two").unwrap();
        lines.append("three").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "half\none\nhalf again\ntwo\nthree\n");
    }

    #[test]
    fn special_files_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path(), Path::new("/dev/zero")] {
            assert!(LineFile::open(path).is_err(), "{}", path.display());
        }
    }
}
