//! Stores training positions as sparse counts of evaluation features.
//!
//! The evaluation of a position is linear in these counts.

use crate::{
    eval::{explain::Frame, feature::LEN, trace, weights::Weights},
    support::variants::variants,
};
use shakmaty::{ByColor, Chess, Color};

/// The net count of one weight in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightCount {
    /// Index of the weight in the flat table.
    pub index: u16,
    /// White's count minus Black's. Never 0.
    pub net: i16,
}

/// The use of a position in a fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::VariantArray)]
pub enum Split {
    /// Weights are fitted to it.
    Training,
    /// Its loss decides when the descent stops.
    HeldOut,
    /// Its loss is only reported. It never affects the descent.
    Validation,
}

impl Split {
    /// Every part, in the order of declaration.
    pub const ALL: [Self; 3] = variants();
}

/// The result, score and origin of a position.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    /// Half points for White: 0, 1 or 2.
    pub result: u8,
    /// Score in centipawns, from White's point of view.
    pub cp: Option<i16>,
    /// Index of the file it is from, in reading order.
    pub file: u16,
    pub part: Split,
    /// Hash of the game it is from, if the file names it.
    pub game: Option<u64>,
}

/// The positions of a fit, stored in columns so that a pass reads only the properties it needs.
#[derive(Debug)]
pub struct Dataset {
    /// The counts of all positions, concatenated.
    counts: Vec<WeightCount>,
    /// End of the counts of each position in `counts`.
    ends: Vec<usize>,
    /// The share of the opening and of the endgame total in the score of each position. It depends
    /// on the phase and on the scaling of drawish endgames.
    factors: Vec<[f32; 2]>,
    labels: Vec<Label>,
    /// Sum of both sides' counts of each weight over the training positions.
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
    /// Appends `chess`. The evaluation itself counts its features. `weights` are the starting
    /// weights: they decide which side is stronger in a drawish endgame.
    pub fn push(&mut self, chess: &Chess, label: Label, weights: &ByColor<Weights>) {
        let trace = trace(chess);
        let (white, black) = (trace.counts(Color::White), trace.counts(Color::Black));
        for (index, (white, black)) in white.iter().zip(black).enumerate() {
            if white != black {
                let (index, net) = (index as u16, (white - black) as i16);
                self.counts.push(WeightCount { index, net });
            }
        }
        if label.part == Split::Training {
            for (sum, (white, black)) in self.occurrences.iter_mut().zip(white.iter().zip(black)) {
                *sum += u64::from(white.unsigned_abs() + black.unsigned_abs());
            }
        }
        self.ends.push(self.counts.len());
        let shares = Frame::of(chess, trace.under(weights)).shares();
        self.factors.push(shares.map(|share| share as f32));
        self.labels.push(label);
    }

    /// Appends all positions of `other`.
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

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Returns whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Returns the counts of a position.
    pub fn counts(&self, position: usize) -> &[WeightCount] {
        let start = if position == 0 { 0 } else { self.ends[position - 1] };
        &self.counts[start..self.ends[position]]
    }

    /// Returns the share of the opening and of the endgame total in the score of a position.
    pub fn factors(&self, position: usize) -> [f32; 2] {
        self.factors[position]
    }

    /// Returns the label of a position.
    pub fn label(&self, position: usize) -> Label {
        self.labels[position]
    }

    /// Returns the sum of both sides' counts of each weight over the training positions.
    pub fn occurrences(&self) -> &[u64] {
        &self.occurrences
    }

    /// Returns the indices of the positions of `part`, in reading order.
    pub fn of(&self, part: Split) -> Vec<u32> {
        let labels = self.labels.iter().enumerate();
        labels.filter(|(_, label)| label.part == part).map(|(i, _)| i as u32).collect()
    }

    /// Returns the memory used, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.counts)
            + size_of_val(&*self.ends)
            + size_of_val(&*self.factors)
            + size_of_val(&*self.labels)
    }
}
