//! Where a mind's map ends from a sample of starts, for what is held and whatever else is free.

use super::{State, values};
use crate::{
    mind::{Mind, concept::Concept},
    support::random::Random,
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fmt};

/// What a held concept may be perceived as.
const LEVELS: [f64; 5] = [-1.0, -0.5, 0.0, 0.5, 1.0];
/// Starts in all, shared out evenly.
const STARTS: usize = 10_000;
/// Of the random values of what is free.
const SEED: u64 = 2012;

/// Ends of a map: basins are counted for each perception of what is held, since each makes a map of
/// its own of what is free; that starts anywhere, at random. Fixed points that repel are not among
/// the ends: only a start that lies on one stays there.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    held: Vec<Concept>,
    /// How many perceptions have so many ends.
    ends: BTreeMap<usize, usize>,
    /// Starts that end in each label of relief.
    labels: [usize; 3],
    /// The lowest and the highest relief; none if no start settles.
    relief: Option<(f64, f64)>,
    /// Starts that end in a round, and starts that do not settle.
    rounds: usize,
    unsettled: usize,
    starts_each: usize,
    /// The first perception with the most ends, and these.
    richest: (State, Vec<End>),
}

#[derive(Clone, Debug)]
struct End {
    /// 1 for a fixed point.
    period: usize,
    /// Of the starts with this perception.
    share: f64,
    /// What is felt: the mean of a round.
    state: State,
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
            rounds: 0,
            unsettled: 0,
            starts_each: (STARTS / perceptions).max(1),
            richest: (State::zeros(), Vec::new()),
        };
        let mut random = Random::new(SEED);
        (0..perceptions).for_each(|number| survey.explore(mind, number, &mut random));
        survey
    }

    /// Adds the perception of this number.
    fn explore(&mut self, mind: &Mind, number: usize, random: &mut Random) {
        let mut perceived = State::zeros();
        let mut rest = number;
        for &concept in &self.held {
            perceived[concept as usize] = LEVELS[rest % LEVELS.len()];
            rest /= LEVELS.len();
        }
        let (_, still) = mind.entry(&perceived);
        let starts = (0..self.starts_each).map(|_| {
            let mut anywhere =
                |i: usize| if still[i] { perceived[i] } else { 2.0 * random.unit() - 1.0 };
            mind.entry(&State::from_fn(|i, _| anywhere(i))).0
        });
        let basins = mind.map.basins(starts, &still);
        let mut ends = Vec::new();
        for basin in &basins.ends {
            let state = mind.unscaled(basin.mean());
            let relief = state[Concept::Relief as usize];
            if basin.round.len() > 1 {
                self.rounds += basin.starts;
            }
            self.labels[Concept::Relief.label_of(relief)] += basin.starts;
            let (low, high) = self.relief.unwrap_or((relief, relief));
            self.relief = Some((low.min(relief), high.max(relief)));
            let share = f64::from(basin.starts as u32) / f64::from(self.starts_each as u32);
            ends.push(End { period: basin.round.len(), share, state });
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

    /// The same for programs.
    pub(super) fn as_json(&self) -> Value {
        let concepts = |state: &State, concepts: &[Concept]| -> serde_json::Map<String, Value> {
            let values = concepts.iter().map(|&c| (c.name().to_owned(), state[c as usize].into()));
            values.collect()
        };
        let (perceived, ends) = &self.richest;
        let ends: Vec<_> = ends
            .iter()
            .map(|end| {
                let state = concepts(&end.state, &Concept::ALL);
                json!({"period": end.period, "share": end.share, "state": state})
            })
            .collect();
        let labels = Concept::Relief.labels().iter().zip(self.labels);
        let labels: serde_json::Map<_, _> =
            labels.map(|(label, starts)| ((*label).to_owned(), starts.into())).collect();
        let counts: serde_json::Map<_, _> =
            self.ends.iter().map(|(ends, n)| (ends.to_string(), (*n).into())).collect();
        json!({
            "perceptions": self.perceptions(), "starts_each": self.starts_each,
            "perceptions_by_number_of_ends": counts, "starts_that_end_in_rounds": self.rounds,
            "unsettled_starts": self.unsettled, "starts_by_relief": labels,
            "lowest_relief": self.relief.map(|(low, _)| low),
            "highest_relief": self.relief.map(|(_, high)| high),
            "most_ends": {"perceived": concepts(perceived, &self.held), "ends": ends},
        })
    }
}

impl fmt::Display for Survey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (perceptions, each) = (self.perceptions(), self.starts_each);
        let total = perceptions * each;
        writeln!(f, "Ends of {total} starts with the free concepts at random")?;
        if !self.held.is_empty() {
            writeln!(
                f,
                "  {perceptions} perceptions of what is held, in halves; {each} starts each"
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
        if self.rounds + self.unsettled > 0 {
            let (rounds, unsettled) = (self.rounds, self.unsettled);
            write!(f, "\n  {rounds} starts end in rounds, {unsettled} do not settle")?;
        }
        let (perceived, ends) = &self.richest;
        if ends.is_empty() || (!self.held.is_empty() && ends.len() < 2) {
            return Ok(());
        }
        if !self.held.is_empty() {
            write!(f, "\n  most ends: {}", values(perceived, self.held.iter().copied()))?;
        }
        write!(f, "\n  {:>7}  {:>9}  end", "share", "relief")?;
        for End { period, share, state } in ends {
            let relief = state[Concept::Relief as usize];
            let label = Concept::Relief.label(relief);
            let kind = match period {
                1 => "fixed point".to_owned(),
                _ => format!("round of {period}, its mean"),
            };
            // a zero without a sign, however it came about
            let relief = format!("{relief:.6}").replace("-0.000000", "0.000000");
            write!(f, "\n  {share:>7.4}  {relief:>9}  {kind} ({label})")?;
        }
        Ok(())
    }
}
