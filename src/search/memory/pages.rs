//! Allocates the memory of the transposition table, on huge pages where the system offers them.
//!
//! Entries are read at random, and each small page would need its own address translation.
//! <https://www.chessprogramming.org/Memory#HugePages>

use super::tt::{Compatible, Stamp, Table};
use memmap2::MmapMut;
use std::{sync::atomic::AtomicU64, thread};
use zerocopy::FromBytes;

/// The error of a failed allocation of the transposition table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

/// The memory and the generation of a transposition table, kept from search to search.
#[derive(Debug)]
pub struct Memory {
    pages: MmapMut,
    /// The generation and evaluation number of new entries.
    stamp: Stamp,
    compatible: Compatible,
    /// Whether the table is unused since it was last cleared.
    is_clear: bool,
}

impl Memory {
    /// Allocates an empty table of `mib` MiB, at least 1. Writes to every page now, because the
    /// system supplies a page on its first write. During a search, that delay could exceed the time
    /// limit.
    ///
    /// # Errors
    /// Returns [`OutOfMemory`] if the system does not supply the memory.
    pub fn new(mib: usize) -> Result<Self, OutOfMemory> {
        let bytes = mib.max(1).checked_mul(1 << 20).ok_or(OutOfMemory)?;
        let mut pages = MmapMut::map_anon(bytes).map_err(|_| OutOfMemory)?;
        // huge pages only affect speed, so a failure is ignored
        #[cfg(target_os = "linux")]
        let _ = pages.advise(memmap2::Advice::HugePage);
        zero(&mut pages);
        Ok(Self {
            pages,
            stamp: Stamp::default(),
            compatible: Compatible::default(),
            is_clear: true,
        })
    }

    /// Returns the table for one search and all its threads.
    ///
    /// # Panics
    /// Never: pages are word-aligned and hold whole words.
    pub fn table(&mut self) -> Table<'_> {
        self.is_clear = false;
        let words = <[AtomicU64]>::mut_from_bytes(&mut self.pages).expect("pages hold whole words");
        Table::new(words, self.stamp, self.compatible)
    }

    /// Starts a new generation, whose scores belong to the evaluation numbered `evaluation`. Scores
    /// of earlier searches are reused only if their evaluation is in `compatible`. Different
    /// evaluations need different numbers.
    pub fn new_search(&mut self, evaluation: u8, compatible: Compatible) {
        let generation = self.stamp.generation.wrapping_add(1);
        (self.stamp, self.compatible) = (Stamp { generation, evaluation }, compatible);
        self.compatible.add(evaluation);
    }

    /// Clears the table in place, so that its pages stay allocated. Does nothing if no search has
    /// used the table since it was last cleared.
    pub fn clear(&mut self) {
        if !self.is_clear {
            zero(&mut self.pages);
        }
        (self.stamp, self.compatible, self.is_clear) =
            (Stamp::default(), Compatible::default(), true);
    }
}

/// Fills `bytes` with zeros, using one thread per 32 MiB and at most one per core.
fn zero(bytes: &mut [u8]) {
    /// Bytes per thread: a few milliseconds of work.
    const SHARE: usize = 32 << 20;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = (bytes.len() / SHARE).clamp(1, cores);
    if threads == 1 {
        return bytes.fill(0);
    }
    let share = bytes.len().div_ceil(threads);
    thread::scope(|scope| {
        for share in bytes.chunks_mut(share) {
            scope.spawn(|| share.fill(0));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::score::Score,
        search::{
            memory::tt::{Known, PackedMove},
            root::report::Bound,
        },
    };
    use shakmaty::zobrist::Zobrist64;

    #[test]
    fn a_cleared_table_is_empty_and_keeps_its_pages() {
        let mut memory = Memory::new(80).unwrap();
        let pages = memory.pages.as_ptr();
        let known = Known { score: Score::cp(1), bound: Bound::Exact, depth: 1, static_eval: None };
        let keys = || (0..64).map(|i| Zobrist64(u64::MAX / 64 * i));
        for _ in 0..2 {
            memory.new_search(0, Compatible::default());
            let table = memory.table();
            keys().for_each(|key| table.store(key, 0, PackedMove::NONE, known));
            assert!(keys().all(|key| table.probe(key, 0).is_some()));
            memory.clear();
            assert!(keys().all(|key| memory.table().probe(key, 0).is_none()));
        }
        assert_eq!(memory.pages.as_ptr(), pages);
        assert!(memory.pages.iter().all(|byte| *byte == 0));
    }
}
