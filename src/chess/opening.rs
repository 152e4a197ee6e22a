//! Names of openings by position, from lichess's `chess-openings` (CC0 1.0, public domain).
//!
//! Positions are compared without move counters, so a transposition gets the same name.
//! <https://github.com/lichess-org/chess-openings>

use crate::support::compressed;
use shakmaty::{Chess, EnPassantMode, Position, uci::UciMove, zobrist::Zobrist64};
use std::{collections::HashMap, io::Read, sync::LazyLock};

/// The table, compressed with zstd. A line has the ECO code, the name and the moves in UCI notation,
/// separated by tabs. The first line is a comment with source and licence.
const TABLE: &[u8] = include_bytes!("openings.tsv.zst");

/// The openings by the position that they lead to.
static OPENINGS: LazyLock<HashMap<Zobrist64, Opening>> = LazyLock::new(|| {
    let mut text = String::new();
    let table = compressed::unpack(TABLE);
    match table.and_then(|mut table| table.read_to_string(&mut text)) {
        Ok(_) => text.lines().filter_map(entry).collect(),
        Err(_) => HashMap::new(),
    }
});

/// A named opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The code of the Encyclopaedia of Chess Openings, from `A00` to `E99`.
    pub eco: String,
    /// The name, for example `Sicilian Defense: Najdorf Variation`.
    pub name: String,
}

impl Opening {
    /// Returns the opening whose last move leads to this position.
    #[must_use]
    pub fn of(chess: &Chess) -> Option<&'static Self> {
        OPENINGS.get(&key(chess))
    }
}

fn key(chess: &Chess) -> Zobrist64 {
    chess.zobrist_hash(EnPassantMode::Legal)
}

/// Parses a line of the table. Returns `None` for a comment.
fn entry(line: &str) -> Option<(Zobrist64, Opening)> {
    let mut fields = line.split('\t');
    let (eco, name, moves) = (fields.next()?, fields.next()?, fields.next()?);
    let mut chess = Chess::default();
    for text in moves.split(' ') {
        let m = text.parse::<UciMove>().ok()?.to_move(&chess).ok()?;
        chess.play_unchecked(m);
    }
    Some((key(&chess), Opening { eco: eco.into(), name: name.into() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;

    fn name(moves: &str) -> Option<String> {
        let game = Game::parse(&format!("startpos moves {moves}"), None).unwrap();
        Opening::of(&game.chess).map(|found| format!("{} {}", found.eco, found.name))
    }

    #[test]
    fn every_line_of_the_table_is_read() {
        assert_eq!(OPENINGS.len(), 3807);
    }

    #[test]
    fn positions_have_names_also_after_a_transposition() {
        let najdorf = "B90 Sicilian Defense: Najdorf Variation";
        let moves = "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6";
        assert_eq!(name(moves).as_deref(), Some(najdorf));
        assert_eq!(name("g1f3 d7d5 d2d4"), name("d2d4 d7d5 g1f3"));
        assert!(name("g1f3 d7d5 d2d4").is_some());
        assert_eq!(name("h2h4 h7h5 h1h3"), None);
    }
}
