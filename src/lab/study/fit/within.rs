//! Least squares within players: each player keeps an intercept of their own, which differences
//! from the player's mean remove.

use super::{Fit, Table, inverse, sandwich};
use nalgebra::{DMatrix, DVector};
use std::collections::BTreeMap;

/// Fits the outcomes by least squares within units, with errors robust to clusters. Returns `None`
/// if there are too few rows.
pub(in super::super) fn fit(table: &Table) -> Option<Fit> {
    let width = table.width();
    let ranges = table.unit_ranges();
    if ranges.len() < 2 || table.len() < ranges.len() + width + 2 {
        return None;
    }
    let (mut gram, mut product) = (DMatrix::zeros(width, width), DVector::zeros(width));
    for range in &ranges {
        let (rows, outcomes) = centred(table, range.clone());
        gram += rows.tr_mul(&rows);
        product += rows.tr_mul(&outcomes);
    }
    let bread = inverse(&gram, table.len())?;
    let values = &bread * product;
    let mut scores: BTreeMap<u32, DVector<f64>> = BTreeMap::new();
    for range in &ranges {
        let (rows, outcomes) = centred(table, range.clone());
        let residuals = outcomes - &rows * &values;
        let score = rows.tr_mul(&residuals);
        *scores.entry(table.clusters[range.start]).or_insert_with(|| DVector::zeros(width)) +=
            score;
    }
    let covariance = sandwich(&bread, &scores, table.len());
    let clusters = scores.len();
    Some(Fit { names: table.names.clone(), values, covariance, rows: table.len(), clusters })
}

/// Returns covariates and outcomes of one unit minus their means.
fn centred(table: &Table, range: std::ops::Range<usize>) -> (DMatrix<f64>, DVector<f64>) {
    let mut rows = DMatrix::from_fn(range.len(), table.width(), |at, column| {
        table.row(range.start + at)[column]
    });
    for mut column in rows.column_iter_mut() {
        let mean = column.mean();
        column.add_scalar_mut(-mean);
    }
    let outcomes = DVector::from_column_slice(&table.outcomes[range]);
    let mean = outcomes.mean();
    (rows, outcomes.add_scalar(-mean))
}

#[cfg(test)]
mod tests {
    use super::{super::synthetic, *};

    /// The expected numbers come from statsmodels on the same data; see [`synthetic`].
    #[test]
    fn coefficients_and_errors_match_statsmodels() {
        let fit = fit(&synthetic::small_times()).unwrap();
        for (name, (value, error)) in ["x", "z"].into_iter().zip(synthetic::WITHIN) {
            let found = fit.estimate(name).unwrap();
            assert!((found.value - value).abs() < 1e-6, "{found:?}");
            assert!((found.error - error).abs() < 1e-6, "{found:?}");
        }
    }

    #[test]
    fn too_few_rows_give_no_fit() {
        assert!(fit(&Table::new(&["x"], Vec::new())).is_none());
    }
}
