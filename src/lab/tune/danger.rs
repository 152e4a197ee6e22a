//! Fits the units of king danger, together with the table that turns them into a score.
//!
//! A score is not linear in the units, so the gradient is passed back through the table, which is
//! interpolated for this. All other weights stay. The units are constants in [`crate::eval::danger`],
//! to be copied there from the report; then `tune` fits all weights to them.

use super::{
    FitData, Progress, TuneError,
    dataset::{Dataset, Label, Split},
    descent::{Adam, Descent},
    load::{self, Gather},
    model::{FitTargets, Pairs, ResultModel, cross_entropy, logistic},
    smooth::Smoothness,
};
use crate::{
    eval::{
        danger::{Cause, LEN, STEP},
        feature::Feature,
        trace,
        weights::Weights,
    },
    profile::Profile,
    support::random::Random,
};
use rayon::prelude::*;
use serde::Serialize;
use shakmaty::{ByColor, Chess, Color};
use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

/// Positions per partial sum. It does not depend on the number of threads, so that floating-point
/// sums do not either.
const CHUNK: usize = 1024;

/// The fitted units and the losses with and without them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DangerReport {
    pub training: usize,
    pub held_out: usize,
    /// Mean loss of the held-out positions before and after the fit, in nats.
    pub loss: [f64; 2],
    pub causes: Vec<CauseReport>,
}

/// The units of one cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CauseReport {
    pub cause: &'static str,
    pub before: Vec<i32>,
    pub after: Vec<i32>,
}

/// Fits the units to the positions of `settings`, from the units in use and the weights of `start`.
///
/// # Errors
/// Returns an error if a file cannot be read or no position is left to train on. Setting `stop` while
/// files are being read is also an error; during the descent, it ends the fit early.
pub fn tune(
    start: &Profile,
    settings: &FitData,
    descent: &Descent,
    stop: &AtomicBool,
    progress: &mut dyn Progress,
) -> Result<DangerReport, TuneError> {
    let weights = ByColor { white: start.weights.clone(), black: start.weights.clone() };
    let empty = || Positions { data: Dataset::default(), causes: Vec::new(), weights: &weights };
    let FitData { sources, filter, .. } = settings;
    let (Positions { data, causes, .. }, rows) =
        load::load_all(sources, *filter, &start.weights, empty, stop, progress)?;
    let [training, held_out, _] = Split::ALL.map(|part| data.of(part));
    if training.is_empty() {
        return Err(TuneError::Empty(rows));
    }
    let weighed = settings.model(start, &data, &training)?;
    let slope = weighed.slope;
    let targets = settings.targets(&data, slope);
    let problem = Problem { rest: rest(&data, &weighed), data, causes, targets, slope };
    let mut model = Model { units: units_in_use(), weights: weighed.weights };
    let watched = if held_out.is_empty() { &training } else { &held_out };
    let before = problem.loss(&model, watched);
    problem.descend(&mut model, &training, descent, stop);
    Ok(DangerReport {
        training: training.len(),
        held_out: held_out.len(),
        loss: [before, problem.loss(&model, watched)],
        causes: Cause::ALL.map(|cause| model.report(cause)).into(),
    })
}

/// The positions of a fit, with the causes of danger to both kings.
struct Positions<'w> {
    data: Dataset,
    causes: Vec<ByColor<Causes>>,
    weights: &'w ByColor<Weights>,
}

/// How often each cause occurs, by its index in the flat table. Only those that occur are listed.
type Causes = Box<[(u8, i8)]>;

impl Gather for Positions<'_> {
    const TAKES_CHECKS: bool = false;

    fn push(&mut self, _: &Chess, leaf: &Chess, label: Label) {
        self.data.push(leaf, label, self.weights);
        let trace = trace(leaf);
        let causes = |side| {
            let counts = trace.causes(side).iter().enumerate().filter(|(_, count)| **count != 0);
            counts.map(|(index, &count)| (index as u8, count as i8)).collect()
        };
        self.causes.push(ByColor { white: causes(Color::White), black: causes(Color::Black) });
    }

    fn append(&mut self, mut other: Self) {
        self.data.append(other.data);
        self.causes.append(&mut other.causes);
    }
}

/// Returns the score of each position without the table [`Feature::KingDanger`], in centipawns.
fn rest(data: &Dataset, weighed: &ResultModel) -> Vec<f32> {
    let mut without = weighed.clone();
    let start = Feature::KingDanger.start();
    without.weights[start..start + Feature::KingDanger.spec().len].fill([0.0; 2]);
    (0..data.len()).into_par_iter().map(|position| without.score(data, position)).collect()
}

fn units_in_use() -> Pairs {
    Cause::ALL.into_iter().flat_map(Cause::units).map(|&units| [units as f32, 0.0]).collect()
}

/// The numbers to fit.
struct Model {
    /// The units of all causes; the second number of each pair is not used.
    units: Pairs,
    /// The weights of all features, of which only the table [`Feature::KingDanger`] changes.
    weights: Pairs,
}

impl Model {
    /// Returns the place of a sum of units in the table, as a number of entries and the share of the
    /// next entry.
    fn place(&self, causes: &Causes) -> (usize, f32, bool) {
        let sum: f32 = causes
            .iter()
            .map(|&(index, count)| self.units[usize::from(index)][0] * f32::from(count))
            .sum();
        let last = (Feature::KingDanger.spec().len - 1) as f32;
        // an entry stands for the middle of its step
        let exact = sum / STEP as f32 - 0.5;
        let place = exact.clamp(0.0, last - 0.001);
        (place as usize, place.fract(), (0.0..last).contains(&exact))
    }

    fn report(&self, cause: Cause) -> CauseReport {
        let before = cause.units().to_vec();
        let units = &self.units[cause.start()..cause.start() + before.len()];
        let after = units.iter().map(|pair| pair[0].round() as i32).collect();
        CauseReport { cause: cause.name(), before, after }
    }
}

/// The positions and the targets of a fit.
struct Problem {
    data: Dataset,
    causes: Vec<ByColor<Causes>>,
    /// The score of each position without king danger, in centipawns.
    rest: Vec<f32>,
    targets: FitTargets,
    /// K, per centipawn.
    slope: f32,
}

/// The summed loss of some positions, and its gradient.
struct Gradient {
    loss: f64,
    mass: f64,
    units: Pairs,
    weights: Pairs,
}

impl Gradient {
    fn zero(model: &Model) -> Self {
        let zeros = |pairs: &Pairs| vec![[0.0; 2]; pairs.len()];
        Self { loss: 0.0, mass: 0.0, units: zeros(&model.units), weights: zeros(&model.weights) }
    }

    fn add(mut self, other: &Self) -> Self {
        self.loss += other.loss;
        self.mass += other.mass;
        let sums = self.units.iter_mut().chain(&mut self.weights);
        for (sum, part) in sums.zip(other.units.iter().chain(&other.weights)) {
            *sum = [sum[0] + part[0], sum[1] + part[1]];
        }
        self
    }

    fn scale(&mut self, factor: f32) {
        for pair in self.units.iter_mut().chain(&mut self.weights) {
            *pair = pair.map(|slope| slope * factor);
        }
    }
}

impl Problem {
    /// Returns the mean loss over `positions`, in nats.
    fn loss(&self, model: &Model, positions: &[u32]) -> f64 {
        let sum = self.gradient(model, positions);
        sum.loss / sum.mass
    }

    fn gradient(&self, model: &Model, positions: &[u32]) -> Gradient {
        let chunks: Vec<Gradient> = positions
            .par_chunks(CHUNK)
            .map(|chunk| {
                let mut sum = Gradient::zero(model);
                for &position in chunk {
                    self.add(model, position as usize, &mut sum);
                }
                sum
            })
            .collect();
        chunks.iter().fold(Gradient::zero(model), Gradient::add)
    }

    /// Adds the loss of one position and its gradient to `sum`.
    fn add(&self, model: &Model, position: usize, sum: &mut Gradient) {
        let start = Feature::KingDanger.start();
        let factors = self.data.factors(position);
        let sides = [(&self.causes[position].white, 1.0), (&self.causes[position].black, -1.0)];
        let places = sides.map(|(causes, _)| model.place(causes));
        let mut score = self.rest[position];
        for ((entry, share, _), (_, sign)) in places.into_iter().zip(sides) {
            for (phase, factor) in factors.into_iter().enumerate() {
                let [low, high] = [0, 1].map(|next| model.weights[start + entry + next][phase]);
                score += sign * factor * (low + share * (high - low));
            }
        }
        let (target, mass) = self.targets.of(&self.data, position);
        let odds = self.slope * score;
        sum.loss += f64::from(mass * cross_entropy(odds, target));
        sum.mass += f64::from(mass);
        let by_score = mass * (logistic(odds) - target) * self.slope;
        for ((entry, share, inside), (causes, sign)) in places.into_iter().zip(sides) {
            let mut by_units = 0.0;
            for (phase, factor) in factors.into_iter().enumerate() {
                let by_table = by_score * sign * factor;
                sum.weights[start + entry][phase] += by_table * (1.0 - share);
                sum.weights[start + entry + 1][phase] += by_table * share;
                let [low, high] = [0, 1].map(|next| model.weights[start + entry + next][phase]);
                by_units += by_table * (high - low) / STEP as f32;
            }
            for &(index, count) in causes.iter().filter(|_| inside) {
                sum.units[usize::from(index)][0] += by_units * f32::from(count);
            }
        }
    }

    /// Passes over `training` as often as `descent` says, with steps that shrink to nothing.
    fn descend(&self, model: &mut Model, training: &[u32], descent: &Descent, stop: &AtomicBool) {
        let start = Feature::KingDanger.start();
        let mut free = vec![false; model.weights.len()];
        free[start..start + Feature::KingDanger.spec().len].fill(true);
        let smoothness = Smoothness::new(descent.smooth);
        let mut of_units = Adam::new(descent.rate, LEN);
        let mut of_weights = Adam::new(descent.rate, model.weights.len());
        let (mut order, mut random) = (training.to_vec(), Random::new(descent.seed));
        for epoch in 0..descent.epochs {
            random.shuffle(&mut order);
            let rate = descent.rate * (descent.epochs - epoch) as f32 / descent.epochs as f32;
            (of_units.rate, of_weights.rate) = (rate, rate);
            for batch in order.chunks(descent.batch) {
                if stop.load(Relaxed) {
                    return;
                }
                let mut sum = self.gradient(model, batch);
                sum.scale(1.0 / sum.mass as f32);
                let share = 1.0 / training.len() as f32;
                smoothness.add_gradient(&model.weights, share, &mut sum.weights);
                of_units.step(&mut model.units, &sum.units, &[true; LEN]);
                of_weights.step(&mut model.weights, &sum.weights, &free);
            }
        }
    }
}

impl fmt::Display for DangerReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [before, after] = self.loss;
        writeln!(f, "training positions  {}", self.training)?;
        writeln!(f, "held out            {}", self.held_out)?;
        writeln!(f, "loss                {before:.6} → {after:.6}")?;
        for CauseReport { cause, before, after } in &self.causes {
            write!(f, "\n{cause:<18}  {before:?} → {after:?}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;

    /// White to move attacks a king on g8 with queen, rook and knight; Black attacks less.
    const ATTACK: &str = "r1b2rk1/pp3p1p/2p3p1/4N2Q/3P4/7R/Pq3PPP/6K1 w - - 0 1";

    fn problem() -> (Problem, Model) {
        let profile = Profile::builtin("standard").unwrap();
        let weights = ByColor { white: profile.weights.clone(), black: profile.weights.clone() };
        let chess = Game::from_fen(ATTACK, None).unwrap().chess;
        let mut positions =
            Positions { data: Dataset::default(), causes: Vec::new(), weights: &weights };
        let part = Split::Training;
        let label = Label { result: 2, cp: Some(400), file: 0, part, game: None };
        positions.push(&chess, &chess, label);
        let Positions { data, causes, .. } = positions;
        let weighed = ResultModel::new(&profile.weights, 0.0);
        let targets = FitTargets::new(&data, 0.005, 1.0, vec![1.0]);
        let rest = rest(&data, &weighed);
        let model = Model { units: units_in_use(), weights: weighed.weights };
        (Problem { data, causes, rest, targets, slope: 0.005 }, model)
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let (problem, mut model) = problem();
        // away from the entries of the table, where the slope changes
        model.units.iter_mut().for_each(|units| units[0] += 0.3);
        let gradient = problem.gradient(&model, &[0]);
        let mut moved = 0;
        for index in 0..LEN {
            let units = model.units[index][0];
            let loss = [-0.05, 0.05].map(|step| {
                model.units[index][0] = units + step;
                problem.loss(&model, &[0])
            });
            model.units[index][0] = units;
            let slope = ((loss[1] - loss[0]) / 0.1) as f32;
            assert!((slope - gradient.units[index][0]).abs() < 1e-5, "{index}: {slope}");
            moved += usize::from(slope != 0.0);
        }
        assert!(moved > 8, "only {moved} causes matter in {ATTACK}");
    }

    #[test]
    fn a_fit_raises_the_causes_of_an_attack_that_is_worth_more() {
        let (problem, mut model) = problem();
        let descent = Descent {
            epochs: 40,
            rate: 1.0,
            batch: 1,
            pull: 0.0,
            smooth: 0.0,
            patience: 1,
            seed: 1,
        };
        let before = problem.loss(&model, &[0]);
        problem.descend(&mut model, &[0], &descent, &AtomicBool::new(false));
        assert!(problem.loss(&model, &[0]) < before);
        let checks = model.report(Cause::SafeCheck);
        assert!(checks.after[3] > checks.before[3], "{checks:?}");
    }
}
