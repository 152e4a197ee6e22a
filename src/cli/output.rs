//! Output files that a command writes after its work, without overwriting other files.

use crate::support::whole_file;
use anyhow::{Context, ensure};
use std::{fs::File, io::Read, path::Path};

/// The number of leading bytes that identify the type of a file.
const START: u64 = 64;

/// A file to write after the work is done. The work may take hours, so it is checked beforehand
/// that the file can be written and that no other content is lost.
#[derive(Debug)]
pub(super) struct OutputFile<'p>(&'p Path);

impl<'p> OutputFile<'p> {
    /// Checks the output file. It must be missing, empty or written by this command. `is_ours`
    /// tests the first bytes, and `kind` names the file type with its article, e.g. "a table".
    ///
    /// # Errors
    /// If the file has other content or cannot be written.
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
        whole_file::check(path).with_context(refusal)?;
        if path.is_file() {
            let mut start = Vec::new();
            let file = File::open(path).with_context(refusal)?;
            file.take(START).read_to_end(&mut start).with_context(refusal)?;
            ensure!(
                start.is_empty() || is_ours(&start),
                "{name} exists and is not {kind}: choose another name"
            );
        }
        Ok(Self(path))
    }

    /// Replaces the content of the file. Keeps the old content on failure.
    pub(super) fn write(&self, text: &str) -> anyhow::Result<()> {
        self.write_bytes(text.as_bytes())
    }

    /// Like [`Self::write`], for content that is not text.
    pub(super) fn write_bytes(&self, content: &[u8]) -> anyhow::Result<()> {
        let refusal = || format!("{} cannot be written", self.0.display());
        whole_file::write(self.0, content).with_context(refusal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn open(path: &Path) -> Result<(), String> {
        let ours = |start: &[u8]| start.starts_with(b"ours");
        OutputFile::new(path, "a file of ours", ours).map(|_| ()).map_err(|error| error.to_string())
    }

    #[test]
    fn checking_a_file_does_not_create_or_change_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        open(&path("new")).unwrap();
        assert!(!path("new").exists(), "nothing is written yet");
        for (name, text, fits) in
            [("empty", "", true), ("ours", "ours, old", true), ("data", "1,2", false)]
        {
            fs::write(path(name), text).unwrap();
            let opened = open(&path(name));
            assert_eq!(opened.is_ok(), fits, "{opened:?}");
            assert_eq!(fs::read_to_string(path(name)).unwrap(), text);
        }
        assert!(
            open(&path("data")).unwrap_err().contains("is not a file of ours: choose another name")
        );
        assert!(open(folder.path()).unwrap_err().contains("cannot be written"));
        assert!(open(&path("no/file")).unwrap_err().contains("there is no folder"));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_never_removed() {
        let folder = tempfile::tempdir().unwrap();
        let [link, target] = ["link", "target"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink(&target, &link).unwrap();
        open(&link).unwrap_err();
        assert!(fs::symlink_metadata(&link).is_ok() && !target.exists());
        fs::write(&target, "ours").unwrap();
        open(&link).unwrap();
        open(Path::new("/dev/null")).unwrap();
    }
}
