//! Predicts which move a player chooses, with a conditional logit model.
//!
//! The probability of a move is proportional to the exponential of its score.
//! Source: `McFadden`, "Conditional logit analysis of qualitative choice behavior" (1974).

use super::super::newton::{CHUNK, Fit, RatioMatrix, RatioVector, descend, descend_at};
use crate::chess_mind::{Goal, SideGroup};
use rayon::prelude::*;

/// A move that a player chose while a goal was active.
#[derive(Clone, Debug)]
pub(super) struct HumanChoice {
    pub goal: Goal,
    /// Intensity of the emotion, from -1 (fear) to 1 (relief), never 0.
    pub intensity: f32,
    /// The parts of the score after each move that the ratios multiply, in centipawns, from the
    /// player's point of view. The chosen move is first.
    pub moves: Vec<[f32; SideGroup::COUNT]>,
    /// Number of the game, from 1.
    pub game: usize,
    pub is_held_out: bool,
}

/// How well a model predicts one choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Prediction {
    /// Logarithm of the probability of the chosen move, in nats.
    pub likelihood: f64,
    /// Whether the chosen move is the most probable one.
    pub is_hit: bool,
}

/// Fits the bends that best predict the choices. `k` is the unit of scores, per centipawn. `pull`
/// and `free` are as in [`super::super::newton::fit`].
pub(super) fn fit(
    choices: &[&HumanChoice],
    k: f64,
    pull: f64,
    free: &[bool; SideGroup::COUNT],
) -> Fit {
    descend(pull, free, |unknowns| slope(choices, k, unknowns))
}

/// Like [`fit`], but fits only the slope, with the bends fixed at `bends`.
pub(super) fn fit_at(choices: &[&HumanChoice], k: f64, bends: &[f64; SideGroup::COUNT]) -> Fit {
    descend_at(bends, |unknowns| slope(choices, k, unknowns))
}

/// Returns how well `fit` predicts each of the choices.
pub(super) fn predictions(choices: &[&HumanChoice], k: f64, fit: &Fit) -> Vec<Prediction> {
    let unknowns = fit.unknowns();
    choices
        .par_iter()
        .map(|choice| {
            let odds: Vec<f64> = differences(choice, k).map(|to| to.dot(&unknowns)).collect();
            let best = odds.iter().copied().fold(0.0, f64::max);
            let sum: f64 = odds.iter().map(|odds| libm::exp(odds - best)).sum();
            Prediction {
                likelihood: -best - libm::log(sum + libm::exp(-best)),
                is_hit: odds.iter().all(|odds| *odds < 0.0),
            }
        })
        .collect()
}

/// Returns, for each rejected move, the difference between its terms and the terms of the chosen
/// move.
fn differences(choice: &HumanChoice, k: f64) -> impl Iterator<Item = RatioVector> {
    let strength = k * f64::from(choice.intensity.abs());
    let chosen = choice.moves[0];
    choice.moves[1..].iter().map(move |parts| {
        let mut terms = RatioVector::zeros();
        for (side_group, (part, chosen)) in parts.iter().zip(chosen).enumerate() {
            let more = f64::from(part - chosen);
            // the offset, term 0, is the same for every move and cancels out
            terms[1] += k * more;
            terms[2 + side_group] = strength * more;
        }
        terms
    })
}

/// Returns the gradient and Hessian of the sum of losses (negative log-likelihoods).
fn slope(choices: &[&HumanChoice], k: f64, unknowns: &RatioVector) -> (RatioVector, RatioMatrix) {
    let chunks: Vec<(RatioVector, RatioMatrix)> = choices
        .par_chunks(CHUNK)
        .map(|chunk| {
            let (mut gradient, mut curvature) = (RatioVector::zeros(), RatioMatrix::zeros());
            for choice in chunk {
                let moves: Vec<RatioVector> = differences(choice, k).collect();
                let odds: Vec<f64> = moves.iter().map(|terms| terms.dot(unknowns)).collect();
                let best = odds.iter().copied().fold(0.0, f64::max);
                let masses = odds.iter().map(|odds| libm::exp(odds - best));
                let all = libm::exp(-best) + masses.clone().sum::<f64>();
                let mut mean = RatioVector::zeros();
                for (terms, mass) in moves.iter().zip(masses) {
                    mean.axpy(mass / all, terms, 1.0);
                    curvature.ger(mass / all, terms, terms, 1.0);
                }
                curvature.ger(-1.0, &mean, &mean, 1.0);
                gradient += mean;
            }
            (gradient, curvature)
        })
        .collect();
    let none = (RatioVector::zeros(), RatioMatrix::zeros());
    chunks.into_iter().fold(none, |sum, part| (sum.0 + part.0, sum.1 + part.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::random::Random;

    const K: f64 = 0.004;

    /// Generates choices that follow bends of 1.5 for the second ratio and -0.5 for the third.
    fn choices(number: usize) -> Vec<HumanChoice> {
        let mut random = Random::new(5);
        (0..number)
            .map(|_| {
                let mut moves: Vec<[f32; SideGroup::COUNT]> =
                    vec![[0.0; SideGroup::COUNT]; 2 + random.below(8)];
                for part in moves.iter_mut().flat_map(|parts| &mut parts[..3]) {
                    *part = (400.0 * (random.unit() - 0.5)) as f32;
                }
                // slope and bends can be separated only if intensities differ
                let intensity = [-0.25, -1.0][random.below(2)];
                let exp_score = |parts: &[f32; SideGroup::COUNT]| {
                    let bent = 1.5 * parts[1] - 0.5 * parts[2];
                    libm::exp(2.0 * K * f64::from(parts.iter().sum::<f32>() - intensity * bent))
                };
                let all: f64 = moves.iter().map(exp_score).sum();
                let mut left = all * random.unit();
                let chosen = moves.iter().position(|parts| {
                    left -= exp_score(parts);
                    left < 0.0
                });
                moves.swap(0, chosen.unwrap_or(0));
                HumanChoice { goal: Goal::Castle, intensity, moves, game: 1, is_held_out: false }
            })
            .collect()
    }

    #[test]
    fn fit_recovers_known_bends() {
        let choices = choices(20_000);
        let choices: Vec<_> = choices.iter().collect();
        let fit = fit(&choices, K, 0.1, &[true; SideGroup::COUNT]);
        let bends = fit.bends;
        assert!((bends[1] - 1.5).abs() < 0.15 && (bends[2] + 0.5).abs() < 0.1, "{fit:?}");
        assert!(bends[0].abs() < 0.1 && bends[3..].iter().all(|bend| bend.abs() < 1e-9), "{fit:?}");
        assert!((fit.steepness(K) - 2.0 * K).abs() < 0.1 * K, "{fit:?}");
        let predicted = |bends| {
            let predicted = predictions(&choices, K, &fit_at(&choices, K, &bends));
            let hits = predicted.iter().filter(|prediction| prediction.is_hit).count();
            (predicted.iter().map(|prediction| prediction.likelihood).sum::<f64>(), hits)
        };
        let (with, without) = (predicted(bends), predicted([0.0; SideGroup::COUNT]));
        assert!(with.0 > without.0 && with.1 > without.1 + 500);
    }

    #[test]
    fn frozen_ratios_keep_bends_at_zero_and_huge_scores_do_not_overflow() {
        let mut choices = choices(2_000);
        choices[0].moves[1] = [1e6; SideGroup::COUNT];
        let choices: Vec<_> = choices.iter().collect();
        let mut free = [true; SideGroup::COUNT];
        free[1] = false;
        let fit = fit(&choices, K, 10.0, &free);
        assert!(fit.bends[1].abs() < 1e-6 && fit.bends.iter().all(|bend| bend.is_finite()));
        let predicted = predictions(&choices, K, &fit);
        assert!(predicted.iter().all(|prediction| prediction.likelihood.is_finite()));
    }
}
