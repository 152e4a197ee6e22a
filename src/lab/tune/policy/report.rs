//! How well a policy predicts the moves of people, by rating.
#![allow(clippy::cast_precision_loss, reason = "values are far within what floats hold")]

use super::{fit::fit, sample::PolicyChoice};
use crate::player::human::{cue::Cue, policy::Policy};
use rayon::prelude::*;
use serde::Serialize;
use std::{collections::BTreeMap, fmt};
use strum::EnumCount;

/// The width of a rating band.
const WIDTH: u16 = 200;
/// Bins of the calibration.
const BINS: usize = 10;

/// How well moves of players in one rating band are foretold. All but counts are means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PolicyBand {
    pub choices: usize,
    /// Share of moves that the search of 1,000 nodes plays.
    pub search_hits: f64,
    /// Share of moves that are the likeliest by the policy, and among the three likeliest.
    pub hits: f64,
    pub top_three: f64,
    /// Log-likelihood of the moves in nats: by the policy, and by the values alone.
    pub likelihood: f64,
    pub value_likelihood: f64,
    /// Share of errors by people, and expected by the policy.
    pub errors: f64,
    pub policy_errors: f64,
}

/// How well a policy predicts the moves of people.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PolicyReport {
    pub all: PolicyBand,
    pub bands: BTreeMap<u16, PolicyBand>,
    /// Mean absolute difference between the probability of a move and how often such moves are
    /// played, over bins of equal width, weighted by size.
    pub calibration: f64,
}

/// What one choice says of the policy.
struct Judged {
    band: PolicyBand,
    low: u16,
    /// For each bin: number of moves, sum of probabilities, number played.
    bins: [[f64; 3]; BINS],
}

impl PolicyReport {
    /// Judges `policy` by `choices`. The model of values alone is fitted to `training` in each band.
    #[must_use]
    pub fn new(policy: &Policy, training: &[&PolicyChoice], choices: &[&PolicyChoice]) -> Self {
        let low = |choice: &PolicyChoice| choice.rating / WIDTH * WIDTH;
        let mut values = BTreeMap::new();
        for band in choices.iter().map(|choice| low(choice)) {
            values.entry(band).or_insert_with(|| {
                let own: Vec<_> = training.iter().copied().filter(|c| low(c) == band).collect();
                fit(&own, &only_values(), 1e-3)
            });
        }
        let judged: Vec<Judged> =
            choices.par_iter().map(|choice| judge(policy, &values[&low(choice)], choice)).collect();
        let mut report = Self::default();
        let mut bins = [[0.0; 3]; BINS];
        for one in &judged {
            report.all.add(&one.band);
            report.bands.entry(one.low).or_default().add(&one.band);
            for (sum, own) in bins.iter_mut().flatten().zip(one.bins.iter().flatten()) {
                *sum += own;
            }
        }
        report.all.divide();
        report.bands.values_mut().for_each(PolicyBand::divide);
        let all: f64 = bins.iter().map(|bin| bin[0]).sum();
        report.calibration = bins.iter().map(|bin| (bin[1] - bin[2]).abs()).sum::<f64>() / all;
        report
    }
}

fn only_values() -> [bool; Cue::COUNT] {
    let mut active = [false; Cue::COUNT];
    active[Cue::ReadLoss as usize] = true;
    active
}

fn judge(policy: &Policy, values: &Policy, choice: &PolicyChoice) -> Judged {
    let chances = choice.chances(policy);
    let rank = chances.iter().filter(|&&chance| chance > chances[0]).count();
    let is_error = |cues: &[f32; Cue::COUNT]| cues[Cue::ReadError as usize] > 0.0;
    let of = |holds: bool| f64::from(u8::from(holds));
    let errors = choice.moves.iter().zip(&chances).filter(|(cues, _)| is_error(cues));
    let mut bins = [[0.0; 3]; BINS];
    for (index, &chance) in chances.iter().enumerate() {
        let bin = &mut bins[((chance * BINS as f64) as usize).min(BINS - 1)];
        bin[0] += 1.0;
        bin[1] += chance;
        bin[2] += of(index == 0);
    }
    let band = PolicyBand {
        choices: 1,
        search_hits: of(choice.is_search_best()),
        hits: of(rank == 0),
        top_three: of(rank < 3),
        likelihood: libm::log(chances[0]),
        value_likelihood: libm::log(values.probabilities(choice.rating, &choice.moves)[0]),
        errors: of(is_error(&choice.moves[0])),
        policy_errors: errors.map(|(_, chance)| chance).sum(),
    };
    Judged { band, low: choice.rating / WIDTH * WIDTH, bins }
}

impl PolicyBand {
    fn figures(&mut self) -> [&mut f64; 7] {
        let Self { search_hits, hits, top_three, likelihood, value_likelihood, .. } = self;
        let Self { errors, policy_errors, .. } = self;
        [search_hits, hits, top_three, likelihood, value_likelihood, errors, policy_errors]
    }

    fn add(&mut self, other: &Self) {
        self.choices += other.choices;
        let mut other = *other;
        let figures = self.figures().into_iter().zip(other.figures());
        figures.for_each(|(own, other)| *own += *other);
    }

    fn divide(&mut self) {
        let number = self.choices as f64;
        self.figures().into_iter().for_each(|figure| *figure /= number);
    }
}

impl fmt::Display for PolicyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:>6} {:>8} {:>7} {:>9} {:>7} {:>8} {:>8} {:>7} {:>8}",
            "rating",
            "moves",
            "search",
            "likeliest",
            "top 3",
            "nats",
            "values",
            "errors",
            "foretold"
        )?;
        for (low, band) in &self.bands {
            writeln!(f, "{low:>6} {band}")?;
        }
        writeln!(f, "{:>6} {}", "all", self.all)?;
        write!(f, "calibration error {:.4}", self.calibration)
    }
}

impl fmt::Display for PolicyBand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        write!(
            f,
            "{:>8} {:>7} {:>9} {:>7} {:>8.3} {:>8.3} {:>7} {:>8}",
            self.choices,
            percent(self.search_hits),
            percent(self.hits),
            percent(self.top_three),
            self.likelihood,
            self.value_likelihood,
            percent(self.errors),
            percent(self.policy_errors)
        )
    }
}
