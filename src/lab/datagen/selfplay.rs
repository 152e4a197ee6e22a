//! Plays one self-play game and collects its quiet positions, or positions that its searches
//! evaluate.

use super::{DatagenError, DatagenOptions, HASH, searched::Sampler};
use crate::{
    chess::game::Game,
    lab::self_play::{
        adjudication::{Adjudicator, is_drawn, natural_result},
        opening::{self, Book},
    },
    player::{Engine, Options},
    profile::Profile,
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

impl KeptPosition {
    /// Creates it, unless its score is too large.
    pub(super) fn new(chess: &Chess, cp: i32) -> Option<Self> {
        (cp.abs() <= LARGEST).then(|| Self {
            fen: shakmaty::fen::Fen::from_position(chess, EnPassantMode::Legal).to_string(),
            key: chess.zobrist_hash(EnPassantMode::Legal),
            cp,
        })
    }
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
    /// Chooses the moves and positions instead of the engine.
    sampler: Option<Sampler>,
    nodes: NonZeroU64,
    plies: u32,
    book: Option<&'s Book>,
    seed: u64,
}

impl<'s> SelfPlayer<'s> {
    /// Creates a player of `profile` with the options in `settings`.
    ///
    /// # Errors
    /// If a hash table cannot be allocated.
    pub fn new(profile: &Profile, settings: &'s DatagenOptions) -> Result<Self, DatagenError> {
        let DatagenOptions { nodes, plies, seed, emotion, searched, .. } = *settings;
        let options = Options { hash: HASH, emotion, ..Options::default() };
        let engine = Engine::new(profile.clone(), options)?;
        let sampler = searched.map(|size| Sampler::new(profile, size.get(), HASH)).transpose()?;
        Ok(Self { engine, sampler, nodes, plies, book: settings.book.as_ref(), seed })
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
        self.sampler.iter_mut().for_each(Sampler::new_game);
        let mut judge = Adjudicator::default();
        let mut positions = Vec::new();
        for ply in self.plies.. {
            if stopped() {
                break;
            }
            let found = if is_drawn(&game) { None } else { self.search(&game, &mut random) };
            let Some((outcome, kept)) = found else {
                return Ok(Some(SelfPlayGame { positions, result: natural_result(&game.chess) }));
            };
            positions.extend(kept);
            if let Some(result) = judge.result(ply, whites(&game.chess, &outcome)) {
                return Ok(Some(SelfPlayGame { positions, result }));
            }
            game.push(outcome.best);
        }
        Ok(None)
    }

    /// Returns the best move and the positions to store. Returns `None` if there is no legal move.
    fn search(
        &mut self,
        game: &Game,
        random: &mut Random,
    ) -> Option<(SearchResult, Vec<KeptPosition>)> {
        if let Some(sampler) = &mut self.sampler {
            return sampler.best_at(game, self.nodes, Random::new(random.bits()));
        }
        let outcome = self.engine.best_at(game, self.nodes)?;
        let kept = kept(&game.chess, &outcome).into_iter().collect();
        Some((outcome, kept))
    }
}

/// Returns the score in centipawns from White's point of view. Mate scores exceed all others.
fn whites(chess: &Chess, outcome: &SearchResult) -> i32 {
    let cp = outcome.score.centipawns();
    chess.turn().fold_wb(cp, -cp)
}

/// Returns the position if it is quiet and undecided.
fn kept(chess: &Chess, outcome: &SearchResult) -> Option<KeptPosition> {
    let noisy = outcome.best.is_capture() || outcome.best.is_promotion() || chess.is_check();
    if noisy { None } else { KeptPosition::new(chess, whites(chess, outcome)) }
}
