//! Collects the feelings and results of one search and converts them to a record.

use super::record::VERSION;
use crate::{
    chess::{game::Game, score::Score},
    eval::group::Group,
    explain::feeling::{effects, verdict},
    mind::{
        appraisal::Appraisal,
        concept::{Activations, Concept},
        goal::Goal,
        relevance::Ratios,
    },
    player::{Engine, Listener},
    profile::Profile,
    search::{
        SearchResult,
        root::report::{Bound, Iteration, SearchListener},
    },
};
use serde_json::{Map, Value, json};
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

    /// Returns the record, without the keys `engine`, `game` and `search`.
    #[must_use]
    pub fn record(&self) -> Map<String, Value> {
        let moves = self.pv.iter().map(|&m| UciMove::from_move(m, self.mode).to_string());
        let pv: Vec<_> = moves.collect();
        let felt = self.felt.as_ref();
        let values = |state: &Activations, board_only: bool| {
            let concepts = Concept::ALL.into_iter().filter(|c| !board_only || c.is_perceived());
            let pairs = concepts.map(|c| (c.name().to_owned(), rounded(state[c as usize])));
            Value::Object(pairs.collect())
        };
        let fields = [
            ("v", VERSION.into()),
            ("fen", self.fen.as_str().into()),
            ("side", self.side.fold_wb("white", "black").into()),
            ("program", concat!("deepfeeling ", env!("CARGO_PKG_VERSION")).into()),
            ("profile", self.profile.as_str().into()),
            ("digest", self.digest.as_str().into()),
            ("temperament", self.emotion_strength.into()),
            ("goal", felt.and_then(|felt| felt.goal).map(Goal::name).into()),
            ("intensity", felt.map_or(Value::Null, |felt| rounded(felt.intensity))),
            ("felt", felt.map_or(Value::Null, |felt| rounded(felt.felt))),
            ("perceived", felt.map_or(Value::Null, |felt| values(&felt.perceived, true))),
            ("concepts", felt.map_or(Value::Null, |felt| values(&felt.settled, false))),
            ("settling", felt.map(|felt| verdict(felt.settling)).into()),
            ("factors", felt.map_or(Value::Null, |felt| factors(&felt.ratios))),
            ("leaning", felt.map_or(Value::Null, |felt| effects(felt.effects))),
            ("move", pv.first().cloned().into()),
            ("score", self.score.into()),
            ("depth", self.depth.into()),
            ("nodes", self.nodes.into()),
            ("time", (self.elapsed.as_millis() as u64).into()),
            ("pv", pv.into()),
            ("missed", self.missed.into()),
        ];
        fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }
}

/// Rounds to six decimals. Turns -0 into 0.
fn rounded(value: f64) -> Value {
    ((value * 1e6).round() / 1e6 + 0.0).into()
}

fn factors(ratios: &Ratios) -> Value {
    let side = |ratios: &[f64; Group::COUNT]| {
        let pairs = Group::ALL.into_iter().zip(ratios);
        Value::Object(pairs.map(|(group, &r)| (group.name().to_owned(), rounded(r))).collect())
    };
    json!({"own": side(&ratios.own), "other": side(&ratios.other)})
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
