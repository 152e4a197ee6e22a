//! Files that may be packed by zstd; the first bytes tell, not the name.

use std::{
    fs::File,
    io::{self, Cursor, Read},
    path::Path,
};

/// What every zstd file begins with.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Enough for hundreds of millions of positions, in bytes: a limit for data files.
pub const LARGEST_DATA: u64 = 16 << 30;

/// The content of a file, unpacked if need be, to be read as it comes: the file may be of any size.
///
/// # Errors
/// If it cannot be opened. What comes later may be broken too.
pub fn stream(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    unpack(File::open(path)?)
}

/// The same of a source that is already open.
///
/// # Errors
/// If it cannot be read.
pub fn unpack(mut source: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let mut head = Vec::new();
    source.by_ref().take(MAGIC.len() as u64).read_to_end(&mut head)?;
    let is_packed = head == MAGIC;
    let whole = Cursor::new(head).chain(source);
    Ok(if is_packed { Box::new(zstd::Decoder::new(whole)?) } else { Box::new(whole) })
}

/// The content of a file, unpacked if need be; of a longer one than `limit` bytes one byte more than
/// that.
///
/// # Errors
/// If it cannot be read or unpacked.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    stream(path)?.take(limit + 1).read_to_end(&mut content)?;
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_was_packed_is_read_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let [plain, packed] = ["a.csv", "b"].map(|name| dir.path().join(name));
        fs::write(&plain, b"text").unwrap();
        fs::write(&packed, zstd::encode_all(b"text".as_slice(), 3).unwrap()).unwrap();
        assert_eq!(read(&plain, 100).unwrap(), b"text");
        assert_eq!(read(&packed, 100).unwrap(), b"text");
        assert_eq!(read(&plain, 2).unwrap(), b"tex");
        fs::write(&plain, b"x").unwrap();
        assert_eq!(read(&plain, 100).unwrap(), b"x");
        fs::write(&packed, [&MAGIC[..], b"no zstd"].concat()).unwrap();
        assert!(read(&packed, 100).is_err());
    }

    #[test]
    fn a_stream_cut_short_is_an_error_after_what_there_was() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("cut.zst");
        let whole = zstd::encode_all(vec![7_u8; 1 << 20].as_slice(), 3).unwrap();
        fs::write(&path, &whole[..whole.len() - 3]).unwrap();
        let mut content = Vec::new();
        assert!(stream(&path).unwrap().read_to_end(&mut content).is_err());
        fs::write(&path, [&whole[..], &whole].concat()).unwrap();
        content.clear();
        assert_eq!(stream(&path).unwrap().read_to_end(&mut content).unwrap(), 2 << 20);
    }
}
