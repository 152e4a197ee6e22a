//! Simulated players with known effects, and results that other programs found for them.
//!
//! `tests/data/study/reference.py` generates the same data in Python. It fits them with statsmodels
//! 0.15 (plain logit; least squares within players with cluster-robust errors), and maximises the mixed
//! model's likelihood with scipy on a fixed quadrature of 61 nodes. It printed the constants below.

use super::table::{INTERCEPT, Row, Table};
use crate::support::random::Random;

/// What the simulated moves depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Truth {
    pub players: u32,
    pub moves: u32,
    pub intercept: f64,
    pub x: f64,
    pub z: f64,
    /// Standard deviation of the players' intercepts.
    pub deviation: f64,
}

pub(super) const TRUTH: Truth =
    Truth { players: 30, moves: 12, intercept: -1.0, x: 0.8, z: -0.5, deviation: 0.7 };

/// Coefficients of intercept, x and z by `Logit` of statsmodels.
pub(super) const LOGIT: [f64; 3] = [-0.661_513_742, 0.746_037_992, -0.630_848_112];
pub(super) const LOGIT_LIKELIHOOD: f64 = -198.834_193_553;
/// Coefficient and cluster-robust error of x and z by `OLS` of statsmodels on centred data.
pub(super) const WITHIN: [(f64, f64); 2] =
    [(0.750_055_050, 0.057_454_930), (-0.261_910_000, 0.123_047_372)];
/// Coefficient and cluster-robust error of intercept, x and z by the dense quadrature.
pub(super) const MIXED: [(f64, f64); 3] =
    [(-0.658_614, 0.267_228), (0.826_944, 0.156_539), (-0.901_772, 0.454_712)];
pub(super) const MIXED_DEVIATION: f64 = 0.862_174;
pub(super) const MIXED_LIKELIHOOD: f64 = -191.197_023;

impl Truth {
    /// Simulates moves whose outcome is 1 with the model's probability.
    pub(super) fn table(&self, seed: u64) -> Table {
        let happens =
            |odds: f64, random: &mut Random| random.unit() < 1.0 / (1.0 + libm::exp(-odds));
        let rows = self.simulated(seed, |odds, random| f64::from(u8::from(happens(odds, random))));
        Table::new(&[INTERCEPT, "x", "z"], rows)
    }

    fn simulated(&self, seed: u64, outcome: impl Fn(f64, &mut Random) -> f64) -> Vec<Row> {
        let mut random = Random::new(seed);
        let mut rows = Vec::new();
        for player in 0..self.players {
            let own = self.deviation * normal(&mut random);
            for _ in 0..self.moves {
                let x = normal(&mut random);
                let z = random.unit();
                let odds = self.intercept + self.x * x + self.z * z + own;
                let outcome = outcome(odds, &mut random);
                rows.push(Row { cells: vec![1.0, x, z], outcome, unit: player, cluster: player });
            }
        }
        rows
    }
}

/// Returns the data behind the constants for the logistic models.
pub(super) fn small() -> Table {
    TRUTH.table(11)
}

/// Returns the data behind the constants for least squares: outcomes with added noise.
pub(super) fn small_times() -> Table {
    let rows = TRUTH.simulated(12, |odds, random| odds + normal(random));
    let without_intercept = |row: Row| Row { cells: row.cells[1..].to_vec(), ..row };
    Table::new(&["x", "z"], rows.into_iter().map(without_intercept).collect())
}

/// Returns a number that is almost normally distributed: the centred sum of twelve uniform ones.
fn normal(random: &mut Random) -> f64 {
    (0..12).map(|_| random.unit()).sum::<f64>() - 6.0
}
