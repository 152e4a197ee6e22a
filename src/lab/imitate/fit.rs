//! Fits what a player adds to the weights of the policy, by Newton's method.
//!
//! The loss belongs to a conditional logit with a ridge penalty. Intervals use a sandwich covariance
//! clustered by game, with the penalty as a normal prior. They are never narrower than unclustered ones.

use super::Tasted;
use crate::player::human::{
    cue::{Cue, Cues},
    policy::shares,
};
use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;
use strum::{EnumCount, IntoEnumIterator};

const CUES: usize = Cue::COUNT;
/// Games per unit of work of a thread.
const CHUNK: usize = 8;
/// Maximum number of Newton steps.
const STEPS: usize = 20;
/// A step shorter than this in every direction, in nats per unit, ends the fit.
const SHORT: f64 = 1e-5;

/// The additions that fit best.
#[derive(Clone, Debug)]
pub(super) struct Additions {
    /// What is added to the weight of each cue, in nats per unit.
    pub(super) added: [f64; CUES],
    /// Standard errors. 0 for cues that were not fitted.
    pub(super) errors: [f64; CUES],
}

/// The games of the player, each with its moves.
pub(super) type Games<'c> = [&'c [Tasted]];

/// Returns the utility of each move with these additions.
pub(super) fn utilities(tasted: &Tasted, added: &[f64; CUES]) -> Vec<f64> {
    let sum = |cues: &Cues| -> f64 {
        added.iter().zip(cues).map(|(added, &cue)| added * f64::from(cue)).sum()
    };
    tasted.choice.moves.iter().zip(&tasted.base).map(|(cues, base)| base + sum(cues)).collect()
}

/// Fits additions to the weights of `cues`, beginning at `start`. An addition of 1 costs `pull` nats.
/// Returns `None` if the fit fails.
pub(super) fn fit(
    games: &Games<'_>,
    cues: &[Cue],
    pull: f64,
    start: &[f64; CUES],
) -> Option<Additions> {
    let places: Vec<usize> = cues.iter().map(|&cue| cue as usize).collect();
    let mut added = [0.0; CUES];
    for &place in &places {
        added[place] = start[place];
    }
    for _ in 0..if places.is_empty() { 0 } else { STEPS } {
        let slope = Slope::of(games, &added, pull);
        let (gradient, curvature) = slope.restricted(&places);
        let step = curvature.cholesky()?.solve(&gradient);
        let longest = step.amax();
        let damping = 1.0 / longest.max(1.0);
        for (&place, step) in places.iter().zip(step.iter()) {
            added[place] -= damping * step;
        }
        if longest < SHORT {
            break;
        }
    }
    let slope = Slope::of(games, &added, pull);
    let errors = slope.errors(&places, pull)?;
    Some(Additions { added, errors })
}

/// Fits additions to those cues whose interval excludes 0. An interval extends `deviations` standard
/// errors to either side. The less certain half of the doubtful cues is dropped until none is left.
pub(super) fn certain(
    games: &Games<'_>,
    pull: f64,
    deviations: f64,
) -> Option<(Vec<Cue>, Additions)> {
    let mut left: Vec<Cue> = Cue::iter().collect();
    let mut found = fit(games, &left, pull, &[0.0; CUES])?;
    loop {
        let evidence = |cue: Cue| found.added[cue as usize].abs() / found.errors[cue as usize];
        let doubtful = left.iter().copied().filter(|&cue| evidence(cue) <= deviations);
        let mut doubtful: Vec<Cue> = doubtful.collect();
        if doubtful.is_empty() {
            return Some((left, found));
        }
        doubtful.sort_by(|a, b| evidence(*a).total_cmp(&evidence(*b)));
        doubtful.truncate(doubtful.len().div_ceil(2));
        left.retain(|cue| !doubtful.contains(cue));
        found = fit(games, &left, pull, &found.added)?;
    }
}

/// The gradient of each game, and the Hessian of the loss.
struct Slope {
    gradients: Vec<DVector<f64>>,
    pulled: DVector<f64>,
    curvature: DMatrix<f64>,
}

impl Slope {
    fn of(games: &Games<'_>, added: &[f64; CUES], pull: f64) -> Self {
        let chunks: Vec<_> = games
            .par_chunks(CHUNK)
            .map(|chunk| {
                let mut curvature = DMatrix::zeros(CUES, CUES);
                let gradients: Vec<_> =
                    chunk.iter().map(|moves| gradient(moves, added, &mut curvature)).collect();
                (gradients, curvature)
            })
            .collect();
        let mut slope = Self {
            gradients: Vec::with_capacity(games.len()),
            pulled: DVector::from_iterator(CUES, added.iter().map(|added| 2.0 * pull * added)),
            curvature: DMatrix::from_diagonal_element(CUES, CUES, 2.0 * pull),
        };
        for (gradients, curvature) in chunks {
            slope.gradients.extend(gradients);
            slope.curvature += curvature;
        }
        slope
    }

    /// Returns gradient and Hessian for the cues at `places` alone.
    fn restricted(&self, places: &[usize]) -> (DVector<f64>, DMatrix<f64>) {
        let gradient = self.gradients.iter().fold(self.pulled.clone(), |sum, own| sum + own);
        let curvature = self.curvature.select_rows(places).select_columns(places);
        (gradient.select_rows(places), curvature)
    }

    /// Returns the standard errors of the cues at `places`.
    fn errors(&self, places: &[usize], pull: f64) -> Option<[f64; CUES]> {
        if places.is_empty() {
            return Some([0.0; CUES]);
        }
        let inverse = self.restricted(places).1.cholesky()?.inverse();
        let mut middle = DMatrix::from_diagonal_element(places.len(), places.len(), 2.0 * pull);
        for gradient in &self.gradients {
            let gradient = gradient.select_rows(places);
            middle.syger(1.0, &gradient, &gradient, 1.0);
        }
        middle.fill_upper_triangle_with_lower_triangle();
        let covariance = &inverse * middle * &inverse;
        let mut errors = [0.0; CUES];
        for (index, &place) in places.iter().enumerate() {
            // with few games, the sandwich is too small
            errors[place] = covariance[(index, index)].max(inverse[(index, index)]).sqrt();
        }
        Some(errors)
    }
}

/// Returns the gradient of one game's loss, and adds its Hessian to `curvature`.
fn gradient(moves: &[Tasted], added: &[f64; CUES], curvature: &mut DMatrix<f64>) -> DVector<f64> {
    let mut gradient = DVector::zeros(CUES);
    for tasted in moves {
        let chances = shares(&utilities(tasted, added));
        let mut mean = [0.0; CUES];
        for (cues, chance) in tasted.choice.moves.iter().zip(chances) {
            // most cues of a move are 0
            let present: Vec<(usize, f64)> = present(cues).collect();
            for &(row, value) in &present {
                mean[row] += chance * value;
                for &(column, other) in &present {
                    curvature[(row, column)] += chance * value * other;
                }
            }
        }
        let mean = DVector::from_column_slice(&mean);
        curvature.ger(-1.0, &mean, &mean, 1.0);
        gradient += mean;
        for (place, value) in present(&tasted.choice.moves[0]) {
            gradient[place] -= value;
        }
    }
    gradient
}

fn present(cues: &Cues) -> impl Iterator<Item = (usize, f64)> {
    let values = cues.iter().map(|&cue| f64::from(cue)).enumerate();
    values.filter(|(_, value)| value.abs() > 0.0)
}
