//! Models the evaluation as a logistic regression: a score linear in the weights, and a win
//! probability that follows from the score.
//!
//! The win probability of a position is `1 / (1 + e^(-K·score))`. The loss is its cross-entropy
//! with the target, in nats. Source: <https://www.chessprogramming.org/Texel%27s_Tuning_Method>

use super::dataset::{Dataset, Split};
use crate::{
    chess::score::Tapered,
    eval::{
        feature::LEN,
        weights::{UNITS_PER_CENTIPAWN, Weights},
    },
    profile::file::HEAVIEST,
};
use rayon::prelude::*;

/// Positions per partial sum. It does not depend on the number of threads, so that floating-point
/// sums do not either.
const CHUNK: usize = 1024;

/// Two numbers for each weight: opening and endgame.
pub type Pairs = Vec<[f32; 2]>;

/// A logistic model of game results: floating-point weights and the slope K.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultModel {
    /// Weights in centipawns.
    pub weights: Pairs,
    /// K: the change of the log-odds of a win, per centipawn of score.
    pub slope: f32,
}

/// The summed loss and gradient of some positions, each multiplied by the weight of its file.
#[derive(Debug)]
pub struct Slope {
    /// Sum of the weighted losses, in nats.
    pub loss: f64,
    /// Sum of the file weights of the positions.
    pub mass: f64,
    /// Derivative of `loss` with respect to each evaluation weight, in nats per centipawn.
    pub gradient: Pairs,
}

impl Default for Slope {
    fn default() -> Self {
        Self { loss: 0.0, mass: 0.0, gradient: vec![[0.0; 2]; LEN] }
    }
}

impl Slope {
    /// Returns the sum of two partial sums.
    pub(super) fn plus(mut self, other: &Self) -> Self {
        self.loss += other.loss;
        self.mass += other.mass;
        for (sum, part) in self.gradient.iter_mut().zip(&other.gradient) {
            sum[0] += part[0];
            sum[1] += part[1];
        }
        self
    }

    /// Adds the gradient of a position whose loss changes by `by_score` per centipawn of its score.
    pub(super) fn add_gradient(&mut self, data: &Dataset, position: usize, by_score: f32) {
        let [mg, eg] = data.factors(position).map(|factor| factor * by_score);
        for count in data.counts(position) {
            let gradient = &mut self.gradient[usize::from(count.index)];
            let net = f32::from(count.net);
            gradient[0] += mg * net;
            gradient[1] += eg * net;
        }
    }
}

/// Returns the win probability at log-odds `x`.
pub fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}

/// Returns the cross-entropy of the win probability at log-odds `x` with `target`, in nats.
pub fn cross_entropy(x: f32, target: f32) -> f32 {
    // ln(1 + e^x) - target·x, written so that large x cannot overflow
    x.max(0.0) + libm::log1pf(libm::expf(-x.abs())) - target * x
}

impl ResultModel {
    /// Creates a model with these weights and the slope K.
    pub fn new(weights: &Weights, slope: f32) -> Self {
        let centipawns = |units: i32| units as f32 / UNITS_PER_CENTIPAWN as f32;
        Self {
            weights: weights.0.iter().map(|w| [w.mg(), w.eg()].map(centipawns)).collect(),
            slope,
        }
    }

    /// Returns the weights rounded to evaluation units and clamped to the range of a profile.
    pub fn rounded(&self) -> Weights {
        let units = |centipawns: f32| {
            let centipawns = f64::from(centipawns).clamp(-HEAVIEST, HEAVIEST);
            (centipawns * f64::from(UNITS_PER_CENTIPAWN)).round() as i32
        };
        Weights(std::array::from_fn(|i| {
            let [mg, eg] = self.weights[i].map(units);
            Tapered::new(mg, eg)
        }))
    }

    /// Returns the score of a position, in centipawns, from White's point of view.
    pub fn score(&self, data: &Dataset, position: usize) -> f32 {
        let (mut mg, mut eg) = (0.0, 0.0);
        for count in data.counts(position) {
            let [opening, ending] = self.weights[usize::from(count.index)];
            let net = f32::from(count.net);
            mg += opening * net;
            eg += ending * net;
        }
        let factors = data.factors(position);
        factors[0] * mg + factors[1] * eg
    }

    /// Returns the summed loss and gradient over `positions`.
    pub fn slope(&self, data: &Dataset, aims: &FitTargets, positions: &[u32]) -> Slope {
        let chunks: Vec<Slope> =
            positions.par_chunks(CHUNK).map(|chunk| self.chunk_slope(data, aims, chunk)).collect();
        chunks.iter().fold(Slope::default(), Slope::plus)
    }

    fn chunk_slope(&self, data: &Dataset, aims: &FitTargets, chunk: &[u32]) -> Slope {
        let mut slope = Slope::default();
        for &position in chunk {
            let position = position as usize;
            let (target, mass) = aims.of(data, position);
            let odds = self.slope * self.score(data, position);
            slope.loss += f64::from(mass * cross_entropy(odds, target));
            slope.mass += f64::from(mass);
            let by_score = mass * (logistic(odds) - target) * self.slope;
            slope.add_gradient(data, position, by_score);
        }
        slope
    }

    /// Returns the mean loss over `positions`, in nats, or NaN if there are none.
    pub fn loss(&self, data: &Dataset, aims: &FitTargets, positions: &[u32]) -> f64 {
        let sums: Vec<[f64; 2]> = positions
            .par_chunks(CHUNK)
            .map(|chunk| {
                chunk.iter().fold([0.0; 2], |[loss, mass], &position| {
                    let position = position as usize;
                    let (target, weight) = aims.of(data, position);
                    let one = cross_entropy(self.slope * self.score(data, position), target);
                    [loss + f64::from(weight * one), mass + f64::from(weight)]
                })
            })
            .collect();
        let [loss, mass] = sums.into_iter().fold([0.0; 2], |[l, m], [l2, m2]| [l + l2, m + m2]);
        loss / mass
    }
}

/// The target and weight of every position.
#[derive(Clone, Debug)]
pub struct FitTargets {
    /// Expected points of White, from 0 to 1, per position.
    targets: Vec<f32>,
    /// Weight of a position, per file.
    weights: Vec<f32>,
}

impl FitTargets {
    /// Creates the targets `mix · p + (1 - mix) · result`, where `p` is the win probability at the
    /// score of the position and the slope K. Without a score, the target is the result. `weights`
    /// are the weights of the files.
    pub fn new(data: &Dataset, slope: f32, mix: f32, weights: Vec<f32>) -> Self {
        let target = |position| {
            let label = data.label(position);
            let result = f32::from(label.result) / 2.0;
            label.cp.map_or(result, |cp| {
                let chance = logistic(slope * f32::from(cp));
                mix * chance + (1.0 - mix) * result
            })
        };
        Self { targets: (0..data.len()).map(target).collect(), weights }
    }

    /// Returns the target and the weight of a position.
    pub(super) fn of(&self, data: &Dataset, position: usize) -> (f32, f32) {
        let label = data.label(position);
        let weight = match label.part {
            Split::Training | Split::HeldOut => self.weights[usize::from(label.file)],
            Split::Validation => 1.0,
        };
        (self.targets[position], weight)
    }
}

/// Returns the slope K that minimises the loss of `positions`, by golden-section search. Returns
/// `None` if the results do not correlate with the scores.
pub fn fitted_slope(data: &Dataset, model: &ResultModel, positions: &[u32]) -> Option<f32> {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    /// Bounds of the search, per centipawn. A minimum at a bound means that no K fits.
    const BOUNDS: [f64; 2] = [1e-5, 0.1];
    let scored: Vec<(f32, f32)> = positions
        .par_iter()
        .map(|&position| {
            let position = position as usize;
            (model.score(data, position), f32::from(data.label(position).result) / 2.0)
        })
        .collect();
    let loss = |log_slope: f64| -> f64 {
        let slope = log_slope.exp() as f32;
        let chunks: Vec<f64> = scored
            .par_chunks(CHUNK)
            .map(|chunk| chunk.iter().map(|&(s, r)| f64::from(cross_entropy(slope * s, r))).sum())
            .collect();
        chunks.iter().sum()
    };
    let [least, most] = BOUNDS.map(f64::ln);
    let (mut low, mut high) = (least, most);
    let inner = |low: f64, high: f64| (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
    let (mut left, mut right) = inner(low, high);
    let (mut at_left, mut at_right) = (loss(left), loss(right));
    while high - low > 1e-4 {
        if at_left <= at_right {
            (high, right, at_right) = (right, left, at_left);
            left = inner(low, high).0;
            at_left = loss(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = inner(low, high).1;
            at_right = loss(right);
        }
    }
    let slope = f64::midpoint(low, high);
    (slope - least > 0.01 && most - slope > 0.01).then(|| slope.exp() as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cross_entropy_matches_its_definition_and_does_not_overflow() {
        for (x, target) in [(0.0_f32, 0.5_f32), (1.5, 1.0), (-2.0, 0.25)] {
            let p = logistic(x);
            let expected = -target * p.ln() - (1.0 - target) * (1.0 - p).ln();
            assert!((cross_entropy(x, target) - expected).abs() < 1e-6, "{x} {target}");
        }
        assert!((cross_entropy(1e4, 0.0) - 1e4).abs() < 1.0);
        assert!(cross_entropy(-1e4, 0.0).abs() < 1e-6);
    }
}
