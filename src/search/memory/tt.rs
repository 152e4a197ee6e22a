//! The transposition table (TT): scores and best moves of positions searched before.
//!
//! The table is lock-free and safe. An entry is two words. The first is stored XORed with the
//! second, so that a torn write matches no position.
//! <https://www.chessprogramming.org/Shared_Hash_Table#Lockless>
//!
//! The evaluation may change between searches. Table moves remain useful then, but scores may not.
//! Every entry holds the number of its evaluation. Its score is used only if the present evaluation
//! is compatible. See [`crate::search::memory::pages::Memory::new_search`].

use super::packed_move::PackedMove;
use crate::{chess::score::Score, search::root::report::Bound, support::prefetch::prefetch};
use shakmaty::zobrist::Zobrist64;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Entries per cluster. A cluster fills one cache line.
const CLUSTER: usize = 4;
const CLUSTER_WORDS: usize = 2 * CLUSTER;

/// A table entry found for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The table move, or [`PackedMove::NONE`].
    pub m: PackedMove,
    /// The score and its origin.
    /// `None` if the score belongs to an incompatible evaluation.
    pub known: Option<TableScore>,
}

/// The score of a [`Hit`] and how it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableScore {
    /// The score. Mate scores count from the root.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Remaining depth of the search that found the score.
    pub depth: i32,
    /// The static evaluation without correction history. `None` in check.
    pub static_eval: Option<Score>,
    /// Whether the position has been a PV node.
    pub was_pv: bool,
}

impl TableScore {
    /// Whether the score is a better estimate than the static evaluation `eval`.
    pub fn improves(&self, eval: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score > eval,
            Bound::Upper => self.score < eval,
        }
    }

    /// Returns the closest score to `score` within the bound.
    pub fn nearest_to(&self, score: Score) -> Score {
        match self.bound {
            Bound::Exact => self.score,
            Bound::Lower => score.max(self.score),
            Bound::Upper => score.min(self.score),
        }
    }

    /// Whether the score causes a cutoff in `window`.
    pub fn cuts(&self, window: crate::chess::score::Window) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= window.beta,
            Bound::Upper => self.score <= window.alpha,
        }
    }
}

/// A transposition table shared by all threads of a search.
#[derive(Debug)]
pub struct TranspositionTable<'m> {
    /// Clusters are aligned to their size, so that none straddles two cache lines.
    words: &'m [AtomicU64],
    clusters: usize,
    stamp: EntryOrigin,
    compatible: CompatibleEvaluations,
}

/// The set of evaluation numbers whose scores are valid under the present evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompatibleEvaluations([u64; 4]);

impl CompatibleEvaluations {
    /// Adds an evaluation number.
    pub fn add(&mut self, evaluation: u8) {
        self.0[usize::from(evaluation >> 6)] |= 1 << (evaluation & 63);
    }

    /// Whether the set contains an evaluation number.
    pub const fn has(&self, evaluation: u8) -> bool {
        self.0[(evaluation >> 6) as usize] >> (evaluation & 63) & 1 == 1
    }
}

impl FromIterator<u8> for CompatibleEvaluations {
    fn from_iter<I: IntoIterator<Item = u8>>(evaluations: I) -> Self {
        let mut compatible = Self::default();
        evaluations.into_iter().for_each(|evaluation| compatible.add(evaluation));
        compatible
    }
}

/// The origin of a table entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::search) struct EntryOrigin {
    /// The number of the search, modulo 256.
    pub generation: u8,
    /// The number of the evaluation.
    pub evaluation: u8,
}

impl EntryOrigin {
    const fn of_tag(tag: u64) -> Self {
        Self { generation: (tag >> 8) as u8, evaluation: tag as u8 }
    }

    const fn word(self) -> u64 {
        (self.generation as u64) << 8 | self.evaluation as u64
    }
}

const NO_EVAL: i16 = i16::MIN;

impl<'m> TranspositionTable<'m> {
    /// Creates a table in `words`, which must be page-aligned.
    pub(in crate::search) fn new(
        words: &'m [AtomicU64],
        stamp: EntryOrigin,
        compatible: CompatibleEvaluations,
    ) -> Self {
        Self { words, clusters: words.len() / CLUSTER_WORDS, stamp, compatible }
    }

    /// Prefetches the cluster of `key`, on processors other than x86-64 with a plain load.
    pub fn fetch(&self, key: Zobrist64) {
        let word = &self.words[self.start(key)];
        prefetch(word);
        #[cfg(not(target_arch = "x86_64"))]
        std::hint::black_box(word.load(Relaxed));
    }

    /// Looks up the position with `key`. Mate scores are adjusted to `ply`, the distance from the
    /// root.
    pub fn probe(&self, key: Zobrist64, ply: usize) -> Option<Hit> {
        let start = self.start(key);
        for slot in self.words[start..start + CLUSTER_WORDS].chunks_exact(2) {
            let data = slot[1].load(Relaxed);
            let tag = slot[0].load(Relaxed) ^ data;
            if data != 0 && (tag ^ key.0) >> 16 == 0 {
                self.renew(slot, tag, data);
                return Some(self.read(data, EntryOrigin::of_tag(tag).evaluation, ply));
            }
        }
        None
    }

    /// Marks an entry as used by the present search, so that entries of earlier searches that are no
    /// longer reached are replaced first.
    fn renew(&self, slot: &[AtomicU64], tag: u64, data: u64) {
        let EntryOrigin { generation, evaluation } = EntryOrigin::of_tag(tag);
        if generation != self.stamp.generation {
            let origin = EntryOrigin { evaluation, ..self.stamp };
            slot[0].store((tag >> 16 << 16 | origin.word()) ^ data, Relaxed);
        }
    }

    fn read(&self, data: u64, evaluation: u8, ply: usize) -> Hit {
        let bound = match data >> 62 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        };
        let eval = (data >> 32) as i16;
        let known = self.compatible.has(evaluation).then(|| TableScore {
            score: Score::from_tt((data >> 16) as i16, ply),
            bound,
            depth: depth_of(data),
            static_eval: (eval != NO_EVAL).then(|| Score::cp(i32::from(eval))),
            was_pv: data & WAS_PV != 0,
        });
        Hit { m: PackedMove(data as u16), known }
    }

    /// Stores the result of a search of the position with `key`. Quiescence search stores depth 0.
    pub fn store(&self, key: Zobrist64, ply: usize, m: PackedMove, known: TableScore) {
        let start = self.start(key);
        let slots = &self.words[start..start + CLUSTER_WORDS];
        let mut victim = &slots[..2];
        let mut least = i32::MAX;
        let mut m = m;
        for slot in slots.chunks_exact(2) {
            let data = slot[1].load(Relaxed);
            let tag = slot[0].load(Relaxed) ^ data;
            if data != 0 && (tag ^ key.0) >> 16 == 0 {
                let valid = self.compatible.has(EntryOrigin::of_tag(tag).evaluation);
                let deeper = depth_of(data) > known.depth + 3;
                if valid && deeper && known.bound != Bound::Exact {
                    return;
                }
                if m == PackedMove::NONE {
                    m = PackedMove(data as u16);
                }
                victim = slot;
                break;
            }
            let age = self.stamp.generation.wrapping_sub(EntryOrigin::of_tag(tag).generation);
            let worth = if data == 0 { -i32::MAX } else { depth_of(data) - 4 * i32::from(age) };
            if worth < least {
                (victim, least) = (slot, worth);
            }
        }
        let bound = match known.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let eval = known.static_eval.map_or(NO_EVAL, |score| score.centipawns() as i16);
        let data = u64::from(m.0)
            | u64::from(known.score.to_tt(ply) as u16) << 16
            | u64::from(eval as u16) << 32
            | (known.depth.clamp(0, 127) as u64) << 48
            | if known.was_pv { WAS_PV } else { 0 }
            | bound << 62;
        let tag = key.0 >> 16 << 16 | self.stamp.word();
        victim[0].store(tag ^ data, Relaxed);
        victim[1].store(data, Relaxed);
    }

    /// Returns how much of the table this search has used, in permille, from a sample.
    pub fn hashfull(&self) -> u16 {
        let sample = self.clusters.min(250);
        let words = &self.words[..sample * CLUSTER_WORDS];
        let used = words
            .chunks_exact(2)
            .filter(|slot| {
                let data = slot[1].load(Relaxed);
                data != 0 && EntryOrigin::of_tag(slot[0].load(Relaxed) ^ data) == self.stamp
            })
            .count();
        (used * 1000 / (sample * CLUSTER)) as u16
    }

    /// Returns the first word of the cluster of `key`. The low 16 bits, which tags omit, become the
    /// highest bits of the index.
    fn start(&self, key: Zobrist64) -> usize {
        let place = u128::from(key.0.rotate_right(16)) * self.clusters as u128;
        (place >> 64) as usize * CLUSTER_WORDS
    }
}

/// The bit of an entry that is set if the position has been a PV node.
const WAS_PV: u64 = 1 << 55;

const fn depth_of(data: u64) -> i32 {
    (data >> 48) as i32 & 127
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::memory::pages::Memory;

    const KEY: Zobrist64 = Zobrist64(0x1234_5678_9abc_def0);

    fn known(depth: i32) -> TableScore {
        TableScore {
            score: Score::cp(-42),
            bound: Bound::Lower,
            depth,
            static_eval: Some(Score::cp(7)),
            was_pv: true,
        }
    }

    #[test]
    fn stored_entries_are_found_at_any_ply() {
        let mut memory = Memory::new(1).unwrap();
        memory.new_search(0, [0].into_iter().collect());
        let table = memory.table();
        assert_eq!(table.probe(KEY, 3), None);
        let mate = TableScore { score: Score::mate_in(9), bound: Bound::Exact, ..known(5) };
        table.store(KEY, 4, PackedMove(77), mate);
        let hit = table.probe(KEY, 2).unwrap();
        assert_eq!(hit.m, PackedMove(77));
        assert_eq!(hit.known, Some(TableScore { score: Score::mate_in(7), ..mate }));
        assert_eq!(table.probe(Zobrist64(KEY.0 ^ 1 << 40), 2), None);
    }

    #[test]
    fn incompatible_evaluations_keep_moves_but_not_scores() {
        let mut memory = Memory::new(1).unwrap();
        memory.new_search(0, [0].into_iter().collect());
        let table = memory.table();
        table.store(KEY, 0, PackedMove(9), known(4));
        let other = Zobrist64(!KEY.0);
        table.store(other, 0, PackedMove(8), known(3));
        memory.new_search(0, [0].into_iter().collect());
        let table = memory.table();
        assert!(table.probe(KEY, 0).unwrap().known.is_some());
        memory.new_search(1, [1].into_iter().collect());
        let table = memory.table();
        assert_eq!(table.probe(KEY, 0), Some(Hit { m: PackedMove(9), known: None }));
        table.store(KEY, 0, PackedMove::NONE, known(1));
        assert_eq!(table.probe(KEY, 0), Some(Hit { m: PackedMove(9), known: Some(known(1)) }));
        memory.new_search(0, [0].into_iter().collect());
        let table = memory.table();
        assert_eq!(table.probe(KEY, 0), Some(Hit { m: PackedMove(9), known: None }));
        assert_eq!(table.probe(other, 0), Some(Hit { m: PackedMove(8), known: Some(known(3)) }));
        memory.new_search(255, [255, 1].into_iter().collect());
        let table = memory.table();
        assert!(table.probe(KEY, 0).unwrap().known.is_some(), "the evaluations are compatible");
        assert!(table.probe(other, 0).unwrap().known.is_none());
    }

    #[test]
    fn a_deep_entry_of_an_earlier_search_outlives_a_shallow_result() {
        let mut memory = Memory::new(1).unwrap();
        memory.new_search(0, [0].into_iter().collect());
        memory.table().store(KEY, 0, PackedMove(9), known(12));
        memory.new_search(0, [0].into_iter().collect());
        let table = memory.table();
        table.store(KEY, 0, PackedMove(8), known(3));
        assert_eq!(table.probe(KEY, 0), Some(Hit { m: PackedMove(9), known: Some(known(12)) }));
        table.store(KEY, 0, PackedMove(8), TableScore { bound: Bound::Exact, ..known(3) });
        assert_eq!(table.probe(KEY, 0).unwrap().m, PackedMove(8));
    }

    #[test]
    fn a_probed_entry_counts_as_new() {
        let mut memory = Memory::new(1).unwrap();
        let table = memory.table();
        let keys: Vec<_> = (0..5).map(|i| Zobrist64(KEY.0 ^ i << 20)).collect();
        for key in &keys[..4] {
            table.store(*key, 0, PackedMove(1), known(3));
        }
        memory.new_search(0, [0].into_iter().collect());
        let table = memory.table();
        let probed = table.probe(keys[0], 0).map(|hit| hit.m);
        assert_eq!(probed, Some(PackedMove(1)));
        table.store(keys[4], 0, PackedMove(1), known(1));
        let found: Vec<_> = keys.iter().map(|key| table.probe(*key, 0).is_some()).collect();
        assert_eq!(found, [true, false, true, true, true]);
    }

    #[test]
    fn a_full_cluster_replaces_the_shallowest_and_oldest_entry() {
        let mut memory = Memory::new(1).unwrap();
        let table = memory.table();
        let keys: Vec<_> = (0..5).map(|i| Zobrist64(KEY.0 ^ i << 20)).collect();
        table.store(keys[0], 0, PackedMove(1), known(9));
        memory.new_search(0, [0].into_iter().collect());
        let table = memory.table();
        for (key, depth) in keys[1..].iter().zip([8, 3, 7, 6]) {
            table.store(*key, 0, PackedMove(1), known(depth));
        }
        let found: Vec<_> = keys.iter().map(|key| table.probe(*key, 0).is_some()).collect();
        assert_eq!(found, [true, true, false, true, true]);
    }
}
