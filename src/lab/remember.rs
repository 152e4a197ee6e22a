//! Counts the positions of games with their results, for `deepfeeling remember`.

use crate::{
    chess::known::{KnownGames, KnownGamesBuilder, position_key},
    pgn::PlayedGame,
};
use rayon::prelude::*;
use serde::Serialize;
use shakmaty::{Color, KnownOutcome, Position};

/// Which games and positions are counted.
#[derive(Clone, Copy, Debug)]
pub struct RememberOptions {
    /// Positions after at most this many plies of a game are counted.
    pub plies: usize,
    /// The least rating of both players. Games with an unknown rating are then skipped.
    pub min_rating: Option<u16>,
}

/// The positions counted so far, and the games skipped.
#[derive(Clone, Debug)]
pub struct Remembered {
    options: RememberOptions,
    builder: KnownGamesBuilder,
    /// Games without a result.
    unfinished: u64,
    /// Games with a player of a lower or unknown rating.
    unrated: u64,
}

/// The summary of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RememberedRecord {
    pub games: u64,
    pub positions: usize,
    /// Games skipped because they have no result.
    pub without_result: u64,
    /// Games skipped because a rating is lower than asked for, or unknown.
    pub below_rating: u64,
    /// The size of the file.
    pub bytes: usize,
}

impl Remembered {
    /// Starts with no positions.
    #[must_use]
    pub fn new(options: RememberOptions) -> Self {
        Self { options, builder: KnownGamesBuilder::default(), unfinished: 0, unrated: 0 }
    }

    /// Counts the positions of games.
    pub fn add(&mut self, games: &[PlayedGame]) {
        let plies = self.options.plies;
        let keys: Vec<_> = games.par_iter().map(|game| keys(game, plies)).collect();
        for (game, keys) in games.iter().zip(keys) {
            match self.result(game) {
                Ok(outcome) => self.builder.add(keys, outcome),
                Err(Omission::Unfinished) => self.unfinished += 1,
                Err(Omission::Unrated) => self.unrated += 1,
            }
        }
    }

    /// Adds the counts of a file of known positions.
    pub fn merge(&mut self, known: &KnownGames) {
        self.builder.merge(known);
    }

    /// Returns the file of all positions and the summary.
    #[must_use]
    pub fn file(&self) -> (KnownGames, RememberedRecord) {
        let known = self.builder.build();
        let record = RememberedRecord {
            games: known.games(),
            positions: known.positions(),
            without_result: self.unfinished,
            below_rating: self.unrated,
            bytes: known.bytes().len(),
        };
        (known, record)
    }

    /// Returns the result of a game that counts.
    fn result(&self, game: &PlayedGame) -> Result<KnownOutcome, Omission> {
        if let Some(least) = self.options.min_rating {
            let rated = |color| game.tags.elos.get(color).is_some_and(|elo| elo >= least);
            if !Color::ALL.into_iter().all(rated) {
                return Err(Omission::Unrated);
            }
        }
        game.tags.result.ok_or(Omission::Unfinished)
    }
}

/// Why a game is skipped.
enum Omission {
    Unfinished,
    Unrated,
}

/// Returns the keys of the first positions of a game, up to the one after `plies` moves.
fn keys(game: &PlayedGame, plies: usize) -> Vec<u64> {
    let mut chess = game.start.chess.clone();
    let mut keys = vec![position_key(&chess)];
    for played in game.moves.iter().take(plies) {
        chess.play_unchecked(played.m);
        keys.push(position_key(&chess));
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{game::Game, known::ResultCounts},
        pgn::Games,
    };
    use std::io::Cursor;

    fn remembered(plies: usize, min_rating: Option<u16>, pgn: &str) -> Remembered {
        let mut remembered = Remembered::new(RememberOptions { plies, min_rating });
        let games = Games::of(Box::new(Cursor::new(pgn.as_bytes().to_vec())));
        remembered.add(&games.map(Result::unwrap).collect::<Vec<_>>());
        remembered
    }

    fn counts(known: &KnownGames, moves: &str) -> Option<ResultCounts> {
        known.counts(&Game::parse(&format!("startpos moves {moves}"), None).unwrap().chess)
    }

    #[test]
    fn positions_are_counted_up_to_the_ply_and_once_per_game() {
        let pgn = "1. Nf3 Nf6 2. Ng1 Ng8 3. d4 1-0\n\n1. d4 d5 0-1\n\n1. d4 1/2-1/2\n\n1. e4 *\n";
        let (known, record) = remembered(40, None, pgn).file();
        assert_eq!((record.games, record.without_result), (3, 1));
        let all = ResultCounts { white: 1, draws: 1, black: 1 };
        assert_eq!(counts(&known, ""), Some(all), "the start recurs in the first game");
        assert_eq!(counts(&known, "d4"), Some(all));
        assert_eq!(counts(&known, "e4"), None, "without a result");
        let (known, record) = remembered(1, None, pgn).file();
        assert_eq!(record.positions, 3);
        assert_eq!(counts(&known, "d4 d5"), None);
    }

    #[test]
    fn both_players_need_the_rating() {
        let game = |white: &str, black: &str| {
            format!("[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n\n1. e4 1-0\n\n")
        };
        let pgn = game("2100", "2200") + &game("2100", "1999") + &game("2100", "?");
        let (_, record) = remembered(9, Some(2000), &pgn).file();
        assert_eq!((record.games, record.below_rating), (1, 2));
        assert_eq!(remembered(9, None, &pgn).file().1.games, 3);
    }

    #[test]
    fn files_and_games_add_up() {
        let pgn = "1. e4 e5 1-0\n\n1. e4 c5 0-1\n";
        let (known, _) = remembered(9, None, pgn).file();
        let mut both = remembered(9, None, pgn);
        both.merge(&known);
        let (known, record) = both.file();
        assert_eq!((record.games, record.positions), (4, 4));
        assert_eq!(counts(&known, "e4"), Some(ResultCounts { white: 2, draws: 0, black: 2 }));
    }
}
