//! Runs an engine for the tests and records what its searches report, without the clock.

use deepfeeling::{
    chess::{game::Game, score::Score},
    chess_mind::Appraisal,
    player::{Engine, Listener, Options},
    profile::Profile,
    search::{
        SearchResult, Signals,
        root::{
            limits::Limits,
            report::{Bound, Iteration, SearchListener},
        },
    },
};
use shakmaty::{Chess, EnPassantMode, FromSetup, Move, Position, fen::Fen, uci::UciMove};
use std::num::NonZeroU64;

/// One report of a search, without the clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reported {
    pub(crate) depth: u8,
    pub(crate) seldepth: u8,
    pub(crate) multi_pv: usize,
    pub(crate) score: Score,
    pub(crate) bound: Bound,
    pub(crate) nodes: u64,
    pub(crate) hashfull: u16,
    pub(crate) tablebase_hits: u64,
    pub(crate) pv: Vec<Move>,
}

/// A listener that records every report and appraisal of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Record {
    pub(crate) felt: Vec<Appraisal>,
    pub(crate) reports: Vec<Reported>,
}

impl SearchListener for Record {
    fn iteration(&mut self, now: &Iteration<'_>) {
        self.reports.push(Reported {
            depth: now.depth,
            seldepth: now.seldepth,
            multi_pv: now.multi_pv,
            score: now.score,
            bound: now.bound,
            nodes: now.nodes,
            hashfull: now.hashfull,
            tablebase_hits: now.tablebase_hits,
            pv: now.pv.to_vec(),
        });
    }
}

impl Listener for Record {
    fn appraised(&mut self, appraisal: &Appraisal) {
        self.felt.push(appraisal.clone());
    }
}

/// The outcome of a search without the clock: best move, ponder move, score, nodes.
pub(crate) type Result = (Move, Option<Move>, Score, u64);

pub(crate) fn without_clock(outcome: &SearchResult) -> Result {
    (outcome.best, outcome.ponder, outcome.score, outcome.nodes)
}

pub(crate) fn engine(profile: &str) -> Engine {
    with(Profile::builtin(profile).unwrap(), Options::default())
}

pub(crate) fn with(profile: Profile, options: Options) -> Engine {
    Engine::new(profile, options).unwrap()
}

pub(crate) fn game(text: &str) -> Game {
    Game::parse(text, None).unwrap()
}

pub(crate) fn nodes(nodes: u64) -> Limits {
    Limits { nodes: NonZeroU64::new(nodes), ..Limits::default() }
}

pub(crate) fn depth(depth: u8) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// Searches `game` and returns the outcome with everything the search reported.
pub(crate) fn recorded(
    engine: &mut Engine,
    game: &Game,
    limits: &Limits,
) -> (Option<Result>, Record) {
    let mut record = Record::default();
    let outcome = engine.go(game, limits, &Signals::default(), &mut record);
    (outcome.as_ref().map(without_clock), record)
}

/// Searches a position that has a legal move and returns the outcome.
pub(crate) fn outcome(engine: &mut Engine, game: &Game, limits: &Limits) -> Result {
    recorded(engine, game, limits).0.unwrap()
}

/// Returns the move in UCI notation, in the castling mode of the position.
pub(crate) fn uci(m: Move, chess: &Chess) -> String {
    UciMove::from_move(m, chess.castles().mode()).to_string()
}

/// Returns the position with the colours exchanged.
pub(crate) fn mirrored(game: &Game) -> Game {
    let setup = game.chess.to_setup(EnPassantMode::Legal).into_mirrored();
    let chess = Chess::from_setup(setup, game.chess.castles().mode()).unwrap();
    Game { chess, ..Game::default() }
}

pub(crate) fn fen(chess: &Chess) -> String {
    Fen::from_position(chess, EnPassantMode::Legal).to_string()
}

/// Panics unless every move of `line` is legal in turn.
pub(crate) fn assert_legal_line(chess: &Chess, line: &[Move]) {
    let mut chess = chess.clone();
    for m in line {
        assert!(chess.is_legal(*m), "{m:?} of {line:?} is illegal in {}", fen(&chess));
        chess.play_unchecked(*m);
    }
}
