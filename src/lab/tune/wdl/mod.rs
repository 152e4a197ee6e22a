//! Fits the win/draw/loss model to scores and results, by maximum likelihood.
//!
//! The model is an ordered logit (proportional odds). Its likelihood has a single maximum (Pratt
//! 1981, "Concavity of the Log Likelihood"). Newton's method finds it in a few steps.

pub mod observation;
pub mod report;

use super::TuneError;
use crate::chess::wdl::{Polynomial, TERMS, WdlModel, logistic, powers};
use nalgebra::{SMatrix, SVector};
use observation::Observation;

/// Number of coefficients: [`TERMS`] for the steepness, then [`TERMS`] for the reserve.
const COEFFICIENTS: usize = 2 * TERMS;
type WdlVector = SVector<f64, COEFFICIENTS>;
type WdlMatrix = SMatrix<f64, COEFFICIENTS, COEFFICIENTS>;

/// Returns the maximum-likelihood model of the observations.
///
/// # Errors
/// Returns [`TuneError::NoModel`] if the results do not correlate with the scores.
pub fn fit(seen: &[Observation]) -> Result<WdlModel, TuneError> {
    /// Maximum number of Newton steps, far above the usual number.
    const STEPS: usize = 100;
    /// Iteration stops after a step that gains less than this, in nats per position.
    const LITTLE: f64 = 1e-12;
    /// Damping per position. It keeps a coefficient in place that the positions do not determine,
    /// for example because all have the same material.
    const DAMPING: f64 = 1e-9;
    let damping = WdlMatrix::identity() * (DAMPING * seen.len() as f64);
    let mut model = WdlModel { steepness: constant(1.0), reserve: constant(1.0) };
    let mut loss = mean_loss(&model, seen);
    for _ in 0..STEPS {
        let (gradient, curvature) = derivatives(&model, seen);
        let step = (curvature + damping).cholesky().ok_or(TuneError::NoModel)?.solve(&gradient);
        // a full step may reach an invalid model of infinite loss, so halve it until the loss falls
        let shorter = (0..30).map(|halvings| moved(&model, &(step / f64::from(1 << halvings))));
        let found = shorter
            .map(|model| (mean_loss(&model, seen), model))
            .find(|(shorter_loss, _)| *shorter_loss < loss);
        let Some((next_loss, next)) = found else { break };
        let gain = loss - next_loss;
        (model, loss) = (next, next_loss);
        if gain < LITTLE {
            break;
        }
    }
    let sensible = [0.0, 0.5, 1.0].map(|fullness| model.steepness(fullness) > 0.0);
    if sensible == [true; 3] { Ok(model) } else { Err(TuneError::NoModel) }
}

/// Returns the mean loss of the observations under `model`, in nats. It is infinite if the model
/// gives an observed result zero probability.
pub fn mean_loss(model: &WdlModel, seen: &[Observation]) -> f64 {
    let sum: f64 = seen
        .iter()
        .map(|seen| {
            let chances = model.chances(seen.pawns, seen.fullness);
            let chance = match seen.result {
                2 => chances.win,
                1 => chances.draw,
                _ => chances.loss,
            };
            -libm::log(chance)
        })
        .sum();
    sum / seen.len().max(1) as f64
}

/// Returns the gradient and the negated Hessian of the log-likelihood with respect to the
/// coefficients.
///
/// Let u = steepness · score, t = reserve and σ the logistic function. Then the probabilities are
/// σ(u - t) for a win, σ(-u - t) for a loss, and σ(t - u) · σ(t + u) · (1 - e^(-2t)) for a draw.
fn derivatives(model: &WdlModel, seen: &[Observation]) -> (WdlVector, WdlMatrix) {
    let (mut gradient, mut curvature) = (WdlVector::zeros(), WdlMatrix::zeros());
    for seen in seen {
        let powers = powers(seen.fullness);
        let by_lead =
            WdlVector::from_fn(|i, _| if i < TERMS { seen.pawns * powers[i] } else { 0.0 });
        let by_reserve = WdlVector::from_fn(|i, _| if i < TERMS { 0.0 } else { powers[i - TERMS] });
        let lead = seen.pawns * model.steepness(seen.fullness);
        let reserve = model.reserve(seen.fullness);
        let mut add = |odds: f64, direction: WdlVector| {
            let chance = logistic(odds);
            gradient += direction * (1.0 - chance);
            curvature += direction * direction.transpose() * (chance * (1.0 - chance));
        };
        match seen.result {
            2 => add(lead - reserve, by_lead - by_reserve),
            1 => {
                add(reserve - lead, by_reserve - by_lead);
                add(reserve + lead, by_reserve + by_lead);
                let grown = libm::expm1(2.0 * reserve);
                gradient += by_reserve * (2.0 / grown);
                curvature +=
                    by_reserve * by_reserve.transpose() * (4.0 * (grown + 1.0) / (grown * grown));
            }
            _ => add(-lead - reserve, -by_lead - by_reserve),
        }
    }
    (gradient, curvature)
}

/// Returns a polynomial that is `value` everywhere.
fn constant(value: f64) -> Polynomial {
    let mut polynomial = [0.0; TERMS];
    polynomial[0] = value;
    polynomial
}

/// Returns `model` with `step` added to its coefficients.
fn moved(model: &WdlModel, step: &WdlVector) -> WdlModel {
    let mut moved = *model;
    for (i, factor) in moved.steepness.iter_mut().chain(&mut moved.reserve).enumerate() {
        *factor += step[i];
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::random::Random;

    /// Generates results with the probabilities of `truth`.
    fn games(truth: &WdlModel, count: usize) -> Vec<Observation> {
        let mut random = Random::new(4);
        let game = |_| {
            let (pawns, fullness) = (random.unit() * 12.0 - 6.0, random.unit());
            let (chances, drawn) = (truth.chances(pawns, fullness), random.unit());
            let not_lost = u8::from(drawn >= chances.loss);
            let result = not_lost + u8::from(drawn >= chances.loss + chances.draw);
            Observation { pawns, fullness, result }
        };
        (0..count).map(game).collect()
    }

    #[test]
    fn fit_recovers_a_known_model() {
        let truth = WdlModel { steepness: [1.6, -0.9, 0.3], reserve: [2.0, 0.5, -1.0] };
        let found = fit(&games(&truth, 100_000)).unwrap();
        for tenth in 0..=10 {
            let fullness = f64::from(tenth) / 10.0;
            let steepness = found.steepness(fullness) / truth.steepness(fullness);
            let reserve = found.reserve(fullness) / truth.reserve(fullness);
            assert!((steepness - 1.0).abs() < 0.1 && (reserve - 1.0).abs() < 0.1, "{found:?}");
        }
    }

    #[test]
    fn no_model_is_more_likely_than_the_fitted_one() {
        let seen = games(&WdlModel { steepness: [1.0, 0.5, 0.0], reserve: [1.0; 3] }, 5_000);
        let model = fit(&seen).unwrap();
        let least = mean_loss(&model, &seen);
        for i in 0..COEFFICIENTS {
            for off in [-0.01, 0.01] {
                let step = WdlVector::from_fn(|j, _| if i == j { off } else { 0.0 });
                assert!(mean_loss(&moved(&model, &step), &seen) > least);
            }
        }
    }

    #[test]
    fn results_that_contradict_the_scores_have_no_model() {
        let truth = WdlModel { steepness: [1.0, 0.0, 0.0], reserve: [1.0, 0.0, 0.0] };
        let mut seen = games(&truth, 1_000);
        for seen in &mut seen {
            seen.result = 2 - seen.result;
        }
        assert_eq!(fit(&seen), Err(TuneError::NoModel));
        assert_eq!(fit(&[]), Err(TuneError::NoModel));
    }
}
