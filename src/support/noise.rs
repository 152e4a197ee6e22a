//! Confidence intervals of means and shares.

/// Standard deviations of a two-sided 95 % interval of a normal distribution.
pub const DEVIATIONS_95: f64 = 1.959_963_984_540_1;
/// Standard deviations of a two-sided 99 % interval of a normal distribution.
pub const DEVIATIONS_99: f64 = 2.575_829_303_548_9;

/// Converts `z` standard deviations of a normal distribution to the quantile of Student's
/// t-distribution for a sample of `units`.
///
/// Uses the series of Abramowitz and Stegun, 26.7.5. At 99 %, the error is below 0.02 for five
/// units and below 0.01 from six units on.
#[must_use]
pub fn student(z: f64, units: f64) -> f64 {
    let [z3, z5, z7, z9] = [3, 5, 7, 9].map(|power| z.powi(power));
    let terms = [
        z,
        (z3 + z) / 4.0,
        (5.0 * z5 + 16.0 * z3 + 3.0 * z) / 96.0,
        (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / 384.0,
        (79.0 * z9 + 776.0 * z7 + 1482.0 * z5 - 1920.0 * z3 - 945.0 * z) / 92160.0,
    ];
    let freedom = units - 1.0;
    terms.iter().rev().fold(0.0, |sum, term| sum / freedom + term)
}

/// Returns the Wilson 95 % interval of a `share` (0 to 1) of `units`, at least one.
/// <https://en.wikipedia.org/wiki/Binomial_proportion_confidence_interval>
#[must_use]
pub fn wilson(share: f64, units: f64) -> (f64, f64) {
    const Z: f64 = DEVIATIONS_95;
    let shrink = 1.0 + Z * Z / units;
    let centre = (share + Z * Z / (2.0 * units)) / shrink;
    let variance = share * (1.0 - share) / units + Z * Z / (4.0 * units * units);
    let half = Z * libm::sqrt(variance) / shrink;
    (centre - half, centre + half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_match_printed_t_tables() {
        let is_near = |z, units, t: f64, error| (student(z, units) - t).abs() < error;
        assert!(is_near(DEVIATIONS_99, 5.0, 4.604, 0.02));
        for (units, t) in [(6.0, 4.032), (11.0, 3.169), (31.0, 2.750), (1001.0, 2.581)] {
            assert!(is_near(DEVIATIONS_99, units, t, 0.01), "{units}");
        }
        for (units, t) in [(8.0, 2.365), (11.0, 2.228), (31.0, 2.042), (1001.0, 1.962)] {
            assert!(is_near(DEVIATIONS_95, units, t, 0.001), "{units}");
        }
    }
}
