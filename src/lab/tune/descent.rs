//! Minimises the loss of a [`ResultModel`] with Adam, a gradient descent on mini-batches that
//! adapts the step size of each weight.
//!
//! The learning rate is halved after every epoch without improvement. The descent ends after
//! several such epochs in a row.
//!
//! Source: Kingma and Ba, "Adam: A Method for Stochastic Optimization" (2015),
//! <https://arxiv.org/abs/1412.6980>.

use super::{
    dataset::Split,
    model::{Pairs, ResultModel, Slope},
    objective::Objective,
    smooth::Smoothness,
};
use crate::{eval::feature::LEN, search::root::time::Timer, support::random::Random};
use std::{
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::Duration,
};

/// The hyperparameters of the descent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Descent {
    /// Maximum number of passes over the training positions.
    pub epochs: u32,
    /// Initial learning rate: the length of the first steps, in centipawns.
    pub rate: f32,
    /// Positions per batch, at least 1.
    pub batch: usize,
    /// L2 regularisation towards the starting weights. A weight that is 100 centipawns away from
    /// its start adds this many nats to the sum of losses. It keeps weights of rare features in
    /// place.
    pub pull: f32,
    /// Regularisation towards smooth tables. A weight that is 100 centipawns off the mean of its
    /// neighbours adds this many nats to the sum of losses.
    pub smooth: f32,
    /// Epochs without improvement after which the descent ends, at least 1.
    pub patience: u32,
    /// Seed for the order of the positions.
    pub seed: u64,
}

/// The losses of one finished epoch.
#[derive(Clone, Copy, Debug)]
pub struct Epoch {
    /// Number of the epoch, from 1.
    pub number: u32,
    /// Mean training loss in nats. Each batch is measured before its step.
    pub training: f64,
    /// Mean loss of the held-out positions after the epoch, in nats, plus the share of one position in
    /// the loss of rough tables. Without held-out positions, the loss of the training positions.
    pub watched: f64,
    /// Whether `watched` is the lowest so far.
    pub best: bool,
    /// Learning rate in this epoch, in centipawns.
    pub rate: f32,
    pub elapsed: Duration,
}

/// The reason why a descent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DescentEnd {
    /// The maximum number of epochs was reached.
    Epochs,
    /// The loss did not improve for [`Descent::patience`] epochs.
    Patience,
    /// The stop flag was set.
    Interrupted,
}

/// The outcome of a descent: the model with the lowest loss of all epochs.
#[derive(Clone, Debug)]
pub struct BestModel {
    pub model: ResultModel,
    /// Number of finished epochs.
    pub epochs: u32,
    /// Number of the best epoch, or 0 if no epoch improved on the start.
    pub best_epoch: u32,
    pub end: DescentEnd,
}

/// Minimum decrease of the loss that counts as an improvement, in nats.
const MIN_GAIN: f64 = 1e-7;

impl Descent {
    /// Minimises `objective` from `start` on, changing only the weights marked in `free`. Stops when
    /// the loss over the held-out positions no longer improves, rough tables included. Without
    /// held-out positions, uses the training positions. Calls `each` after every epoch.
    pub(super) fn run(
        &self,
        start: &ResultModel,
        objective: &Objective<'_>,
        free: &[bool; LEN],
        stop: &AtomicBool,
        mut each: impl FnMut(&Epoch),
    ) -> BestModel {
        let mut order = objective.units(Split::Training);
        let watched = Some(objective.units(Split::HeldOut)).filter(|units| !units.is_empty());
        let watched = watched.unwrap_or_else(|| order.clone());
        let positions = objective.positions(&order);
        let batch = (self.batch * order.len() / positions.max(1)).max(1);
        let mut random = Random::new(self.seed);
        let mut adam = Adam::new(self.rate, LEN);
        let mut model = start.clone();
        let mut best_so_far =
            BestModel { model: start.clone(), epochs: 0, best_epoch: 0, end: DescentEnd::Epochs };
        let smoothness = Smoothness::new(self.smooth);
        let rough = |model: &ResultModel| smoothness.loss(&model.weights) / positions as f64;
        let mut lowest = objective.loss(start, &watched) + rough(start);
        for number in 1..=self.epochs {
            let timer = Timer::stopwatch();
            random.shuffle(&mut order);
            let (mut loss, mut mass) = (0.0, 0.0);
            for batch in order.chunks(batch) {
                if stop.load(Relaxed) {
                    best_so_far.end = DescentEnd::Interrupted;
                    return best_so_far;
                }
                let mut slope = objective.slope(&model, batch);
                loss += slope.loss;
                mass += slope.mass;
                self.regularise(&mut slope, [&model, start], &smoothness, positions);
                adam.step(&mut model.weights, &slope.gradient, free);
            }
            best_so_far.epochs = number;
            let now = objective.loss(&model, &watched) + rough(&model);
            let best = now < lowest - MIN_GAIN;
            let rate = adam.rate;
            if best {
                lowest = now;
                best_so_far.model.clone_from(&model);
                best_so_far.best_epoch = number;
            } else {
                adam.rate /= 2.0;
            }
            let elapsed = timer.elapsed();
            each(&Epoch { number, training: loss / mass, watched: now, best, rate, elapsed });
            if number - best_so_far.best_epoch >= self.patience {
                best_so_far.end = DescentEnd::Patience;
                break;
            }
        }
        best_so_far
    }

    /// Divides the gradient by the total weight of the batch, then adds the gradients of the pull and
    /// of rough tables.
    fn regularise(
        &self,
        slope: &mut Slope,
        [now, start]: [&ResultModel; 2],
        smoothness: &Smoothness,
        positions: usize,
    ) {
        let share = 1.0 / slope.mass as f32;
        let pull = 2.0 * self.pull / (100.0 * 100.0 * positions as f32);
        let weights = now.weights.iter().zip(&start.weights);
        for (gradient, (now, then)) in slope.gradient.iter_mut().zip(weights) {
            for phase in [0, 1] {
                gradient[phase] = gradient[phase] * share + pull * (now[phase] - then[phase]);
            }
        }
        smoothness.add_gradient(&now.weights, 1.0 / positions as f32, &mut slope.gradient);
    }
}

/// The state of the Adam optimiser.
pub(super) struct Adam {
    /// The length of a step, in the unit of the numbers to fit.
    pub(super) rate: f32,
    /// Running means of the gradient and of its square.
    means: [Pairs; 2],
    /// Bias of each mean, because both start at 0. Decays from 1 to 0.
    bias: [f32; 2],
}

/// Decay rates of the two means (β₁ and β₂ of the paper).
const DECAY: [f32; 2] = [0.9, 0.999];
/// Avoids a division by zero where the gradient is 0. Far below any real gradient.
const EPSILON: f32 = 1e-12;

impl Adam {
    /// Creates the state for `len` pairs of numbers.
    pub(super) fn new(rate: f32, len: usize) -> Self {
        let zero = vec![[0.0; 2]; len];
        Self { rate, means: [zero.clone(), zero], bias: [1.0; 2] }
    }

    /// Moves the weights marked in `free` down the gradient.
    pub(super) fn step(&mut self, weights: &mut Pairs, gradient: &Pairs, free: &[bool]) {
        for (bias, decay) in self.bias.iter_mut().zip(DECAY) {
            *bias *= decay;
        }
        let [first_scale, second_scale] = self.bias.map(|bias| 1.0 / (1.0 - bias));
        let [first, second] = &mut self.means;
        for i in (0..weights.len()).filter(|&i| free[i]) {
            for phase in [0, 1] {
                let slope = gradient[i][phase];
                let mean = &mut first[i][phase];
                let square = &mut second[i][phase];
                *mean = DECAY[0] * *mean + (1.0 - DECAY[0]) * slope;
                *square = DECAY[1] * *square + (1.0 - DECAY[1]) * slope * slope;
                let length = (*square * second_scale).sqrt() + EPSILON;
                weights[i][phase] -= self.rate * *mean * first_scale / length;
            }
        }
    }
}
