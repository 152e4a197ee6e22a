//! Files that grow: records and logs.

use std::{
    fs::{self, File, OpenOptions},
    io,
    path::Path,
};

/// The file at `path`, to go on at its end; made if there is none.
///
/// # Errors
/// If it is something else than a file, or cannot be written.
pub fn end_of(path: &Path) -> io::Result<File> {
    // ask first: to open a pipe would wait for a reader
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::other("it is not a file"));
    }
    OpenOptions::new().create(true).append(true).open(path)
}
