//! Openings: a book position or the initial position, followed by random moves.

use super::adjudication::is_drawn;
use crate::{
    chess::game::{Game, split_position},
    player::Engine,
    support::{compressed, digest::digest, random::Random},
};
use shakmaty::{EnPassantMode, Position, fen::Epd};
use std::{
    collections::HashSet,
    num::NonZeroU64,
    path::{Path, PathBuf},
};

/// The reason why an opening book cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {reason}", file.display())]
pub struct BookError {
    pub file: PathBuf,
    pub reason: String,
}

/// An opening book: positions from which games start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book(Vec<String>);

impl Book {
    /// Reads the positions of an EPD file, which may be compressed. Duplicates are removed.
    ///
    /// # Errors
    /// If the file cannot be read or has no position, or if a line has no playable position.
    pub fn read(path: &Path) -> Result<Self, BookError> {
        let refuse = |reason: String| BookError { file: path.into(), reason };
        let bytes = compressed::read(path, compressed::LARGEST_DATA)
            .map_err(|e| refuse(format!("cannot be read: {e}")))?;
        let text = String::from_utf8(bytes).map_err(|_| refuse("is not UTF-8 text".into()))?;
        let (mut positions, mut known) = (Vec::new(), HashSet::new());
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let refuse = |reason: &str| refuse(format!("line {}: {reason}", number + 1));
            let (fen, _) = split_position(line).ok_or_else(|| {
                refuse("expected a position with at least four fields, as in EPD")
            })?;
            let game = Game::from_fen(fen, None).map_err(|error| refuse(&error.to_string()))?;
            if game.chess.legal_moves().is_empty() {
                return Err(refuse("no legal move in this position"));
            }
            // at fixed nodes a duplicate would repeat the same game and add no information
            let position = Epd::from_position(&game.chess, EnPassantMode::Legal);
            if known.insert((position, game.chess.halfmoves())) {
                positions.push(fen.to_string());
            }
        }
        if positions.is_empty() {
            return Err(refuse("has no position".into()));
        }
        Ok(Self(positions))
    }

    /// Returns a checksum that identifies the book.
    pub fn digest(&self) -> String {
        digest(self.0.join("\n").as_bytes())
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether the book has no positions. This is never true for a book read from a file.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns position `number`, counted from 0.
    pub fn game(&self, number: usize) -> Option<Game> {
        Game::from_fen(self.0.get(number)?, None).ok()
    }

    fn draw(&self, random: &mut Random) -> Option<Game> {
        self.game(random.below(self.len()))
    }
}

/// The largest absolute score of a balanced opening, in centipawns.
const BALANCED: i32 = 150;
/// Nodes of the search that scores an opening.
const OPENING_NODES: NonZeroU64 = NonZeroU64::new(2000).unwrap();
/// The number of unbalanced openings in a row after which the book is rejected.
const OPENINGS: u32 = 200;
/// The error for a book without balanced openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no balanced opening: {OPENINGS} in a row scored beyond {BALANCED} centipawns or ended the game"
)]
pub struct Unbalanced;

/// Returns an opening of random `plies` that `engine` scores as balanced.
///
/// # Errors
/// If many openings in a row are unbalanced.
pub fn balanced(
    engine: &mut Engine,
    book: Option<&Book>,
    plies: u32,
    random: &mut Random,
) -> Result<Game, Unbalanced> {
    for _ in 0..OPENINGS {
        let opening = draw(book, plies, random);
        let Some(game) = opening.filter(|game| !is_drawn(game)) else { continue };
        engine.new_game();
        let outcome = engine.best_at(&game, OPENING_NODES);
        if outcome.is_some_and(|outcome| outcome.score.centipawns().abs() <= BALANCED) {
            return Ok(game);
        }
    }
    Err(Unbalanced)
}

/// Returns an opening of random `plies`, or `None` if the game ends within it.
fn draw(book: Option<&Book>, plies: u32, random: &mut Random) -> Option<Game> {
    let mut game = book.map_or_else(|| Some(Game::default()), |book| book.draw(random))?;
    for _ in 0..plies {
        let moves = game.chess.legal_moves();
        game.push(*moves.get(random.below(moves.len()))?);
    }
    (!game.chess.legal_moves().is_empty()).then_some(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_follow_the_seed() {
        let opening = |seed| draw(None, 8, &mut Random::new(seed)).map(|game| game.fen());
        assert_eq!(opening(1), opening(1));
        assert_ne!(opening(1), opening(2));
    }

    #[test]
    fn a_finished_game_is_not_an_opening() {
        let stalemate = Book(vec!["k7/2Q5/8/8/8/8/8/4K3 b - - 0 1".into()]);
        assert!(draw(Some(&stalemate), 0, &mut Random::new(1)).is_none());
        assert!(draw(Some(&stalemate), 2, &mut Random::new(1)).is_none());
    }

    #[test]
    fn a_book_drops_duplicates_and_reports_invalid_lines() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("book.epd");
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        std::fs::write(&path, format!("{fen} id \"start\";\n\n{fen} 0 1\n")).unwrap();
        assert_eq!(Book::read(&path).unwrap().len(), 1);
        std::fs::write(&path, format!("{fen}\n4k3/8/8/8/8/8/4P3/4K3 b - -\n{fen}\n")).unwrap();
        assert_eq!(Book::read(&path).unwrap().len(), 2);
        for (text, complaint) in [
            ("\n", "has no position"),
            ("8/8 w - -", "line 1: FEN"),
            ("7k/5Q2/6K1/8/8/8/8/8 b - -", "line 1: no legal move"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = Book::read(&path).unwrap_err().to_string();
            assert!(error.contains(complaint), "{error}");
        }
    }
}
