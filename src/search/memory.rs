//! The memory of the transposition table: one stretch of pages, huge ones where the system has them,
//! since entries are read all over it and each small page would have to be looked up.
//! <https://www.chessprogramming.org/Memory#HugePages>

use super::tt::{Akin, Stamp, Table};
use memmap2::MmapMut;
use std::sync::atomic::AtomicU64;
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
    akin: Akin,
}

impl Memory {
    /// `mib` MiB, all empty; the system hands out the pages as they are first used.
    ///
    /// # Errors
    /// If that much memory cannot be had.
    pub fn new(mib: usize) -> Result<Self, OutOfMemory> {
        let bytes = mib.max(1).checked_mul(1 << 20).ok_or(OutOfMemory)?;
        let pages = MmapMut::map_anon(bytes).map_err(|_| OutOfMemory)?;
        // a system without huge pages does as well, only slower
        #[cfg(target_os = "linux")]
        let _ = pages.advise(memmap2::Advice::HugePage);
        Ok(Self { pages, stamp: Stamp::default(), akin: Akin::default() })
    }

    /// The table in this memory, for one search and all its threads.
    ///
    /// # Panics
    /// Never: pages begin at multiples of words and hold whole ones.
    pub fn table(&mut self) -> Table<'_> {
        let words = <[AtomicU64]>::mut_from_bytes(&mut self.pages).expect("pages hold whole words");
        Table::new(words, self.stamp, self.akin)
    }

    /// Begins another search. Of earlier ones those scores hold that were found under a judgement
    /// `akin` to this one; whoever evaluates in another way must give another number.
    pub fn new_search(&mut self, judgement: u8, akin: Akin) {
        let generation = self.stamp.generation.wrapping_add(1);
        (self.stamp, self.akin) = (Stamp { generation, judgement }, akin);
        self.akin.add(judgement);
    }

    /// Forgets everything. To fill a large table would keep a GUI waiting: its pages go back to the
    /// system, which hands out empty ones.
    pub fn clear(&mut self) {
        const LARGE: usize = 64 << 20;
        let bytes = self.pages.len();
        if bytes > LARGE
            && let Ok(empty) = Self::new(bytes >> 20)
        {
            *self = empty;
            return;
        }
        self.pages.fill(0);
        (self.stamp, self.akin) = (Stamp::default(), Akin::default());
    }
}
