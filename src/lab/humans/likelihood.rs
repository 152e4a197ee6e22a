//! How well the human style predicts the moves of people: for each rating, each level, and each
//! size of error.
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

use crate::{
    lab::tune::policy::{PolicyChoice, PolicyReport},
    pgn::GameStage,
    player::human::{
        choice::in_mind,
        cue::{Cue, Cues},
        policy::Policy,
    },
};
use rayon::prelude::*;
use serde::Serialize;
use std::{collections::BTreeMap, fmt};

/// The levels that are compared.
const LEVELS: [u16; 6] = [1000, 1200, 1400, 1600, 1800, 2000];
/// People within this rating difference belong to a level.
const NEAR: u16 = 200;
/// The width of a rating band of the table of errors.
const BAND: u16 = 400;
/// The lower ends of the bins of losses, in percentage points of winning chance.
const BINS: [f64; 8] = [0.0, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 50.0];

/// How well the human style predicts the moves of people.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Likelihood {
    /// At the players' own ratings.
    #[serde(flatten)]
    pub own: PolicyReport,
    pub levels: Vec<LevelRow>,
    pub errors: Vec<ErrorRow>,
    pub losses: LossHistogram,
}

/// How likely each level plays the moves of people of one rating.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelRow {
    /// The people are rated within [`NEAR`] of this.
    pub rating: u16,
    pub moves: usize,
    /// Log-likelihood per move of each of [`LEVELS`], in nats.
    pub likelihoods: [f64; LEVELS.len()],
    /// The level that is likeliest.
    pub likeliest: u16,
}

/// The share of errors: moves that lose at least 15 points of winning chance.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ErrorRow {
    /// The lowest rating of the band.
    pub rating: u16,
    pub stage: GameStage,
    pub moves: usize,
    /// The share of errors by people, from 0 to 1.
    pub people: f64,
    /// The share of errors that the human style plays in the same positions.
    pub style: f64,
}

/// How often moves lose how much winning chance.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LossHistogram {
    /// The lower ends of the bins, in percentage points.
    pub bins: [f64; BINS.len()],
    /// Shares of moves by people.
    pub people: [f64; BINS.len()],
    /// Shares of moves by the human style.
    pub style: [f64; BINS.len()],
    /// Jensen-Shannon divergence of the two, in nats.
    pub divergence: f64,
}

impl Likelihood {
    /// Compares `policy`, under which moves come to mind up to `share`, with the `choices` of people.
    /// The model of values alone is fitted to `training`, or to the same choices if `training` is
    /// empty. Returns `None` without choices.
    #[must_use]
    pub fn of(
        (policy, share): (&Policy, f64),
        training: &[&PolicyChoice],
        choices: &[&PolicyChoice],
    ) -> Option<Self> {
        if choices.is_empty() {
            return None;
        }
        let training = if training.is_empty() { choices } else { training };
        Some(Self {
            own: PolicyReport::new(policy, training, choices),
            levels: LEVELS.iter().filter_map(|&rating| level(policy, rating, choices)).collect(),
            errors: errors((policy, share), choices),
            losses: LossHistogram::of((policy, share), choices),
        })
    }
}

fn level(policy: &Policy, rating: u16, choices: &[&PolicyChoice]) -> Option<LevelRow> {
    let near = |choice: &&&PolicyChoice| choice.rating.abs_diff(rating) <= NEAR;
    let near: Vec<_> = choices.iter().filter(near).collect();
    let mean = |level: u16| {
        let log = |choice: &&&PolicyChoice| libm::log(choice.chances_at(policy, level)[0]);
        near.par_iter().map(log).sum::<f64>() / near.len() as f64
    };
    let likelihoods = LEVELS.map(mean);
    let best = LEVELS.into_iter().zip(likelihoods).max_by(|a, b| a.1.total_cmp(&b.1))?;
    let row = LevelRow { rating, moves: near.len(), likelihoods, likeliest: best.0 };
    (!near.is_empty()).then_some(row)
}

/// Returns the probability with which the human style plays each move of a choice.
fn as_played((policy, share): (&Policy, f64), choice: &PolicyChoice) -> Vec<f64> {
    let chances = choice.chances(policy);
    let places = in_mind(&chances, share);
    let sum: f64 = places.iter().map(|&place| chances[place]).sum();
    let mut played = vec![0.0; chances.len()];
    for place in places {
        played[place] = chances[place] / sum;
    }
    played
}

fn errors(style: (&Policy, f64), choices: &[&PolicyChoice]) -> Vec<ErrorRow> {
    let is_error = |cues: &Cues| f64::from(cues[Cue::ReadError as usize]);
    let judged: Vec<_> = choices
        .par_iter()
        .map(|choice| {
            let played = choice.moves.iter().zip(as_played(style, choice));
            let style: f64 = played.map(|(cues, chance)| is_error(cues) * chance).sum();
            ((choice.rating / BAND * BAND, choice.stage), is_error(&choice.moves[0]), style)
        })
        .collect();
    let mut rows: BTreeMap<_, (usize, f64, f64)> = BTreeMap::new();
    for (place, people, style) in judged {
        let row = rows.entry(place).or_default();
        *row = (row.0 + 1, row.1 + people, row.2 + style);
    }
    let row = |((rating, stage), (moves, people, style)): (_, (usize, f64, f64))| {
        let share = |sum: f64| sum / moves as f64;
        ErrorRow { rating, stage, moves, people: share(people), style: share(style) }
    };
    rows.into_iter().map(row).collect()
}

impl LossHistogram {
    fn of(style: (&Policy, f64), choices: &[&PolicyChoice]) -> Self {
        let bin = |cues: &Cues| {
            let loss = 100.0 * f64::from(cues[Cue::ReadChance as usize]);
            BINS.iter().rposition(|&low| loss >= low).unwrap_or(0)
        };
        let (mut people, mut played) = ([0.0; BINS.len()], [0.0; BINS.len()]);
        for choice in choices {
            people[bin(&choice.moves[0])] += 1.0 / choices.len() as f64;
            for (cues, chance) in choice.moves.iter().zip(as_played(style, choice)) {
                played[bin(cues)] += chance / choices.len() as f64;
            }
        }
        Self { bins: BINS, people, style: played, divergence: divergence(&people, &played) }
    }
}

/// Returns the Jensen-Shannon divergence of two distributions, in nats.
fn divergence(one: &[f64], other: &[f64]) -> f64 {
    let part = |own: f64, middle: f64| if own > 0.0 { own * libm::log(own / middle) } else { 0.0 };
    let pairs = one.iter().zip(other).map(|(&one, &other)| (one, other, f64::midpoint(one, other)));
    pairs.map(|(one, other, middle)| f64::midpoint(part(one, middle), part(other, middle))).sum()
}

impl fmt::Display for Likelihood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.own)?;
        writeln!(f, "Nats per move by level, for people within {NEAR} of a rating")?;
        write!(f, "{:>6} {:>8}", "rating", "moves")?;
        LEVELS.iter().try_for_each(|level| write!(f, " {level:>8}"))?;
        writeln!(f, "  likeliest")?;
        for row in &self.levels {
            write!(f, "{:>6} {:>8}", row.rating, row.moves)?;
            row.likelihoods.iter().try_for_each(|nats| write!(f, " {nats:>8.4}"))?;
            writeln!(f, "  {:>9}", row.likeliest)?;
        }
        writeln!(f, "\nShare of moves that lose at least 15 points of winning chance")?;
        writeln!(
            f,
            "{:>6} {:<10} {:>8} {:>8} {:>8}",
            "rating", "stage", "moves", "people", "style"
        )?;
        for row in &self.errors {
            let [people, style] = [row.people, row.style].map(percent);
            let (rating, stage, moves) = (row.rating, row.stage.name(), row.moves);
            writeln!(f, "{rating:>6} {stage:<10} {moves:>8} {people:>8} {style:>8}")?;
        }
        writeln!(f, "\nShare of moves by the winning chance that they lose, in points")?;
        writeln!(f, "{:>6} {:>8} {:>8}", "from", "people", "style")?;
        let losses = &self.losses;
        for ((low, people), style) in losses.bins.iter().zip(losses.people).zip(losses.style) {
            writeln!(f, "{low:>6} {:>8} {:>8}", percent(people), percent(style))?;
        }
        write!(f, "Jensen-Shannon divergence {:.4}", losses.divergence)
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::human::policy::CueWeight;
    use strum::EnumCount;

    /// Returns a choice between a good move, a slip and a blunder, of which the `played` one is
    /// first.
    fn choice(rating: u16, played: usize) -> PolicyChoice {
        let with = |loss: f32| {
            let mut cues = [0.0; Cue::COUNT];
            cues[Cue::ReadChance as usize] = loss;
            cues[Cue::ReadError as usize] = f32::from(u8::from(loss >= 0.15));
            cues
        };
        let mut moves = vec![with(0.0), with(0.03), with(0.4)];
        moves.swap(0, played);
        PolicyChoice { moves, book: None, rating, stage: GameStage::Ending, is_held_out: true }
    }

    /// A policy that errs more often, the lower the rating is.
    fn policy() -> Policy {
        let mut policy = Policy { weights: [CueWeight::default(); Cue::COUNT] };
        policy.weights[Cue::ReadError as usize] = CueWeight { base: -2.0, slope: -1.5 };
        policy
    }

    #[test]
    fn the_likeliest_level_is_the_one_that_errs_as_often() {
        let weak: Vec<_> = (0..30).map(|n| choice(1000, if n < 9 { 2 } else { n % 2 })).collect();
        let strong: Vec<_> = (0..30).map(|n| choice(2000, n % 2)).collect();
        let all: Vec<_> = weak.iter().chain(&strong).collect();
        let found = Likelihood::of((&policy(), 1.0), &[], &all).unwrap();
        let likeliest: Vec<_> =
            found.levels.iter().map(|row| (row.rating, row.likeliest)).collect();
        assert_eq!(likeliest, [(1000, 1000), (1200, 1000), (1800, 2000), (2000, 2000)]);
        assert_eq!(Likelihood::of((&policy(), 1.0), &[], &[]), None);
    }

    #[test]
    fn errors_and_losses_of_people_are_counted_beside_those_of_the_style() {
        let all: Vec<_> = (0..4).map(|n| choice(1500, [0, 0, 1, 2][n])).collect();
        let all: Vec<_> = all.iter().collect();
        let found = Likelihood::of((&policy(), 1.0), &[], &all).unwrap();
        let [row] = &found.errors[..] else { panic!("{:?}", found.errors) };
        assert_eq!((row.rating, row.stage, row.moves), (1200, GameStage::Ending, 4));
        // the odds of the blunder are e^-2 against 1 and 1
        let expected = libm::exp(-2.0) / (2.0 + libm::exp(-2.0));
        assert!((row.people - 0.25).abs() < 1e-9 && (row.style - expected).abs() < 1e-9);
        let losses = &found.losses;
        let people = losses.people.map(|share| (share * 4.0).round() as u32);
        assert_eq!(people, [2, 0, 1, 0, 0, 0, 1, 0]);
        assert!((losses.style.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(found.to_string().contains("Jensen-Shannon divergence 0.0"), "{found}");
    }

    #[test]
    fn the_divergence_is_zero_for_equal_and_one_bit_for_disjoint_distributions() {
        assert!(divergence(&[0.3, 0.7], &[0.3, 0.7]).abs() < 1e-12);
        assert!((divergence(&[1.0, 0.0], &[0.0, 1.0]) - libm::log(2.0)).abs() < 1e-12);
    }
}
