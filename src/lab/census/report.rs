//! Formats a census as tables and as JSON.

use super::{Census, FINENESS, QUARTERS};
use crate::{
    mind::{concept::Concept, goal::Goal},
    pgn::{FIRST_PLY, GameStage},
};
use serde_json::{Map, Value, json};
use std::fmt;

/// The percentiles reported for activations; 0 is the minimum, 100 the maximum.
const PERCENTILES: [u64; 5] = [0, 1, 50, 99, 100];
/// The percentiles reported for measures. They help to choose the ranges of a profile.
const PLACES: [u64; 7] = [1, 5, 25, 50, 75, 95, 99];
/// The names and units of the measures, in the order of eq. 7 of the article.
const MEASURES: [(&str, &str); 4] = [
    ("material", "centipawns"),
    ("mobility", "squares"),
    ("king_safety", "points"),
    ("king_exposure", "points"),
];

/// Returns `count` per thousand of `total`, or 0 if `total` is 0.
fn per_thousand(count: u64, total: u64) -> f64 {
    if total == 0 { 0.0 } else { 1000.0 * count as f64 / total as f64 }
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

    /// Returns the tables as JSON. Frequencies are per thousand positions.
    #[must_use]
    pub fn as_json(&self) -> Value {
        let total = self.total();
        let goals: Map<_, _> = self
            .goal_rows()
            .map(|(name, counts, felt)| {
                let count: u64 = counts.iter().sum();
                let parts = GameStage::ALL.into_iter().map(|stage| {
                    let share =
                        per_thousand(counts[stage as usize], self.positions[stage as usize]);
                    (stage.name().to_owned(), share.into())
                });
                let mut row: Map<_, _> = parts.collect();
                row.insert("all".into(), per_thousand(count, total).into());
                row.insert("count".into(), count.into());
                row.insert("mean_intensity".into(), (felt / count as f64).into());
                (name.to_owned(), Value::Object(row))
            })
            .collect();
        let concepts: Map<_, _> = Concept::ALL
            .into_iter()
            .map(|concept| (concept.name().to_owned(), self.concept_json(concept)))
            .collect();
        let measures: Map<_, _> = MEASURES
            .into_iter()
            .enumerate()
            .map(|(i, (name, _))| {
                let parts = GameStage::ALL.into_iter().map(|stage| {
                    let places = PLACES.map(|percent| self.measure_percentile(stage, i, percent));
                    (stage.name().to_owned(), json!(places))
                });
                (name.to_owned(), Value::Object(parts.collect()))
            })
            .collect();
        let intensity: Vec<_> = self
            .histogram()
            .map(|(intensity, share)| json!({"intensity": intensity, "share": share}))
            .collect();
        let changes = self.changes;
        let share = |count| per_thousand(count, changes.pairs);
        json!({
            "games": self.games, "positions": total,
            "parts": GameStage::ALL.map(|stage| json!({
                "name": stage.name(), "positions": self.positions[stage as usize],
            })),
            "goals": goals, "concepts": concepts, "measure_percentiles": PLACES,
            "measures": measures, "intensity": intensity,
            "changes": {
                "pairs": changes.pairs, "goal": share(changes.goal),
                "intensity": share(changes.intensity), "either": share(changes.either),
            },
        })
    }

    fn concept_json(&self, concept: Concept) -> Value {
        let labels: Map<_, _> = concept
            .labels()
            .iter()
            .zip(&self.labels[concept as usize])
            .map(|(label, count)| ((*label).to_owned(), per_thousand(*count, self.total()).into()))
            .collect();
        let [min, p1, p50, p99, max] =
            PERCENTILES.map(|percent| self.concept_percentile(concept, percent));
        json!({"labels": labels, "min": min, "p1": p1, "p50": p50, "p99": p99, "max": max})
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
            write!(f, "  {:<15}", concept.name())?;
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
        for (i, (name, unit)) in MEASURES.into_iter().enumerate() {
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
