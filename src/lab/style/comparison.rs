//! Compares the style of the players of many games.

use super::{
    Measure, Style,
    sample::{Estimate, PlayerMoments, SharedUnits},
};
use crate::pgn::PlayedGame;
use shakmaty::{ByColor, Chess};
use std::{cmp::Reverse, collections::BTreeMap};

/// The number of players shown if none is named.
const COLUMNS: usize = 8;

/// The measurements of all players, by the names in the PGN tags.
///
/// All games from one opening position other than the initial one form a single statistical unit.
/// An opening that leads to many captures does so for either colour and for any player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Players {
    /// The number of games per player.
    games: BTreeMap<String, u64>,
    /// The games from the initial position, by player. Each game is a unit.
    samples: BTreeMap<String, PlayerMoments>,
    /// The games between two players from the initial position. The alphabetically lesser name
    /// comes first.
    meetings: BTreeMap<(String, String), SharedUnits>,
    /// The other games, by the FEN of the opening position.
    openings: BTreeMap<String, StylesByPlayer>,
}

/// The style of each player in one game, or in all games from one opening.
type StylesByPlayer = BTreeMap<String, Style>;

/// The comparison of the selected players.
#[derive(Clone, Debug, PartialEq)]
pub struct StyleComparison {
    /// The name and the number of games of each player.
    pub players: Vec<(String, u64)>,
    /// The number of players not shown.
    pub left_out: usize,
    /// The measures with data for at least one player.
    pub rows: Vec<ComparisonRow>,
}

/// One measure for each player.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparisonRow {
    pub measure: Measure,
    pub cells: Vec<Cell>,
}

/// One measure of one player.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    pub estimate: Option<Estimate>,
    /// Indices of the players from whom this one differs by more than noise.
    pub differs_from: Vec<usize>,
}

/// A name that does not occur in any game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found no games of `{name}` (players: {known})")]
pub struct UnknownPlayer {
    pub name: String,
    known: String,
}

impl UnknownPlayer {
    /// Returns the error for a name that is not among `players`. It lists the first of them.
    pub(super) fn among<'a>(name: &str, players: impl IntoIterator<Item = &'a str>) -> Self {
        let mut known: Vec<_> = players.into_iter().take(COLUMNS + 1).collect();
        if known.len() > COLUMNS {
            known[COLUMNS] = "…";
        }
        Self { name: name.to_owned(), known: known.join(", ") }
    }
}

impl Players {
    /// Adds a game with its measured `styles`.
    ///
    /// A player with both colours counts as one player of one game. Players without a name are
    /// skipped.
    pub fn add(&mut self, game: &PlayedGame, styles: &ByColor<Style>) {
        let ByColor { white, black } = &game.tags.players;
        let mut played = StylesByPlayer::new();
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

    fn add_unit(&mut self, played: &StylesByPlayer) {
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

    /// Returns all units of one player.
    fn sample(&self, name: &str) -> PlayerMoments {
        let mut sample = self.samples.get(name).cloned().unwrap_or_default();
        for style in self.openings.values().filter_map(|opening| opening.get(name)) {
            sample.add(style);
        }
        sample
    }

    /// Returns the units that two players share: games against each other, and openings.
    fn in_common(&self, a: &str, b: &str) -> SharedUnits {
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

    /// Returns whether no game had a named player.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Compares the players in `names`, or those with the most games if `names` is empty.
    ///
    /// # Errors
    /// If a name does not occur in any game.
    pub fn compare(&self, names: &[String]) -> Result<StyleComparison, UnknownPlayer> {
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
        let pairs: Vec<Vec<SharedUnits>> =
            chosen.iter().map(|a| chosen.iter().map(|b| self.in_common(a, b)).collect()).collect();
        let rows = Measure::ALL.into_iter().map(|measure| row(&columns, &pairs, measure));
        Ok(StyleComparison {
            players: chosen.iter().map(|name| ((*name).to_owned(), self.games[*name])).collect(),
            left_out: self.games.len() - chosen.len(),
            rows: rows.filter(|row| row.cells.iter().any(|cell| cell.estimate.is_some())).collect(),
        })
    }

    /// Returns all names, those with the most games first.
    fn by_games(&self) -> Vec<&str> {
        let mut all: Vec<_> = self.games.iter().collect();
        all.sort_by_key(|(_, games)| Reverse(**games));
        all.into_iter().map(|(name, _)| name.as_str()).collect()
    }

    fn unknown(&self, name: &str) -> UnknownPlayer {
        UnknownPlayer::among(name, self.by_games())
    }
}

/// Returns one measure for each column. `pairs` holds the units that each two columns share.
fn row(
    columns: &[(&str, PlayerMoments)],
    pairs: &[Vec<SharedUnits>],
    measure: Measure,
) -> ComparisonRow {
    let differ = |a: usize, b: usize| {
        // the shared units are stored with the lesser name first
        let [first, last] = if columns[a].0 < columns[b].0 { [a, b] } else { [b, a] };
        first != last && columns[first].1.differs(&columns[last].1, &pairs[first][last], measure)
    };
    let cell = |(a, (_, sample)): (usize, &(&str, PlayerMoments))| Cell {
        estimate: sample.estimate(measure),
        differs_from: (0..columns.len()).filter(|&b| differ(a, b)).collect(),
    };
    ComparisonRow { measure, cells: columns.iter().enumerate().map(cell).collect() }
}

fn add_to(unit: &mut StylesByPlayer, name: &str, style: &Style) {
    let so_far = unit.entry(name.to_owned()).or_default();
    *so_far = so_far.with(style);
}

/// Whether a tag names its player.
#[must_use]
pub fn is_name(name: &str) -> bool {
    !name.is_empty() && name != "?"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Games;

    /// Builds games of two moves per side from opening, White, Black, and whether White captures.
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
    fn games_from_one_opening_are_one_unit() {
        let estimate = |games: &[(usize, &str, &str, bool)]| {
            let table = players(games).compare(&["A".into()]).unwrap();
            assert_eq!(table.players, [("A".to_owned(), games.len() as u64)]);
            let row = table.rows.iter().find(|row| row.measure == Measure::Capture).unwrap();
            row.cells[0].estimate.unwrap()
        };
        // six openings, each played twice alike; half of them have one capture in two moves
        let once: Vec<_> = (0..6).map(|opening| (opening, "A", "B", opening % 2 == 0)).collect();
        let twice = [&once[..], &once[..]].concat();
        let [once, twice] = [estimate(&once), estimate(&twice)];
        assert!((once.mean - 25.0).abs() < 1e-9 && (twice.mean - 25.0).abs() < 1e-9);
        assert!((once.error.unwrap() - twice.error.unwrap()).abs() < 1e-9, "{once:?} {twice:?}");
        // Student's t with five degrees of freedom times sqrt((6 · 0.5²) / 5 / 6), per two moves
        let by_hand = 4.03 * (0.25_f64 / 5.0).sqrt() / 2.0 * 100.0;
        assert!((once.error.unwrap() - by_hand).abs() < 0.2, "{once:?}");
    }

    #[test]
    fn players_share_the_openings_that_both_played() {
        // B and C never meet; the opening determines whether White captures
        let game = |of: &'static str| move |opening: usize| (opening, of, "A", opening < 3);
        let both: Vec<_> = (0..7).map(game("B")).chain((0..7).map(game("C"))).collect();
        let common = players(&both).in_common("B", "C");
        assert_eq!(common, players(&both).in_common("C", "B"));
        assert_ne!(common, SharedUnits::default());
        let apart: Vec<_> = (0..3).map(game("B")).chain((3..7).map(game("C"))).collect();
        assert_eq!(players(&apart).in_common("B", "C"), SharedUnits::default());
        assert_ne!(players(&apart).in_common("B", "A"), SharedUnits::default());
    }
}
