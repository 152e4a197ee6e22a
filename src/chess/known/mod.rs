//! Positions known from games: how many games that reached them were won, drawn and lost.
//!
//! The blog post "Cómo piensa un programa de ajedrez" (Antonio, 2009) says that programs keep stored
//! games, and may take a position for good if their colour won all of them. The counts and the file
//! are ours.
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

mod file;
mod rule;

pub use file::NoKnownGames;
pub use rule::{KnownRule, MAX_BONUS, surplus};

use crate::support::{noise::wilson, random::mixed};
use shakmaty::{Bitboard, Chess, Color, EnPassantMode, KnownOutcome, Position, zobrist::Zobrist64};
use std::collections::BTreeMap;

/// The results of the games that reached a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResultCounts {
    /// Games won by White.
    pub white: u32,
    /// Drawn games.
    pub draws: u32,
    /// Games won by Black.
    pub black: u32,
}

impl ResultCounts {
    /// Returns the number of games.
    #[must_use]
    pub fn games(self) -> u64 {
        u64::from(self.white) + u64::from(self.draws) + u64::from(self.black)
    }

    /// Returns the games that `side` has won.
    #[must_use]
    pub fn wins(self, side: Color) -> u32 {
        side.fold_wb(self.white, self.black)
    }

    /// Returns the score of `side` from 0 to 1: wins and half of the draws, per game. It is 0.5
    /// without games.
    #[must_use]
    pub fn score(self, side: Color) -> f64 {
        let games = self.games().max(1) as f64;
        let lead = f64::from(self.wins(side)) - f64::from(self.wins(!side));
        0.5 + lead / (2.0 * games)
    }

    /// Returns the Wilson 95 % interval of [`Self::score`]. It is 0 to 1 without games.
    #[must_use]
    pub fn interval(self, side: Color) -> (f64, f64) {
        if self.games() == 0 {
            return (0.0, 1.0);
        }
        wilson(self.score(side), self.games() as f64)
    }

    /// Counts a game with this outcome.
    pub fn add(&mut self, outcome: KnownOutcome) {
        let count = match outcome.winner() {
            Some(Color::White) => &mut self.white,
            Some(Color::Black) => &mut self.black,
            None => &mut self.draws,
        };
        *count = count.saturating_add(1);
    }

    fn merge(&mut self, other: Self) {
        self.white = self.white.saturating_add(other.white);
        self.draws = self.draws.saturating_add(other.draws);
        self.black = self.black.saturating_add(other.black);
    }
}

/// Returns the key of a position. It ignores the move counters, and en passant unless a pawn can be
/// captured. Positions of Chess960 have other keys than in chess if a rook that may castle is not
/// in the corner.
#[must_use]
pub fn position_key(chess: &Chess) -> u64 {
    let key = chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
    // the Zobrist key knows only the side of the castling rook
    let inner = chess.castles().castling_rights() & !Bitboard::CORNERS;
    if inner.is_empty() { key } else { key ^ mixed(inner.0) }
}

/// Positions with the results of their games, as read from a file of `deepfeeling remember`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownGames {
    /// The content of the file.
    bytes: Vec<u8>,
}

impl KnownGames {
    /// Returns the results of the games that reached this position, or `None` if there are none.
    #[must_use]
    pub fn counts(&self, chess: &Chess) -> Option<ResultCounts> {
        self.counts_of(position_key(chess))
    }
}

/// Counts the positions of games.
#[derive(Clone, Debug, Default)]
pub struct KnownGamesBuilder {
    games: u64,
    positions: BTreeMap<u64, ResultCounts>,
}

impl KnownGamesBuilder {
    /// Counts a game that reached the positions with these keys. A position that recurs in the game
    /// counts once.
    pub fn add(&mut self, mut keys: Vec<u64>, outcome: KnownOutcome) {
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            self.positions.entry(key).or_default().add(outcome);
        }
        self.games += 1;
    }

    /// Adds the counts of a file.
    pub fn merge(&mut self, known: &KnownGames) {
        for (key, counts) in known.entries() {
            self.positions.entry(key).or_default().merge(counts);
        }
        self.games = self.games.saturating_add(known.games());
    }

    /// Returns the positions counted so far.
    #[must_use]
    pub fn build(&self) -> KnownGames {
        let entries = self.positions.iter().map(|(key, counts)| (*key, *counts));
        KnownGames::of(self.games, entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;

    fn key(position: &str) -> u64 {
        position_key(&Game::parse(position, None).unwrap().chess)
    }

    #[test]
    fn transpositions_have_equal_keys() {
        let [one, other] = ["d4 Nf6 c4 e6", "c4 e6 d4 Nf6"];
        let after = |moves| key(&format!("startpos moves {moves}"));
        assert_eq!(after(one), after(other));
        assert_ne!(after(one), after("d4 Nf6 c4 g6"));
        // move counters do not matter, the side to move does
        let placement = "r3k2r/8/8/8/8/8/8/R3K2R";
        let with = |rest: &str| key(&format!("{placement} {rest}"));
        assert_eq!(with("w KQkq - 0 1"), with("w KQkq - 30 60"));
        assert_ne!(with("w KQkq - 0 1"), with("b KQkq - 0 1"));
        assert_ne!(with("w KQkq - 0 1"), with("w KQk - 0 1"));
    }

    #[test]
    fn en_passant_counts_only_if_a_pawn_can_be_captured() {
        let idle = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
        assert_eq!(key(&format!("{idle} e3 0 1")), key(&format!("{idle} - 0 1")));
        let able = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq";
        assert_ne!(key(&format!("{able} e3 0 1")), key(&format!("{able} - 0 1")));
        // the capture would leave the king in check
        let pinned = "8/8/8/8/R2pP2k/8/8/4K3 b -";
        assert_eq!(key(&format!("{pinned} e3 0 1")), key(&format!("{pinned} - 0 1")));
    }

    #[test]
    fn chess960_differs_from_chess_only_by_the_castling_rook() {
        let rooks = |rights| key(&format!("4k3/8/8/8/8/8/8/RR2K3 w {rights} - 0 1"));
        assert_ne!(rooks("A"), rooks("B"));
        assert_ne!(rooks("B"), rooks("-"));
        let mode = Some(shakmaty::CastlingMode::Chess960);
        let start = Game::from_fen(&Game::default().fen(), mode).unwrap().chess;
        assert_eq!(position_key(&start), key("startpos"));
    }

    #[test]
    fn the_interval_is_wilsons() {
        // 8 of 10, as published for the binomial: 0.4902 to 0.9433
        let counts = ResultCounts { white: 8, draws: 0, black: 2 };
        let (low, high) = counts.interval(Color::White);
        assert!((low - 0.4902).abs() < 5e-5 && (high - 0.9433).abs() < 5e-5, "{low} {high}");
        let (below, above) = counts.interval(Color::Black);
        assert!((below + high - 1.0).abs() < 1e-12 && (above + low - 1.0).abs() < 1e-12);
        assert_eq!(ResultCounts::default().interval(Color::White), (0.0, 1.0));
        let drawn = ResultCounts { white: 2, draws: 4, black: 2 };
        assert!((drawn.score(Color::Black) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_position_counts_once_per_game() {
        let mut builder = KnownGamesBuilder::default();
        let won = KnownOutcome::Decisive { winner: Color::White };
        builder.add(vec![7, 9, 7, 7], won);
        builder.add(vec![7], KnownOutcome::Draw);
        let known = builder.build();
        assert_eq!((known.games(), known.positions()), (2, 2));
        let counts = known.counts_of(7).unwrap();
        assert_eq!(counts, ResultCounts { white: 1, draws: 1, black: 0 });
        assert_eq!(known.counts_of(8), None);
    }

    #[test]
    fn merging_adds_counts_and_games() {
        let lost = KnownOutcome::Decisive { winner: Color::Black };
        let mut one = KnownGamesBuilder::default();
        one.add(vec![1, 2], lost);
        let mut other = KnownGamesBuilder::default();
        other.add(vec![2, 3], lost);
        let mut both = KnownGamesBuilder::default();
        both.merge(&one.build());
        both.merge(&other.build());
        let known = both.build();
        assert_eq!((known.games(), known.positions()), (2, 3));
        assert_eq!([1, 2, 3].map(|key| known.counts_of(key).unwrap().black), [1, 2, 1]);
        let full = ResultCounts { white: u32::MAX, ..ResultCounts::default() };
        let mut counts = full;
        counts.merge(full);
        assert_eq!(counts, full, "counts stay at the largest number");
    }
}
