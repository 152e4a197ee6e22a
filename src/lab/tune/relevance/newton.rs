//! Logistic regression with a pull, by Newton's method: a convex loss in few numbers has one minimum,
//! and a handful of steps finds it.

use super::felt::Felt;
use crate::{chess::wdl::logistic, mind::knob::Knob};
use nalgebra::{SMatrix, SVector};
use rayon::prelude::*;

/// What is fitted: an offset, the slope of the score, and one number for each knob.
pub(super) const UNKNOWNS: usize = 2 + Knob::COUNT;

pub(super) type Vector = SVector<f64, UNKNOWNS>;
pub(super) type Matrix = SMatrix<f64, UNKNOWNS, UNKNOWNS>;

/// A position with what is to be foretold of it, and how much it counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case<'f> {
    pub felt: &'f Felt,
    pub target: f64,
    pub mass: f64,
}

/// The log-odds of the feeling side: `offset + slope · (score + |ε| · Σ bend · part)`, score and parts
/// in units of 1/K. Offset and slope belong to the positions (who has the move under this goal, how
/// far a score carries); only the bends shape play.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fit {
    offset: f64,
    slope: f64,
    /// Of each knob: how far its ratio is from 1 at full feeling.
    pub bends: [f64; Knob::COUNT],
}

/// No fit takes so many steps.
const STEPS: usize = 50;
/// Positions that one thread takes at a time.
pub(super) const CHUNK: usize = 4096;

/// The terms of one case that each unknown is multiplied by.
fn terms(case: &Case<'_>, k: f64) -> Vector {
    let felt = case.felt;
    let strength = k * f64::from(felt.intensity.abs());
    let mut terms = Vector::zeros();
    (terms[0], terms[1]) = (1.0, k * felt.score());
    for (term, part) in terms.iter_mut().skip(2).zip(felt.parts) {
        *term = strength * f64::from(part);
    }
    terms
}

/// Fits the cases at the steepness `k`. `pull` is what a ratio one away from 1 adds to the sum of
/// losses, in nats; `turns` tells which knobs may turn. The mean score is held where it is without
/// feeling: one that made all positions better or worse would tell no move from another, but turn
/// draws away or seek them, and make scores found under another feeling worthless.
pub(super) fn fit(cases: &[Case<'_>], k: f64, pull: f64, turns: &[bool; Knob::COUNT]) -> Fit {
    let (mass, shift) = mean_shift(cases, k);
    descend(pull, turns, |unknowns| {
        let (mut gradient, mut curvature) = slope(cases, k, unknowns);
        gradient.axpy(2.0 * mass * shift.dot(unknowns), &shift, 1.0);
        curvature.ger(2.0 * mass, &shift, &shift, 1.0);
        (gradient, curvature)
    })
}

/// The mass of all cases, and by how much a bend of 1 of each knob shifts their mean score.
fn mean_shift(cases: &[Case<'_>], k: f64) -> (f64, Vector) {
    let sums: Vec<(f64, Vector)> = cases
        .par_chunks(CHUNK)
        .map(|chunk| {
            let mut sum = Vector::zeros();
            for case in chunk {
                sum.axpy(case.mass, &terms(case, k), 1.0);
            }
            (chunk.iter().map(|case| case.mass).sum(), sum)
        })
        .collect();
    let none = (0.0, Vector::zeros());
    let (mass, mut sum) = sums.into_iter().fold(none, |all, one| (all.0 + one.0, all.1 + one.1));
    // offset and slope shape no play
    (sum[0], sum[1]) = (0.0, 0.0);
    (mass, if mass > 0.0 { sum / mass } else { sum })
}

/// Goes down to where the sum of losses, of which `slope` gives gradient and curvature, is least.
pub(super) fn descend(
    pull: f64,
    turns: &[bool; Knob::COUNT],
    slope: impl Fn(&Vector) -> (Vector, Matrix),
) -> Fit {
    let mut unknowns = Vector::zeros();
    unknowns[1] = 1.0;
    let start = unknowns;
    let mut pulls = Vector::repeat(pull);
    // next to nothing: they only must not run away where there are few cases
    (pulls[0], pulls[1]) = (1e-3, 1e-3);
    for (own, turns) in pulls.iter_mut().skip(2).zip(turns) {
        // held by a pull that no number of games overcomes
        *own = if *turns { own.max(1e-3) } else { 1e12 };
    }
    for _ in 0..STEPS {
        let (mut gradient, mut curvature) = slope(&unknowns);
        gradient += 2.0 * pulls.component_mul(&(unknowns - start));
        curvature += Matrix::from_diagonal(&(2.0 * pulls));
        let Some(factored) = curvature.cholesky() else { break };
        let mut step = factored.solve(&gradient);
        // far from the minimum a whole step may overshoot
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
    let bends = std::array::from_fn(|knob| unknowns[2 + knob] / slope);
    Fit { offset: unknowns[0], slope, bends }
}

/// Offset and slope alone, with the bends at `bends`; `slope` is as for [`descend`].
pub(super) fn descend_at(
    bends: &[f64; Knob::COUNT],
    slope: impl Fn(&Vector) -> (Vector, Matrix),
) -> Fit {
    // a bend is an unknown in units of the slope
    let mut way = Matrix::zeros();
    (way[(0, 0)], way[(1, 1)]) = (1.0, 1.0);
    for (knob, bend) in bends.iter().enumerate() {
        way[(2 + knob, 1)] = *bend;
    }
    let fit = descend(0.0, &[false; Knob::COUNT], |unknowns| {
        let (gradient, curvature) = slope(&(way * unknowns));
        (way.transpose() * gradient, way.transpose() * curvature * way)
    });
    Fit { bends: *bends, ..fit }
}

/// Fits offset and slope alone, with the bends at `bends`.
pub(super) fn fit_at(cases: &[Case<'_>], k: f64, bends: &[f64; Knob::COUNT]) -> Fit {
    descend_at(bends, |unknowns| slope(cases, k, unknowns))
}

/// Gradient and curvature of the sum of losses.
fn slope(cases: &[Case<'_>], k: f64, unknowns: &Vector) -> (Vector, Matrix) {
    let chunks: Vec<(Vector, Matrix)> = cases
        .par_chunks(CHUNK)
        .map(|chunk| {
            let (mut gradient, mut curvature) = (Vector::zeros(), Matrix::zeros());
            for case in chunk {
                let terms = terms(case, k);
                let chance = logistic(terms.dot(unknowns));
                gradient.axpy(case.mass * (chance - case.target), &terms, 1.0);
                curvature.ger(case.mass * chance * (1.0 - chance), &terms, &terms, 1.0);
            }
            (gradient, curvature)
        })
        .collect();
    let none = (Vector::zeros(), Matrix::zeros());
    chunks
        .into_iter()
        .fold(none, |(gradient, curvature), part| (gradient + part.0, curvature + part.1))
}

impl Fit {
    /// The sum of losses of `cases` in nats.
    pub(super) fn loss(&self, cases: &[Case<'_>], k: f64) -> f64 {
        let unknowns = self.unknowns();
        let sums: Vec<f64> = cases
            .par_chunks(CHUNK)
            .map(|chunk| {
                let one = |case: &Case<'_>| {
                    let odds = terms(case, k).dot(&unknowns);
                    // ln(1 + e^x) - target·x, without overflow for large x
                    let all = odds.max(0.0) + libm::log1p(libm::exp(-odds.abs()));
                    case.mass * (all - case.target * odds)
                };
                chunk.iter().map(one).sum()
            })
            .collect();
        sums.into_iter().sum()
    }

    /// What each term is multiplied by.
    pub(super) fn unknowns(&self) -> Vector {
        let mut unknowns = Vector::zeros();
        (unknowns[0], unknowns[1]) = (self.offset, self.slope);
        for (unknown, bend) in unknowns.iter_mut().skip(2).zip(&self.bends) {
            *unknown = self.slope * bend;
        }
        unknowns
    }

    /// The slope at which scores foretell the targets.
    pub(super) fn steepness(&self, k: f64) -> f64 {
        k * self.slope
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{lab::tune::dataset::Part, support::random::Random};

    /// Positions whose results follow bends of 0.5 for the second knob and -0.4 for the third.
    fn games(number: usize) -> Vec<Felt> {
        let mut random = Random::new(3);
        let mut draw = |scale: f64| (scale * (random.unit() - 0.5)) as f32;
        (0..number)
            .map(|_| {
                let mut parts = [0.0; Knob::COUNT];
                parts.iter_mut().take(3).for_each(|part| *part = draw(600.0));
                let intensity = 0.75;
                let bent = f64::from(parts[1]) * 0.5 - f64::from(parts[2]) * 0.4;
                let score: f32 = parts.iter().sum();
                let odds = 0.004 * (f64::from(score) + f64::from(intensity) * bent);
                let result = if f64::from(draw(1.0)) + 0.5 < logistic(odds) { 1.0 } else { 0.0 };
                Felt {
                    goal: None,
                    intensity,
                    parts,
                    result,
                    cp: None,
                    file: 0,
                    part: Part::Training,
                }
            })
            .collect()
    }

    fn cases(games: &[Felt]) -> Vec<Case<'_>> {
        games.iter().map(|felt| Case { felt, target: felt.result.into(), mass: 1.0 }).collect()
    }

    #[test]
    fn what_games_follow_is_found_again() {
        let games = games(40_000);
        let cases = cases(&games);
        let fit = fit(&cases, 0.004, 0.1, &[true; Knob::COUNT]);
        assert!((fit.bends[1] - 0.5).abs() < 0.1 && (fit.bends[2] + 0.4).abs() < 0.1, "{fit:?}");
        assert!(fit.bends[0].abs() < 0.1 && fit.offset.abs() < 0.05, "{fit:?}");
        let at = |bends| fit_at(&cases, 0.004, bends);
        // offset and slope alone, around the same bends, are the same
        let again = at(&fit.bends);
        assert!((again.slope - fit.slope).abs() < 1e-3, "{again:?} {fit:?}");
        assert!((again.offset - fit.offset).abs() < 1e-3, "{again:?} {fit:?}");
        let [with, without] = [&again, &at(&[0.0; Knob::COUNT])].map(|fit| fit.loss(&cases, 0.004));
        assert!(with < without, "{with} {without}");
    }

    #[test]
    fn a_pull_holds_and_a_fixed_knob_stays() {
        let games = games(4_000);
        let cases = cases(&games);
        let mut turns = [true; Knob::COUNT];
        turns[1] = false;
        let free = fit(&cases, 0.004, 0.1, &turns);
        assert!(free.bends[1].abs() < 1e-6, "{free:?}");
        let held = fit(&cases, 0.004, 1e9, &[true; Knob::COUNT]);
        assert!(held.bends.iter().all(|bend| bend.abs() < 1e-3), "{held:?}");
    }

    #[test]
    fn what_helps_on_average_alone_is_no_bend() {
        // the first knob's part is 100 throughout, and the side that feels wins more than it should
        let mut games = games(20_000);
        for (number, felt) in games.iter_mut().enumerate() {
            felt.parts = [0.0; Knob::COUNT];
            (felt.parts[0], felt.parts[1]) = (100.0, if number % 2 == 0 { 50.0 } else { -50.0 });
            felt.result = if number % 10 < 7 { 1.0 } else { 0.0 };
        }
        let fit = fit(&cases(&games), 0.004, 1.0, &[true; Knob::COUNT]);
        assert!(fit.bends[0].abs() < 0.02, "{fit:?}");
    }

    #[test]
    fn a_handful_of_games_runs_nowhere() {
        let games = games(3);
        let fit = fit(&cases(&games), 0.004, 40.0, &[true; Knob::COUNT]);
        assert!(fit.bends.iter().all(|bend| bend.abs() < 1.0), "{fit:?}");
    }
}
