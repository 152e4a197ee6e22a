//! Parses moves in the notations used by people and programs.
//!
//! Accepts UCI notation and SAN with the habits of scoresheets. These are move numbers, check
//! signs, annotation marks, castling with zeros, long notation with hyphens, and promotions without
//! `=`.

use super::{Game, GameError};
use crate::support::spelling::all_nearest;
use shakmaty::{
    Move, Position,
    san::{San, SanError},
    uci::UciMove,
};

/// The largest number of moves to suggest. If more are equally close, none is suggested.
const MOST_SUGGESTIONS: usize = 4;

impl Game {
    /// Returns the legal move that `text` denotes in SAN or UCI notation.
    ///
    /// # Errors
    /// If the text is not a move, or matches no legal move or more than one.
    pub fn read_move(&self, text: &str) -> Result<Move, GameError> {
        if let Ok(m) = self.read_uci(text) {
            return Ok(m);
        }
        let cleaned = cleaned(text);
        if let Ok(m) = self.read_uci(&cleaned) {
            return Ok(m);
        }
        let problem = match san(&cleaned).map(|san| san.to_move(&self.chess)) {
            Some(Ok(m)) => return Ok(m),
            Some(Err(SanError::AmbiguousSan)) => "ambiguous",
            Some(Err(SanError::IllegalSan)) => "illegal",
            None if cleaned.parse::<UciMove>().is_ok() => "illegal",
            None => {
                let hint = self.suggestion(&cleaned);
                return Err(GameError::Notation { text: text.into(), hint });
            }
        };
        let hint = self.suggestion(&cleaned);
        Err(GameError::Unplayable { text: text.into(), problem, fen: self.fen(), hint })
    }

    /// Returns the legal moves closest to `cleaned`, in the same notation, as the end of an error
    /// message.
    fn suggestion(&self, cleaned: &str) -> String {
        let mode = self.chess.castles().mode();
        let is_uci = cleaned.parse::<UciMove>().is_ok();
        let name = |m: &Move| {
            if is_uci {
                UciMove::from_move(*m, mode).to_string()
            } else {
                San::from_move(&self.chess, *m).to_string()
            }
        };
        let names: Vec<String> = self.chess.legal_moves().iter().map(name).collect();
        let near = all_nearest(cleaned, names.iter().map(String::as_str));
        match near[..] {
            [ref first @ .., last] if near.len() <= MOST_SUGGESTIONS => {
                let first: Vec<_> = first.iter().map(|name| format!("`{name}`")).collect();
                let or = if first.is_empty() { "" } else { " or " };
                format!("; did you mean {}{or}`{last}`?", first.join(", "))
            }
            _ => String::new(),
        }
    }
}

/// Whether a word in a list of moves is only a move number, such as `12.` or `12...`.
pub(super) fn is_move_number(word: &str) -> bool {
    word.ends_with(['.', '…']) && without_number(word).is_empty()
}

fn without_number(word: &str) -> &str {
    let digits_end = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = digits_end.trim_start_matches(['.', '…']);
    // zeros without a dot may be the start of castling
    if rest.len() < digits_end.len() { rest } else { word }
}

/// Returns the move without move number, check sign, annotation marks and separators.
fn cleaned(text: &str) -> String {
    let text = without_number(text.trim()).trim_end_matches(['!', '?', '+', '#']);
    match text {
        "0-0" | "o-o" | "O-O" => "O-O".into(),
        "0-0-0" | "o-o-o" | "O-O-O" => "O-O-O".into(),
        _ => text.chars().filter(|sign| !"=()/-".contains(*sign)).collect(),
    }
}

/// Parses a cleaned move as SAN. A piece letter after the last rank is a promotion.
fn san(cleaned: &str) -> Option<San> {
    let promotes = |text: &&str| text.ends_with(['1', '8']);
    let before = cleaned.strip_suffix(['Q', 'R', 'B', 'N', 'q', 'r', 'b', 'n']).filter(promotes);
    match before {
        Some(before) => format!("{before}={}", &cleaned[before.len()..]).parse().ok(),
        None => cleaned.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the error for a position followed by `moves`.
    fn error_of(moves: &str) -> String {
        Game::parse(moves, None).unwrap_err().to_string()
    }

    #[test]
    fn lists_may_mix_notations_and_contain_numbers_and_marks() {
        let plain = Game::parse("startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1", None).unwrap();
        for moves in [
            "e4 e5 Nf3 Nc6 Bb5 a6 O-O",
            "e4 e7e5 g1f3 Nc6 Bb5 a7a6 0-0",
            "1.e4 e5 2. Nf3 Nc6 3.Bb5!? a6 4.O-O",
            "1. e2-e4 1... e7-e5 2. Ng1-f3 2…Nc6 3. Bf1-b5 a6?! o-o+",
        ] {
            let game = Game::parse(&format!("startpos moves {moves}"), None);
            assert_eq!(game.unwrap().fen(), plain.fen(), "{moves}");
        }
    }

    #[test]
    fn castling_and_promotion_are_accepted_in_many_spellings() {
        let game = Game::parse("r3k3/6P1/8/8/8/8/8/R3K2R w KQq - 0 1", None).unwrap();
        for (spellings, uci) in [
            (&["O-O", "0-0", "o-o", "e1g1", "e1h1", "O-O+"][..], "e1g1"),
            (&["O-O-O", "0-0-0", "e1c1", "1.O-O-O!"], "e1c1"),
            (&["g8=Q+", "g8Q", "g8=q", "g8(Q)", "g7g8q", "g7g8Q", "g7-g8=Q"], "g7g8q"),
            (&["g8=N", "g8N", "g7g8n"], "g7g8n"),
            (&["Rxa8+", "a1a8", "Ra1xa8"], "a1a8"),
        ] {
            for spelling in spellings {
                assert_eq!(game.read_move(spelling), game.read_uci(uci), "{spelling}");
            }
        }
    }

    #[test]
    fn errors_show_the_place_of_a_wrong_move_and_a_suggestion() {
        for (moves, parts) in [
            (
                "startpos moves e4 e5 Nf6",
                &["ply 3 (move 2, White): `Nf6` is illegal", "`Nf3`?"][..],
            ),
            ("startpos moves e2e4 e2e5", &["ply 2 (move 1, Black): `e2e5` is", "`e7e5`?"]),
            ("startpos moves 1. e4 e5 2. Ke3", &["ply 3 (move 2, White): `Ke3`", "`Ke2`?"]),
            ("startpos moves d4 d5 nf3", &["ply 3", "`nf3` is not a move", "`Nf3`?"]),
            ("8/P6k/8/8/8/8/8/K7 w - - 0 9 moves a8", &["ply 1 (move 9", "`a8=Q`"]),
            ("7k/8/8/8/8/2N3N1/8/K7 w - - 0 1 moves Ne4", &["ambiguous", "`Nge4`", "`Nce4`"]),
        ] {
            let error = error_of(moves);
            assert!(parts.iter().all(|part| error.contains(part)), "{error}");
            assert_eq!(error.lines().count(), 1);
        }
    }

    #[test]
    fn text_that_is_not_a_move_is_rejected() {
        let game = Game::default();
        for text in ["castle", "0000", "--", "é4", "12.", "Q", "=", ""] {
            assert!(game.read_move(text).is_err(), "{text}");
        }
        assert_eq!(
            game.read_move("castle"),
            Err(GameError::Notation { text: "castle".into(), hint: String::new() })
        );
        assert!(Game::parse("startpos moves 1. 1... …", None).is_ok());
    }
}
