//! Regularised logistic regression by Newton's method, used to fit relevance ratios.
//!
//! The loss is convex and has few unknowns, so Newton's method finds its minimum in a few steps.
//! <https://en.wikipedia.org/wiki/Logistic_regression>

use super::felt::FeltPosition;
use crate::{chess::wdl::logistic, chess_mind::SideGroup};
use nalgebra::{SMatrix, SVector};
use rayon::prelude::*;

/// Number of unknowns: an offset, the slope of the score, and one per ratio.
pub(super) const UNKNOWNS: usize = 2 + SideGroup::COUNT;

pub(super) type RatioVector = SVector<f64, UNKNOWNS>;
pub(super) type RatioMatrix = SMatrix<f64, UNKNOWNS, UNKNOWNS>;

/// A position with the target and weight it has in the fit.
#[derive(Clone, Copy, Debug)]
pub(super) struct FitPosition<'f> {
    pub felt: &'f FeltPosition,
    /// Expected points of the feeling side, from 0 to 1.
    pub target: f64,
    /// Weight of the position in the loss.
    pub mass: f64,
}

/// The fitted log-odds of a win for the feeling side.
///
/// They are `offset + slope · (score + |ε| · Σ bend · part)`, where ε is the intensity. Score and
/// parts are in units of 1/K. Offset and slope describe the positions under a goal. Only the bends
/// affect play.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fit {
    offset: f64,
    slope: f64,
    /// Each ratio minus 1, at full intensity.
    pub bends: [f64; SideGroup::COUNT],
}

/// Maximum number of Newton steps, above the usual number.
const STEPS: usize = 50;
/// Positions per unit of work of a thread.
pub(super) const CHUNK: usize = 4096;

/// Returns the derivative of the log-odds of `case` with respect to each unknown.
fn terms(case: &FitPosition<'_>, k: f64) -> RatioVector {
    let felt = case.felt;
    let strength = k * f64::from(felt.intensity.abs());
    let mut terms = RatioVector::zeros();
    (terms[0], terms[1]) = (1.0, k * felt.score());
    for (term, part) in terms.iter_mut().skip(2).zip(felt.parts) {
        *term = strength * f64::from(part);
    }
    terms
}

/// Fits `cases` at the slope `k`, per centipawn. A ratio of 0 or 2 adds `pull` nats to the sum of
/// losses. Only the ratios marked in `free` change.
///
/// A penalty keeps the mean score where it is without emotion. Shifting all scores alike would not
/// change the order of moves. But it would make the engine seek or avoid draws, and would devalue
/// table scores found under another emotion.
pub(super) fn fit(
    cases: &[FitPosition<'_>],
    k: f64,
    pull: f64,
    free: &[bool; SideGroup::COUNT],
) -> Fit {
    let (mass, shift) = mean_shift(cases, k);
    descend(pull, free, |unknowns| {
        let (mut gradient, mut curvature) = slope(cases, k, unknowns);
        gradient.axpy(2.0 * mass * shift.dot(unknowns), &shift, 1.0);
        curvature.ger(2.0 * mass, &shift, &shift, 1.0);
        (gradient, curvature)
    })
}

/// Returns the total weight of the cases, and the shift of their mean score for a bend of 1 in each
/// ratio.
fn mean_shift(cases: &[FitPosition<'_>], k: f64) -> (f64, RatioVector) {
    let sums: Vec<(f64, RatioVector)> = cases
        .par_chunks(CHUNK)
        .map(|chunk| {
            let mut sum = RatioVector::zeros();
            for case in chunk {
                sum.axpy(case.mass, &terms(case, k), 1.0);
            }
            (chunk.iter().map(|case| case.mass).sum(), sum)
        })
        .collect();
    let none = (0.0, RatioVector::zeros());
    let (mass, mut sum) = sums.into_iter().fold(none, |all, one| (all.0 + one.0, all.1 + one.1));
    // offset and slope do not affect play
    (sum[0], sum[1]) = (0.0, 0.0);
    (mass, if mass > 0.0 { sum / mass } else { sum })
}

/// Minimises the sum of losses by Newton's method. `slope` returns its gradient and Hessian.
pub(super) fn descend(
    pull: f64,
    free: &[bool; SideGroup::COUNT],
    slope: impl Fn(&RatioVector) -> (RatioVector, RatioMatrix),
) -> Fit {
    let mut unknowns = RatioVector::zeros();
    unknowns[1] = 1.0;
    let start = unknowns;
    let mut pulls = RatioVector::repeat(pull);
    // a tiny pull, so that offset and slope stay finite if there are few cases
    (pulls[0], pulls[1]) = (1e-3, 1e-3);
    for (own, free) in pulls.iter_mut().skip(2).zip(free) {
        // the large pull fixes a ratio whatever the number of games
        *own = if *free { own.max(1e-3) } else { 1e12 };
    }
    for _ in 0..STEPS {
        let (mut gradient, mut curvature) = slope(&unknowns);
        gradient += 2.0 * pulls.component_mul(&(unknowns - start));
        curvature += RatioMatrix::from_diagonal(&(2.0 * pulls));
        let Some(factored) = curvature.cholesky() else { break };
        let mut step = factored.solve(&gradient);
        // far from the minimum a full step may overshoot
        let largest = step.amax();
        if largest > 1.0 {
            step /= largest;
        }
        unknowns -= step;
        if largest < 1e-7 {
            break;
        }
    }
    let slope = unknowns[1].max(0.05);
    let bends = std::array::from_fn(|side_group| unknowns[2 + side_group] / slope);
    Fit { offset: unknowns[0], slope, bends }
}

/// Like [`descend`], but fits only offset and slope, with the bends fixed at `bends`.
pub(super) fn descend_at(
    bends: &[f64; SideGroup::COUNT],
    slope: impl Fn(&RatioVector) -> (RatioVector, RatioMatrix),
) -> Fit {
    // the unknown of a ratio is its bend times the slope
    let mut projection = RatioMatrix::zeros();
    (projection[(0, 0)], projection[(1, 1)]) = (1.0, 1.0);
    for (side_group, bend) in bends.iter().enumerate() {
        projection[(2 + side_group, 1)] = *bend;
    }
    let fit = descend(0.0, &[false; SideGroup::COUNT], |unknowns| {
        let (gradient, curvature) = slope(&(projection * unknowns));
        (projection.transpose() * gradient, projection.transpose() * curvature * projection)
    });
    Fit { bends: *bends, ..fit }
}

/// Like [`fit`], but fits only offset and slope, with the bends fixed at `bends`.
pub(super) fn fit_at(cases: &[FitPosition<'_>], k: f64, bends: &[f64; SideGroup::COUNT]) -> Fit {
    descend_at(bends, |unknowns| slope(cases, k, unknowns))
}

/// Returns the gradient and Hessian of the sum of losses.
fn slope(cases: &[FitPosition<'_>], k: f64, unknowns: &RatioVector) -> (RatioVector, RatioMatrix) {
    let chunks: Vec<(RatioVector, RatioMatrix)> = cases
        .par_chunks(CHUNK)
        .map(|chunk| {
            let (mut gradient, mut curvature) = (RatioVector::zeros(), RatioMatrix::zeros());
            for case in chunk {
                let terms = terms(case, k);
                let chance = logistic(terms.dot(unknowns));
                gradient.axpy(case.mass * (chance - case.target), &terms, 1.0);
                curvature.ger(case.mass * chance * (1.0 - chance), &terms, &terms, 1.0);
            }
            (gradient, curvature)
        })
        .collect();
    let none = (RatioVector::zeros(), RatioMatrix::zeros());
    chunks
        .into_iter()
        .fold(none, |(gradient, curvature), part| (gradient + part.0, curvature + part.1))
}

impl Fit {
    /// Returns the sum of losses of `cases`, in nats.
    pub(super) fn loss(&self, cases: &[FitPosition<'_>], k: f64) -> f64 {
        let unknowns = self.unknowns();
        let sums: Vec<f64> = cases
            .par_chunks(CHUNK)
            .map(|chunk| {
                let one = |case: &FitPosition<'_>| {
                    let odds = terms(case, k).dot(&unknowns);
                    // ln(1 + e^x) - target·x, written so that large x cannot overflow
                    let all = odds.max(0.0) + libm::log1p(libm::exp(-odds.abs()));
                    case.mass * (all - case.target * odds)
                };
                chunk.iter().map(one).sum()
            })
            .collect();
        sums.into_iter().sum()
    }

    /// Returns the unknowns in the order of [`terms`].
    pub(super) fn unknowns(&self) -> RatioVector {
        let mut unknowns = RatioVector::zeros();
        (unknowns[0], unknowns[1]) = (self.offset, self.slope);
        for (unknown, bend) in unknowns.iter_mut().skip(2).zip(&self.bends) {
            *unknown = self.slope * bend;
        }
        unknowns
    }

    /// Returns the fitted slope in log-odds per centipawn.
    pub(super) fn steepness(&self, k: f64) -> f64 {
        k * self.slope
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{lab::tune::dataset::Split, support::random::Random};

    /// Generates positions whose results follow bends of 0.5 for the second ratio and -0.4 for the
    /// third.
    fn games(number: usize) -> Vec<FeltPosition> {
        let mut random = Random::new(3);
        let mut draw = |scale: f64| (scale * (random.unit() - 0.5)) as f32;
        (0..number)
            .map(|_| {
                let mut parts = [0.0; SideGroup::COUNT];
                parts.iter_mut().take(3).for_each(|part| *part = draw(600.0));
                let intensity = 0.75;
                let bent = f64::from(parts[1]) * 0.5 - f64::from(parts[2]) * 0.4;
                let score: f32 = parts.iter().sum();
                let odds = 0.004 * (f64::from(score) + f64::from(intensity) * bent);
                let result = if f64::from(draw(1.0)) + 0.5 < logistic(odds) { 1.0 } else { 0.0 };
                FeltPosition {
                    goal: None,
                    intensity,
                    parts,
                    result,
                    cp: None,
                    file: 0,
                    part: Split::Training,
                }
            })
            .collect()
    }

    fn cases(games: &[FeltPosition]) -> Vec<FitPosition<'_>> {
        games
            .iter()
            .map(|felt| FitPosition { felt, target: felt.result.into(), mass: 1.0 })
            .collect()
    }

    #[test]
    fn fit_recovers_known_bends() {
        let games = games(40_000);
        let cases = cases(&games);
        let fit = fit(&cases, 0.004, 0.1, &[true; SideGroup::COUNT]);
        assert!((fit.bends[1] - 0.5).abs() < 0.1 && (fit.bends[2] + 0.4).abs() < 0.1, "{fit:?}");
        assert!(fit.bends[0].abs() < 0.1 && fit.offset.abs() < 0.05, "{fit:?}");
        let at = |bends| fit_at(&cases, 0.004, bends);
        // fitting only offset and slope at the same bends gives the same fit
        let again = at(&fit.bends);
        assert!((again.slope - fit.slope).abs() < 1e-3, "{again:?} {fit:?}");
        assert!((again.offset - fit.offset).abs() < 1e-3, "{again:?} {fit:?}");
        let [with, without] =
            [&again, &at(&[0.0; SideGroup::COUNT])].map(|fit| fit.loss(&cases, 0.004));
        assert!(with < without, "{with} {without}");
    }

    #[test]
    fn pull_and_frozen_ratios_keep_bends_at_zero() {
        let games = games(4_000);
        let cases = cases(&games);
        let mut free = [true; SideGroup::COUNT];
        free[1] = false;
        let frozen = fit(&cases, 0.004, 0.1, &free);
        assert!(frozen.bends[1].abs() < 1e-6, "{frozen:?}");
        let held = fit(&cases, 0.004, 1e9, &[true; SideGroup::COUNT]);
        assert!(held.bends.iter().all(|bend| bend.abs() < 1e-3), "{held:?}");
    }

    #[test]
    fn a_constant_advantage_is_not_fitted_as_a_bend() {
        // the first part is always 100, and the feeling side wins more often than its score implies
        let mut games = games(20_000);
        for (number, felt) in games.iter_mut().enumerate() {
            felt.parts = [0.0; SideGroup::COUNT];
            (felt.parts[0], felt.parts[1]) = (100.0, if number % 2 == 0 { 50.0 } else { -50.0 });
            felt.result = if number % 10 < 7 { 1.0 } else { 0.0 };
        }
        let fit = fit(&cases(&games), 0.004, 1.0, &[true; SideGroup::COUNT]);
        assert!(fit.bends[0].abs() < 0.02, "{fit:?}");
    }

    #[test]
    fn few_games_do_not_cause_large_bends() {
        let games = games(3);
        let fit = fit(&cases(&games), 0.004, 40.0, &[true; SideGroup::COUNT]);
        assert!(fit.bends.iter().all(|bend| bend.abs() < 1.0), "{fit:?}");
    }
}
