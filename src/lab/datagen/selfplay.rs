//! Plays one self-play game and collects its quiet positions.

use super::{DatagenError, DatagenOptions};
use crate::{
    lab::self_play::{
        adjudication::{Adjudicator, is_drawn, natural_result},
        opening::{self, Book},
    },
    player::Engine,
    search::SearchResult,
    support::random::{Random, mixed},
};
use shakmaty::{Chess, EnPassantMode, Position, zobrist::Zobrist64};
use std::num::NonZeroU64;

/// A position selected for the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptPosition {
    pub fen: String,
    pub key: Zobrist64,
    /// The score in centipawns, from White's point of view.
    pub cp: i32,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfPlayGame {
    pub positions: Vec<KeptPosition>,
    /// The result in half points for White: 0, 1 or 2.
    pub result: u8,
}

/// The largest absolute score of a stored position, in centipawns.
const LARGEST: i32 = 1500;

/// An engine that plays against itself.
#[derive(Debug)]
pub struct SelfPlayer<'s> {
    engine: Engine,
    nodes: NonZeroU64,
    plies: u32,
    book: Option<&'s Book>,
    seed: u64,
}

impl<'s> SelfPlayer<'s> {
    /// Creates a player with the options in `settings`.
    pub fn new(engine: Engine, settings: &'s DatagenOptions) -> Self {
        let DatagenOptions { nodes, plies, seed, .. } = *settings;
        Self { engine, nodes, plies, book: settings.book.as_ref(), seed }
    }

    /// Plays game `number`. Returns `None` if the game was stopped.
    ///
    /// # Errors
    /// If no balanced opening is found.
    pub fn play(
        &mut self,
        number: u64,
        stopped: &impl Fn() -> bool,
    ) -> Result<Option<SelfPlayGame>, DatagenError> {
        let mut random = Random::new(mixed(self.seed).wrapping_add(mixed(number)));
        let mut game = opening::balanced(&mut self.engine, self.book, self.plies, &mut random)?;
        self.engine.new_game();
        let mut judge = Adjudicator::default();
        let mut positions = Vec::new();
        for ply in self.plies.. {
            if stopped() {
                break;
            }
            let outcome =
                if is_drawn(&game) { None } else { self.engine.best_at(&game, self.nodes) };
            let Some(outcome) = outcome else {
                return Ok(Some(SelfPlayGame { positions, result: natural_result(&game.chess) }));
            };
            positions.extend(kept(&game.chess, &outcome));
            if let Some(result) = judge.result(ply, whites(&game.chess, &outcome)) {
                return Ok(Some(SelfPlayGame { positions, result }));
            }
            game.push(outcome.best);
        }
        Ok(None)
    }
}

/// Returns the score in centipawns from White's point of view. Mate scores exceed all others.
fn whites(chess: &Chess, outcome: &SearchResult) -> i32 {
    let cp = outcome.score.centipawns();
    chess.turn().fold_wb(cp, -cp)
}

/// Returns the position if it is quiet and undecided.
fn kept(chess: &Chess, outcome: &SearchResult) -> Option<KeptPosition> {
    let cp = whites(chess, outcome);
    let noisy = outcome.best.is_capture() || outcome.best.is_promotion() || chess.is_check();
    (!noisy && cp.abs() <= LARGEST).then(|| KeptPosition {
        fen: shakmaty::fen::Fen::from_position(chess, EnPassantMode::Legal).to_string(),
        key: chess.zobrist_hash(EnPassantMode::Legal),
        cp,
    })
}
