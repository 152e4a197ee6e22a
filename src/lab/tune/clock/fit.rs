//! Fits the model of think times: one logistic and two least-squares regressions,
//! and a table of quantiles.
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

use super::sample::ThinkTime;
use crate::{
    lab::study::fit::logit,
    player::human::{
        clock::{ClockModel, ClockWeight, LEVELS, SHAPES_BELOW, Shape, shape_of},
        clock_cue::{ClockCue, ClockCues, instant},
    },
    support::random::Random,
};
use nalgebra::{DMatrix, DVector};
use strum::EnumCount;

const CUES: usize = ClockCue::COUNT;
/// Added to the residuals before their logarithm, so that small ones do not dominate.
const SMALL: f64 = 0.05;
/// Added to the diagonal of the normal equations.
const RIDGE: f64 = 1e-3;
/// A shape needs this many times. With fewer, all times count for it.
const LEAST: usize = 200;
/// Seed of the rounding.
const SEED: u64 = 1;

/// Fits a model to `times`.
///
/// Clocks show whole seconds. So a time in seconds stands for any within half a second of it, drawn
/// at random, and a time of 0 is an instant move.
#[must_use]
pub fn fit(times: &[&ThinkTime]) -> ClockModel {
    let is_instant = |time: &ThinkTime| time.used < instant(time.control);
    let rows = times.iter().map(|time| (&time.cues[..], f64::from(u8::from(is_instant(time)))));
    let instants = logit::fit(&rows, &DVector::zeros(CUES));
    let mut random = Random::new(SEED);
    let others: Vec<(&ThinkTime, f64)> = times
        .iter()
        .filter(|time| !is_instant(time))
        .map(|time| {
            let used = (time.used + random.unit() - 0.5).max(instant(time.control));
            (*time, libm::log(used / time.control.per_move()))
        })
        .collect();
    let sum = |time: &ThinkTime, weights: &DVector<f64>| -> f64 {
        time.cues.iter().zip(weights.iter()).map(|(cue, weight)| cue * weight).sum()
    };
    let means = least_squares(others.iter().map(|(time, log)| (&time.cues, *log)));
    let residual = |(time, log): &(&ThinkTime, f64)| log - sum(time, &means);
    let deviation = |other: &(&ThinkTime, f64)| libm::log(residual(other).abs() + SMALL);
    let spreads = least_squares(others.iter().map(|other| (&other.0.cues, deviation(other))));
    let weight =
        |cue| ClockWeight { instant: instants[cue], mean: means[cue], spread: spreads[cue] };
    let shapes = [Shape::default(); SHAPES_BELOW.len() + 1];
    let mut model = ClockModel { weights: std::array::from_fn(weight), shapes };
    let deviations: Vec<(usize, f64)> = others
        .iter()
        .map(|other| {
            let shape = shape_of(model.mean(&other.0.cues, other.0.control));
            (shape, residual(other) / model.spread(&other.0.cues))
        })
        .collect();
    let all = || deviations.iter().map(|(_, deviation)| *deviation).collect::<Vec<_>>();
    for (number, shape) in model.shapes.iter_mut().enumerate() {
        let own = deviations.iter().filter(|(own, _)| *own == number);
        let own: Vec<f64> = own.map(|(_, deviation)| *deviation).collect();
        *shape = quantiles(if own.len() < LEAST { all() } else { own });
    }
    model
}

/// Returns the weights with the least sum of squared errors.
fn least_squares<'r>(rows: impl Iterator<Item = (&'r ClockCues, f64)>) -> DVector<f64> {
    let mut gram = DMatrix::from_diagonal_element(CUES, CUES, RIDGE);
    let mut product = DVector::zeros(CUES);
    for (cues, outcome) in rows {
        let cues = DVector::from_column_slice(cues);
        gram.syger(1.0, &cues, &cues, 1.0);
        product.axpy(outcome, &cues, 1.0);
    }
    gram.fill_upper_triangle_with_lower_triangle();
    gram.cholesky().map_or_else(|| DVector::zeros(CUES), |factored| factored.solve(&product))
}

/// Returns the quantiles of `values` at [`LEVELS`]. All are 0 without values.
fn quantiles(mut values: Vec<f64>) -> Shape {
    values.sort_by(f64::total_cmp);
    let Some(most) = values.len().checked_sub(1) else { return Shape::default() };
    LEVELS.map(|level| values[(level * most as f64).round() as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::time_control::TimeControl, pgn::GameStage};

    /// Simulates times of a model in which captures are often instant, and time runs out.
    fn simulated(model: &ClockModel, number: usize) -> Vec<ThinkTime> {
        let mut random = Random::new(5);
        let control = TimeControl { base: 3600.0, increment: 0.0 };
        let mut time = || {
            let mut cues = [0.0; CUES];
            cues[ClockCue::Constant as usize] = 1.0;
            cues[ClockCue::Capture as usize] = f64::from(u8::from(random.unit() < 0.4));
            cues[ClockCue::Left as usize] = -2.0 * random.unit();
            let used = model.time(&cues, control, 1.0, random.unit());
            let used = if used < 0.5 { 0.0 } else { used };
            let stage = GameStage::Middlegame;
            let (is_early, is_held_out) = (false, false);
            ThinkTime { cues, control, left: 1e4, used, stage, is_early, is_held_out, source: 0 }
        };
        (0..number).map(|_| time()).collect()
    }

    #[test]
    fn known_weights_are_recovered() {
        let normal = [
            -2.576, -1.645, -1.282, -1.036, -0.842, -0.674, -0.524, -0.385, -0.253, -0.126, 0.0,
            0.126, 0.253, 0.385, 0.524, 0.674, 0.842, 1.036, 1.282, 1.645, 2.576,
        ];
        let mut truth = ClockModel { weights: [ClockWeight::default(); CUES], shapes: [normal; 4] };
        let known = [
            (ClockCue::Constant, ClockWeight { instant: -2.0, mean: -0.5, spread: -0.7 }),
            (ClockCue::Capture, ClockWeight { instant: 1.5, mean: -0.8, spread: 0.3 }),
            (ClockCue::Left, ClockWeight { instant: -0.4, mean: 0.6, spread: 0.0 }),
        ];
        for (cue, weight) in known {
            truth.weights[cue as usize] = weight;
        }
        let times = simulated(&truth, 20_000);
        let fitted = fit(&times.iter().collect::<Vec<_>>());
        for (cue, weight) in known {
            let found = fitted.weights[cue as usize];
            assert!((found.instant - weight.instant).abs() < 0.15, "{cue:?} {found:?}");
            assert!((found.mean - weight.mean).abs() < 0.06, "{cue:?} {found:?}");
            // the constant also depends on the mean logarithm of residuals
            if cue != ClockCue::Constant {
                assert!((found.spread - weight.spread).abs() < 0.08, "{cue:?} {found:?}");
            }
        }
        // what spread and shape give together
        let cues = &times[0].cues;
        for unit in [0.3, 0.5, 0.7, 0.9] {
            let [found, expected] =
                [&fitted, &truth].map(|model| model.time(cues, times[0].control, 1.0, unit));
            assert!((found / expected - 1.0).abs() < 0.1, "{unit}: {found} {expected}");
        }
    }

    #[test]
    fn no_times_give_a_model_that_still_has_numbers() {
        let model = fit(&[]);
        assert!(model.weights.iter().all(|weight| weight.mean.abs() < 1e-9));
        assert!((quantiles(vec![3.0, 1.0, 2.0])[10] - 2.0).abs() < 1e-9);
    }
}
