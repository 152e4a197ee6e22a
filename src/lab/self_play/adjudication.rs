//! Decides when a game is over: by the rules, or by adjudication.

use crate::chess::game::Game;
use shakmaty::{Chess, Position};

/// Adjudicates a win at this many centipawns for this many plies in a row.
const WON: (i32, u32) = (1000, 6);
/// Adjudicates a draw below this many centipawns for this many plies in a row, from this ply on.
const DRAWN: (i32, u32, u32) = (10, 12, 80);

/// Returns whether the game is drawn by threefold repetition, fifty-move rule or insufficient
/// material.
pub fn is_drawn(game: &Game) -> bool {
    let chess = &game.chess;
    // checkmate takes precedence over the fifty-move rule
    let fifty = chess.halfmoves() >= 100 && !chess.is_checkmate();
    fifty || game.repetitions() >= 2 || chess.is_insufficient_material()
}

/// Returns the result of a game that ended by the rules, in half points for White.
pub fn natural_result(chess: &Chess) -> u8 {
    if chess.is_checkmate() { chess.turn().fold_wb(0, 2) } else { 1 }
}

/// Adjudicates games that are decided.
#[derive(Debug, Default)]
pub struct Adjudicator {
    /// Plies in a row in which White was far ahead.
    white: u32,
    /// Plies in a row in which Black was far ahead.
    black: u32,
    /// Plies in a row in which the score was even.
    neither: u32,
}

impl Adjudicator {
    /// Returns the result in half points for White if the game is decided at `ply`.
    ///
    /// `cp` is the score in centipawns from White's point of view.
    pub fn result(&mut self, ply: u32, cp: i32) -> Option<u8> {
        let (ahead, long) = WON;
        let (even, longer, from) = DRAWN;
        let count = |run: u32, continues: bool| if continues { run + 1 } else { 0 };
        self.white = count(self.white, cp >= ahead);
        self.black = count(self.black, cp <= -ahead);
        self.neither = count(self.neither, cp.abs() < even && ply >= from);
        if self.white >= long {
            Some(2)
        } else if self.black >= long {
            Some(0)
        } else {
            (self.neither >= longer).then_some(1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(scores: impl IntoIterator<Item = (u32, i32)>) -> Option<u8> {
        let mut judge = Adjudicator::default();
        scores.into_iter().find_map(|(ply, cp)| judge.result(ply, cp))
    }

    #[test]
    fn lasting_scores_decide_a_game() {
        assert_eq!(verdict((0..6).map(|ply| (ply, 1000))), Some(2));
        assert_eq!(verdict((0..6).map(|ply| (ply, -31_990))), Some(0));
        assert_eq!(verdict((0..5).map(|ply| (ply, 1000))), None);
        assert_eq!(verdict((0..60).map(|ply| (ply, if ply % 6 == 5 { 999 } else { 1000 }))), None);
        assert_eq!(
            verdict((0..60).map(|ply| (ply, if ply % 2 == 0 { 1000 } else { -1000 }))),
            None
        );
        assert_eq!(verdict((80..92).map(|ply| (ply, -9))), Some(1));
        assert_eq!(verdict((0..91).map(|ply| (ply, 0))), None);
    }

    #[test]
    fn the_rules_end_a_game() {
        let game = |text: &str| Game::parse(text, None).unwrap();
        let mate = game("startpos moves f2f3 e7e5 g2g4 d8h4");
        assert_eq!((is_drawn(&mate), natural_result(&mate.chess)), (false, 0));
        let knights = "g1f3 g8f6 f3g1 f6g8 ";
        assert!(!is_drawn(&game(&format!("startpos moves {knights}"))));
        assert!(is_drawn(&game(&format!("startpos moves {knights}{knights}"))));
        assert!(is_drawn(&game("4k3/8/8/8/8/8/8/4KB2 w - - 0 1")));
        assert!(is_drawn(&game("4k3/8/8/8/8/8/8/4KR2 w - - 100 90")));
        assert!(!is_drawn(&game("4k3/8/8/8/8/8/8/4KR2 w - - 99 90")));
    }
}
