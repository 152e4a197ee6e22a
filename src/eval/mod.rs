//! Static evaluation: a weighted sum of features of the position.
//!
//! Each term is a function in [`terms`] that reports counts to a [`tally::Tally`]. In play,
//! [`tally::Sum`] adds up their weights. For `eval`, tuning and tests, [`tally::Trace`] keeps the
//! counts. The weights come from a profile, and an appraisal may bend them.

#![deny(clippy::float_arithmetic)]

pub mod attacks;
pub mod danger;
pub mod explain;
#[cfg(feature = "tuning")]
pub mod families;
pub mod feature;
pub mod geometry;
pub mod group;
mod kpk;
pub mod measures;
pub mod paper;
mod pawn_cache;
pub mod scale;
pub mod sums;
pub mod tally;
pub mod terms;
pub mod weights;

use crate::chess::{
    evaluator::Evaluator,
    score::{Score, Tapered},
};
use attacks::Attacks;
use pawn_cache::{CachedStructure, PawnCache};
use shakmaty::{Board, ByColor, Chess, Move, Position};
use std::sync::Arc;
use sums::{FULL_PHASE, Sums};
use tally::{Sum, Trace};
use weights::{UNITS_PER_CENTIPAWN, Weights};

/// The evaluator used in play: tapered terms under one set of weights per side.
#[derive(Clone, Debug)]
pub struct TermEvaluator {
    weights: Arc<ByColor<Weights>>,
    cache: PawnCache,
    /// The attack sets of the last position, kept to reuse their memory.
    attacks: Box<Attacks>,
}

impl PartialEq for TermEvaluator {
    /// Compares the weights only, since the cache does not affect the score.
    fn eq(&self, other: &Self) -> bool {
        self.weights == other.weights
    }
}

impl TermEvaluator {
    /// Creates an evaluator that weighs each side's features by that side's weights.
    pub fn new(weights: ByColor<Weights>) -> Self {
        let attacks = Box::new(attacks::of(&Board::new()));
        Self { weights: Arc::new(weights), cache: PawnCache::default(), attacks }
    }
}

impl Evaluator for TermEvaluator {
    type Sums = Sums;

    fn sums(&self, position: &Chess) -> Sums {
        Sums::of(position.board(), &self.weights)
    }

    fn after(&self, sums: Sums, before: &Chess, m: Move) -> Sums {
        sums.after(before, m, &self.weights)
    }

    fn evaluate(&mut self, position: &Chess, sums: Sums) -> Score {
        let structure = self.cache.find(position.board());
        attacks::fill(&mut self.attacks, position.board());
        let structure = self.cache.get(structure, || {
            let mut pawns = Sum { weights: &self.weights, total: Tapered::default() };
            let exposure = terms::count_structure(position, &self.attacks, &mut pawns);
            CachedStructure { total: pawns.total, exposure }
        });
        let mut sum = Sum { weights: &self.weights, total: sums.total + structure.total };
        terms::count(position, &self.attacks, structure.exposure, &mut sum);
        let white = finish(sum.total, sums.phase, position);
        Score::cp(position.turn().fold_wb(white, -white)).clamp_static()
    }
}

/// Returns all counts of `position`, including material and placement.
pub fn trace(position: &Chess) -> Trace {
    let mut trace = Trace::default();
    for (square, piece) in position.board() {
        sums::count(square, piece, 1, &mut trace);
    }
    let attacks = attacks::of(position.board());
    let exposure = terms::count_structure(position, &attacks, &mut trace);
    terms::count(position, &attacks, exposure, &mut trace);
    trace
}

/// Converts a total to centipawns from White's point of view: interpolated by phase, and scaled
/// down in drawish endings.
pub fn finish(total: Tapered, phase: i32, position: &Chess) -> i32 {
    let scale = scale::for_ending(position, total.eg());
    if scale == 0 {
        return 0;
    }
    let scaled = i64::from(total.eg()) * i64::from(scale) / i64::from(scale::FULL_SCALE);
    Tapered::new(total.mg(), scaled as i32).at(phase, FULL_PHASE) / UNITS_PER_CENTIPAWN
}
