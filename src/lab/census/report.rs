//! Formats a census as tables and as JSON.

use super::{Census, FINENESS, QUARTERS};
use crate::{
    chess_mind::{Goal, concept_name},
    eval::measures::Measures,
    explain::schema::ByName,
    mind::concept::Concept,
    pgn::{FIRST_PLY, GameStage},
};
use serde::Serialize;
use std::fmt;

/// The percentiles reported for activations; 0 is the minimum, 100 the maximum.
const PERCENTILES: [u64; 5] = [0, 1, 50, 99, 100];
/// The percentiles reported for measures. They help to choose the ranges of a profile.
const PLACES: [u64; 7] = [1, 5, 25, 50, 75, 95, 99];

/// Returns `count` per thousand of `total`, or 0 if `total` is 0.
fn per_thousand(count: u64, total: u64) -> f64 {
    if total == 0 { 0.0 } else { 1000.0 * count as f64 / total as f64 }
}

/// The JSON form of [`Census`]. Frequencies are per thousand positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CensusRecord {
    games: u64,
    positions: u64,
    parts: [PartRecord; GameStage::ALL.len()],
    goals: ByName<GoalRecord>,
    concepts: ByName<ConceptRecord>,
    /// The percentiles listed in `measures`.
    measure_percentiles: [u64; PLACES.len()],
    measures: ByName<ByName<[Option<f64>; PLACES.len()]>>,
    intensity: Vec<BarRecord>,
    changes: ChangesRecord,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct PartRecord {
    name: &'static str,
    positions: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct GoalRecord {
    #[serde(flatten)]
    stages: ByName<f64>,
    all: f64,
    count: u64,
    mean_intensity: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct ConceptRecord {
    labels: ByName<f64>,
    min: Option<f64>,
    p1: Option<f64>,
    p50: Option<f64>,
    p99: Option<f64>,
    max: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct BarRecord {
    intensity: f64,
    share: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct ChangesRecord {
    pairs: u64,
    goal: f64,
    intensity: f64,
    either: f64,
}

impl Census {
    /// Returns name, positions by stage and sum of intensities for each goal, and for no goal last.
    fn goal_rows(&self) -> impl Iterator<Item = (&'static str, &[u64; GameStage::ALL.len()], f64)> {
        let names = Goal::ALL.into_iter().map(Goal::name).chain(["none"]);
        names.zip(&self.goals).zip(&self.felt).map(|((name, counts), felt)| (name, counts, *felt))
    }

    /// Returns each intensity, from fear to relief, with its frequency per thousand positions.
    fn histogram(&self) -> impl Iterator<Item = (f64, f64)> {
        let (steps, total) = (i32::from(self.steps), self.total());
        (-steps..=steps).map(move |step| {
            let share = per_thousand(self.intensities.count(step), total);
            (f64::from(step) / f64::from(steps), share)
        })
    }

    fn concept_percentile(&self, concept: Concept, percent: u64) -> Option<f64> {
        let value = self.concepts[concept as usize].percentile(percent);
        value.map(|value| f64::from(value) / FINENESS)
    }

    /// Returns a percentile of a measure, or `None` if no position belongs to `stage`.
    fn measure_percentile(&self, stage: GameStage, measure: usize, percent: u64) -> Option<f64> {
        let value = self.measures[stage as usize][measure].percentile(percent);
        value.map(|value| f64::from(value) / f64::from(QUARTERS))
    }

    /// Returns the tables for JSON.
    #[must_use]
    pub fn record(&self) -> CensusRecord {
        let total = self.total();
        let goal = |(name, counts, felt): (_, &[u64; GameStage::ALL.len()], f64)| {
            let count: u64 = counts.iter().sum();
            let share =
                |stage| per_thousand(counts[stage as usize], self.positions[stage as usize]);
            let record = GoalRecord {
                stages: GameStage::ALL
                    .into_iter()
                    .map(|stage| (stage.name(), share(stage)))
                    .collect(),
                all: per_thousand(count, total),
                count,
                mean_intensity: (count > 0).then(|| felt / count as f64),
            };
            (name, record)
        };
        let measure = |(i, (name, _)): (usize, (&'static str, _))| {
            let places = |stage| PLACES.map(|percent| self.measure_percentile(stage, i, percent));
            (name, GameStage::ALL.into_iter().map(|stage| (stage.name(), places(stage))).collect())
        };
        let part = |stage: GameStage| PartRecord {
            name: stage.name(),
            positions: self.positions[stage as usize],
        };
        let bar = |(intensity, share)| BarRecord { intensity, share };
        let share = |count| per_thousand(count, self.changes.pairs);
        CensusRecord {
            games: self.games,
            positions: total,
            parts: GameStage::ALL.map(part),
            goals: self.goal_rows().map(goal).collect(),
            concepts: Concept::ALL.map(|c| (concept_name(c), self.concept_record(c))).into(),
            measure_percentiles: PLACES,
            measures: Measures::NAMES.into_iter().enumerate().map(measure).collect(),
            intensity: self.histogram().map(bar).collect(),
            changes: ChangesRecord {
                pairs: self.changes.pairs,
                goal: share(self.changes.goal),
                intensity: share(self.changes.intensity),
                either: share(self.changes.either),
            },
        }
    }

    fn concept_record(&self, concept: Concept) -> ConceptRecord {
        let labels = concept.labels().iter().zip(&self.labels[concept as usize]);
        let [min, p1, p50, p99, max] =
            PERCENTILES.map(|percent| self.concept_percentile(concept, percent));
        ConceptRecord {
            labels: labels.map(|(label, n)| (*label, per_thousand(*n, self.total()))).collect(),
            min,
            p1,
            p50,
            p99,
            max,
        }
    }

    fn write_goals(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.total();
        writeln!(f, "\nGoals (per 1,000 positions)")?;
        write!(f, "  {:<19}{:>9}", "goal", "all")?;
        for stage in GameStage::ALL {
            write!(f, "{:>12}", stage.name())?;
        }
        writeln!(f, "{:>16}", "mean intensity")?;
        for (name, counts, felt) in self.goal_rows() {
            let count: u64 = counts.iter().sum();
            write!(f, "  {name:<19}{:>9.1}", per_thousand(count, total))?;
            for (count, positions) in counts.iter().zip(self.positions) {
                write!(f, "{:>12.1}", per_thousand(*count, positions))?;
            }
            let mean = if count == 0 { "-".into() } else { format!("{:+.3}", felt / count as f64) };
            writeln!(f, "{mean:>16}")?;
        }
        Ok(())
    }

    fn write_concepts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nConcepts (activations; labels of table 1 per 1,000 positions)")?;
        write!(f, "  {:<15}", "concept")?;
        for head in ["min", "1 %", "median", "99 %", "max"] {
            write!(f, "{head:>8}")?;
        }
        writeln!(f, "   labels")?;
        for concept in Concept::ALL {
            write!(f, "  {:<15}", concept_name(concept))?;
            for percent in PERCENTILES {
                write!(f, "{:>8}", cell(self.concept_percentile(concept, percent), 3))?;
            }
            let labels = concept.labels().iter().zip(&self.labels[concept as usize]);
            let labels =
                labels.map(|(label, &n)| format!("{label} {:.0}", per_thousand(n, self.total())));
            writeln!(f, "   {}", labels.collect::<Vec<_>>().join(", "))?;
        }
        Ok(())
    }

    fn write_measures(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\nMeasures (percentiles)\n  {:<15}{:<12}", "measure", "stage")?;
        for percent in PLACES {
            write!(f, "{:>9}", format!("{percent} %"))?;
        }
        for (i, (name, unit)) in Measures::NAMES.into_iter().enumerate() {
            for stage in GameStage::ALL {
                let name = if stage == GameStage::Opening { name } else { "" };
                write!(f, "\n  {name:<15}{:<12}", stage.name())?;
                for percent in PLACES {
                    write!(f, "{:>9}", cell(self.measure_percentile(stage, i, percent), 2))?;
                }
                write!(f, "  {unit}")?;
            }
        }
        writeln!(f)
    }

    fn write_intensity(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\nIntensity (per 1,000 positions)\n  ")?;
        for (intensity, _) in self.histogram() {
            write!(f, "{intensity:>8.2}")?;
        }
        write!(f, "\n  ")?;
        for (_, share) in self.histogram() {
            write!(f, "{share:>8.1}")?;
        }
        let changes = self.changes;
        let share = |count| per_thousand(count, changes.pairs) / 10.0;
        write!(
            f,
            "\n\nBetween consecutive own moves ({} pairs) the goal changes in {:.1} %, the \
             intensity in {:.1} %, either in {:.1} %",
            changes.pairs,
            share(changes.goal),
            share(changes.intensity),
            share(changes.either),
        )
    }
}

/// Formats a number, or a dash for a missing one.
fn cell(number: Option<f64>, decimals: usize) -> String {
    number.map_or_else(|| "-".into(), |number| format!("{number:.decimals$}"))
}

impl fmt::Display for Census {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = GameStage::ALL
            .map(|stage| format!("{} {}", self.positions[stage as usize], stage.name()));
        writeln!(
            f,
            "{} positions of {} games from ply {FIRST_PLY} on: {}",
            self.total(),
            self.games,
            parts.join(", ")
        )?;
        self.write_goals(f)?;
        self.write_concepts(f)?;
        self.write_measures(f)?;
        self.write_intensity(f)
    }
}
