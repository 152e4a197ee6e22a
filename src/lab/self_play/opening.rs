//! Where games begin: a position of a book or the initial one, and some random moves from there.

use super::verdict::is_drawn;
use crate::{
    chess::game::{Game, split_position},
    player::Engine,
    search::{
        Signals,
        root::{limits::Limits, report::Silent},
    },
    support::{compressed, digest::digest, random::Random},
};
use shakmaty::{EnPassantMode, Position, fen::Epd};
use std::{
    collections::HashSet,
    num::NonZeroU64,
    path::{Path, PathBuf},
};

/// Why a book cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {reason}", file.display())]
pub struct BookError {
    pub file: PathBuf,
    pub reason: String,
}

/// Positions that games can begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book(Vec<String>);

impl Book {
    /// The positions of an EPD file, packed or not, each once.
    ///
    /// # Errors
    /// If it cannot be read, has no position, or has a line that is none to play from.
    pub fn read(path: &Path) -> Result<Self, BookError> {
        let refuse = |reason: String| BookError { file: path.into(), reason };
        let bytes = compressed::read(path, compressed::LARGEST_DATA)
            .map_err(|e| refuse(format!("cannot be read: {e}")))?;
        let text = String::from_utf8(bytes).map_err(|_| refuse("is not UTF-8 text".into()))?;
        let (mut positions, mut known) = (Vec::new(), HashSet::new());
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let refuse = |reason: &str| refuse(format!("line {}: {reason}", number + 1));
            let (fen, _) = split_position(line)
                .ok_or_else(|| refuse("no position of at least four fields, as in EPD"))?;
            let game = Game::from_fen(fen, None).map_err(|error| refuse(&error.to_string()))?;
            if game.chess.legal_moves().is_empty() {
                return Err(refuse("no legal move is left"));
            }
            // played again at fixed nodes it would be the same game, and no evidence of its own
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

    /// Tells it from other books.
    pub fn digest(&self) -> String {
        digest(self.0.join("\n").as_bytes())
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none; never so for a book that was read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The position of this number, from 0.
    pub fn game(&self, number: usize) -> Option<Game> {
        Game::from_fen(self.0.get(number)?, None).ok()
    }

    fn draw(&self, random: &mut Random) -> Option<Game> {
        self.game(random.below(self.len()))
    }
}

/// Openings beyond this many centipawns are not balanced.
const BALANCED: i32 = 150;
/// Nodes of the search that looks at an opening.
const OPENING_NODES: NonZeroU64 = NonZeroU64::new(2000).unwrap();
/// After so many openings in a row that will not do, something is wrong with the book.
const OPENINGS: u32 = 200;
/// No opening of a book will do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no balanced opening: {OPENINGS} in a row were beyond {BALANCED} centipawns or ended at once"
)]
pub struct Unbalanced;

/// An opening of so many random `plies` in which `engine` sees neither side far ahead.
///
/// # Errors
/// If very many in a row are none.
pub fn balanced(
    engine: &mut Engine,
    book: Option<&Book>,
    plies: u32,
    random: &mut Random,
) -> Result<Game, Unbalanced> {
    let limits = Limits { nodes: Some(OPENING_NODES), ..Limits::default() };
    for _ in 0..OPENINGS {
        let opening = draw(book, plies, random);
        let Some(game) = opening.filter(|game| !is_drawn(game)) else { continue };
        engine.new_game();
        let outcome = engine.go(&game, &limits, &Signals::default(), &mut Silent);
        if outcome.is_some_and(|outcome| outcome.score.centipawns().abs() <= BALANCED) {
            return Ok(game);
        }
    }
    Err(Unbalanced)
}

/// An opening of so many random `plies`; none if the game is over with them.
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
    fn a_game_that_is_over_is_no_opening() {
        let stalemate = Book(vec!["k7/2Q5/8/8/8/8/8/4K3 b - - 0 1".into()]);
        assert!(draw(Some(&stalemate), 0, &mut Random::new(1)).is_none());
        assert!(draw(Some(&stalemate), 2, &mut Random::new(1)).is_none());
    }

    #[test]
    fn a_book_has_each_position_once_and_a_wrong_line_is_told() {
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
