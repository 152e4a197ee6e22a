//! Formats the comparison of players as a table and as JSON.

use super::{
    Estimate, Measure,
    comparison::{Cell, ComparisonRow, StyleComparison},
};
use crate::explain::schema::ByName;
use serde::Serialize;
use std::fmt;

impl StyleComparison {
    /// Returns the measures in which players `a` and `b` differ by more than noise.
    fn differences(&self, a: usize, b: usize) -> Vec<Measure> {
        let rows = self.rows.iter().filter(|row| row.cells[a].differs_from.contains(&b));
        rows.map(|row| row.measure).collect()
    }

    /// Formats the numbers of differing measures of play and of emotion.
    fn counts(&self, a: usize, b: usize) -> String {
        let (felt, played): (Vec<_>, Vec<_>) =
            self.differences(a, b).into_iter().partition(|measure| measure.is_felt());
        format!("{}-{} {}+{}", letter(a), letter(b), played.len(), felt.len())
    }

    /// Returns the indices of every pair of players.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let players = self.players.len();
        (0..players).flat_map(move |a| (a + 1..players).map(move |b| (a, b)))
    }

    /// Returns the table for JSON: means, and half their 99 % intervals.
    #[must_use]
    pub fn record(&self) -> ComparisonRecord<'_> {
        let player = |(i, (name, games)): (usize, &(String, u64))| {
            let measure = |row: &ComparisonRow| {
                let (estimate, unit) = (row.cells[i].estimate?, row.measure.unit().name());
                Some((row.measure.name(), MeasureRecord { estimate, unit }))
            };
            let measures = self.rows.iter().filter_map(measure).collect();
            PlayerRecord { name: name.clone(), games: *games, measures }
        };
        let difference = |(a, b): (usize, usize)| DifferenceRecord {
            players: [&self.players[a].0, &self.players[b].0],
            measures: self.differences(a, b).into_iter().map(Measure::name).collect(),
        };
        ComparisonRecord {
            confidence: 0.99,
            players: self.players.iter().enumerate().map(player).collect(),
            left_out: self.left_out,
            differences: self.pairs().map(difference).collect(),
        }
    }
}

/// The JSON form of [`StyleComparison`].
#[derive(Clone, Debug, Serialize)]
pub struct ComparisonRecord<'a> {
    confidence: f64,
    players: Vec<PlayerRecord>,
    left_out: usize,
    differences: Vec<DifferenceRecord<'a>>,
}

#[derive(Clone, Debug, Serialize)]
struct PlayerRecord {
    name: String,
    games: u64,
    measures: ByName<MeasureRecord>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct MeasureRecord {
    #[serde(flatten)]
    estimate: Estimate,
    unit: &'static str,
}

/// The measures in which two players differ by more than noise.
#[derive(Clone, Debug, Serialize)]
struct DifferenceRecord<'a> {
    players: [&'a str; 2],
    measures: Vec<&'static str>,
}

/// Returns the short name of a column.
fn letter(column: usize) -> String {
    match u8::try_from(column) {
        Ok(column @ 0..26) => char::from(b'A' + column).to_string(),
        _ => format!("({})", column + 1),
    }
}

fn marks(cell: &Cell) -> String {
    cell.differs_from.iter().map(|&other| letter(other)).collect()
}

fn text(cell: &Cell) -> String {
    let Some(estimate) = cell.estimate else { return format!("{:>7}", "-") };
    let error = estimate.error.map_or("?".into(), |error| format!("{error:.2}"));
    format!("{:>7.2} ± {error:<5} {}", estimate.mean, marks(cell))
}

/// Formats the table with columns as wide as their longest cell.
fn lines(table: &[Vec<String>]) -> Vec<String> {
    let width = |column: usize| {
        table.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let columns = table.first().map_or(0, Vec::len);
    let widths: Vec<_> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    table.iter().map(line).collect()
}

impl fmt::Display for StyleComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Means with 99 % intervals")?;
        if self.players.len() > 1 {
            write!(
                f,
                "; letters name the players from whom a mean differs significantly (99 % level)"
            )?;
        }
        writeln!(f)?;
        let players = self.players.iter().enumerate();
        let heads = players.map(|(i, (name, games))| format!("{} {name} ({games})", letter(i)));
        let mut table: Vec<Vec<_>> =
            vec![["measure".into(), "unit".into()].into_iter().chain(heads).collect()];
        for row in &self.rows {
            let heads = [row.measure.name().to_owned(), row.measure.unit().name().to_owned()];
            table.push(heads.into_iter().chain(row.cells.iter().map(text)).collect());
        }
        for line in lines(&table) {
            write!(f, "\n{line}")?;
        }
        let counts: Vec<_> = self.pairs().map(|(a, b)| self.counts(a, b)).collect();
        if !counts.is_empty() {
            let felt = self.rows.iter().filter(|row| row.measure.is_felt()).count();
            let played = self.rows.len() - felt;
            let counts = counts.join(", ");
            write!(
                f,
                "\n\nSignificant differences ({played} measures of play + {felt} of emotion): {counts}"
            )?;
        }
        match self.left_out {
            0 => Ok(()),
            others => write!(f, "\nplayers not shown: {others} (select players with --player)"),
        }
    }
}
