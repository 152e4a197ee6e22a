//! Plain logistic regression by Newton's method, for predictions of new players.

use super::{RIDGE, log_likelihood};
use crate::chess::wdl::logistic;
use nalgebra::{DMatrix, DVector};
use std::iter;

/// Maximum number of Newton steps.
const STEPS: usize = 40;
/// The search ends when no coefficient changes by more than this.
const CLOSE: f64 = 1e-6;

/// Fits log-odds to `rows` of covariates with their 0 or 1 outcome, starting from `start`.
pub(in crate::lab) fn fit<'r>(
    rows: &(impl Iterator<Item = (&'r [f64], f64)> + Clone),
    start: &DVector<f64>,
) -> DVector<f64> {
    let mut at = start.clone();
    for _ in 0..STEPS {
        let (mut gradient, mut information, count) = slope(rows.clone(), &at);
        for i in 0..at.len() {
            information[(i, i)] += RIDGE * count + 1e-9;
        }
        information.fill_upper_triangle_with_lower_triangle();
        let Some(factored) = information.cholesky() else { break };
        factored.solve_mut(&mut gradient);
        let largest = gradient.amax();
        // far from the maximum a full step may overshoot
        at += if largest > 4.0 { gradient * (4.0 / largest) } else { gradient };
        if largest < CLOSE {
            break;
        }
    }
    at
}

/// Returns gradient, lower triangle of the information, and number of rows.
fn slope<'r>(
    rows: impl Iterator<Item = (&'r [f64], f64)>,
    at: &DVector<f64>,
) -> (DVector<f64>, DMatrix<f64>, f64) {
    let width = at.len();
    let (mut gradient, mut information) = (DVector::zeros(width), DMatrix::zeros(width, width));
    let mut count = 0.0;
    for (row, outcome) in rows {
        let chance = logistic(odds(row, at));
        let weight = chance * (1.0 - chance);
        for (column, cell) in row.iter().enumerate() {
            gradient[column] += (outcome - chance) * cell;
            let scaled = weight * cell;
            let lower = &mut information.column_mut(column);
            for (target, other) in lower.iter_mut().zip(row).skip(column) {
                *target += scaled * other;
            }
        }
        count += 1.0;
    }
    (gradient, information, count)
}

/// Returns the log-odds of a row.
pub(in super::super) fn odds(row: &[f64], coefficients: &DVector<f64>) -> f64 {
    iter::zip(row, coefficients.iter()).map(|(cell, coefficient)| cell * coefficient).sum()
}

/// Returns the sum of log-likelihoods of `rows`, in nats.
pub(in super::super) fn likelihood<'r>(
    rows: impl Iterator<Item = (&'r [f64], f64)>,
    coefficients: &DVector<f64>,
) -> f64 {
    rows.map(|(row, outcome)| log_likelihood(odds(row, coefficients), outcome)).sum()
}

#[cfg(test)]
mod tests {
    use super::{super::synthetic, *};

    /// The expected numbers come from statsmodels on the same data; see [`synthetic`].
    #[test]
    fn coefficients_match_statsmodels() {
        let table = synthetic::small();
        let rows = || (0..table.len()).map(|at| (table.row(at), table.outcomes[at]));
        let fit = fit(&rows(), &DVector::zeros(table.width()));
        for (found, expected) in fit.iter().zip(synthetic::LOGIT) {
            assert!((found - expected).abs() < 1e-6, "{fit}");
        }
        let likelihood = likelihood(rows(), &fit);
        assert!((likelihood - synthetic::LOGIT_LIKELIHOOD).abs() < 1e-6, "{likelihood}");
    }

    #[test]
    fn separable_outcomes_do_not_overflow() {
        let rows = [([1.0, -1.0], 0.0), ([1.0, 1.0], 1.0)];
        let rows = || rows.iter().map(|(row, outcome)| (&row[..], *outcome));
        let fit = fit(&rows(), &DVector::zeros(2));
        assert!(fit.iter().all(|coefficient| coefficient.is_finite()));
        assert!(likelihood(rows(), &fit) <= 0.0);
    }
}
