//! The memory of the transposition table, resized within what the system has free.

use crate::search::memory::pages::Memory;

/// The error returned when the transposition table cannot be allocated. All sizes are in MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot allocate {asked} MiB for Hash ({available} MiB free); keeping {kept} MiB")]
pub struct HashError {
    /// The size asked for.
    pub asked: usize,
    /// The memory that is free.
    pub available: usize,
    /// The size that the table keeps.
    pub kept: usize,
}

/// A transposition table and its size.
#[derive(Debug)]
pub(super) struct Hash {
    pub(super) memory: Memory,
    /// The size in MiB.
    mib: usize,
}

impl Hash {
    /// Allocates a table of `mib` MiB.
    pub(super) fn new(mib: usize) -> Result<Self, HashError> {
        let refused = |_| HashError { asked: mib, available: available(), kept: 0 };
        Ok(Self { memory: Memory::new(mib).map_err(refused)?, mib })
    }

    /// Resizes the table to `mib` MiB and clears it. If the memory cannot be allocated, the table
    /// keeps its size and may be empty.
    pub(super) fn resize(&mut self, mib: usize) -> Result<(), HashError> {
        let refused = |available| HashError { asked: mib, available, kept: self.mib };
        // the old table is freed before the new one is allocated; its untouched pages already count
        // as free
        let most = available().saturating_add(self.mib);
        if mib > most {
            return Err(refused(most));
        }
        let smallest = Memory::new(1).map_err(|_| refused(most))?;
        drop(std::mem::replace(&mut self.memory, smallest));
        let free = available();
        let fits = mib <= free.max(self.mib);
        if let Some(memory) = fits.then(|| Memory::new(mib).ok()).flatten() {
            *self = Self { memory, mib };
            return Ok(());
        }
        let refused = refused(free);
        self.memory = Memory::new(self.mib).map_err(|_| refused)?;
        Err(refused)
    }
}

/// Returns the available memory in MiB, or the largest number if the system does not report it.
fn available() -> usize {
    let meminfo = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<usize>().ok());
    kib.map_or(usize::MAX, |kib| kib / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_does_not_fit_leaves_the_old_one() {
        let mut hash = Hash::new(2).unwrap();
        let asked = usize::MAX >> 21;
        let error = hash.resize(asked).unwrap_err();
        assert_eq!((error.asked, error.kept), (asked, 2));
        assert_eq!(hash.resize(1), Ok(()));
        assert_eq!(hash.resize(asked).unwrap_err().kept, 1);
    }
}
