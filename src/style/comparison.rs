//! The players of many games side by side.

use super::{
    Measure, Style,
    sample::{Estimate, Meetings, Sample},
};
use crate::games::PlayedGame;
use shakmaty::ByColor;
use std::{cmp::Reverse, collections::BTreeMap};

/// Columns that are shown if nobody is named.
const COLUMNS: usize = 8;

/// All that was measured, by the names in the games' tags.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Players {
    samples: BTreeMap<String, Sample>,
    /// By two names, the lesser first.
    meetings: BTreeMap<(String, String), Meetings>,
}

/// Some players beside one another.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Names and games.
    pub players: Vec<(String, u64)>,
    /// Players who are not shown.
    pub left_out: usize,
    /// Measures of which there is anything to say.
    pub rows: Vec<Row>,
}

/// A measure of each player.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub measure: Measure,
    pub cells: Vec<Cell>,
}

/// A measure of one player.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    pub estimate: Option<Estimate>,
    /// Players, by their place, from whom this one differs by more than noise.
    pub differs_from: Vec<usize>,
}

/// A name that is in no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no game of `{name}` was found (players: {known})")]
pub struct UnknownPlayer {
    pub name: String,
    known: String,
}

impl Players {
    /// Adds a game, of which `styles` was measured. Who plays both sides has one game of both; who has
    /// no name is left out.
    pub fn add(&mut self, game: &PlayedGame, styles: &ByColor<Style>) {
        let ByColor { white, black } = &game.tags.players;
        if white == black {
            return self.add_one(white, &styles.white.with(&styles.black));
        }
        self.add_one(white, &styles.white);
        self.add_one(black, &styles.black);
        if is_name(white) && is_name(black) {
            let both = [(white, &styles.white), (black, &styles.black)];
            let [first, second] = if white < black { both } else { [both[1], both[0]] };
            let names = (first.0.clone(), second.0.clone());
            self.meetings.entry(names).or_default().add(first.1, second.1);
        }
    }

    fn add_one(&mut self, name: &str, style: &Style) {
        if is_name(name) {
            self.samples.entry(name.to_owned()).or_default().add(style);
        }
    }

    /// Whether no game had a player with a name.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// The players of these names, or those with most games if no name is given.
    ///
    /// # Errors
    /// If there is no game of one of them.
    pub fn compare(&self, names: &[String]) -> Result<Comparison, UnknownPlayer> {
        let mut columns: Vec<(&str, &Sample)> = Vec::new();
        for name in names {
            let Some((name, sample)) = self.samples.get_key_value(name) else {
                return Err(self.unknown(name));
            };
            if columns.iter().all(|(other, _)| other != name) {
                columns.push((name, sample));
            }
        }
        if names.is_empty() {
            columns = self.by_games();
            columns.truncate(COLUMNS);
        }
        let rows = Measure::ALL.into_iter().map(|measure| self.row(&columns, measure));
        Ok(Comparison {
            players: columns
                .iter()
                .map(|(name, sample)| ((*name).to_owned(), sample.games))
                .collect(),
            left_out: self.samples.len() - columns.len(),
            rows: rows.filter(|row| row.cells.iter().any(|cell| cell.estimate.is_some())).collect(),
        })
    }

    fn by_games(&self) -> Vec<(&str, &Sample)> {
        let mut all: Vec<_> = self.samples.iter().map(|(name, s)| (name.as_str(), s)).collect();
        all.sort_by_key(|(_, sample)| Reverse(sample.games));
        all
    }

    fn unknown(&self, name: &str) -> UnknownPlayer {
        let all = self.by_games();
        let mut known: Vec<_> = all.iter().take(COLUMNS).map(|(name, _)| *name).collect();
        if all.len() > COLUMNS {
            known.push("…");
        }
        UnknownPlayer { name: name.to_owned(), known: known.join(", ") }
    }

    fn row(&self, columns: &[(&str, &Sample)], measure: Measure) -> Row {
        let differ = |a: (&str, &Sample), b: (&str, &Sample)| {
            let [first, second] = if a.0 < b.0 { [a, b] } else { [b, a] };
            let met = self.meetings.get(&(first.0.to_owned(), second.0.to_owned()));
            first.0 != second.0 && first.1.differs(second.1, met, measure)
        };
        let cell = |&(name, sample): &(&str, &Sample)| Cell {
            estimate: sample.estimate(measure),
            differs_from: (0..columns.len())
                .filter(|&other| differ((name, sample), columns[other]))
                .collect(),
        };
        Row { measure, cells: columns.iter().map(cell).collect() }
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name != "?"
}
