//! Reads input files that may be compressed with gzip or zstd.
//!
//! The format is recognised by the first bytes of the file. The file name does not matter.

use crate::support::input;
use flate2::read::MultiGzDecoder;
use std::{
    io::{self, Cursor, ErrorKind, Read},
    path::Path,
    sync::atomic::AtomicBool,
};

/// The size limit for data files, in bytes (16 GiB). This is enough for hundreds of millions of
/// positions.
pub const LARGEST_DATA: u64 = 16 << 30;
/// The longest line allowed in a file that is read into memory as a whole, in bytes.
const LONGEST_LINE: usize = 1 << 20;
/// The number of bytes inspected to recognise a format.
const HEAD: u64 = 8;
/// The number of bytes read between two checks of the size and line limits.
const PIECE: u64 = 1 << 16;
/// Extensions of compressed files.
const EXTENSIONS: [&str; 2] = [".gz", ".zst"];

/// A compressed file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CompressedFormat {
    Gzip,
    Zstd,
    /// A format that is recognised but not supported, with its name.
    Other(&'static str),
}

impl CompressedFormat {
    fn of(head: &[u8]) -> Option<Self> {
        Some(match head {
            [0x1f, 0x8b, ..] => Self::Gzip,
            // a data frame, or a skippable frame
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31 | 0x17, ..] => Self::Other("bzip2"),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Other("xz"),
            [b'P', b'K', 3, 4, ..] => Self::Other("zip"),
            [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Self::Other("7z"),
            _ => return None,
        })
    }
}

/// Returns the file name without the extension `.gz` or `.zst`.
#[must_use]
pub fn plain_name(name: &str) -> &str {
    EXTENSIONS.iter().find_map(|extension| name.strip_suffix(extension)).unwrap_or(name)
}

/// Opens a file of any size and decompresses it if necessary. Reading fails as soon as `stop` is
/// set.
///
/// # Errors
/// If the path is neither a regular file nor a pipe, the format is not supported, or the file
/// cannot be opened. Reading can still fail later.
pub fn stream<'s>(path: &Path, stop: &'s AtomicBool) -> io::Result<Box<dyn Read + Send + 's>> {
    unpack(input::open(path, stop)?.source)
}

/// Like [`stream`], for a source that is already open.
///
/// # Errors
/// If the format is not supported, or the source cannot be read.
pub fn unpack<'s>(source: impl Read + Send + 's) -> io::Result<Box<dyn Read + Send + 's>> {
    let (head, source) = peek(source)?;
    let source: Box<dyn Read + Send + 's> = match CompressedFormat::of(&head) {
        None => Box::new(source),
        Some(CompressedFormat::Gzip) => Box::new(MultiGzDecoder::new(source)),
        Some(CompressedFormat::Zstd) => Box::new(zstd::Decoder::new(source)?),
        Some(CompressedFormat::Other(name)) => {
            return Err(invalid(format!("it is compressed with {name}, allowed: gzip, zstd")));
        }
    };
    let (head, source) = peek(source)?;
    if is_utf16(&head) {
        return Err(invalid("it is UTF-16 text, allowed: UTF-8".into()));
    }
    Ok(Box::new(source))
}

/// Returns the first bytes of a source, together with the source rewound to its beginning.
fn peek<'s>(mut source: impl Read + Send + 's) -> io::Result<(Vec<u8>, impl Read + Send + 's)> {
    let mut head = Vec::new();
    source.by_ref().take(HEAD).read_to_end(&mut head)?;
    Ok((head.clone(), Cursor::new(head).chain(source)))
}

/// Whether a text starts with a UTF-16 byte order mark or with two ASCII characters in UTF-16.
fn is_utf16(head: &[u8]) -> bool {
    match head {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [a, 0, b, 0, ..] | [0, a, 0, b, ..] => *a != 0 && *b != 0,
        _ => false,
    }
}

fn invalid(reason: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, reason)
}

/// Returns the content of a text file, decompressed if necessary.
///
/// # Errors
/// If the file cannot be read, or has a line longer than 1 MiB. If it is larger than `limit` bytes,
/// the error kind is [`ErrorKind::FileTooLarge`].
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_until(path, limit, &AtomicBool::new(false))
}

/// Like [`read`], but can be interrupted by setting `stop`.
///
/// # Errors
/// Like [`read`], and if `stop` is set.
pub fn read_until(path: &Path, limit: u64, stop: &AtomicBool) -> io::Result<Vec<u8>> {
    let mut source = stream(path, stop)?;
    let mut content = Vec::new();
    let (mut number, mut start) = (1, 0);
    while source.by_ref().take(PIECE).read_to_end(&mut content)? > 0 {
        if content.len() as u64 > limit {
            let reason = format!("it is too large, allowed: {limit} bytes");
            return Err(io::Error::new(ErrorKind::FileTooLarge, reason));
        }
        while let Some(end) = content[start..].iter().position(|byte| *byte == b'\n') {
            (number, start) = (number + 1, start + end + 1);
        }
        if content.len() - start > LONGEST_LINE {
            return Err(invalid(format!("line {number} is longer than {LONGEST_LINE} bytes")));
        }
    }
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, io::Write, path::PathBuf};

    fn file(folder: &Path, content: &[u8]) -> PathBuf {
        let path = folder.join("file");
        fs::write(&path, content).unwrap();
        path
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn compressed_files_are_recognised_by_their_content() {
        let folder = tempfile::tempdir().unwrap();
        let zstd = zstd::encode_all(&b"text"[..], 3).unwrap();
        let skipped = [&[0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 7], &zstd[..]].concat();
        for (content, expected) in [
            (b"text".to_vec(), "text"),
            (zstd, "text"),
            (skipped, "text"),
            (gzip(b"text"), "text"),
            ([gzip(b"te"), gzip(b"xt")].concat(), "text"),
            (b"x".to_vec(), "x"),
            (Vec::new(), ""),
        ] {
            let path = file(folder.path(), &content);
            assert_eq!(read(&path, 100).unwrap(), expected.as_bytes(), "{content:?}");
        }
        for broken in [b"\x28\xb5\x2f\xfdno zstd", &b"\x1f\x8bno gzip"[..]] {
            assert!(read(&file(folder.path(), broken), 100).is_err());
        }
        assert_eq!(["a.csv.gz", "a.csv.zst", "a.csv"].map(plain_name), ["a.csv"; 3]);
    }

    #[test]
    fn unsupported_formats_are_rejected_by_name() {
        let folder = tempfile::tempdir().unwrap();
        for (content, name) in [
            (&b"BZh91AY&SY"[..], "bzip2"),
            (b"\xfd7zXZ\0\0", "compressed with xz"),
            (b"PK\x03\x04\x14", "compressed with zip"),
            (b"7z\xbc\xaf\x27\x1c", "compressed with 7z"),
            (b"\xff\xfe[\0", "UTF-16 text, allowed: UTF-8"),
            (b"\xfe\xff\0[", "UTF-16"),
            (b"[\0E\0v\0", "UTF-16"),
            (b"\0[\0E\0v", "UTF-16"),
            (&gzip(b"1\0.\0"), "UTF-16"),
        ] {
            let error = read(&file(folder.path(), content), 100).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
        }
    }

    #[test]
    fn length_and_lines_are_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), b"text");
        assert_eq!(read(&path, 4).unwrap(), b"text");
        assert_eq!(read(&path, 3).unwrap_err().kind(), ErrorKind::FileTooLarge);
        // 64 GiB, more than fits into memory, without a single line break
        let endless = fs::File::create(folder.path().join("endless")).unwrap();
        endless.set_len(1 << 36).unwrap();
        let error = read(&folder.path().join("endless"), u64::MAX).unwrap_err().to_string();
        assert_eq!(error, "line 1 is longer than 1048576 bytes");
        let error = read_until(&path, 4, &AtomicBool::new(true)).unwrap_err();
        assert_eq!(error.to_string(), "interrupted");
    }

    #[test]
    fn a_truncated_stream_fails_at_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let text = vec![7_u8; 1 << 20];
        let stop = AtomicBool::new(false);
        for whole in [zstd::encode_all(&text[..], 3).unwrap(), gzip(&text)] {
            let path = file(folder.path(), &whole[..whole.len() - 3]);
            let mut content = Vec::new();
            assert!(stream(&path, &stop).unwrap().read_to_end(&mut content).is_err());
            let path = file(folder.path(), &[&whole[..], &whole].concat());
            content.clear();
            stream(&path, &stop).unwrap().read_to_end(&mut content).unwrap();
            assert_eq!(content.len(), 2 << 20);
        }
    }
}
