//! Writes files atomically: the old content stays until the new content is completely on disk.

use std::{
    fs::{self, File, Metadata, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};
use tempfile::{Builder, NamedTempFile};

/// Writes `content` to the file at `path` and keeps the permissions of a replaced file. Symbolic
/// links are followed. Devices, and pipes under `/dev` such as `/dev/stdout`, are written directly.
///
/// # Errors
/// If any step fails. An existing file is then unchanged.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    match Target::at(path)? {
        Target::Stream => OpenOptions::new().write(true).open(path)?.write_all(content),
        Target::File { path, replaced } => {
            let mut file = beside(&path)?;
            file.write_all(content)?;
            if let Some(replaced) = replaced {
                keep_access(file.as_file(), &replaced)?;
            }
            file.as_file().sync_all()?;
            file.persist(&path)?;
            Ok(())
        }
    }
}

/// Checks that [`write()`] could write to `path`, without changing anything.
///
/// # Errors
/// If it could not.
pub fn check(path: &Path) -> io::Result<()> {
    match Target::at(path)? {
        Target::Stream => Ok(()),
        Target::File { path, .. } => beside(&path)?.close(),
    }
}

/// The kind of file that a path names.
enum Target {
    /// A device or a pipe, which is written directly.
    Stream,
    /// A regular file, with its metadata if it exists.
    File { path: PathBuf, replaced: Option<Metadata> },
}

impl Target {
    fn at(path: &Path) -> io::Result<Self> {
        let refuse = |found: &str| Err(io::Error::other(format!("it is {found}, allowed: a file")));
        let found = match fs::metadata(path) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound && !path.is_symlink() => {
                return Ok(Self::File { path: path.into(), replaced: None });
            }
            Err(error) => return Err(error),
        };
        if found.is_file() {
            // the file is replaced by a new one, but only if the existing one is writable
            OpenOptions::new().write(true).open(path)?;
            return Ok(Self::File { path: fs::canonicalize(path)?, replaced: Some(found) });
        }
        if found.is_dir() {
            return refuse("a folder");
        }
        #[cfg(unix)]
        if std::os::unix::fs::FileTypeExt::is_fifo(&found.file_type())
            && !["/dev", "/proc"].iter().any(|folder| path.starts_with(folder))
        {
            // opening it could block forever
            return refuse("a named pipe");
        }
        Ok(Self::Stream)
    }
}

/// Creates an empty temporary file in the folder of `path`, with the default permissions of a new
/// file.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = Builder::new();
    builder.prefix(".deepfeeling-");
    // the umask of the process is applied to these permissions
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder.unwrap_or(Path::new(".")))
}

/// Copies the owner and permissions of the replaced file to `file`.
fn keep_access(file: &File, replaced: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        // only root can change the owner, so a failure is ignored
        let _ = fchown(file, Some(replaced.uid()), Some(replaced.gid()));
    }
    file.set_permissions(replaced.permissions())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_created_or_replaced_without_leftovers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        check(&path).unwrap();
        assert!(!path.exists());
        for content in ["a longer text", "short"] {
            write(&path, content.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
        assert!(write(folder.path(), b"x").unwrap_err().to_string().contains("a folder"));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_permissions_and_devices_are_preserved() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [link, target, fresh] = ["link", "target", "new"].map(|name| folder.path().join(name));
        symlink("target", &link).unwrap();
        assert!(write(&link, b"x").is_err(), "the target is missing");
        fs::write(&target, "old").unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
        write(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&target), 0o640);
        // a new file gets the default permissions
        write(&fresh, b"x").unwrap();
        fs::write(folder.path().join("usual"), "x").unwrap();
        assert_eq!(mode(&fresh), mode(&folder.path().join("usual")));
        write(Path::new("/dev/null"), b"x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[cfg(unix)]
    #[test]
    fn a_named_pipe_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(write(&pipe, b"x").unwrap_err().to_string().contains("a named pipe"));
    }
}
