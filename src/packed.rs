//! Files that may be packed by zstd; the first bytes tell, not the name.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

/// What every zstd file begins with.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Enough for hundreds of millions of positions, in bytes: a limit for data files.
pub const LARGEST_DATA: u64 = 16 << 30;

/// The content of a file, unpacked if need be; of a longer one than `limit` bytes one byte more than
/// that.
///
/// # Errors
/// If it cannot be read or unpacked.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    if !bytes.starts_with(&MAGIC) {
        return Ok(bytes);
    }
    let mut content = Vec::new();
    zstd::Decoder::new(bytes.as_slice())?.take(limit + 1).read_to_end(&mut content)?;
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
        fs::write(&packed, [&MAGIC[..], b"no zstd"].concat()).unwrap();
        assert!(read(&packed, 100).is_err());
    }
}
