//! Allocates the memory of the transposition table, on huge pages where the system offers them.
//!
//! Entries are read at random, and each small page would need its own address translation.
//! <https://www.chessprogramming.org/Memory#HugePages>

use super::tt::{CompatibleEvaluations, EntryOrigin, TranspositionTable};
use memmap2::MmapMut;
use std::{sync::atomic::AtomicU64, thread};
use zerocopy::FromBytes;

/// The error of a failed allocation of the transposition table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot allocate the transposition table")]
pub struct OutOfMemory;

/// The memory and the generation of a transposition table, kept from search to search.
#[derive(Debug)]
pub struct Memory {
    pages: MmapMut,
    /// The generation and evaluation number of new entries.
    stamp: EntryOrigin,
    compatible: CompatibleEvaluations,
    /// The number of bytes that searches use, from the start of the pages.
    in_use: usize,
    /// Whether the table is unused since it was last cleared.
    is_clear: bool,
}

impl Memory {
    /// The least number of bytes that a search uses, if the table is that large.
    const LEAST: usize = 16 << 20;
    /// The bytes that a search needs per node: one entry.
    const PER_NODE: u64 = 16;

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
            in_use: Self::LEAST.min(pages.len()),
            pages,
            stamp: EntryOrigin::default(),
            compatible: CompatibleEvaluations::default(),
            is_clear: true,
        })
    }

    /// Returns the table for one search and all its threads.
    ///
    /// # Panics
    /// Never: pages are word-aligned and hold whole words.
    pub fn table(&mut self) -> TranspositionTable<'_> {
        self.is_clear = false;
        let pages = &mut self.pages[..self.in_use];
        let words = <[AtomicU64]>::mut_from_bytes(pages).expect("pages hold whole words");
        TranspositionTable::new(words, self.stamp, self.compatible)
    }

    /// Makes room for the entries of `nodes` nodes, or of any number if `None`.
    ///
    /// The part of the table that a game cannot fill stays unused, because a smaller table is
    /// faster: more of it fits into the caches of the processor. The part in use grows when needed,
    /// and its entries are lost then. It shrinks when the table is cleared.
    pub fn make_room(&mut self, nodes: Option<u64>) {
        let bytes = nodes.map_or(u64::MAX, |nodes| nodes.saturating_mul(Self::PER_NODE));
        let bytes = bytes.checked_next_power_of_two().unwrap_or(u64::MAX);
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        self.in_use = self.in_use.max(bytes).min(self.pages.len());
    }

    /// Starts a new generation, whose scores belong to the evaluation numbered `evaluation`. Scores
    /// of earlier searches are reused only if their evaluation is in `compatible`. Different
    /// evaluations need different numbers.
    pub fn new_search(&mut self, evaluation: u8, compatible: CompatibleEvaluations) {
        let generation = self.stamp.generation.wrapping_add(1);
        (self.stamp, self.compatible) = (EntryOrigin { generation, evaluation }, compatible);
        self.compatible.add(evaluation);
    }

    /// Clears the table in place, so that its pages stay allocated. Does nothing if no search has
    /// used the table since it was last cleared.
    pub fn clear(&mut self) {
        if !self.is_clear {
            zero(&mut self.pages[..self.in_use]);
        }
        self.in_use = Self::LEAST.min(self.pages.len());
        (self.stamp, self.compatible, self.is_clear) =
            (EntryOrigin::default(), CompatibleEvaluations::default(), true);
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
            memory::{packed_move::PackedMove, tt::TableScore},
            root::report::Bound,
        },
    };
    use shakmaty::zobrist::Zobrist64;

    #[test]
    fn a_cleared_table_is_empty_and_keeps_its_pages() {
        let mut memory = Memory::new(80).unwrap();
        let pages = memory.pages.as_ptr();
        let known = TableScore {
            score: Score::cp(1),
            bound: Bound::Exact,
            depth: 1,
            static_eval: None,
            was_pv: false,
        };
        let keys = || (0..64).map(|i| Zobrist64(u64::MAX / 64 * i));
        for _ in 0..2 {
            memory.new_search(0, CompatibleEvaluations::default());
            let table = memory.table();
            keys().for_each(|key| table.store(key, 0, PackedMove::NONE, known));
            assert!(keys().all(|key| table.probe(key, 0).is_some()));
            memory.clear();
            memory.new_search(0, CompatibleEvaluations::default());
            assert!(keys().all(|key| memory.table().probe(key, 0).is_none()));
        }
        assert_eq!(memory.pages.as_ptr(), pages);
        assert!(memory.pages.iter().all(|byte| *byte == 0));
    }

    #[test]
    fn a_search_uses_the_part_of_the_table_that_it_can_fill() {
        let mut memory = Memory::new(80).unwrap();
        assert_eq!(memory.in_use >> 20, 16);
        for (nodes, mib) in [((1 << 20) + 1, 32), (1, 32), (u64::MAX, 80)] {
            memory.make_room(Some(nodes));
            assert_eq!(memory.in_use >> 20, mib, "{nodes} nodes");
        }
        memory.clear();
        assert_eq!(memory.in_use >> 20, 16);
        memory.make_room(None);
        assert_eq!(memory.in_use >> 20, 80);
        let mut small = Memory::new(1).unwrap();
        small.make_room(Some(1 << 20));
        assert_eq!(small.in_use >> 20, 1);
    }
}
