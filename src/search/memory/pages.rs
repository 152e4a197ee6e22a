//! The memory of the transposition table: one mapping, on huge pages where the system offers them,
//! because entries are read at random and each small page would need an address lookup of its own.
//! <https://www.chessprogramming.org/Memory#HugePages>

use super::tt::{Compatible, Stamp, Table};
use memmap2::MmapMut;
use std::{sync::atomic::AtomicU64, thread};
use zerocopy::FromBytes;

/// The memory for the table cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

/// What a table keeps from search to search.
#[derive(Debug)]
pub struct Memory {
    pages: MmapMut,
    /// What the next entries will bear.
    stamp: Stamp,
    compatible: Compatible,
    /// No search has used the table since it was last cleared.
    is_clear: bool,
}

impl Memory {
    /// Allocates `mib` MiB, empty. Every page is touched here: the system supplies a page on its first
    /// write, and a search that had to wait for that would overstep its clock.
    ///
    /// # Errors
    /// If that much memory cannot be had.
    pub fn new(mib: usize) -> Result<Self, OutOfMemory> {
        let bytes = mib.max(1).checked_mul(1 << 20).ok_or(OutOfMemory)?;
        let mut pages = MmapMut::map_anon(bytes).map_err(|_| OutOfMemory)?;
        // a system without huge pages does as well, only slower
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

    /// The table in this memory, for one search and all its threads.
    ///
    /// # Panics
    /// Never: pages begin at multiples of words and hold whole ones.
    pub fn table(&mut self) -> Table<'_> {
        self.is_clear = false;
        let words = <[AtomicU64]>::mut_from_bytes(&mut self.pages).expect("pages hold whole words");
        Table::new(words, self.stamp, self.compatible)
    }

    /// Begins another search. Of earlier ones those scores hold that were found under a evaluation
    /// `compatible` to this one; whoever evaluates in another way must give another number.
    pub fn new_search(&mut self, evaluation: u8, compatible: Compatible) {
        let generation = self.stamp.generation.wrapping_add(1);
        (self.stamp, self.compatible) = (Stamp { generation, evaluation }, compatible);
        self.compatible.add(evaluation);
    }

    /// Empties the table in place, so that its pages stay in memory. Does nothing if no search has
    /// used it since it was last empty.
    pub fn clear(&mut self) {
        if !self.is_clear {
            zero(&mut self.pages);
        }
        (self.stamp, self.compatible, self.is_clear) =
            (Stamp::default(), Compatible::default(), true);
    }
}

/// Fills `bytes` with zeros, on all cores if that is worth starting threads for.
fn zero(bytes: &mut [u8]) {
    /// The share of one thread, in bytes: a few milliseconds.
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
