//! Files that are written whole: the old content stays until all of the new one is on the disk.

use std::{
    fs::{self, File, Metadata, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};
use tempfile::{Builder, NamedTempFile};

/// Writes `content` to the file at `path`, and keeps the permissions of a file that is replaced.
/// Symbolic links are followed. Devices, and pipes under `/dev` such as `/dev/stdout`, are written to
/// directly.
///
/// # Errors
/// If anything fails. A file that was there before is then unchanged.
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

/// Checks that [`write`] could write to `path`, and changes nothing.
///
/// # Errors
/// If it could not.
pub fn check(path: &Path) -> io::Result<()> {
    match Target::at(path)? {
        Target::Stream => Ok(()),
        Target::File { path, .. } => beside(&path)?.close(),
    }
}

/// What a path names.
enum Target {
    /// A device or a pipe: there is nothing to lose.
    Stream,
    /// A regular file, and its metadata if it exists.
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
            // a new file takes its place, but only if this one may be written to
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
            // opening it could wait forever for a reader
            return refuse("a named pipe");
        }
        Ok(Self::Stream)
    }
}

/// An empty temporary file in the folder of `path`, with the access rights of any new file.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = Builder::new();
    builder.prefix(".deepfeeling-");
    // the process's mask is applied to this
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder.unwrap_or(Path::new(".")))
}

/// Gives `file` the owner and the permissions of the file that it replaces.
fn keep_access(file: &File, replaced: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        // only an administrator can give files away; others keep their own
        let _ = fchown(file, Some(replaced.uid()), Some(replaced.gid()));
    }
    file.set_permissions(replaced.permissions())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_created_or_replaced_and_nothing_else_is_left() {
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
    fn links_permissions_and_devices_stay() {
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
        // the same as any other new file
        write(&fresh, b"x").unwrap();
        fs::write(folder.path().join("usual"), "x").unwrap();
        assert_eq!(mode(&fresh), mode(&folder.path().join("usual")));
        write(Path::new("/dev/null"), b"x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[cfg(unix)]
    #[test]
    fn a_named_pipe_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(write(&pipe, b"x").unwrap_err().to_string().contains("a named pipe"));
    }
}
