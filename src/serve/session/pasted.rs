//! Reads a game that the player pasted as PGN.

use crate::{
    chess::game::Game,
    pgn::{Games, Tags},
    serve::refusal::Refusal,
};
use shakmaty::{Position, uci::UciMove};
use std::io::Cursor;

/// Returns the start position, the moves and the tags of the first game of a PGN text.
pub(super) fn read(text: &str) -> Result<(Game, Vec<String>, Option<Tags>), Refusal> {
    let refused = |why: &str| Refusal::bad("pgn", text, why);
    let mut games = Games::of(Box::new(Cursor::new(text.to_owned())));
    let found = games.next().ok_or_else(|| refused("a game in PGN"))?;
    let game = found.map_err(|broken| refused(&broken.reason))?;
    if game.moves.is_empty() {
        return Err(refused("a game with moves"));
    }
    let mode = game.start.chess.castles().mode();
    let moves = game.moves.iter().map(|played| UciMove::from_move(played.m, mode).to_string());
    Ok((game.start, moves.collect(), Some(game.tags)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_game_is_read_with_its_tags() {
        let text =
            "[White \"Ann\"]\n[Result \"0-1\"]\n\n1. f3 {weak} e5 2. g4 Qh4# 0-1\n\n1. e4 *\n";
        let (start, moves, tags) = read(text).unwrap();
        assert_eq!(start.fen(), Game::default().fen());
        assert_eq!(moves, ["f2f3", "e7e5", "g2g4", "d8h4"]);
        assert_eq!(tags.unwrap().players.white, "Ann");
        assert_eq!(read("1. d4 d5").unwrap().1.len(), 2, "movetext without tags");
    }

    #[test]
    fn other_texts_are_refused_with_a_reason() {
        for (text, why) in [
            ("", "a game in PGN"),
            ("[White \"Ann\"]\n\n*\n", "a game with moves"),
            ("1. e4 e5 2. Ke3 *", "Ke3"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
