//! The transposition table (tt): what is known of positions met before. Lock-free and safe: an
//! entry is two words, the first stored exclusive-or'd with the second, so that a torn pair does
//! not match any position. <https://www.chessprogramming.org/Shared_Hash_Table#Lockless>
//!
//! The evaluation may change from one search to the next. Moves stay useful then, scores do not: each
//! entry bears the number of the evaluation that its scores were found under, and they hold where that
//! is the present one or compatible to it. See [`crate::search::memory::pages::Memory::new_search`].

use crate::{chess::score::Score, search::root::report::Bound};
use shakmaty::{Move, Role, Square, zobrist::Zobrist64};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Entries of two words that share a place, together one cache line.
const CLUSTER: usize = 4;
const CLUSTER_WORDS: usize = 2 * CLUSTER;

/// A move in sixteen bits, to be matched with a legal one; 0 is no move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackedMove(u16);

impl PackedMove {
    /// No move.
    pub const NONE: Self = Self(0);

    /// Where it begins and ends, and what it promotes to; none if it is no move.
    pub fn parts(self) -> Option<(Square, Square, Option<Role>)> {
        let square = |bits: u16| Square::new(u32::from(bits & 63));
        let promotion = match self.0 >> 12 {
            1 => Some(Role::Knight),
            2 => Some(Role::Bishop),
            3 => Some(Role::Rook),
            4 => Some(Role::Queen),
            _ => None,
        };
        (self != Self::NONE).then(|| (square(self.0), square(self.0 >> 6), promotion))
    }
}

impl From<Move> for PackedMove {
    fn from(m: Move) -> Self {
        let promotion = match m.promotion() {
            None | Some(Role::Pawn | Role::King) => 0,
            Some(Role::Knight) => 1,
            Some(Role::Bishop) => 2,
            Some(Role::Rook) => 3,
            Some(Role::Queen) => 4,
        };
        let from = m.from().map_or(0, |square| square.to_u32() as u16);
        Self(from | (m.to().to_u32() as u16) << 6 | promotion << 12)
    }
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    pub m: PackedMove,
    /// None if it was found under a evaluation too different.
    pub known: Option<Known>,
}

/// Scores of a [`Hit`] that still hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    pub score: Score,
    pub bound: Bound,
    /// Remaining depth of the search that found it.
    pub depth: i32,
    /// None for positions in check, which have none.
    pub static_eval: Option<Score>,
}

impl Known {
    /// Whether the score says more of the position than the static one, `eval`.
    pub fn improves(&self, eval: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score > eval,
            Bound::Upper => self.score < eval,
        }
    }

    /// The nearest score to `score` that this one allows.
    pub fn nearest_to(&self, score: Score) -> Score {
        match self.bound {
            Bound::Exact => self.score,
            Bound::Lower => score.max(self.score),
            Bound::Upper => score.min(self.score),
        }
    }

    /// Whether the score decides against `beta`'s or `alpha`'s question.
    pub fn cuts(&self, window: crate::chess::score::Window) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= window.beta,
            Bound::Upper => self.score <= window.alpha,
        }
    }
}

/// The table that all threads of a search share.
#[derive(Debug)]
pub struct Table<'m> {
    /// Clusters begin at multiples of their size, so that none straddles two cache lines.
    words: &'m [AtomicU64],
    clusters: usize,
    stamp: Stamp,
    compatible: Compatible,
}

/// The evaluations, by number, whose scores hold under the present one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compatible([u64; 4]);

impl Compatible {
    /// Adds the evaluation of this number.
    pub fn add(&mut self, evaluation: u8) {
        self.0[usize::from(evaluation >> 6)] |= 1 << (evaluation & 63);
    }

    /// Whether the evaluation of this number is among them.
    pub const fn has(&self, evaluation: u8) -> bool {
        self.0[(evaluation >> 6) as usize] >> (evaluation & 63) & 1 == 1
    }
}

/// What every entry bears of the search that stored it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::search) struct Stamp {
    /// Counts searches, over and over.
    pub generation: u8,
    /// Which evaluation its scores were found under.
    pub evaluation: u8,
}

impl Stamp {
    const fn of_tag(tag: u64) -> Self {
        Self { generation: (tag >> 8) as u8, evaluation: tag as u8 }
    }

    const fn word(self) -> u64 {
        (self.generation as u64) << 8 | self.evaluation as u64
    }
}

const NO_EVAL: i16 = i16::MIN;

impl<'m> Table<'m> {
    /// A table in `words`, which begin on a page.
    pub(in crate::search) fn new(
        words: &'m [AtomicU64],
        stamp: Stamp,
        compatible: Compatible,
    ) -> Self {
        Self { words, clusters: words.len() / CLUSTER_WORDS, stamp, compatible }
    }

    /// Begins to fetch the cluster of `key`, so that it has come when it is probed. Unlike a load,
    /// which would hold up what comes after it, this needs a word of the processor's own.
    pub fn fetch(&self, key: Zobrist64) {
        #[cfg(target_arch = "x86_64")]
        safe_arch::prefetch_t0(&self.words[self.start(key)]);
        #[cfg(not(target_arch = "x86_64"))]
        std::hint::black_box(self.words[self.start(key)].load(Relaxed));
    }

    /// What is known of the position with `key`, `ply` half-moves from the root.
    pub fn probe(&self, key: Zobrist64, ply: usize) -> Option<Hit> {
        let start = self.start(key);
        for slot in self.words[start..start + CLUSTER_WORDS].chunks_exact(2) {
            let data = slot[1].load(Relaxed);
            let tag = slot[0].load(Relaxed) ^ data;
            if data != 0 && (tag ^ key.0) >> 16 == 0 {
                return Some(self.read(data, Stamp::of_tag(tag).evaluation, ply));
            }
        }
        None
    }

    fn read(&self, data: u64, evaluation: u8, ply: usize) -> Hit {
        let bound = match data >> 62 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        };
        let eval = (data >> 32) as i16;
        let known = self.compatible.has(evaluation).then(|| Known {
            score: Score::from_tt((data >> 16) as i16, ply),
            bound,
            depth: depth_of(data),
            static_eval: (eval != NO_EVAL).then(|| Score::cp(i32::from(eval))),
        });
        Hit { m: PackedMove(data as u16), known }
    }

    /// Remembers what a search of the position with `key` found; a depth of 0 is quiescence.
    pub fn store(&self, key: Zobrist64, ply: usize, m: PackedMove, known: Known) {
        let start = self.start(key);
        let slots = &self.words[start..start + CLUSTER_WORDS];
        let mut victim = &slots[..2];
        let mut least = i32::MAX;
        let mut m = m;
        for slot in slots.chunks_exact(2) {
            let data = slot[1].load(Relaxed);
            let tag = slot[0].load(Relaxed) ^ data;
            if data != 0 && (tag ^ key.0) >> 16 == 0 {
                let current = Stamp::of_tag(tag) == self.stamp;
                let deeper = depth_of(data) > known.depth + 3;
                if current && deeper && known.bound != Bound::Exact {
                    return;
                }
                if m == PackedMove::NONE {
                    m = PackedMove(data as u16);
                }
                victim = slot;
                break;
            }
            let age = self.stamp.generation.wrapping_sub(Stamp::of_tag(tag).generation);
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
            | bound << 62;
        let tag = key.0 >> 16 << 16 | self.stamp.word();
        victim[0].store(tag ^ data, Relaxed);
        victim[1].store(data, Relaxed);
    }

    /// Share of the table that this search has used, in thousandths, from a sample.
    pub fn hashfull(&self) -> u16 {
        let sample = self.clusters.min(250);
        let words = &self.words[..sample * CLUSTER_WORDS];
        let used = words
            .chunks_exact(2)
            .filter(|slot| {
                let data = slot[1].load(Relaxed);
                data != 0 && Stamp::of_tag(slot[0].load(Relaxed) ^ data) == self.stamp
            })
            .count();
        (used * 1000 / (sample * CLUSTER)) as u16
    }

    /// The first word of the cluster of `key`. The bits that tags leave out choose first.
    fn start(&self, key: Zobrist64) -> usize {
        let place = u128::from(key.0.rotate_right(16)) * self.clusters as u128;
        (place >> 64) as usize * CLUSTER_WORDS
    }
}

const fn depth_of(data: u64) -> i32 {
    (data >> 48) as i32 & 127
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::memory::pages::Memory;

    const KEY: Zobrist64 = Zobrist64(0x1234_5678_9abc_def0);

    fn known(depth: i32) -> Known {
        Known { score: Score::cp(-42), bound: Bound::Lower, depth, static_eval: Some(Score::cp(7)) }
    }

    fn compatible(numbers: &[u8]) -> Compatible {
        let mut compatible = Compatible::default();
        for &number in numbers {
            compatible.add(number);
        }
        compatible
    }

    #[test]
    fn what_is_stored_is_found_at_any_ply() {
        let mut memory = Memory::new(1).unwrap();
        memory.new_search(0, compatible(&[0]));
        let table = memory.table();
        assert_eq!(table.probe(KEY, 3), None);
        let mate = Known { score: Score::mate_in(9), bound: Bound::Exact, ..known(5) };
        table.store(KEY, 4, PackedMove(77), mate);
        let hit = table.probe(KEY, 2).unwrap();
        assert_eq!(hit.m, PackedMove(77));
        assert_eq!(hit.known, Some(Known { score: Score::mate_in(7), ..mate }));
        assert_eq!(table.probe(Zobrist64(KEY.0 ^ 1 << 40), 2), None);
    }

    #[test]
    fn changed_weights_keep_moves_but_not_scores() {
        let mut memory = Memory::new(1).unwrap();
        memory.new_search(0, compatible(&[0]));
        let table = memory.table();
        table.store(KEY, 0, PackedMove(9), known(4));
        let other = Zobrist64(!KEY.0);
        table.store(other, 0, PackedMove(8), known(3));
        memory.new_search(0, compatible(&[0]));
        let table = memory.table();
        assert!(table.probe(KEY, 0).unwrap().known.is_some());
        memory.new_search(1, compatible(&[1]));
        let table = memory.table();
        assert_eq!(table.probe(KEY, 0), Some(Hit { m: PackedMove(9), known: None }));
        table.store(KEY, 0, PackedMove::NONE, known(1));
        assert_eq!(table.probe(KEY, 0), Some(Hit { m: PackedMove(9), known: Some(known(1)) }));
        memory.new_search(0, compatible(&[0]));
        let table = memory.table();
        assert_eq!(table.probe(KEY, 0), Some(Hit { m: PackedMove(9), known: None }));
        assert_eq!(table.probe(other, 0), Some(Hit { m: PackedMove(8), known: Some(known(3)) }));
        memory.new_search(255, compatible(&[255, 1]));
        let table = memory.table();
        assert!(
            table.probe(KEY, 0).unwrap().known.is_some(),
            "found under an compatible evaluation"
        );
        assert!(table.probe(other, 0).unwrap().known.is_none());
    }

    #[test]
    fn a_full_cluster_gives_up_the_shallowest_and_oldest() {
        let mut memory = Memory::new(1).unwrap();
        let table = memory.table();
        let keys: Vec<_> = (0..5).map(|i| Zobrist64(KEY.0 ^ i << 20)).collect();
        table.store(keys[0], 0, PackedMove(1), known(9));
        memory.new_search(0, compatible(&[0]));
        let table = memory.table();
        for (key, depth) in keys[1..].iter().zip([8, 3, 7, 6]) {
            table.store(*key, 0, PackedMove(1), known(depth));
        }
        let found: Vec<_> = keys.iter().map(|key| table.probe(*key, 0).is_some()).collect();
        assert_eq!(found, [true, true, false, true, true]);
    }
}
