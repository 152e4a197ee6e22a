//! The players of many games side by side.

use super::{
    Measure, Style,
    sample::{Estimate, Meetings, Sample},
};
use crate::pgn::PlayedGame;
use shakmaty::{ByColor, Chess};
use std::{cmp::Reverse, collections::BTreeMap};

/// Columns that are shown if nobody is named.
const COLUMNS: usize = 8;

/// All that was measured, by the names in the games' tags.
///
/// Games that began with the same position, other than the usual one, are one piece of evidence: an
/// opening that leads to many captures does so with either colour, and whoever plays it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Players {
    /// Games of each.
    games: BTreeMap<String, u64>,
    /// Of games that began as usual: each stands for itself.
    samples: BTreeMap<String, Sample>,
    /// By two names, the lesser first.
    meetings: BTreeMap<(String, String), Meetings>,
    /// The other games, by the FEN they began with and by player.
    openings: BTreeMap<String, Unit>,
}

/// What players did in a game, or in all games from one opening.
type Unit = BTreeMap<String, Style>;

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
        let mut played = Unit::new();
        for (name, style) in [(white, &styles.white), (black, &styles.black)] {
            if is_name(name) {
                add_to(&mut played, name, style);
            }
        }
        for name in played.keys() {
            *self.games.entry(name.clone()).or_default() += 1;
        }
        if played.is_empty() {
            return;
        }
        if game.start.chess == Chess::default() {
            return self.add_unit(&played);
        }
        let opening = self.openings.entry(game.start.fen()).or_default();
        for (name, style) in &played {
            add_to(opening, name, style);
        }
    }

    fn add_unit(&mut self, played: &Unit) {
        for (name, style) in played {
            self.samples.entry(name.clone()).or_default().add(style);
        }
        if let (Some((first, ours)), Some((last, theirs)), 2) =
            (played.first_key_value(), played.last_key_value(), played.len())
        {
            let names = (first.clone(), last.clone());
            self.meetings.entry(names).or_default().add(ours, theirs);
        }
    }

    /// Everything of one player.
    fn sample(&self, name: &str) -> Sample {
        let mut sample = self.samples.get(name).cloned().unwrap_or_default();
        for style in self.openings.values().filter_map(|opening| opening.get(name)) {
            sample.add(style);
        }
        sample
    }

    /// What two players have in common: games with one another, and openings.
    fn in_common(&self, a: &str, b: &str) -> Meetings {
        let [first, last] = if a < b { [a, b] } else { [b, a] };
        let names = (first.to_owned(), last.to_owned());
        let mut met = self.meetings.get(&names).cloned().unwrap_or_default();
        for opening in self.openings.values() {
            if let (Some(ours), Some(theirs)) = (opening.get(first), opening.get(last)) {
                met.add(ours, theirs);
            }
        }
        met
    }

    /// Whether no game had a player with a name.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The players of these names, or those with most games if no name is given.
    ///
    /// # Errors
    /// If there is no game of one of them.
    pub fn compare(&self, names: &[String]) -> Result<Comparison, UnknownPlayer> {
        let mut chosen: Vec<&str> = Vec::new();
        for name in names {
            let Some((name, _)) = self.games.get_key_value(name) else {
                return Err(self.unknown(name));
            };
            if !chosen.contains(&name.as_str()) {
                chosen.push(name);
            }
        }
        if names.is_empty() {
            chosen = self.by_games();
            chosen.truncate(COLUMNS);
        }
        let columns: Vec<_> = chosen.iter().map(|name| (*name, self.sample(name))).collect();
        let pairs: Vec<Vec<Meetings>> =
            chosen.iter().map(|a| chosen.iter().map(|b| self.in_common(a, b)).collect()).collect();
        let rows = Measure::ALL.into_iter().map(|measure| row(&columns, &pairs, measure));
        Ok(Comparison {
            players: chosen.iter().map(|name| ((*name).to_owned(), self.games[*name])).collect(),
            left_out: self.games.len() - chosen.len(),
            rows: rows.filter(|row| row.cells.iter().any(|cell| cell.estimate.is_some())).collect(),
        })
    }

    /// The names, those with most games first.
    fn by_games(&self) -> Vec<&str> {
        let mut all: Vec<_> = self.games.iter().collect();
        all.sort_by_key(|(_, games)| Reverse(**games));
        all.into_iter().map(|(name, _)| name.as_str()).collect()
    }

    fn unknown(&self, name: &str) -> UnknownPlayer {
        let all = self.by_games();
        let mut known: Vec<_> = all.iter().take(COLUMNS).copied().collect();
        if all.len() > COLUMNS {
            known.push("…");
        }
        UnknownPlayer { name: name.to_owned(), known: known.join(", ") }
    }
}

/// A measure of each column; `pairs` tells what each two of them have in common.
fn row(columns: &[(&str, Sample)], pairs: &[Vec<Meetings>], measure: Measure) -> Row {
    let differ = |a: usize, b: usize| {
        // in the order in which they met
        let [first, last] = if columns[a].0 < columns[b].0 { [a, b] } else { [b, a] };
        first != last && columns[first].1.differs(&columns[last].1, &pairs[first][last], measure)
    };
    let cell = |(a, (_, sample)): (usize, &(&str, Sample))| Cell {
        estimate: sample.estimate(measure),
        differs_from: (0..columns.len()).filter(|&b| differ(a, b)).collect(),
    };
    Row { measure, cells: columns.iter().enumerate().map(cell).collect() }
}

fn add_to(unit: &mut Unit, name: &str, style: &Style) {
    let so_far = unit.entry(name.to_owned()).or_default();
    *so_far = so_far.with(style);
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name != "?"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Games;

    /// Games of two moves for each side: opening, who plays White and Black, and whether White takes.
    fn players(games: &[(usize, &str, &str, bool)]) -> Players {
        let mut players = Players::default();
        for (opening, white, black, takes) in games {
            let file = char::from(b'a' + *opening as u8);
            let pawns = format!("{}P{}", opening, 7 - opening).replace('0', "");
            let m = if *takes { "Kxf2" } else { "Kd1" };
            let text = format!(
                "[White \"{white}\"]\n[Black \"{black}\"]\n\
                 [FEN \"6k1/8/8/8/8/{pawns}/5p2/4K3 w - - 0 1\"]\n\n1. {m} Kh8 2. {file}4 Kg8 *"
            );
            let mut read = Games::of(Box::new(std::io::Cursor::new(text)));
            let game = read.next().unwrap().unwrap();
            players.add(&game, &ByColor::new_with(|side| Style::of(&game, side)));
        }
        players
    }

    #[test]
    fn games_from_one_opening_are_one_piece_of_evidence() {
        let estimate = |games: &[(usize, &str, &str, bool)]| {
            let table = players(games).compare(&["A".into()]).unwrap();
            assert_eq!(table.players, [("A".to_owned(), games.len() as u64)]);
            let row = table.rows.iter().find(|row| row.measure == Measure::Capture).unwrap();
            row.cells[0].estimate.unwrap()
        };
        // in each of six openings twice alike: in half of them a capture in two moves
        let once: Vec<_> = (0..6).map(|opening| (opening, "A", "B", opening % 2 == 0)).collect();
        let twice = [&once[..], &once[..]].concat();
        let [once, twice] = [estimate(&once), estimate(&twice)];
        assert!((once.mean - 25.0).abs() < 1e-9 && (twice.mean - 25.0).abs() < 1e-9);
        assert!((once.error.unwrap() - twice.error.unwrap()).abs() < 1e-9, "{once:?} {twice:?}");
        // t of five degrees of freedom, times the square root of (6 · 0.5²) / 5 / 6, of two moves
        let by_hand = 4.03 * (0.25_f64 / 5.0).sqrt() / 2.0 * 100.0;
        assert!((once.error.unwrap() - by_hand).abs() < 0.2, "{once:?}");
    }

    #[test]
    fn who_played_the_same_openings_is_compared_in_these() {
        // B and C never meet; whether White takes goes with the opening
        let game = |of: &'static str| move |opening: usize| (opening, of, "A", opening < 3);
        let both: Vec<_> = (0..7).map(game("B")).chain((0..7).map(game("C"))).collect();
        let common = players(&both).in_common("B", "C");
        assert_eq!(common, players(&both).in_common("C", "B"));
        assert_ne!(common, Meetings::default());
        let apart: Vec<_> = (0..3).map(game("B")).chain((3..7).map(game("C"))).collect();
        assert_eq!(players(&apart).in_common("B", "C"), Meetings::default());
        assert_ne!(players(&apart).in_common("B", "A"), Meetings::default());
    }
}
