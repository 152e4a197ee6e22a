//! Which of several moves a player chooses: conditional logit, whose chances go with the exponent of
//! what each move is worth to the player. `McFadden`, Conditional logit analysis (1974).

use super::super::newton::{CHUNK, Fit, Matrix, Vector, descend, descend_at};
use crate::mind::{goal::Goal, knob::Knob};
use rayon::prelude::*;

/// A choice that somebody made under a feeling.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub goal: Goal,
    /// From -1, fear, to 1, relief; never 0.
    pub intensity: f32,
    /// What each knob turns where a move leads, in centipawns, the chooser's point of view; that of the
    /// chosen move first.
    pub moves: Vec<[f32; Knob::COUNT]>,
    /// The number of the game.
    pub game: usize,
    pub is_held_out: bool,
}

/// How well a choice is foretold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Foretold {
    /// The logarithm of the chance given to what was chosen, in nats.
    pub likelihood: f64,
    /// It was given the best chance.
    pub is_hit: bool,
}

/// Fits the bends that best foretell the choices. `k` is the unit of scores, per centipawn; `pull` and
/// `turns` are as for results.
pub(super) fn fit(choices: &[&Choice], k: f64, pull: f64, turns: &[bool; Knob::COUNT]) -> Fit {
    descend(pull, turns, |unknowns| slope(choices, k, unknowns))
}

/// Fits the slope alone, with the bends at `bends`.
pub(super) fn fit_at(choices: &[&Choice], k: f64, bends: &[f64; Knob::COUNT]) -> Fit {
    descend_at(bends, |unknowns| slope(choices, k, unknowns))
}

/// How well `fit` foretells each of the choices.
pub(super) fn foretold(choices: &[&Choice], k: f64, fit: &Fit) -> Vec<Foretold> {
    let unknowns = fit.unknowns();
    choices
        .par_iter()
        .map(|choice| {
            let odds: Vec<f64> = differences(choice, k).map(|to| to.dot(&unknowns)).collect();
            let best = odds.iter().copied().fold(0.0, f64::max);
            let sum: f64 = odds.iter().map(|odds| libm::exp(odds - best)).sum();
            Foretold {
                likelihood: -best - libm::log(sum + libm::exp(-best)),
                is_hit: odds.iter().all(|odds| *odds < 0.0),
            }
        })
        .collect()
}

/// The terms of each move not chosen, less those of the chosen one.
fn differences(choice: &Choice, k: f64) -> impl Iterator<Item = Vector> {
    let strength = k * f64::from(choice.intensity.abs());
    let chosen = choice.moves[0];
    choice.moves[1..].iter().map(move |parts| {
        let mut terms = Vector::zeros();
        for (knob, (part, chosen)) in parts.iter().zip(chosen).enumerate() {
            let more = f64::from(part - chosen);
            // what offsets every move alike, term 0, tells nothing
            terms[1] += k * more;
            terms[2 + knob] = strength * more;
        }
        terms
    })
}

/// Gradient and curvature of the sum of losses, the negative logarithms of chances.
fn slope(choices: &[&Choice], k: f64, unknowns: &Vector) -> (Vector, Matrix) {
    let chunks: Vec<(Vector, Matrix)> = choices
        .par_chunks(CHUNK)
        .map(|chunk| {
            let (mut gradient, mut curvature) = (Vector::zeros(), Matrix::zeros());
            for choice in chunk {
                let moves: Vec<Vector> = differences(choice, k).collect();
                let odds: Vec<f64> = moves.iter().map(|terms| terms.dot(unknowns)).collect();
                let best = odds.iter().copied().fold(0.0, f64::max);
                let masses = odds.iter().map(|odds| libm::exp(odds - best));
                let all = libm::exp(-best) + masses.clone().sum::<f64>();
                let mut mean = Vector::zeros();
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
    let none = (Vector::zeros(), Matrix::zeros());
    chunks.into_iter().fold(none, |sum, part| (sum.0 + part.0, sum.1 + part.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::random::Random;

    const K: f64 = 0.004;

    /// Choices that follow bends of 1.5 for the second knob and -0.5 for the third.
    fn choices(number: usize) -> Vec<Choice> {
        let mut random = Random::new(5);
        (0..number)
            .map(|_| {
                let mut moves: Vec<[f32; Knob::COUNT]> =
                    vec![[0.0; Knob::COUNT]; 2 + random.below(8)];
                for part in moves.iter_mut().flat_map(|parts| &mut parts[..3]) {
                    *part = (400.0 * (random.unit() - 0.5)) as f32;
                }
                // slope and bends can be told apart only where feelings differ in strength
                let intensity = [-0.25, -1.0][random.below(2)];
                let worth = |parts: &[f32; Knob::COUNT]| {
                    let bent = 1.5 * parts[1] - 0.5 * parts[2];
                    libm::exp(2.0 * K * f64::from(parts.iter().sum::<f32>() - intensity * bent))
                };
                let all: f64 = moves.iter().map(worth).sum();
                let mut left = all * random.unit();
                let chosen = moves.iter().position(|parts| {
                    left -= worth(parts);
                    left < 0.0
                });
                moves.swap(0, chosen.unwrap_or(0));
                Choice { goal: Goal::Castle, intensity, moves, game: 1, is_held_out: false }
            })
            .collect()
    }

    #[test]
    fn what_choices_follow_is_found_again() {
        let choices = choices(20_000);
        let choices: Vec<_> = choices.iter().collect();
        let fit = fit(&choices, K, 0.1, &[true; Knob::COUNT]);
        let bends = fit.bends;
        assert!((bends[1] - 1.5).abs() < 0.15 && (bends[2] + 0.5).abs() < 0.1, "{fit:?}");
        assert!(bends[0].abs() < 0.1 && bends[3..].iter().all(|bend| bend.abs() < 1e-9), "{fit:?}");
        assert!((fit.steepness(K) - 2.0 * K).abs() < 0.1 * K, "{fit:?}");
        let foretold = |bends| {
            let foretold = foretold(&choices, K, &fit_at(&choices, K, &bends));
            let hits = foretold.iter().filter(|foretold| foretold.is_hit).count();
            (foretold.iter().map(|foretold| foretold.likelihood).sum::<f64>(), hits)
        };
        let (with, without) = (foretold(bends), foretold([0.0; Knob::COUNT]));
        assert!(with.0 > without.0 && with.1 > without.1 + 500);
    }

    #[test]
    fn a_fixed_knob_stays_and_scores_without_end_do_no_harm() {
        let mut choices = choices(2_000);
        choices[0].moves[1] = [1e6; Knob::COUNT];
        let choices: Vec<_> = choices.iter().collect();
        let mut turns = [true; Knob::COUNT];
        turns[1] = false;
        let fit = fit(&choices, K, 10.0, &turns);
        assert!(fit.bends[1].abs() < 1e-6 && fit.bends.iter().all(|bend| bend.is_finite()));
        let foretold = foretold(&choices, K, &fit);
        assert!(foretold.iter().all(|foretold| foretold.likelihood.is_finite()));
    }
}
