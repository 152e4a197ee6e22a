//! What trials add up to, and what the feeling changed in them.

use super::{
    record::Record,
    run::{Answer, Emotions, Trial},
};
use serde_json::json;
use std::fmt;

/// Trials added up, for each of [`Emotions::each`].
#[derive(Clone, Debug)]
pub struct Summary {
    /// At least one.
    pub totals: Vec<Total>,
    /// If each position was answered with feeling and without.
    pub comparison: Option<Comparison>,
}

/// The answers given with feeling, or those without, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    pub emotion: bool,
    pub positions: u64,
    pub solved: u64,
    pub points: u64,
    /// What the best moves would have been worth.
    pub max_points: u64,
    pub nodes: u64,
}

/// What the feeling changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    pub positions: u64,
    /// Positions where another move is played.
    pub changed: u64,
    pub only_with: u64,
    pub only_without: u64,
    /// Points won where the feeling chooses better.
    pub gained: u64,
    /// Points lost where it chooses worse.
    pub lost: u64,
}

impl Summary {
    /// Nothing yet.
    pub fn new(emotions: Emotions) -> Self {
        let total = |emotion: &bool| Total { emotion: *emotion, ..Total::default() };
        let comparison = (emotions == Emotions::Both).then(Comparison::default);
        Self { totals: emotions.each().iter().map(total).collect(), comparison }
    }

    /// Adds the trial of `record`.
    pub fn add(&mut self, record: &Record, trial: &Trial) {
        for (total, answer) in self.totals.iter_mut().zip(&trial.answers) {
            total.positions += 1;
            total.solved += u64::from(answer.verdict.solved);
            total.points += u64::from(answer.verdict.points.unwrap_or(0));
            total.max_points += u64::from(record.max_points().unwrap_or(0));
            total.nodes += answer.nodes;
        }
        if let (Some(comparison), [with, without]) = (&mut self.comparison, &trial.answers[..]) {
            comparison.add(with, without);
        }
    }

    /// The same for programs.
    pub fn as_json(&self) -> serde_json::Value {
        let totals: Vec<_> = self.totals.iter().map(Total::as_json).collect();
        let comparison = self.comparison.map(Comparison::as_json);
        json!({ "totals": totals, "comparison": comparison })
    }
}

impl fmt::Display for Summary {
    /// One line, or one for each emotion and one for the comparison.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(comparison) = &self.comparison else {
            return self.totals.iter().try_for_each(|total| write!(f, "{total}"));
        };
        for total in &self.totals {
            writeln!(f, "{total} {} emotion", if total.emotion { "with" } else { "without" })?;
        }
        write!(f, "{comparison}")
    }
}

impl Total {
    fn as_json(&self) -> serde_json::Value {
        json!({
            "emotion": self.emotion, "positions": self.positions, "solved": self.solved,
            "points": self.points, "max_points": self.max_points, "nodes": self.nodes,
        })
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (solved, positions) = (self.solved, self.positions);
        write!(f, "solved {solved} of {positions} ({} %)", percent(solved, positions))?;
        if self.max_points > 0 {
            let (points, max) = (self.points, self.max_points);
            write!(f, ", points {points} of {max} ({} %)", percent(points, max))?;
        }
        write!(f, ", {} nodes", self.nodes)
    }
}

impl Comparison {
    fn add(&mut self, with: &Answer, without: &Answer) {
        self.positions += 1;
        self.changed += u64::from(with.best != without.best);
        let (felt, unfelt) = (with.verdict, without.verdict);
        self.only_with += u64::from(felt.solved && !unfelt.solved);
        self.only_without += u64::from(unfelt.solved && !felt.solved);
        let (more, less) = (felt.points.unwrap_or(0), unfelt.points.unwrap_or(0));
        self.gained += u64::from(more.saturating_sub(less));
        self.lost += u64::from(less.saturating_sub(more));
    }

    fn as_json(self) -> serde_json::Value {
        json!({
            "positions": self.positions, "changed": self.changed, "only_with": self.only_with,
            "only_without": self.only_without, "gained": self.gained, "lost": self.lost,
        })
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { positions, changed, only_with, only_without, gained, lost } = self;
        write!(
            f,
            "emotion changes {changed} of {positions} choices: solved only with it {only_with}, \
             only without {only_without}; points gained {gained}, lost {lost}"
        )
    }
}

/// To one decimal; of nothing, nothing.
fn percent(part: u64, whole: u64) -> String {
    let tenths = (1000 * part + whole / 2) / whole.max(1);
    format!("{}.{}", tenths / 10, tenths % 10)
}
