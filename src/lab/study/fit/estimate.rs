//! An estimated coefficient with its interval and p-value, and the correction for several tests.

use serde_json::{Value, json};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The coverage of intervals.
const COVERAGE: f64 = 0.95;

/// An estimated coefficient. Tests and intervals use Student's t-distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Estimate {
    pub value: f64,
    /// Standard error.
    pub error: f64,
    /// Degrees of freedom: the number of clusters minus 1.
    pub freedom: f64,
}

impl Estimate {
    fn student(&self) -> Option<StudentsT> {
        StudentsT::new(0.0, 1.0, self.freedom.max(1.0)).ok()
    }

    /// Returns the two-sided p-value of the hypothesis that the coefficient is 0.
    pub(in super::super) fn p(&self) -> f64 {
        let t = (self.value / self.error).abs();
        let Some(student) = self.student().filter(|_| t.is_finite()) else { return 1.0 };
        2.0 * student.cdf(-t)
    }

    /// Returns the 95 % interval.
    pub(in super::super) fn interval(&self) -> [f64; 2] {
        let upper = f64::midpoint(1.0, COVERAGE);
        let half = self.student().map_or(f64::INFINITY, |student| student.inverse_cdf(upper));
        [self.value - half * self.error, self.value + half * self.error]
    }

    /// Returns the estimate and its interval as multipliers: odds ratios, or ratios of times.
    pub(in super::super) fn ratios(&self) -> [f64; 3] {
        let [low, high] = self.interval();
        [self.value, low, high].map(libm::exp)
    }

    /// Returns the estimate as JSON: coefficient, error, ratio with its interval, and p-value.
    pub(in super::super) fn as_json(&self) -> Value {
        let [ratio, low, high] = self.ratios();
        json!({
            "coefficient": self.value, "error": self.error,
            "ratio": ratio, "interval": [low, high], "p": self.p(),
        })
    }
}

/// Returns p-values corrected for several tests by Holm's method (1979). A test without a p-value
/// counts as one with p = 1.
pub(in super::super) fn holm(raw: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut order: Vec<usize> = (0..raw.len()).collect();
    let p = |test: usize| raw[test].unwrap_or(1.0);
    order.sort_by(|a, b| p(*a).total_cmp(&p(*b)));
    let mut corrected = vec![None; raw.len()];
    let mut largest: f64 = 0.0;
    for (rank, test) in order.into_iter().enumerate() {
        largest = largest.max((raw.len() - rank) as f64 * p(test)).min(1.0);
        corrected[test] = raw[test].map(|_| largest);
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_and_p_values_match_printed_t_tables() {
        let estimate = Estimate { value: 2.228, error: 1.0, freedom: 10.0 };
        assert!((estimate.p() - 0.05).abs() < 1e-4, "{}", estimate.p());
        let [low, high] = estimate.interval();
        assert!(low.abs() < 1e-3 && (high - 4.456).abs() < 1e-3);
        assert!((estimate.ratios()[0] - libm::exp(2.228)).abs() < 1e-9);
    }

    #[test]
    fn an_estimate_without_error_has_no_evidence() {
        let estimate = Estimate { value: 1.0, error: 0.0, freedom: 5.0 };
        assert!((estimate.p() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn holm_corrects_the_smallest_most_and_keeps_the_order() {
        let corrected = holm(&[Some(0.01), Some(0.04), None, Some(0.03), Some(0.005)]);
        let expected = [Some(0.04), Some(0.09), None, Some(0.09), Some(0.025)];
        for (found, expected) in corrected.iter().zip(expected) {
            assert_eq!(found.is_some(), expected.is_some());
            if let (Some(found), Some(expected)) = (found, expected) {
                assert!((found - expected).abs() < 1e-12, "{corrected:?}");
            }
        }
    }
}
