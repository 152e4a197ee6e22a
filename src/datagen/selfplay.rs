//! One game of the engine against itself, from an opening to a result.

use super::{
    DatagenError, Settings,
    opening::{self, Book},
};
use crate::{
    engine::Engine,
    game::Game,
    random::{Random, mixed},
    search::{Outcome, Signals, limits::Limits, report::Silent},
};
use shakmaty::{Chess, EnPassantMode, Position, zobrist::Zobrist64};
use std::num::NonZeroU64;

/// A position to keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    pub fen: String,
    pub key: Zobrist64,
    /// White's point of view.
    pub cp: i32,
}

/// A game that came to an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    pub positions: Vec<Kept>,
    /// In half points for White: 0, 1 or 2.
    pub result: u8,
}

/// Openings beyond this many centipawns are not played.
const BALANCED: i32 = 150;
/// Nodes of the search that looks at an opening.
const OPENING_NODES: NonZeroU64 = NonZeroU64::new(2000).unwrap();
/// After so many openings in a row that will not do, something is wrong with the book.
const OPENINGS: u32 = 200;
/// Positions beyond this many centipawns are not kept.
const LARGEST: i32 = 1500;

/// A game is won for whoever is ahead by so many centipawns for so many plies.
const WON: (i32, u32) = (1000, 6);
/// A game is drawn when neither is ahead by so many centipawns for so many plies, from this ply on.
const DRAWN: (i32, u32, u32) = (10, 12, 80);

/// An engine that plays itself.
#[derive(Debug)]
pub struct Player<'s> {
    engine: Engine,
    nodes: NonZeroU64,
    plies: u32,
    book: Option<&'s Book>,
    seed: u64,
}

impl<'s> Player<'s> {
    /// Plays as `settings` say.
    pub fn new(engine: Engine, settings: &'s Settings) -> Self {
        let Settings { nodes, plies, seed, .. } = *settings;
        Self { engine, nodes, plies, book: settings.book.as_ref(), seed }
    }

    /// The game of this number; none if `stopped` within it.
    ///
    /// # Errors
    /// If no balanced opening is found.
    pub fn play(
        &mut self,
        number: u64,
        stopped: &impl Fn() -> bool,
    ) -> Result<Option<Played>, DatagenError> {
        let mut random = Random::new(mixed(self.seed).wrapping_add(mixed(number)));
        let mut game = self.opening(&mut random)?;
        self.engine.new_game();
        let mut judge = Judge::default();
        let mut positions = Vec::new();
        for ply in self.plies.. {
            if stopped() {
                break;
            }
            let outcome = if is_drawn(&game) { None } else { self.search(&game, self.nodes) };
            let Some(outcome) = outcome else {
                return Ok(Some(Played { positions, result: natural_result(&game.chess) }));
            };
            positions.extend(kept(&game.chess, &outcome));
            if let Some(result) = judge.result(ply, whites(&game.chess, &outcome)) {
                return Ok(Some(Played { positions, result }));
            }
            game.push(outcome.best);
        }
        Ok(None)
    }

    fn opening(&mut self, random: &mut Random) -> Result<Game, DatagenError> {
        for _ in 0..OPENINGS {
            let opening = opening::draw(self.book, self.plies, random);
            let Some(game) = opening.filter(|game| !is_drawn(game)) else { continue };
            self.engine.new_game();
            let outcome = self.search(&game, OPENING_NODES);
            if outcome.is_some_and(|outcome| outcome.score.centipawns().abs() <= BALANCED) {
                return Ok(game);
            }
        }
        Err(DatagenError::Unbalanced(OPENINGS, BALANCED))
    }

    fn search(&mut self, game: &Game, nodes: NonZeroU64) -> Option<Outcome> {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        self.engine.go(game, &limits, &Signals::default(), &mut Silent)
    }
}

/// By the third repetition, the fifty-move rule, or because nobody can mate.
fn is_drawn(game: &Game) -> bool {
    let chess = &game.chess;
    // a mate on the board counts before the fifty moves do
    let fifty = chess.halfmoves() >= 100 && !chess.is_checkmate();
    fifty || game.repetitions() >= 2 || chess.is_insufficient_material()
}

/// The result where no move or no win is left, in half points for White.
fn natural_result(chess: &Chess) -> u8 {
    if chess.is_checkmate() { chess.turn().fold_wb(0, 2) } else { 1 }
}

/// The score of a search, in centipawns, White's point of view; a mate is far beyond all others.
fn whites(chess: &Chess, outcome: &Outcome) -> i32 {
    let cp = outcome.score.centipawns();
    chess.turn().fold_wb(cp, -cp)
}

/// The position, if it is quiet and undecided.
fn kept(chess: &Chess, outcome: &Outcome) -> Option<Kept> {
    let cp = whites(chess, outcome);
    let noisy = outcome.best.is_capture() || outcome.best.is_promotion() || chess.is_check();
    (!noisy && cp.abs() <= LARGEST).then(|| Kept {
        fen: shakmaty::fen::Fen::from_position(chess, EnPassantMode::Legal).to_string(),
        key: chess.zobrist_hash(EnPassantMode::Legal),
        cp,
    })
}

/// Ends games that are decided.
#[derive(Debug, Default)]
struct Judge {
    /// Plies in a row in which White, Black, and neither was ahead enough.
    white: u32,
    black: u32,
    neither: u32,
}

impl Judge {
    /// The result if `cp`, White's point of view, decides the game at `ply`; in half points.
    fn result(&mut self, ply: u32, cp: i32) -> Option<u8> {
        let (ahead, long) = WON;
        let (even, longer, from) = DRAWN;
        let count = |run: u32, goes_on: bool| if goes_on { run + 1 } else { 0 };
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
        let mut judge = Judge::default();
        scores.into_iter().find_map(|(ply, cp)| judge.result(ply, cp))
    }

    #[test]
    fn a_game_is_decided_by_scores_that_stay() {
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
