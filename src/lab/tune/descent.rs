//! Adam: gradient descent on small batches, with a step for each weight that fits its gradients.
//!
//! Kingma and Ba 2015. The rate is halved after every epoch that brings no better loss; several of
//! them in a row end the descent.

use super::{
    dataset::Dataset,
    model::{Aims, Model, Pairs, Slope},
};
use crate::{eval::feature::LEN, search::root::time::Timer, support::random::Random};
use std::{
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::Duration,
};

/// How the descent goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Descent {
    /// Passes over the training positions, at most.
    pub epochs: u32,
    /// The length of the first steps, in centipawns.
    pub rate: f32,
    /// Positions in a batch, at least 1.
    pub batch: usize,
    /// How hard weights are pulled to where they start: what a weight that is 100 centipawns off
    /// adds to the sum of all losses, in nats. So what hardly occurs hardly moves.
    pub pull: f32,
    /// Epochs without a better loss after which the descent ends, at least 1.
    pub patience: u32,
    pub seed: u64,
}

/// A finished epoch.
#[derive(Clone, Copy, Debug)]
pub struct Epoch {
    /// From 1.
    pub number: u32,
    /// The mean over the epoch's batches, each before its step.
    pub training: f64,
    /// After the epoch; that of the training positions if none are held out.
    pub watched: f64,
    pub best: bool,
    /// Of the steps in this epoch, in centipawns.
    pub rate: f32,
    pub elapsed: Duration,
}

/// Why a descent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All epochs are done.
    Epochs,
    /// No better loss for so many epochs.
    Patience,
    /// It was told to stop.
    Interrupted,
}

/// Where a descent ended: at the best weights of all epochs.
#[derive(Clone, Debug)]
pub struct Bottom {
    pub model: Model,
    pub epochs: u32,
    /// Of the best epoch; 0 if none was better than the start.
    pub best_epoch: u32,
    pub end: End,
}

/// The least by which a loss must be lower to be better, in nats.
const BETTER: f64 = 1e-7;

impl Descent {
    /// Descends from `start`, moving only the weights that are `free`. Ends once the loss over
    /// `watched` grows no better, or, if that is empty, that over the `training` positions.
    #[allow(clippy::too_many_arguments, reason = "two sets of positions and what to do with them")]
    pub fn run(
        &self,
        start: &Model,
        data: &Dataset,
        aims: &Aims,
        [training, watched]: [&[u32]; 2],
        free: &[bool; LEN],
        stop: &AtomicBool,
        mut each: impl FnMut(&Epoch),
    ) -> Bottom {
        let watched = if watched.is_empty() { training } else { watched };
        let mut order = training.to_vec();
        let mut random = Random::new(self.seed);
        let mut adam = Adam::new(self.rate);
        let mut model = start.clone();
        let mut bottom =
            Bottom { model: start.clone(), epochs: 0, best_epoch: 0, end: End::Epochs };
        let mut lowest = start.loss(data, aims, watched);
        for number in 1..=self.epochs {
            let timer = Timer::stopwatch();
            random.shuffle(&mut order);
            let (mut loss, mut mass) = (0.0, 0.0);
            for batch in order.chunks(self.batch) {
                if stop.load(Relaxed) {
                    bottom.end = End::Interrupted;
                    return bottom;
                }
                let mut slope = model.slope(data, aims, batch);
                loss += slope.loss;
                mass += slope.mass;
                self.pull_back(&mut slope, [&model, start], training.len());
                adam.step(&mut model.weights, &slope.gradient, free);
            }
            bottom.epochs = number;
            let now = model.loss(data, aims, watched);
            let best = now < lowest - BETTER;
            let rate = adam.rate;
            if best {
                lowest = now;
                bottom.model.clone_from(&model);
                bottom.best_epoch = number;
            } else {
                adam.rate /= 2.0;
            }
            let elapsed = timer.elapsed();
            each(&Epoch { number, training: loss / mass, watched: now, best, rate, elapsed });
            if number - bottom.best_epoch >= self.patience {
                bottom.end = End::Patience;
                break;
            }
        }
        bottom
    }

    /// Makes the gradient that of the mean loss, and adds that of the pull to where weights start.
    fn pull_back(&self, slope: &mut Slope, [now, start]: [&Model; 2], positions: usize) {
        let share = 1.0 / slope.mass as f32;
        let pull = 2.0 * self.pull / (100.0 * 100.0 * positions as f32);
        let weights = now.weights.iter().zip(&start.weights);
        for (gradient, (now, then)) in slope.gradient.iter_mut().zip(weights) {
            for phase in [0, 1] {
                gradient[phase] = gradient[phase] * share + pull * (now[phase] - then[phase]);
            }
        }
    }
}

/// The running means that make Adam's steps.
struct Adam {
    rate: f32,
    /// Of the gradient, and of its square.
    means: [Pairs; 2],
    /// What the means lack because they began at 0.
    missing: [f32; 2],
}

/// How much of each mean stays at a step.
const STAY: [f32; 2] = [0.9, 0.999];
/// Keeps a step finite where there is no gradient; far below any that occurs.
const TINY: f32 = 1e-12;

impl Adam {
    fn new(rate: f32) -> Self {
        let zero = vec![[0.0; 2]; LEN];
        Self { rate, means: [zero.clone(), zero], missing: [1.0; 2] }
    }

    fn step(&mut self, weights: &mut Pairs, gradient: &Pairs, free: &[bool; LEN]) {
        for (missing, stay) in self.missing.iter_mut().zip(STAY) {
            *missing *= stay;
        }
        let [of_first, of_second] = self.missing.map(|missing| 1.0 / (1.0 - missing));
        let [first, second] = &mut self.means;
        for i in (0..LEN).filter(|&i| free[i]) {
            for phase in [0, 1] {
                let slope = gradient[i][phase];
                let mean = &mut first[i][phase];
                let square = &mut second[i][phase];
                *mean = STAY[0] * *mean + (1.0 - STAY[0]) * slope;
                *square = STAY[1] * *square + (1.0 - STAY[1]) * slope * slope;
                let length = (*square * of_second).sqrt() + TINY;
                weights[i][phase] -= self.rate * *mean * of_first / length;
            }
        }
    }
}
