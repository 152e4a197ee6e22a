//! The file of known positions: a header, then records of 20 bytes sorted by key. All numbers are
//! little-endian.
//!
//! | bytes | header |
//! |---|---|
//! | 8 | `DFKNOWN` and a zero |
//! | 4 | version, 1 |
//! | 8 | digest of everything after it, as eight hexadecimal digits |
//! | 8 | number of games |
//! | 8 | number of records |
//!
//! | bytes | record |
//! |---|---|
//! | 8 | [`position_key`](super::position_key) |
//! | 4 | games won by White |
//! | 4 | drawn games |
//! | 4 | games won by Black |

use super::{KnownGames, ResultCounts};
use crate::support::digest::digest;
use std::{
    fmt,
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

/// The first bytes of the file.
const MAGIC: [u8; 8] = *b"DFKNOWN\0";
const VERSION: u32 = 1;
/// The part of the header that the digest does not cover, in bytes.
const SEAL: usize = 8 + 4 + 8;
const HEADER: usize = SEAL + 8 + 8;
const RECORD: usize = 8 + 3 * 4;

/// The reason why a file of known positions is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {reason}")]
pub struct NoKnownGames {
    file: String,
    reason: String,
}

impl KnownGames {
    /// Returns whether a file that begins with `start` claims to hold known positions.
    #[must_use]
    pub fn is_claimed(start: &[u8]) -> bool {
        start.starts_with(&MAGIC)
    }

    /// Reads the file at `path`.
    ///
    /// # Errors
    /// If the file cannot be read, or any part of it is not as `deepfeeling remember` writes it.
    pub fn read(path: &Path) -> Result<Self, NoKnownGames> {
        let refuse = |reason: String| NoKnownGames { file: path.display().to_string(), reason };
        let bytes = read(path).map_err(|error| refuse(format!("cannot be read: {error}")))?;
        Self::from_bytes(bytes).map_err(refuse)
    }

    /// Returns the content of the file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        number(self.bytes.get(SEAL..).unwrap_or_default())
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.records().len()
    }

    /// Returns the digest of the content, as eight hexadecimal digits.
    #[must_use]
    pub fn digest(&self) -> String {
        digest(self.bytes.get(SEAL..).unwrap_or_default())
    }

    /// Returns the results of the games that reached the position with this key.
    pub(super) fn counts_of(&self, wanted: u64) -> Option<ResultCounts> {
        let near = self.near(wanted);
        let found = near.binary_search_by_key(&wanted, |record| number(record)).ok()?;
        near.get(found).map(counts)
    }

    /// Returns a few records. The record of the `wanted` key is one of them if it exists.
    ///
    /// Keys are evenly spread, so a record is near the place that its key predicts. This reads less
    /// memory than a binary search of the whole file.
    /// <https://en.wikipedia.org/wiki/Interpolation_search>
    fn near(&self, wanted: u64) -> &[[u8; RECORD]] {
        let records = self.records();
        let Some(last) = records.len().checked_sub(1) else { return records };
        let key = |at: usize| records.get(at).map_or(0, |record| number(record));
        let span = |keys: i128| (keys * records.len() as i128) >> 64;
        let mut at = span(wanted.into()) as usize;
        for _ in 0..2 {
            let ahead = span(i128::from(wanted) - i128::from(key(at)));
            at = (at as i128 + ahead).clamp(0, last as i128) as usize;
        }
        let mut reach = 4;
        loop {
            let (low, high) = (at.saturating_sub(reach), last.min(at + reach));
            let is_inside =
                (low == 0 || key(low) <= wanted) && (high == last || key(high) >= wanted);
            if is_inside {
                return records.get(low..=high).unwrap_or_default();
            }
            reach *= 4;
        }
    }

    /// Returns all keys with their results, sorted by key.
    pub(super) fn entries(&self) -> impl Iterator<Item = (u64, ResultCounts)> {
        self.records().iter().map(|record| (number(record), counts(record)))
    }

    /// Creates the file of these positions, which must be sorted by key.
    pub(super) fn of(games: u64, entries: impl Iterator<Item = (u64, ResultCounts)>) -> Self {
        let mut bytes = vec![0; HEADER];
        for (key, ResultCounts { white, draws, black }) in entries {
            bytes.extend(key.to_le_bytes());
            bytes.extend([white, draws, black].map(u32::to_le_bytes).as_flattened());
        }
        let records = ((bytes.len() - HEADER) / RECORD) as u64;
        bytes[SEAL..HEADER].copy_from_slice([games, records].map(u64::to_le_bytes).as_flattened());
        let digest = digest(&bytes[SEAL..]);
        let seal = [&MAGIC[..], &VERSION.to_le_bytes(), digest.as_bytes()].concat();
        bytes[..SEAL].copy_from_slice(&seal);
        Self { bytes }
    }

    /// Checks the content of a file.
    ///
    /// # Errors
    /// Returns the reason to refuse it.
    fn from_bytes(bytes: Vec<u8>) -> Result<Self, String> {
        if !Self::is_claimed(&bytes) {
            return Err(
                "is not a file of known positions; `deepfeeling remember` writes one".into()
            );
        }
        let Some((header, records)) = bytes.split_at_checked(HEADER) else {
            return Err(format!("is truncated: found {} bytes of the header", bytes.len()));
        };
        let version = header[8..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        if version != VERSION {
            return Err(format!("found version {version} (allowed: {VERSION})"));
        }
        let announced = number(&header[SEAL + 8..]);
        if announced.checked_mul(RECORD as u64) != Some(records.len() as u64) {
            let found = records.len() / RECORD;
            return Err(format!(
                "is truncated or has a wrong length: found {found} positions, expected {announced}"
            ));
        }
        let (found, expected) = (digest(&bytes[SEAL..]), &header[SEAL - 8..SEAL]);
        if found.as_bytes() != expected {
            let expected = expected.escape_ascii();
            return Err(format!("is damaged: found digest {found}, expected {expected}"));
        }
        let known = Self { bytes };
        if !known.records().is_sorted_by(|one, next| number(one) < number(next)) {
            return Err("is damaged: its positions are not sorted".into());
        }
        if let Some((key, _)) = known.entries().find(|(_, counts)| counts.games() == 0) {
            return Err(format!("is damaged: position {key:016x} has no games"));
        }
        Ok(known)
    }

    fn records(&self) -> &[[u8; RECORD]] {
        self.bytes.get(HEADER..).unwrap_or_default().as_chunks().0
    }
}

impl fmt::Display for KnownGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (positions, games) = (self.positions(), self.games());
        let plural = |one: bool| if one { "" } else { "s" };
        let ends = [plural(positions == 1), plural(games == 1)];
        write!(f, "{positions} position{} from {games} game{}", ends[0], ends[1])
    }
}

/// Reads a whole file, or only the header of a file that is not ours.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    // check first, because opening a pipe would wait for a writer
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    file.by_ref().take(HEADER as u64).read_to_end(&mut bytes)?;
    if KnownGames::is_claimed(&bytes) {
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Returns the number in the first eight bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

fn counts(record: &[u8; RECORD]) -> ResultCounts {
    let part = |at: usize| {
        let bytes = record.get(at..).and_then(|rest| rest.first_chunk());
        bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
    };
    ResultCounts { white: part(8), draws: part(12), black: part(16) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn known(keys: impl IntoIterator<Item = u64>) -> KnownGames {
        let counts = |key| ResultCounts { white: key as u32, draws: 1, black: 2 };
        KnownGames::of(5, keys.into_iter().map(|key| (key, counts(key))))
    }

    /// Writes `bytes` to a file and returns the reason why it is refused.
    fn refusal(bytes: &[u8]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("known.bin");
        fs::write(&path, bytes).unwrap();
        let error = KnownGames::read(&path).unwrap_err().to_string();
        let name = format!("{}: ", path.display());
        error.strip_prefix(&name).unwrap_or_else(|| panic!("{error}")).to_owned()
    }

    #[test]
    fn a_file_reads_back_as_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("known.bin");
        for keys in [vec![], vec![0], vec![3, 8, u64::MAX]] {
            let written = known(keys.clone());
            fs::write(&path, written.bytes()).unwrap();
            let read = KnownGames::read(&path).unwrap();
            assert_eq!((&read, read.games(), read.positions()), (&written, 5, keys.len()));
            for key in keys {
                let counts = read.counts_of(key).unwrap();
                assert_eq!(counts, ResultCounts { white: key as u32, draws: 1, black: 2 });
                assert_eq!(read.counts_of(key ^ 1), None);
            }
        }
    }

    #[test]
    fn a_million_positions_fit_into_20_mib() {
        let known = known((0..1_000_000).map(|number| number << 44));
        assert_eq!(known.positions(), 1_000_000);
        assert!(known.bytes().len() < 20 << 20, "{} bytes", known.bytes().len());
    }

    #[test]
    fn foreign_files_are_refused() {
        for foreign in [&b""[..], b"[Event \"?\"]\n\n1. e4 e5 *\n", &[0; 4096], b"DFKNOWN\n"] {
            assert!(refusal(foreign).starts_with("is not a file of known positions"));
        }
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path(), &folder.path().join("nowhere"), Path::new("/dev/null")] {
            let error = KnownGames::read(path).unwrap_err().to_string();
            assert!(error.contains(": cannot be read: "), "{error}");
        }
    }

    #[test]
    fn other_versions_are_refused() {
        let mut bytes = known([1, 2]).bytes().to_vec();
        bytes[8] = 7;
        assert_eq!(refusal(&bytes), "found version 7 (allowed: 1)");
    }

    #[test]
    fn truncated_and_extended_files_are_refused() {
        let whole = known([1, 2, 3]).bytes().to_vec();
        for length in [8, 20, HEADER - 1, HEADER, HEADER + RECORD, whole.len() - 1] {
            assert!(refusal(&whole[..length]).starts_with("is truncated"), "{length}");
        }
        let longer = [&whole[..], &[0; RECORD]].concat();
        let expected = "found 4 positions, expected 3";
        assert!(refusal(&longer).ends_with(expected), "{}", refusal(&longer));
    }

    #[test]
    fn unsorted_and_empty_records_are_refused() {
        for keys in [[2, 1], [4, 4]] {
            assert_eq!(refusal(known(keys).bytes()), "is damaged: its positions are not sorted");
        }
        let empty = KnownGames::of(1, [(10, ResultCounts::default())].into_iter());
        assert_eq!(refusal(empty.bytes()), "is damaged: position 000000000000000a has no games");
    }

    proptest! {
        #[test]
        fn every_key_is_found_and_no_other(
            keys in prop::collection::btree_set(any::<u64>(), 0..200),
            crowded in prop::collection::btree_set(1_000_u64..3_000, 0..200),
            others in prop::collection::vec(any::<u64>(), 20),
        ) {
            let keys: std::collections::BTreeSet<_> = keys.union(&crowded).copied().collect();
            let known = known(keys.iter().copied());
            for key in keys.iter().copied().chain(others).chain(900..3_100) {
                prop_assert_eq!(known.counts_of(key).is_some(), keys.contains(&key), "{}", key);
            }
        }

        #[test]
        fn any_changed_byte_is_noticed(at: prop::sample::Index, change in 1_u8..) {
            let mut bytes = known([5, 6, 7]).bytes().to_vec();
            let at = at.index(bytes.len());
            bytes[at] ^= change;
            prop_assert!(KnownGames::from_bytes(bytes).is_err());
        }
    }
}
