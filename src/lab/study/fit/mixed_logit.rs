//! Logistic regression with a random intercept per player, by maximum likelihood.
//!
//! The intercepts are normally distributed. Their integral is computed by adaptive Gauss–Hermite
//! quadrature: the nodes of each player lie around the most likely intercept of that player
//! (Pinheiro and Bates, "Approximations to the log-likelihood function in the nonlinear mixed-effects
//! model", 1995). Gradient and information are means over the posterior of the intercept
//! (Louis, "Finding the observed information matrix when using the EM algorithm", 1982).

use super::{Fit, Table, inverse, log_likelihood, logit::odds, sandwich};
use crate::chess::wdl::logistic;
use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;
use std::{collections::BTreeMap, f64::consts::TAU, ops::Range};

/// Nodes and weights of the Gauss–Hermite rule of order 9, for the weight function exp(−x²). Other
/// nodes mirror the positive ones. Source: Abramowitz and Stegun, table 25.10.
const RULE: [(f64, f64); 5] = [
    (0.0, 0.720_235_215_606_051),
    (0.723_551_018_752_838, 0.432_651_559_002_556),
    (1.468_553_289_216_668, 0.088_474_527_394_376_6),
    (2.266_580_584_531_843, 0.004_943_624_275_536_94),
    (3.190_993_201_781_528, 3.960_697_726_326_44e-5),
];
/// Maximum number of Newton steps.
const STEPS: usize = 60;
/// The search ends when the likelihood improves by less than this, in nats.
const CLOSE: f64 = 1e-7;
/// Standard deviation of intercepts at the start of the search.
const START: f64 = 0.4;

/// A fitted model.
#[derive(Clone, Debug)]
pub(in super::super) struct MixedFit {
    pub fit: Fit,
    /// Standard deviation of the players' intercepts, in log-odds.
    pub deviation: f64,
    /// Number of players.
    pub units: usize,
}

/// The likelihood around some coefficients. The last coefficient is the deviation of intercepts.
struct Slope {
    likelihood: f64,
    /// The observed information.
    information: DMatrix<f64>,
    /// The information if the intercepts were known.
    complete: DMatrix<f64>,
    /// The score of each unit, in the order of the ranges.
    scores: Vec<DVector<f64>>,
}

impl Slope {
    /// Returns the inverse information. Far from the maximum it may not be positive definite. Then the
    /// information that known intercepts would give takes its place, as in the EM gradient algorithm
    /// (Lange 1995).
    fn metric(&self, rows: usize) -> Option<DMatrix<f64>> {
        inverse(&self.information, rows).or_else(|| inverse(&self.complete, rows))
    }
}

/// Fits 0 or 1 outcomes. Returns `None` with fewer than two units, without both outcomes, or if no
/// maximum is found.
pub(in super::super) fn fit(table: &Table) -> Option<MixedFit> {
    let ranges = table.unit_ranges();
    let events = table.events();
    if ranges.len() < 2 || events == 0 || events == table.len() || table.width() == 0 {
        return None;
    }
    let mut at = DVector::zeros(table.width() + 1);
    at[table.width()] = START;
    let mut slope = slope_at(table, &ranges, &at);
    for _ in 0..STEPS {
        let gradient: DVector<f64> = slope.scores.iter().sum();
        let step = slope.metric(table.len())? * gradient;
        let Some((next, better)) = improved(table, &ranges, &at, &step, slope.likelihood) else {
            break;
        };
        let gain = better.likelihood - slope.likelihood;
        (at, slope) = (next, better);
        if gain < CLOSE {
            break;
        }
    }
    let bread = slope.metric(table.len())?;
    let mut scores: BTreeMap<u32, DVector<f64>> = BTreeMap::new();
    for (range, score) in ranges.iter().zip(&slope.scores) {
        let sum = scores.entry(table.clusters[range.start]);
        *sum.or_insert_with(|| DVector::zeros(at.len())) += score;
    }
    let covariance = sandwich(&bread, &scores, table.len());
    let (rows, clusters) = (table.len(), scores.len());
    let deviation = at[table.width()].abs();
    let fit = Fit { names: table.names.clone(), values: at, covariance, rows, clusters };
    Some(MixedFit { fit, deviation, units: ranges.len() })
}

/// Returns the point that `step`, shortened if necessary, leads to, unless nothing improves.
fn improved(
    table: &Table,
    ranges: &[Range<usize>],
    at: &DVector<f64>,
    step: &DVector<f64>,
    likelihood: f64,
) -> Option<(DVector<f64>, Slope)> {
    (0..12).find_map(|halvings| {
        let next = at + step * f64::powi(0.5, halvings);
        let slope = slope_at(table, ranges, &next);
        (slope.likelihood > likelihood).then_some((next, slope))
    })
}

fn slope_at(table: &Table, ranges: &[Range<usize>], at: &DVector<f64>) -> Slope {
    let width = at.len();
    let parts: Vec<UnitSlope> =
        ranges.par_iter().map(|range| unit_slope(table, range.clone(), at)).collect();
    let none = || DMatrix::zeros(width, width);
    let (information, complete) = (none(), none());
    let mut slope = Slope { likelihood: 0.0, information, complete, scores: Vec::new() };
    for part in parts {
        slope.likelihood += part.likelihood;
        slope.information += &part.complete - part.missing;
        slope.complete += part.complete;
        slope.scores.push(part.score);
    }
    slope
}

/// What one unit adds to a [`Slope`].
struct UnitSlope {
    likelihood: f64,
    score: DVector<f64>,
    complete: DMatrix<f64>,
    /// The information that is missing because the intercept is unknown: the variance of the score.
    missing: DMatrix<f64>,
}

/// A value of the standardised intercept with its posterior mass.
struct QuadratureNode {
    place: f64,
    mass: f64,
}

fn unit_slope(table: &Table, range: Range<usize>, at: &DVector<f64>) -> UnitSlope {
    let width = table.width();
    let deviation = at[width];
    let fixed = at.rows(0, width).into_owned();
    let known: Vec<(f64, f64)> =
        range.clone().map(|row| (odds(table.row(row), &fixed), table.outcomes[row])).collect();
    let (likelihood, nodes) = nodes(&known, deviation);
    let mut complete = DMatrix::zeros(width + 1, width + 1);
    let mut scores = vec![DVector::zeros(width + 1); nodes.len()];
    let mut row = vec![0.0; width + 1];
    for (index, (odds, outcome)) in range.zip(&known) {
        row[..width].copy_from_slice(table.row(index));
        // means over the posterior of p(1 − p), and of it times the intercept and its square
        let mut weights = [0.0; 3];
        for (node, score) in nodes.iter().zip(&mut scores) {
            let chance = logistic(odds + deviation * node.place);
            let weight = node.mass * chance * (1.0 - chance);
            weights[0] += weight;
            weights[1] += weight * node.place;
            weights[2] += weight * node.place * node.place;
            row[width] = node.place;
            for (sum, cell) in score.iter_mut().zip(&row) {
                *sum += (outcome - chance) * cell;
            }
        }
        for column in 0..width {
            for other in column..width {
                complete[(other, column)] += weights[0] * row[column] * row[other];
            }
            complete[(width, column)] += weights[1] * row[column];
        }
        complete[(width, width)] += weights[2];
    }
    complete.fill_upper_triangle_with_lower_triangle();
    let mut score = DVector::zeros(width + 1);
    let mut missing = DMatrix::zeros(width + 1, width + 1);
    for (node, at_node) in nodes.iter().zip(&scores) {
        score.axpy(node.mass, at_node, 1.0);
        missing.ger(node.mass, at_node, at_node, 1.0);
    }
    missing.ger(-1.0, &score, &score, 1.0);
    UnitSlope { likelihood, score, complete, missing }
}

/// Returns the log-likelihood of one unit and the nodes of its intercept. `known` holds the log-odds
/// without the intercept, and the outcome, of each row.
fn nodes(known: &[(f64, f64)], deviation: f64) -> (f64, Vec<QuadratureNode>) {
    let (mode, spread) = mode(known, deviation);
    let joint = |place: f64| {
        let rows = known.iter().map(|(odds, y)| log_likelihood(odds + deviation * place, *y));
        rows.sum::<f64>() - place * place / 2.0 - libm::log(TAU) / 2.0
    };
    let scale = std::f64::consts::SQRT_2 * spread;
    let mirrored = RULE.iter().flat_map(|&(x, weight)| {
        let both = [(x, weight), (-x, weight)];
        both.into_iter().take(if x > 0.0 { 2 } else { 1 })
    });
    let mut nodes: Vec<QuadratureNode> = mirrored
        .map(|(x, weight)| {
            let place = mode + scale * x;
            QuadratureNode { place, mass: joint(place) + x * x + libm::log(weight * scale) }
        })
        .collect();
    let largest = nodes.iter().map(|node| node.mass).fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = nodes.iter().map(|node| libm::exp(node.mass - largest)).sum();
    for node in &mut nodes {
        node.mass = libm::exp(node.mass - largest) / sum;
    }
    (largest + libm::log(sum), nodes)
}

/// Returns the most likely standardised intercept, and the standard deviation of the normal
/// approximation around it.
fn mode(known: &[(f64, f64)], deviation: f64) -> (f64, f64) {
    let (mut mode, mut curvature) = (0.0_f64, 1.0);
    for _ in 0..20 {
        let mut gradient = -mode;
        curvature = 1.0;
        for (odds, outcome) in known {
            let chance = logistic(odds + deviation * mode);
            gradient += deviation * (outcome - chance);
            curvature += deviation * deviation * chance * (1.0 - chance);
        }
        let step = (gradient / curvature).clamp(-2.0, 2.0);
        mode += step;
        if step.abs() < 1e-4 {
            break;
        }
    }
    (mode, 1.0 / libm::sqrt(curvature))
}

#[cfg(test)]
mod tests {
    use super::{super::synthetic, *};

    #[test]
    fn the_rule_integrates_polynomials() {
        let sum = |power: i32| -> f64 {
            RULE.iter()
                .map(
                    |(x, w)| if *x > 0.0 { 2.0 * w * x.powi(power) } else { w * 0_f64.powi(power) },
                )
                .sum()
        };
        let root = libm::sqrt(std::f64::consts::PI);
        for (power, expected) in [(0, root), (2, root / 2.0), (4, root * 0.75), (8, root * 6.5625)]
        {
            assert!((sum(power) - expected).abs() < 1e-10, "{power}: {}", sum(power));
        }
    }

    /// The expected numbers come from a dense quadrature on the same data; see [`synthetic`].
    #[test]
    fn estimates_match_a_dense_quadrature() {
        let table = synthetic::small();
        let found = fit(&table).unwrap();
        assert_eq!(found.units, 30);
        for (name, (value, error)) in ["intercept", "x", "z"].into_iter().zip(synthetic::MIXED) {
            let estimate = found.fit.estimate(name).unwrap();
            assert!((estimate.value - value).abs() < 2e-4, "{name} {estimate:?}");
            assert!((estimate.error - error).abs() < 5e-4, "{name} {estimate:?}");
        }
        assert!((found.deviation - synthetic::MIXED_DEVIATION).abs() < 5e-4, "{found:?}");
        let likelihood = slope_at(&table, &table.unit_ranges(), &found.fit.values).likelihood;
        assert!((likelihood - synthetic::MIXED_LIKELIHOOD).abs() < 1e-3, "{likelihood}");
    }

    #[test]
    fn known_effects_are_recovered() {
        let truth = synthetic::Truth { players: 300, moves: 100, ..synthetic::TRUTH };
        let found = fit(&truth.table(7)).unwrap();
        for (name, value) in [("intercept", truth.intercept), ("x", truth.x), ("z", truth.z)] {
            let [low, high] = found.fit.estimate(name).unwrap().interval();
            assert!(low < value && value < high, "{name} {low} {high}");
        }
        assert!((found.deviation - truth.deviation).abs() < 0.1, "{found:?}");
    }

    #[test]
    fn intervals_cover_the_truth_about_as_often_as_they_promise() {
        let truth = synthetic::Truth { players: 50, moves: 30, ..synthetic::TRUTH };
        let covers = |seed| {
            let found = fit(&truth.table(seed)).unwrap();
            let [low, high] = found.fit.estimate("x").unwrap().interval();
            low < truth.x && truth.x < high
        };
        let covered = (0..100).filter(|seed| covers(*seed)).count();
        // 95 of 100 with a standard deviation of 2.2
        assert!((88..=99).contains(&covered), "{covered} of 100");
    }

    #[test]
    fn fewer_players_than_columns_still_give_a_fit() {
        let truth = synthetic::Truth { players: 6, moves: 200, ..synthetic::TRUTH };
        let plain = truth.table(3);
        let names = ["intercept", "x", "z", "a", "b", "c", "d", "e"];
        let rows = (0..plain.len()).map(|at| {
            let more = (1..6).map(|power| libm::sin((power * (at + 1)) as f64));
            let cells = plain.row(at).iter().copied().chain(more).collect();
            let (outcome, unit) = (plain.outcomes[at], plain.units[at]);
            super::super::table::Row { cells, outcome, unit, cluster: unit }
        });
        let found = fit(&Table::new(&names, rows.collect())).unwrap();
        let estimate = found.fit.estimate("x").unwrap();
        assert!((estimate.value - truth.x).abs() < 0.3, "{estimate:?}");
    }

    #[test]
    fn one_player_or_one_outcome_gives_no_fit() {
        let truth = synthetic::Truth { players: 1, moves: 50, ..synthetic::TRUTH };
        assert!(fit(&truth.table(1)).is_none());
        let mut table = synthetic::small();
        table.outcomes.fill(0.0);
        assert!(fit(&table).is_none());
    }
}
