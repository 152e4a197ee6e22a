//! Collects the feelings and results of one search and converts them to a record.

use super::record::VERSION;
use crate::{
    chess::{game::Game, score::Score},
    chess_mind::Appraisal,
    explain::schema::{self, AppraisalRecord},
    player::{Engine, Listener},
    profile::Profile,
    search::{
        SearchResult,
        root::report::{Bound, Iteration, SearchListener},
    },
};
use serde::Serialize;
use shakmaty::{CastlingMode, Color, Move, Position, uci::UciMove};
use std::time::Duration;

/// The notes of one search.
#[derive(Clone, Debug)]
pub struct Notes {
    fen: String,
    side: Color,
    mode: CastlingMode,
    profile: String,
    digest: String,
    emotion_strength: u16,
    felt: Option<Appraisal>,
    depth: u8,
    nodes: u64,
    elapsed: Duration,
    score: Score,
    pv: Vec<Move>,
    missed: bool,
}

/// The record of one search, as `docs/feelings-file.md` describes it.
#[derive(Clone, Debug, Serialize)]
pub struct SearchRecord {
    /// The version of the schema.
    v: u64,
    /// The position searched.
    pub fen: String,
    /// The side to move, which feels.
    side: &'static str,
    program: &'static str,
    profile: String,
    digest: String,
    /// The emotion strength in percent, 0 to 200.
    pub temperament: u16,
    #[serde(flatten)]
    appraisal: AppraisalRecord,
    /// The chosen move, or `None` if there is no legal move.
    #[serde(rename = "move")]
    best: Option<String>,
    /// The score from the point of view of `side`.
    score: Score,
    depth: u8,
    nodes: u64,
    /// The time of the search in milliseconds.
    time: u64,
    /// The best line in UCI notation.
    pub pv: Vec<String>,
    missed: bool,
}

impl Notes {
    /// Creates empty notes for a search of `game` by `engine`. `mode` sets the castling notation.
    #[must_use]
    pub fn new(engine: &Engine, game: &Game, mode: CastlingMode) -> Self {
        let side = game.chess.turn();
        let strength = engine.options().emotion_strength;
        Self { mode, ..Self::blank(engine.profile(), strength, game, side) }
    }

    /// Creates notes for an appraisal of `game` without a search.
    #[must_use]
    pub fn of(felt: Appraisal, profile: &Profile, emotion_strength: u16, game: &Game) -> Self {
        let side = felt.side;
        Self { felt: Some(felt), ..Self::blank(profile, emotion_strength, game, side) }
    }

    fn blank(profile: &Profile, emotion_strength: u16, game: &Game, side: Color) -> Self {
        Self {
            fen: game.fen(),
            side,
            mode: CastlingMode::Standard,
            profile: profile.name.clone(),
            digest: profile.digest(),
            emotion_strength,
            felt: None,
            depth: 0,
            nodes: 0,
            elapsed: Duration::ZERO,
            score: Score::DRAW,
            pv: Vec::new(),
            missed: false,
        }
    }

    /// Returns the appraisal, if there is one.
    #[must_use]
    pub fn felt(&self) -> Option<&Appraisal> {
        self.felt.as_ref()
    }

    /// Stores the outcome of the search. `None` means that there was no legal move.
    pub fn conclude(&mut self, outcome: Option<&SearchResult>) {
        let Some(outcome) = outcome else { return self.pv.clear() };
        self.pv.clone_from(&outcome.pv);
        (self.score, self.depth) = (outcome.score, outcome.depth);
        (self.nodes, self.elapsed) = (outcome.nodes, outcome.elapsed);
    }

    /// Marks the search as a ponder miss: no `ponderhit` was received.
    pub fn miss(&mut self) {
        self.missed = true;
    }

    /// Returns the record of the search.
    #[must_use]
    pub fn record(&self) -> SearchRecord {
        let moves = self.pv.iter().map(|&m| UciMove::from_move(m, self.mode).to_string());
        let pv: Vec<_> = moves.collect();
        SearchRecord {
            v: VERSION,
            fen: self.fen.clone(),
            side: schema::side(self.side),
            program: concat!("deepfeeling ", env!("CARGO_PKG_VERSION")),
            profile: self.profile.clone(),
            digest: self.digest.clone(),
            temperament: self.emotion_strength,
            appraisal: self.felt.as_ref().map(AppraisalRecord::from).unwrap_or_default(),
            best: pv.first().cloned(),
            score: self.score,
            depth: self.depth,
            nodes: self.nodes,
            time: self.elapsed.as_millis() as u64,
            pv,
            missed: self.missed,
        }
    }
}

impl SearchListener for Notes {
    fn iteration(&mut self, now: &Iteration<'_>) {
        if now.multi_pv != 1 {
            return;
        }
        (self.depth, self.nodes, self.elapsed) = (now.depth, now.nodes, now.elapsed);
        if now.bound == Bound::Exact {
            self.score = now.score;
            self.pv = now.pv.to_vec();
        }
    }
}

impl Listener for Notes {
    fn appraised(&mut self, felt: &Appraisal) {
        self.felt = Some(felt.clone());
    }
}
