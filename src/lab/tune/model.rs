//! The evaluation as the descent sees it: a linear model with a logistic outcome.
//!
//! A position is won with probability `1 / (1 + e^(-K·score))`; the loss is the cross-entropy of that
//! with the target, in nats. <https://www.chessprogramming.org/Texel%27s_Tuning_Method>

use super::dataset::{Dataset, Part};
use crate::{
    chess::score::Tapered,
    eval::{
        feature::LEN,
        weights::{UNITS_PER_CENTIPAWN, Weights},
    },
    profile::file::HEAVIEST,
};
use rayon::prelude::*;

/// Positions whose losses and gradients are summed in one go: the same whatever the number of
/// threads, so that sums are the same too.
const CHUNK: usize = 1024;

/// A value for each weight, opening and ending.
pub type Pairs = Vec<[f32; 2]>;

/// Weights as floats, and how a score becomes a chance.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// In centipawns.
    pub weights: Pairs,
    /// K: how steeply the chance to win grows with the score, per centipawn.
    pub slope: f32,
}

/// Loss and gradient of some positions, each counted as much as its file weighs.
#[derive(Debug)]
pub struct Slope {
    /// The sum of weighted losses.
    pub loss: f64,
    /// The sum of weights.
    pub mass: f64,
    /// Of the loss, by the weights in centipawns.
    pub gradient: Pairs,
}

/// The chance to win at the log-odds `x`.
pub fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}

/// The cross-entropy of the chance at log-odds `x` with `target`, in nats.
pub fn cross_entropy(x: f32, target: f32) -> f32 {
    // ln(1 + e^x) - target·x, without overflow for large x
    x.max(0.0) + libm::log1pf(libm::expf(-x.abs())) - target * x
}

impl Model {
    /// The model of these weights.
    pub fn new(weights: &Weights, slope: f32) -> Self {
        let centipawns = |units: i32| units as f32 / UNITS_PER_CENTIPAWN as f32;
        Self {
            weights: weights.0.iter().map(|w| [w.mg(), w.eg()].map(centipawns)).collect(),
            slope,
        }
    }

    /// The nearest weights that a profile can hold.
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

    /// The score of a position, in centipawns, White's point of view.
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

    /// Loss and gradient over `positions`.
    pub fn slope(&self, data: &Dataset, aims: &Aims, positions: &[u32]) -> Slope {
        let chunks: Vec<Slope> =
            positions.par_chunks(CHUNK).map(|chunk| self.chunk_slope(data, aims, chunk)).collect();
        let none = Slope { loss: 0.0, mass: 0.0, gradient: vec![[0.0; 2]; LEN] };
        chunks.into_iter().fold(none, |mut sum, chunk| {
            sum.loss += chunk.loss;
            sum.mass += chunk.mass;
            for (sum, part) in sum.gradient.iter_mut().zip(chunk.gradient) {
                sum[0] += part[0];
                sum[1] += part[1];
            }
            sum
        })
    }

    fn chunk_slope(&self, data: &Dataset, aims: &Aims, chunk: &[u32]) -> Slope {
        let mut slope = Slope { loss: 0.0, mass: 0.0, gradient: vec![[0.0; 2]; LEN] };
        for &position in chunk {
            let position = position as usize;
            let (target, mass) = aims.of(data, position);
            let odds = self.slope * self.score(data, position);
            slope.loss += f64::from(mass * cross_entropy(odds, target));
            slope.mass += f64::from(mass);
            let by_score = mass * (logistic(odds) - target) * self.slope;
            let [mg, eg] = data.factors(position).map(|factor| factor * by_score);
            for count in data.counts(position) {
                let gradient = &mut slope.gradient[usize::from(count.index)];
                let net = f32::from(count.net);
                gradient[0] += mg * net;
                gradient[1] += eg * net;
            }
        }
        slope
    }

    /// The mean loss over `positions`; not a number if there are none.
    pub fn loss(&self, data: &Dataset, aims: &Aims, positions: &[u32]) -> f64 {
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

/// What the model is to foretell of each position, and how much each counts.
#[derive(Clone, Debug)]
pub struct Aims {
    /// White's share of the point, 0 to 1, by position.
    targets: Vec<f32>,
    /// How much a position counts, by file.
    weights: Vec<f32>,
}

impl Aims {
    /// Results, mixed with the chance that each position's score gives at the slope K: `mix` is the
    /// share of that chance where there is a score. `weights` tells how much each file counts.
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

    fn of(&self, data: &Dataset, position: usize) -> (f32, f32) {
        let label = data.label(position);
        let weight = match label.part {
            Part::Training | Part::HeldOut => self.weights[usize::from(label.file)],
            Part::Validation => 1.0,
        };
        (self.targets[position], weight)
    }
}

/// The slope K at which the scores of `positions` foretell their results best, by golden section;
/// `None` if results do not follow the scores at all.
pub fn fitted_slope(data: &Dataset, model: &Model, positions: &[u32]) -> Option<f32> {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    /// A chance hardly depends on the score at the one end, and on little else at the other.
    const ENDS: [f64; 2] = [1e-5, 0.1];
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
    let [least, most] = ENDS.map(f64::ln);
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
    fn the_loss_is_that_of_the_chances_and_never_overflows() {
        for (x, target) in [(0.0_f32, 0.5_f32), (1.5, 1.0), (-2.0, 0.25)] {
            let p = logistic(x);
            let expected = -target * p.ln() - (1.0 - target) * (1.0 - p).ln();
            assert!((cross_entropy(x, target) - expected).abs() < 1e-6, "{x} {target}");
        }
        assert!((cross_entropy(1e4, 0.0) - 1e4).abs() < 1.0);
        assert!(cross_entropy(-1e4, 0.0).abs() < 1e-6);
    }
}
