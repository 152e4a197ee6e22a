//! Positions with results, as sparse counts: what the evaluation of each is linear in.

use crate::{
    chess::score::Tapered,
    eval::{
        feature::LEN,
        finish,
        sums::{FULL_PHASE, Sums},
        trace,
        weights::{UNITS_PER_CENTIPAWN, Weights},
    },
};
use shakmaty::{ByColor, Chess, Color, Position};

/// How often White has more of something than Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Of the weight, in the flat table.
    pub index: u16,
    /// White's minus Black's, never 0.
    pub net: i16,
}

/// What a position is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The weights are fitted to it.
    Training,
    /// Tells when to stop.
    HeldOut,
    /// From a file that only reports: the descent never sees it.
    Validation,
}

impl Part {
    /// Every part, in the order of declaration.
    pub const ALL: [Self; 3] = [Self::Training, Self::HeldOut, Self::Validation];
}

/// What is known of a position besides its counts.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    /// In half points for White: 0, 1 or 2.
    pub result: u8,
    /// Centipawns, White's point of view.
    pub cp: Option<i16>,
    /// Which file it is from, in the order they were read.
    pub file: u16,
    pub part: Part,
}

/// Positions, each a row of counts; a column of each property, so that a pass reads only what it
/// needs.
#[derive(Debug)]
pub struct Dataset {
    /// Of every position, one after the other.
    counts: Vec<Count>,
    /// Where the counts of each position end.
    ends: Vec<usize>,
    /// What a centipawn of opening and of ending weight adds to the score of each position, in
    /// centipawns: by phase, and scaled in drawish endings.
    factors: Vec<[f32; 2]>,
    labels: Vec<Label>,
    /// How often each weight occurs on either side, in the training positions.
    occurrences: Vec<u64>,
}

impl Default for Dataset {
    fn default() -> Self {
        Self {
            counts: Vec::new(),
            ends: Vec::new(),
            factors: Vec::new(),
            labels: Vec::new(),
            occurrences: vec![0; LEN],
        }
    }
}

impl Dataset {
    /// Adds `chess`, counted by the evaluation itself; `weights` are the starting ones, which tell
    /// the stronger side of a drawish ending.
    pub fn push(&mut self, chess: &Chess, label: Label, weights: &ByColor<Weights>) {
        let trace = trace(chess);
        let (white, black) = (trace.counts(Color::White), trace.counts(Color::Black));
        for (index, (white, black)) in white.iter().zip(black).enumerate() {
            if white != black {
                let (index, net) = (index as u16, (white - black) as i16);
                self.counts.push(Count { index, net });
            }
        }
        if label.part == Part::Training {
            for (sum, (white, black)) in self.occurrences.iter_mut().zip(white.iter().zip(black)) {
                *sum += u64::from(white.unsigned_abs() + black.unsigned_abs());
            }
        }
        self.ends.push(self.counts.len());
        self.factors.push(factors(chess, trace.under(weights), weights));
        self.labels.push(label);
    }

    /// Adds all of `other` at the end.
    pub fn append(&mut self, mut other: Self) {
        let before = self.counts.len();
        self.counts.append(&mut other.counts);
        self.ends.extend(other.ends.iter().map(|end| before + end));
        self.factors.append(&mut other.factors);
        self.labels.append(&mut other.labels);
        for (sum, more) in self.occurrences.iter_mut().zip(other.occurrences) {
            *sum += more;
        }
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there is no position at all.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// What is counted in a position.
    pub fn counts(&self, position: usize) -> &[Count] {
        let start = if position == 0 { 0 } else { self.ends[position - 1] };
        &self.counts[start..self.ends[position]]
    }

    /// What a centipawn of opening and of ending weight adds to the score of a position.
    pub fn factors(&self, position: usize) -> [f32; 2] {
        self.factors[position]
    }

    /// The label of a position.
    pub fn label(&self, position: usize) -> Label {
        self.labels[position]
    }

    /// How often each weight occurs on either side, in the training positions.
    pub fn occurrences(&self) -> &[u64] {
        &self.occurrences
    }

    /// The positions of `part`, in the order they were read.
    pub fn of(&self, part: Part) -> Vec<u32> {
        let labels = self.labels.iter().enumerate();
        labels.filter(|(_, label)| label.part == part).map(|(i, _)| i as u32).collect()
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.counts)
            + size_of_val(&*self.ends)
            + size_of_val(&*self.factors)
            + size_of_val(&*self.labels)
    }
}

/// How [`finish`] weighs opening and ending totals in a position, asked of `finish` itself: the
/// stronger side of the ending is that of `total`.
pub(super) fn factors(chess: &Chess, total: Tapered, weights: &ByColor<Weights>) -> [f32; 2] {
    // so large that no division in `finish` leaves a rest
    const PROBE: i32 = FULL_PHASE * 64 * UNITS_PER_CENTIPAWN;
    let phase = Sums::of(chess.board(), weights).phase;
    let ahead = if total.eg() >= 0 { PROBE } else { -PROBE };
    let score = |mg, eg| f64::from(finish(Tapered::new(mg, eg), phase, chess));
    let base = score(0, ahead);
    let of = |score: f64, probe: i32| {
        ((score - base) / (f64::from(probe) / f64::from(UNITS_PER_CENTIPAWN))) as f32
    };
    [of(score(PROBE, ahead), PROBE), of(score(0, 2 * ahead), ahead)]
}
