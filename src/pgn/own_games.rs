//! Collects the games of one player from many games.

use super::PlayedGame;
use crate::support::spelling::all_nearest;
use shakmaty::{ByColor, Color};
use std::{cmp::Reverse, collections::BTreeMap};

/// The number of other players that an error names.
const NAMED: usize = 5;

/// A game of the player.
#[derive(Clone, Debug)]
pub struct OwnGame {
    /// The game. The opponent has no rating here, so that only the player's moves are
    /// [chosen](PlayedGame::chosen).
    pub played: PlayedGame,
    /// The side of the player.
    pub side: Color,
}

/// The games of one player, found by name without regard to case.
#[derive(Clone, Debug)]
pub struct OwnGames {
    /// The games that were found.
    pub games: Vec<OwnGame>,
    /// The number of games that were skipped because the player has no rating there.
    pub unrated: usize,
    name: String,
    rating: Option<u16>,
    /// The number of games of every player.
    counts: BTreeMap<String, usize>,
}

/// The player has no game that can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoOwnGames {
    /// The name does not occur.
    #[error("--player: found no games of `{name}`; {known}")]
    Unknown { name: String, known: String },
    /// The player has no rating in any game.
    #[error(
        "--player: none of the {games} games of `{name}` has the player's rating (WhiteElo, BlackElo): give --rating"
    )]
    Unrated { name: String, games: usize },
}

impl OwnGames {
    /// Creates an empty collection for the player `name`. `rating` replaces the ratings of the games.
    #[must_use]
    pub fn new(name: &str, rating: Option<u16>) -> Self {
        let (name, counts) = (name.to_owned(), BTreeMap::new());
        Self { games: Vec::new(), unrated: 0, name, rating, counts }
    }

    /// Adds the player's games among `games`.
    pub fn add(&mut self, games: &[PlayedGame]) {
        for game in games {
            for side in Color::ALL {
                let player = game.tags.players.get(side);
                *self.counts.entry(player.clone()).or_default() += 1;
                if player.to_lowercase() == self.name.to_lowercase() {
                    self.add_one(game, side);
                }
            }
        }
    }

    fn add_one(&mut self, game: &PlayedGame, side: Color) {
        let Some(rating) = self.rating.or(*game.tags.elos.get(side)) else {
            self.unrated += 1;
            return;
        };
        let mut played = game.clone();
        played.tags.elos = ByColor::default();
        *played.tags.elos.get_mut(side) = Some(rating);
        self.games.push(OwnGame { played, side });
    }

    /// Returns the collection with its games in order of their dates, or as read if a date is unknown.
    ///
    /// # Errors
    /// If there is no game, or none with a rating.
    pub fn found(mut self) -> Result<Self, NoOwnGames> {
        let name = self.name.clone();
        if self.games.is_empty() && self.unrated > 0 {
            return Err(NoOwnGames::Unrated { name, games: self.unrated });
        }
        if self.games.is_empty() {
            return Err(NoOwnGames::Unknown { name, known: self.known() });
        }
        let is_known = |game: &OwnGame| is_date(&game.played.tags.date);
        if self.games.iter().all(is_known) {
            self.games.sort_by(|a, b| a.played.tags.date.cmp(&b.played.tags.date));
        }
        Ok(self)
    }

    /// Lists the players with the nearest names, or else those with the most games.
    fn known(&self) -> String {
        let names = || self.counts.keys().map(String::as_str);
        let near = all_nearest(&self.name, names());
        let (lead, mut shown, end) = if near.is_empty() {
            ("the players with the most games are", names().collect(), "")
        } else {
            ("did you mean", near, "?")
        };
        shown.sort_by_key(|name| Reverse(self.counts.get(*name)));
        let one = |name: &&str| {
            let count = self.counts.get(*name).copied().unwrap_or_default();
            format!("`{name}` ({count} {})", if count == 1 { "game" } else { "games" })
        };
        let shown: Vec<_> = shown.iter().take(NAMED).map(one).collect();
        format!("{lead} {}{end}", shown.join(", "))
    }
}

/// Returns whether the date is complete: `YYYY.MM.DD`.
fn is_date(date: &str) -> bool {
    date.len() == 10 && date.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Games;
    use std::io::Cursor;

    fn own(name: &str, rating: Option<u16>, text: &str) -> Result<OwnGames, NoOwnGames> {
        let games = Games::of(Box::new(Cursor::new(text.to_owned()))).map(Result::unwrap);
        let mut own = OwnGames::new(name, rating);
        own.add(&games.collect::<Vec<_>>());
        own.found()
    }

    const TEXT: &str = "[White \"Ann\"]\n[Black \"bob\"]\n[Date \"2020.02.01\"]\n[WhiteElo \"1500\"]\n\
        [BlackElo \"1600\"]\n\n1. e4 *\n\n[White \"Bob\"]\n[Black \"ann\"]\n[Date \"2020.01.31\"]\n\
        [BlackElo \"1510\"]\n\n1. d4 *\n";

    #[test]
    fn games_are_found_in_any_case_and_sorted_by_date() {
        let own_games = own("ANN", None, TEXT).unwrap();
        let found = own_games.games.iter().map(|game| (game.played.number, game.side));
        assert_eq!(found.collect::<Vec<_>>(), [(2, Color::Black), (1, Color::White)]);
        let elos = own_games.games[0].played.tags.elos;
        assert_eq!((elos.white, elos.black), (None, Some(1510)));
    }

    #[test]
    fn a_given_rating_replaces_those_of_the_games() {
        let bob = own("bob", None, TEXT).unwrap();
        assert_eq!((bob.games.len(), bob.unrated), (1, 1));
        let bob = own("bob", Some(1200), TEXT).unwrap();
        let ratings = bob.games.iter().map(|game| *game.played.tags.elos.get(game.side));
        assert_eq!(ratings.collect::<Vec<_>>(), [Some(1200), Some(1200)]);
    }

    #[test]
    fn unknown_and_unrated_players_are_refused() {
        let message = |name: &str, text: &str| own(name, None, text).unwrap_err().to_string();
        assert_eq!(
            message("Anm", TEXT),
            "--player: found no games of `Anm`; did you mean `Ann` (1 game), `ann` (1 game)?"
        );
        assert!(message("Kasparov", TEXT).contains("most games are `Ann` (1 game), `Bob`"));
        assert!(message("x", "[White \"x\"]\n\n1. e4 *\n").contains("give --rating"));
    }
}
