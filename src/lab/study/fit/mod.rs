//! Regressions with player effects and standard errors that are robust to clusters.
//!
//! Moves of one player are not independent. So each model has an effect per player, and the
//! covariance of the estimates is a sandwich over clusters: the inverse information around the sum
//! of squared scores per cluster, times G/(G−1) · (N−1)/(N−K) for G clusters, N rows and K
//! coefficients. Source: Cameron and Miller, "A practitioner's guide to cluster-robust inference"
//! (2015).

pub(super) mod estimate;
pub(in crate::lab) mod logit;
pub(super) mod mixed_logit;
#[cfg(test)]
mod synthetic;
pub(super) mod table;
pub(super) mod within;

pub(super) use estimate::{Estimate, holm};
pub(super) use table::Table;

use nalgebra::{DMatrix, DVector};
use std::collections::BTreeMap;

/// A tiny ridge, so that a column that others explain cannot stop a fit. It is added to the
/// information, per row.
const RIDGE: f64 = 1e-9;

/// The result of a regression.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    names: Vec<&'static str>,
    values: DVector<f64>,
    covariance: DMatrix<f64>,
    /// Number of rows.
    pub rows: usize,
    /// Number of clusters.
    pub clusters: usize,
}

impl Fit {
    /// Returns the estimate of the column with this name, unless the model lacks it.
    pub(super) fn estimate(&self, name: &str) -> Option<Estimate> {
        let at = self.names.iter().position(|known| *known == name)?;
        let error = libm::sqrt(self.covariance[(at, at)].max(0.0));
        let freedom = self.clusters.saturating_sub(1).max(1) as f64;
        Some(Estimate { value: self.values[at], error, freedom })
    }
}

/// Returns the inverse of a symmetric matrix that sums over `rows`, unless it is not positive
/// definite.
fn inverse(matrix: &DMatrix<f64>, rows: usize) -> Option<DMatrix<f64>> {
    let ridge = DMatrix::identity(matrix.nrows(), matrix.ncols()) * (RIDGE * rows as f64);
    Some((matrix + ridge).cholesky()?.inverse())
}

/// Returns the sandwich covariance. `scores` holds the score of each cluster, and `bread` is the
/// inverse information.
fn sandwich(
    bread: &DMatrix<f64>,
    scores: &BTreeMap<u32, DVector<f64>>,
    rows: usize,
) -> DMatrix<f64> {
    let width = bread.nrows();
    let mut meat = DMatrix::zeros(width, width);
    for score in scores.values() {
        meat.ger(1.0, score, score, 1.0);
    }
    let (clusters, rows) = (scores.len() as f64, rows as f64);
    let small = (clusters - 1.0).max(1.0);
    let correction = clusters / small * (rows - 1.0) / (rows - width as f64).max(1.0);
    bread * meat * bread * correction
}

/// Returns the logarithm of the likelihood of a 0 or 1 outcome with these log-odds.
fn log_likelihood(odds: f64, outcome: f64) -> f64 {
    // ln(1 + e^x) - y·x, written so that large x cannot overflow
    outcome * odds - odds.max(0.0) - libm::log1p(libm::exp(-odds.abs()))
}
