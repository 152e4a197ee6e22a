//! Fits the weights of the policy by Newton's method. The loss is convex.

use super::sample::PolicyChoice;
use crate::player::human::{
    cue::{Cue, Cues},
    policy::{CueWeight, Policy},
};
use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;
use strum::EnumCount;

const CUES: usize = Cue::COUNT;
/// Choices per unit of work of a thread.
const CHUNK: usize = 512;
/// Maximum number of Newton steps.
const STEPS: usize = 30;

/// Fits a policy that uses only the cues marked in `active`. A weight of 1 adds `pull` nats to the
/// loss.
#[must_use]
pub fn fit(choices: &[&PolicyChoice], active: &[bool; CUES], pull: f64) -> Policy {
    let mut weights = DVector::zeros(2 * CUES);
    for _ in 0..STEPS {
        let (mut gradient, mut curvature) = slope(choices, &policy_of(&weights));
        for index in 0..2 * CUES {
            // a huge pull fixes the weight at zero
            let pull = if active[index % CUES] { pull.max(1e-3) } else { 1e12 };
            gradient[index] += 2.0 * pull * weights[index];
            curvature[(index, index)] += 2.0 * pull;
        }
        let Some(factored) = curvature.cholesky() else { break };
        let mut step = factored.solve(&gradient);
        let largest = step.amax();
        if largest > 1.0 {
            step /= largest;
        }
        weights -= step;
        if largest < 1e-5 {
            break;
        }
    }
    policy_of(&weights)
}

fn policy_of(weights: &DVector<f64>) -> Policy {
    let weight = |cue| CueWeight { base: weights[cue], slope: weights[CUES + cue] };
    Policy { weights: std::array::from_fn(weight) }
}

/// Returns the gradient and the Hessian of the loss, bases first, then slopes.
fn slope(choices: &[&PolicyChoice], policy: &Policy) -> (DVector<f64>, DMatrix<f64>) {
    let none = || (DVector::zeros(2 * CUES), DMatrix::zeros(2 * CUES, 2 * CUES));
    let chunks: Vec<_> = choices
        .par_chunks(CHUNK)
        .map(|chunk| {
            let (mut gradient, mut curvature) = none();
            for choice in chunk {
                add_slope(choice, policy, &mut gradient, &mut curvature);
            }
            (gradient, curvature)
        })
        .collect();
    chunks.into_iter().fold(none(), |sum, part| (sum.0 + part.0, sum.1 + part.1))
}

fn add_slope(
    choice: &PolicyChoice,
    policy: &Policy,
    gradient: &mut DVector<f64>,
    curvature: &mut DMatrix<f64>,
) {
    let chances = policy.probabilities(choice.rating, &choice.moves);
    let at = choice.relative();
    let vector = |cues: &Cues| DVector::from_iterator(CUES, cues.iter().map(|&cue| f64::from(cue)));
    let mut mean = DVector::zeros(CUES);
    let mut square = DMatrix::zeros(CUES, CUES);
    for (cues, &chance) in choice.moves.iter().zip(&chances) {
        let cues = vector(cues);
        mean.axpy(chance, &cues, 1.0);
        square.syger(chance, &cues, &cues, 1.0);
    }
    square.syger(-1.0, &mean, &mean, 1.0);
    square.fill_upper_triangle_with_lower_triangle();
    let off = mean - vector(&choice.moves[0]);
    for (row, row_factor) in [(0, 1.0), (CUES, at)] {
        let mut part = gradient.rows_mut(row, CUES);
        part.axpy(row_factor, &off, 1.0);
        for (column, column_factor) in [(0, 1.0), (CUES, at)] {
            let mut block = curvature.view_mut((row, column), (CUES, CUES));
            block += &square * (row_factor * column_factor);
        }
    }
}
