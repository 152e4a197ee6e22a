//! Readings: what a person finds out about each move before choosing.
//!
//! A glance sees one ply and the captures after it, a look two plies. The moves that look best are
//! read further. Nothing depends on time, so a reading can be repeated.

use crate::{
    chess::{evaluator::Evaluator, game::Game, score::Score},
    search::{
        SearchResult, SharedState, Signals,
        memory::{
            history::History,
            pages::{Memory, OutOfMemory},
            tt::CompatibleEvaluations,
        },
        root::{
            limits::Limits,
            report::{Bound, Iteration, SearchListener, Silent},
            time::Timer,
        },
        search,
    },
};
use shakmaty::{Move, Position};
use std::num::NonZeroU64;

/// The size of the transposition table in MiB.
const TABLE: usize = 1;
/// The depth of a look, in plies.
const LOOK: u8 = 2;
/// The number of moves that are read further.
const READ: usize = 6;
/// Nodes of the further reading.
const READ_NODES: u64 = 4_000;
/// Nodes of the search for the single best move.
const SEARCH_NODES: u64 = 1_000;
/// The largest absolute score of a reading, in centipawns. Mates have it.
const LIMIT: i32 = 2_000;

/// What is known of one move, in centipawns from the mover's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveReading {
    /// The move.
    pub m: Move,
    /// The score by one ply and captures.
    pub glance: i32,
    /// The score by two plies and captures.
    pub look: i32,
    /// The score by the longest reading of this move.
    pub read: i32,
    /// The opponent's best reply by the longest reading.
    pub reply: Option<Move>,
}

impl MoveReading {
    /// Returns whether the move leads to mate, or wins by at least 20 pawns.
    #[must_use]
    pub fn is_mate(&self) -> bool {
        self.read >= LIMIT
    }

    /// Returns whether the opponent mates after the move, or wins by at least 20 pawns.
    #[must_use]
    pub fn is_mated(&self) -> bool {
        self.read <= -LIMIT
    }
}

/// The readings of all legal moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readings {
    /// One for each legal move.
    pub moves: Vec<MoveReading>,
    /// The best move of a search of 1,000 nodes.
    pub best: Option<Move>,
}

/// Reads positions. Keeps only memory between them.
#[derive(Debug)]
pub struct Reader {
    memory: Memory,
    histories: Vec<History>,
    /// Nodes searched since they were last asked for.
    nodes: u64,
}

impl Reader {
    /// Creates a reader.
    ///
    /// # Errors
    /// If its transposition table cannot be allocated.
    pub fn new() -> Result<Self, OutOfMemory> {
        Ok(Self { memory: Memory::new(TABLE)?, histories: vec![History::default()], nodes: 0 })
    }

    /// Reads all legal moves of `game`.
    pub fn read<E: Evaluator + Clone + Send>(&mut self, game: &Game, evaluator: &E) -> Readings {
        let best = self.best(game, evaluator).map(|(best, _)| best);
        self.forget();
        let none = Limits::default();
        let mut lines = Lines::default();
        let all = game.chess.legal_moves().len();
        self.search(
            game,
            evaluator,
            &Limits { depth: Some(LOOK), ..none.clone() },
            all,
            &mut lines,
        );
        let mut moves = lines.moves;
        moves.sort_by_key(|reading| std::cmp::Reverse(reading.look));
        let first: Vec<Move> = moves.iter().take(READ).map(|reading| reading.m).collect();
        let mut further = Lines::default();
        let limits = Limits { moves: first, nodes: NonZeroU64::new(READ_NODES), ..none };
        self.search(game, evaluator, &limits, READ, &mut further);
        let worst = further.moves.iter().map(|reading| reading.read).min().unwrap_or(LIMIT);
        for reading in &mut moves {
            match further.moves.iter().find(|more| more.m == reading.m) {
                Some(more) => (reading.read, reading.reply) = (more.read, more.reply),
                // a move that looked worse is not better than those read
                None => reading.read = reading.look.min(worst),
            }
        }
        Readings { moves, best }
    }

    /// Reads one ply and the captures after it, like a person without time for more. All readings of
    /// a move are the same.
    pub fn glance<E: Evaluator + Clone + Send>(&mut self, game: &Game, evaluator: &E) -> Readings {
        self.forget();
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let mut lines = Lines::default();
        self.search(game, evaluator, &limits, game.chess.legal_moves().len(), &mut lines);
        let best = lines.moves.iter().max_by_key(|reading| reading.glance);
        Readings { best: best.map(|reading| reading.m), moves: lines.moves }
    }

    /// Returns the best move of a search of 1,000 nodes and its score in centipawns.
    /// Returns `None` if there is no legal move.
    pub fn best<E: Evaluator + Clone + Send>(
        &mut self,
        game: &Game,
        evaluator: &E,
    ) -> Option<(Move, i32)> {
        self.forget();
        let limits = Limits { nodes: NonZeroU64::new(SEARCH_NODES), ..Limits::default() };
        let found = self.search(game, evaluator, &limits, 1, &mut Silent)?;
        Some((found.best, clamped(found.score)))
    }

    /// Returns the number of nodes searched since the last call.
    pub fn take_nodes(&mut self) -> u64 {
        std::mem::take(&mut self.nodes)
    }

    fn forget(&mut self) {
        self.memory.clear();
        self.histories.fill_with(History::default);
    }

    fn search<E: Evaluator + Clone + Send>(
        &mut self,
        game: &Game,
        evaluator: &E,
        limits: &Limits,
        lines: usize,
        report: &mut dyn SearchListener,
    ) -> Option<SearchResult> {
        self.memory.new_search(0, CompatibleEvaluations::default());
        let signals = Signals::default();
        let shared = SharedState {
            multi_pv: lines,
            ..SharedState::new(&signals, limits, Timer::stopwatch(), self.memory.table())
        };
        let histories = &mut self.histories;
        let found = search(&game.chess, &game.keys, evaluator, &shared, histories, report)?;
        self.nodes += found.nodes;
        Some(found)
    }
}

/// Collects the lines of a search.
#[derive(Default)]
struct Lines {
    moves: Vec<MoveReading>,
}

impl SearchListener for Lines {
    fn iteration(&mut self, iteration: &Iteration<'_>) {
        let Some(&m) = iteration.pv.first().filter(|_| iteration.bound == Bound::Exact) else {
            return;
        };
        let score = clamped(iteration.score);
        let reply = iteration.pv.get(1).copied();
        let found = self.moves.iter().position(|reading| reading.m == m);
        let index = found.unwrap_or_else(|| {
            self.moves.push(MoveReading { m, glance: score, look: score, read: score, reply });
            self.moves.len() - 1
        });
        let reading = &mut self.moves[index];
        (reading.look, reading.read, reading.reply) = (score, score, reply);
        if iteration.depth == 1 {
            reading.glance = score;
        }
    }
}

fn clamped(score: Score) -> i32 {
    score.centipawns().clamp(-LIMIT, LIMIT)
}
