//! Totals over all trials, and the difference that emotions make.

use super::{
    record::EpdRecord,
    run::{Answer, Emotions, EpdTrial},
};
use serde::Serialize;
use std::fmt;

/// The totals for each entry of [`Emotions::each`].
#[derive(Clone, Debug, Serialize)]
pub struct EpdSummary {
    /// One total per entry of [`Emotions::each`], at least one.
    pub totals: Vec<EpdTotal>,
    /// The comparison of both settings, if each position was searched with and without emotions.
    pub comparison: Option<EmotionComparison>,
}

/// The totals of the answers with emotions, or of those without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EpdTotal {
    pub emotion: bool,
    pub positions: u64,
    pub solved: u64,
    pub points: u64,
    /// The points that the best moves would have scored.
    pub max_points: u64,
    pub nodes: u64,
}

/// The difference that emotions make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EmotionComparison {
    pub positions: u64,
    /// Positions in which the move changes.
    pub changed: u64,
    /// Positions solved only with emotions.
    pub only_with: u64,
    /// Positions solved only without emotions.
    pub only_without: u64,
    /// Points gained where the move with emotions scores higher.
    pub gained: u64,
    /// Points lost where the move with emotions scores lower.
    pub lost: u64,
}

impl EpdSummary {
    /// Creates an empty summary.
    pub fn new(emotions: Emotions) -> Self {
        let total = |emotion: &bool| EpdTotal { emotion: *emotion, ..EpdTotal::default() };
        let comparison = (emotions == Emotions::Both).then(EmotionComparison::default);
        Self { totals: emotions.each().iter().map(total).collect(), comparison }
    }

    /// Adds the trial of `record`.
    pub fn add(&mut self, record: &EpdRecord, trial: &EpdTrial) {
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
}

impl fmt::Display for EpdSummary {
    /// Writes one line, or with both settings one line each and one for the comparison.
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

impl fmt::Display for EpdTotal {
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

impl EmotionComparison {
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
}

impl fmt::Display for EmotionComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { positions, changed, only_with, only_without, gained, lost } = self;
        write!(
            f,
            "emotion changes {changed} of {positions} choices: solved only with it {only_with}, \
             only without {only_without}; points gained {gained}, lost {lost}"
        )
    }
}

/// Returns `part` in percent of `whole`, to one decimal. Returns 0.0 if `whole` is 0.
fn percent(part: u64, whole: u64) -> String {
    let tenths = (1000 * part + whole / 2) / whole.max(1);
    format!("{}.{}", tenths / 10, tenths % 10)
}
