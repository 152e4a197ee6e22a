//! A survey of the states in which a mind's map ends, from thousands of random starts.

use super::values;
use crate::{
    chess_mind::{FeltChess, Mind},
    explain::schema::{self, ByName},
    mind::concept::{Activations, Concept},
    support::random::Random,
};
use serde::Serialize;
use std::{collections::BTreeMap, fmt};

/// The values that the survey gives to each held concept.
const LEVELS: [f64; 5] = [-1.0, -0.5, 0.0, 0.5, 1.0];
/// Total number of starts, divided evenly among the perceptions.
const STARTS: usize = 10_000;
/// Seed of the random values that free concepts start from.
const SEED: u64 = 2012;

/// The end states of a map, with the share of starts that reach each.
///
/// Ends are counted for each perception of the held concepts, since each perception gives a
/// different map of the free concepts. Free concepts start at random values. Repelling fixed points
/// are not found, because only a start exactly on one of them stays there.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    held: Vec<Concept>,
    /// Number of perceptions for each number of ends.
    ends: BTreeMap<usize, usize>,
    /// Number of starts that end in each label of relief.
    labels: [usize; 3],
    /// The lowest and the highest relief, or `None` if no start settles.
    relief: Option<(f64, f64)>,
    /// Number of starts that end in a cycle.
    cycling: usize,
    /// Number of starts that do not settle.
    unsettled: usize,
    /// Number of starts per perception.
    starts_each: usize,
    /// The first perception with the most ends, and its ends.
    richest: (Activations, Vec<EndState>),
}

#[derive(Clone, Debug)]
struct EndState {
    /// The length of the cycle; 1 for a fixed point.
    period: usize,
    /// The share of the starts with this perception, 0 to 1.
    share: f64,
    /// The fixed point, or the mean of the cycle.
    state: Activations,
}

impl Survey {
    pub(super) fn of(mind: &Mind) -> Self {
        let moves = |concept: &Concept| mind.fixed[*concept as usize].is_none();
        let held = Concept::ALL.into_iter().filter(|&concept| mind.held[concept as usize]);
        let held: Vec<_> = held.filter(moves).collect();
        let perceptions = LEVELS.len().pow(held.len() as u32);
        let mut survey = Self {
            held,
            ends: BTreeMap::new(),
            labels: [0; 3],
            relief: None,
            cycling: 0,
            unsettled: 0,
            starts_each: (STARTS / perceptions).max(1),
            richest: (Activations::zeros(), Vec::new()),
        };
        let mut random = Random::new(SEED);
        (0..perceptions).for_each(|number| survey.explore(mind, number, &mut random));
        survey
    }

    /// Adds the ends for the perception with this number.
    fn explore(&mut self, mind: &Mind, number: usize, random: &mut Random) {
        let mut perceived = Activations::zeros();
        let mut rest = number;
        for &concept in &self.held {
            perceived[concept as usize] = LEVELS[rest % LEVELS.len()];
            rest /= LEVELS.len();
        }
        let (_, still) = mind.entry(&perceived);
        let starts = (0..self.starts_each).map(|_| {
            let mut anywhere =
                |i: usize| if still[i] { perceived[i] } else { 2.0 * random.unit() - 1.0 };
            mind.entry(&Activations::from_fn(|i, _| anywhere(i))).0
        });
        let basins = mind.map.basins(starts, &still);
        let mut ends = Vec::new();
        for basin in &basins.ends {
            let state = mind.unscaled(basin.mean());
            let relief = state[Concept::Relief as usize];
            if basin.round.len() > 1 {
                self.cycling += basin.starts;
            }
            self.labels[Concept::Relief.label_of(relief)] += basin.starts;
            let (low, high) = self.relief.unwrap_or((relief, relief));
            self.relief = Some((low.min(relief), high.max(relief)));
            let share = f64::from(basin.starts as u32) / f64::from(self.starts_each as u32);
            ends.push(EndState { period: basin.round.len(), share, state });
        }
        self.unsettled += basins.unsettled;
        *self.ends.entry(ends.len()).or_default() += 1;
        if ends.len() > self.richest.1.len() {
            self.richest = (perceived, ends);
        }
    }

    fn perceptions(&self) -> usize {
        self.ends.values().sum()
    }

    /// Returns the survey for JSON.
    pub(super) fn record(&self) -> SurveyRecord {
        let (perceived, ends) = &self.richest;
        let end = |end: &EndState| EndRecord {
            period: end.period,
            share: end.share,
            state: schema::activations::<FeltChess>(&end.state, Concept::ALL),
        };
        SurveyRecord {
            perceptions: self.perceptions(),
            starts_each: self.starts_each,
            perceptions_by_number_of_ends: self.ends.clone(),
            starts_that_end_in_rounds: self.cycling,
            unsettled_starts: self.unsettled,
            starts_by_relief: Concept::Relief.labels().iter().copied().zip(self.labels).collect(),
            lowest_relief: self.relief.map(|(low, _)| low),
            highest_relief: self.relief.map(|(_, high)| high),
            most_ends: MostEnds {
                perceived: schema::activations::<FeltChess>(perceived, self.held.iter().copied()),
                ends: ends.iter().map(end).collect(),
            },
        }
    }
}

/// The JSON form of [`Survey`].
#[derive(Debug, Serialize)]
pub(super) struct SurveyRecord {
    perceptions: usize,
    starts_each: usize,
    perceptions_by_number_of_ends: BTreeMap<usize, usize>,
    starts_that_end_in_rounds: usize,
    unsettled_starts: usize,
    starts_by_relief: ByName<usize>,
    lowest_relief: Option<f64>,
    highest_relief: Option<f64>,
    most_ends: MostEnds,
}

/// The perception with the most ends.
#[derive(Debug, Serialize)]
struct MostEnds {
    perceived: ByName<f64>,
    ends: Vec<EndRecord>,
}

#[derive(Debug, Serialize)]
struct EndRecord {
    period: usize,
    share: f64,
    state: ByName<f64>,
}

impl fmt::Display for Survey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (perceptions, each) = (self.perceptions(), self.starts_each);
        let total = perceptions * each;
        writeln!(f, "End states of {total} starts with random values of the free concepts")?;
        if !self.held.is_empty() {
            writeln!(
                f,
                "  {perceptions} perceptions of the held concepts in steps of 0.5, {each} starts each"
            )?;
            for (ends, number) in &self.ends {
                let noun = if *ends == 1 { "end" } else { "ends" };
                writeln!(f, "  perceptions with {ends} {noun}: {number}")?;
            }
        }
        let labels = Concept::Relief.labels().iter().zip(self.labels);
        let labels: Vec<_> = labels.map(|(label, starts)| format!("{label} {starts}")).collect();
        match self.relief {
            Some((low, high)) => {
                write!(f, "  relief {low:.3} to {high:.3}: {} starts", labels.join(", "))?;
            }
            None => write!(f, "  nothing is felt")?,
        }
        if self.cycling + self.unsettled > 0 {
            let (cycling, unsettled) = (self.cycling, self.unsettled);
            write!(f, "\n  {cycling} starts end in cycles, {unsettled} do not settle")?;
        }
        let (perceived, ends) = &self.richest;
        if ends.is_empty() || (!self.held.is_empty() && ends.len() < 2) {
            return Ok(());
        }
        if !self.held.is_empty() {
            write!(f, "\n  most ends: {}", values(perceived, self.held.iter().copied()))?;
        }
        write!(f, "\n  {:>7}  {:>9}  end", "share", "relief")?;
        for EndState { period, share, state } in ends {
            let relief = state[Concept::Relief as usize];
            let label = Concept::Relief.label(relief);
            let kind = match period {
                1 => "fixed point".to_owned(),
                _ => format!("mean of a cycle of length {period}"),
            };
            // print negative zero without a sign
            let relief = format!("{relief:.6}").replace("-0.000000", "0.000000");
            write!(f, "\n  {share:>7.4}  {relief:>9}  {kind} ({label})")?;
        }
        Ok(())
    }
}
