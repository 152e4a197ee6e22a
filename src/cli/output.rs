//! Files that a command writes at its end.

use anyhow::{Context, ensure};
use std::{
    fs::{self, File, OpenOptions},
    io::Read,
    path::Path,
};

/// Bytes from the beginning of a file that are looked at to tell what it is.
const START: u64 = 1 << 20;

/// A file to write once the work is done. Whether it can be, and whether anything would be lost, is
/// asked before, as the work may take hours.
#[derive(Debug)]
pub(super) struct Output<'p>(&'p Path);

impl<'p> Output<'p> {
    /// A file that is not there yet, is empty, or `is_ours` by how it begins: a `kind` of file that
    /// this command has written.
    ///
    /// # Errors
    /// If it is another, or cannot be written.
    pub(super) fn new(
        path: &'p Path,
        kind: &str,
        is_ours: impl Fn(&[u8]) -> bool,
    ) -> anyhow::Result<Self> {
        let name = path.display();
        let refusal = || format!("{name} cannot be written");
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        ensure!(folder.is_dir(), "{}: there is no folder {}", refusal(), folder.display());
        ensure!(!path.is_dir(), "{}: it is a folder", refusal());
        // what is no file, as a terminal, has nothing to lose and is not tried
        let there = fs::metadata(path).ok();
        if there.as_ref().is_none_or(fs::Metadata::is_file) {
            let mut start = Vec::new();
            if there.is_some() {
                let file = File::open(path).with_context(refusal)?;
                file.take(START).read_to_end(&mut start).with_context(refusal)?;
            }
            ensure!(
                start.is_empty() || is_ours(&start),
                "{name} exists and is no {kind}: choose another name"
            );
            OpenOptions::new().append(true).create(true).open(path).with_context(refusal)?;
            if there.is_none() {
                fs::remove_file(path).with_context(refusal)?;
            }
        }
        Ok(Self(path))
    }

    /// Writes all of it, instead of what was there.
    pub(super) fn write(&self, text: &str) -> anyhow::Result<()> {
        fs::write(self.0, text).with_context(|| format!("{} cannot be written", self.0.display()))
    }
}
