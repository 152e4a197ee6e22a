//! A table of searched positions, for iterative deepening.
//! <https://www.chessprogramming.org/Transposition_Table>

use deepfeeling::search::root::report::Bound;

/// The depth of an entry whose value rests on finished games only.
pub(super) const SOLVED: u8 = u8::MAX;

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<M> {
    pub(super) key: u64,
    pub(super) value: f64,
    pub(super) bound: Bound,
    /// The depth in moves, or [`SOLVED`].
    pub(super) depth: u8,
    pub(super) best: M,
}

/// A table with one entry per slot. A new entry replaces the old one.
///
/// Values hold under one evaluation only, so the owner clears the table when the evaluation
/// changes.
#[derive(Clone, Debug)]
pub struct Table<M> {
    /// A power of two, or no slots before the first use.
    slots: Vec<Option<Entry<M>>>,
    size: usize,
}

impl<M: Copy> Table<M> {
    /// Creates a table with 2 to the power of `bits` slots. It takes memory only when used.
    #[must_use]
    pub fn new(bits: u32) -> Self {
        Self { slots: Vec::new(), size: 1 << bits }
    }

    /// Forgets all entries.
    pub fn clear(&mut self) {
        self.slots.fill(None);
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry<M>> {
        let slot = self.slots.get(key as usize & (self.size - 1))?;
        slot.filter(|entry| entry.key == key)
    }

    pub(super) fn put(&mut self, entry: Entry<M>) {
        if self.slots.is_empty() {
            self.slots.resize(self.size, None);
        }
        self.slots[entry.key as usize & (self.size - 1)] = Some(entry);
    }
}
