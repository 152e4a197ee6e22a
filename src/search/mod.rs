//! Principal variation search (alpha-beta) over any [`Evaluator`], on one or more threads.
//!
//! The search knows nothing of emotions and never prints. It reports to a [`SearchListener`].

#![deny(clippy::float_arithmetic)]

pub mod memory;
mod node;
pub mod params;
pub mod root;
#[cfg(feature = "tuning")]
pub mod tunables;

pub use node::{attention::AttentionBonus, quiet_line::quiet_line, see::see_ge};
pub use root::endgames::{Endgames, Probing};

use self::{
    memory::{
        eval_cache::EvalCache,
        history::{History, Step, Steps},
        packed_move::PackedMove,
        tt::TranspositionTable,
    },
    node::ordering::Killers,
    params::{Params, Reductions},
    root::{
        deepening::RootMove,
        limits::Limits,
        poll::Poll,
        report::{SearchListener, Silent},
        time::Timer,
    },
};
use crate::{
    chess::{
        evaluator::Evaluator,
        node::{KeyHistory, Node},
        score::{MAX_PLY, Score},
    },
    support::threads::STACK_BYTES,
};
use shakmaty::{Chess, Move, Position, zobrist::Zobrist64};
use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    thread,
    time::Duration,
};

/// Signals from outside to a running search.
#[derive(Debug, Default)]
pub struct Signals {
    /// Stops the search at the next poll.
    pub stop: AtomicBool,
    /// The opponent is still thinking. No time limit applies until this is cleared.
    pub pondering: AtomicBool,
}

/// The search state shared by all threads.
#[derive(Debug)]
pub struct SharedState<'s> {
    /// The signals from outside.
    pub signals: &'s Signals,
    /// The limits of the search.
    pub limits: &'s Limits,
    /// The timer with the allotted time.
    pub timer: Timer,
    /// The transposition table.
    pub table: TranspositionTable<'s>,
    /// Number of principal variations to report (`MultiPV`).
    pub multi_pv: usize,
    /// The search parameters.
    pub params: Params,
    /// The tablebases to probe, if loaded.
    pub endgames: Option<Endgames<'s>>,
    /// The score of a draw for the side to move at the root (contempt). Never a mate or tablebase
    /// score.
    pub draw: Score,
    /// Moves to be reduced less in late move reductions.
    pub attention: Option<AttentionBonus>,
    /// Nodes of all threads, as of their last polls.
    nodes: AtomicU64,
    /// Set when the first thread is done, so that the helper threads stop.
    finished: AtomicBool,
}

impl<'s> SharedState<'s> {
    /// Creates the state of one search with default parameters and no tablebases.
    pub fn new(
        signals: &'s Signals,
        limits: &'s Limits,
        timer: Timer,
        table: TranspositionTable<'s>,
        multi_pv: usize,
    ) -> Self {
        let (nodes, finished) = (AtomicU64::new(0), AtomicBool::new(false));
        Self {
            signals,
            limits,
            timer,
            table,
            multi_pv,
            params: Params::default(),
            endgames: None,
            draw: Score::DRAW,
            attention: None,
            nodes,
            finished,
        }
    }
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The best move.
    pub best: Move,
    /// The principal variation, starting with the best move.
    pub pv: Vec<Move>,
    /// The expected reply, from the principal variation or else from the transposition table.
    pub ponder: Option<Move>,
    /// The score of the best move. A lower bound if the last iteration was stopped after it had
    /// found a better move.
    pub score: Score,
    /// The depth of the last completed iteration. `pv` and `score` may come from the next one.
    pub depth: u8,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Time since the start of the search, pondering included.
    pub elapsed: Duration,
}

/// The error that unwinds a stopped search. The node being searched has no score.
#[derive(Clone, Copy, Debug)]
struct Stopped;

/// The kind of a node, known at compile time.
trait NodeKind {
    const ROOT: bool;
    /// Whether this is a PV node, searched with an open window.
    const PV: bool;
}

struct Root;
struct Pv;
struct NonPv;

impl NodeKind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl NodeKind for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}

impl NodeKind for NonPv {
    const ROOT: bool = false;
    const PV: bool = false;
}

/// Per-ply search state, read by the children and siblings of a node.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    static_eval: Option<Score>,
    killers: Killers,
    /// The move being searched. `None` for a null move.
    step: Option<Step>,
    /// The move being searched, if it is quiet.
    quiet: Option<Move>,
    /// The move excluded by a singular extension search.
    excluded: PackedMove,
    /// Beta cutoffs at this ply since the parent node was entered.
    cutoffs: i32,
}

impl Frame {
    fn add_killer(&mut self, m: PackedMove) {
        if self.killers[0] != m {
            self.killers = [m, self.killers[0]];
        }
    }
}

/// The search state of one thread.
struct Worker<'s, E: Evaluator> {
    shared: &'s SharedState<'s>,
    report: &'s mut dyn SearchListener,
    evaluator: E,
    evals: EvalCache,
    history: &'s mut History,
    params: &'s Params,
    reductions: Reductions,
    /// Half the width of the first aspiration window, in centipawns. Helper threads use wider ones.
    aspiration_width: i32,
    line: KeyHistory,
    stack: [Frame; MAX_PLY + 1],
    /// Triangular PV table: the principal variation from each ply.
    pv: Vec<Vec<Move>>,
    root: Vec<RootMove>,
    /// The best score of a root move since the root was last entered.
    root_best: Score,
    /// The best move of the last report.
    reported_best: Option<Move>,
    /// The root moves that this iteration searches.
    root_moves: Vec<Move>,
    /// The `MultiPV` line that `root_moves` belongs to. 0 is the best line.
    searched_line: usize,
    /// Whether `root_moves` contains all legal moves.
    root_is_complete: bool,
    /// Whether this iteration searches without pruning and reductions.
    full_width: bool,
    /// The depth of this iteration.
    root_depth: i32,
    /// No null move before this ply, while a null move cutoff is being verified.
    null_move_min_ply: usize,
    /// Set after the first iteration: from then on, there is a move to play and the search may
    /// stop.
    may_stop: bool,
    /// Percent of the usual time worth spending, as of the last iteration completed while
    /// pondering. Only the main thread sets it.
    pondered_percent: Option<u32>,
    /// Nodes with more pieces (kings and pawns included) are not looked up in tablebases.
    tablebase_men: usize,
    nodes: u64,
    poll: Poll,
    /// Nodes already added to [`SharedState::nodes`].
    polled_nodes: u64,
    node_limit: u64,
    seldepth: usize,
}

impl<'s, E: Evaluator> Worker<'s, E> {
    fn new(
        shared: &'s SharedState<'s>,
        evaluator: E,
        history: &'s mut History,
        keys: &[Zobrist64],
        node_limit: u64,
        report: &'s mut dyn SearchListener,
    ) -> Self {
        Self {
            shared,
            report,
            evaluator,
            evals: EvalCache::default(),
            history,
            params: &shared.params,
            reductions: Reductions::new(&shared.params),
            aspiration_width: shared.params.aspiration_width,
            line: KeyHistory::new(keys),
            stack: [Frame::default(); MAX_PLY + 1],
            pv: vec![Vec::new(); MAX_PLY + 1],
            root: Vec::new(),
            root_best: -Score::INFINITE,
            reported_best: None,
            root_moves: Vec::new(),
            searched_line: 0,
            root_is_complete: true,
            full_width: false,
            root_depth: 0,
            null_move_min_ply: 0,
            may_stop: false,
            pondered_percent: None,
            tablebase_men: shared.endgames.as_ref().map_or(0, Endgames::men),
            nodes: 0,
            poll: Poll::default(),
            polled_nodes: 0,
            node_limit,
            seldepth: 0,
        }
    }

    /// Whether the node is a draw by repetition, the fifty-move rule or insufficient material.
    fn is_draw(&self, node: &Node<E::Sums>) -> bool {
        let halfmoves = node.chess.halfmoves();
        let fifty = halfmoves >= 100 && (!node.in_check() || !node.chess.legal_moves().is_empty());
        fifty
            || (halfmoves >= 4 && self.line.repeats(node.key, halfmoves))
            || node.chess.is_insufficient_material()
    }

    /// Returns the score of a draw for the side to move at `ply`. A null move counts as a ply.
    fn draw(&self, ply: usize) -> Score {
        if ply.is_multiple_of(2) { self.shared.draw } else { -self.shared.draw }
    }

    fn evaluate(&mut self, node: &Node<E::Sums>) -> Score {
        self.evals.get(node.key, || self.evaluator.evaluate(&node.chess, node.sums))
    }

    /// Adds the correction history to the static evaluation `raw` and scales the sum down as the
    /// fifty-move rule approaches. A side that could win would have made progress.
    fn correct(&self, node: &Node<E::Sums>, raw: Score, steps: &Steps) -> Score {
        let correction = self.history.corrections.of(node, steps, self.params);
        let clock = node.chess.halfmoves().min(params::FADE_MAX_CLOCK) as i32;
        let score = raw.plus(correction).clamp_static().centipawns();
        Score::cp(score - score * clock / params::FADE_DIVISOR)
    }

    /// Sets the principal variation at `ply` to `m` and the child's principal variation.
    fn extend_pv(&mut self, ply: usize, m: Move) {
        let (parents, children) = self.pv.split_at_mut(ply + 1);
        parents[ply].clear();
        parents[ply].push(m);
        parents[ply].extend_from_slice(&children[0]);
    }
}

/// Searches `root` with one thread per history. The threads share only the transposition table
/// (lazy SMP). <https://www.chessprogramming.org/Lazy_SMP>
///
/// `keys` are the Zobrist keys of the earlier positions of the game. Returns `None` if there is no
/// legal move.
pub fn search<E>(
    root: &Chess,
    keys: &[Zobrist64],
    evaluator: &E,
    shared: &SharedState<'_>,
    histories: &mut [History],
    report: &mut dyn SearchListener,
) -> Option<SearchResult>
where
    E: Evaluator + Clone + Send,
{
    let (first, mut others) = histories.split_first_mut()?;
    if shared.timer.is_short() {
        others = &mut [];
    }
    let limit = shared.limits.nodes.map_or(u64::MAX, std::num::NonZeroU64::get);
    let share = (limit / (others.len() as u64 + 1)).max(1);
    thread::scope(|scope| {
        for (wider, history) in (1..=params::MAX_HELPER_WIDENING).cycle().zip(others) {
            let evaluator = evaluator.clone();
            let body = move || {
                let mut silent = Silent;
                let mut helper = Worker::new(shared, evaluator, history, keys, share, &mut silent);
                // different aspiration windows make the threads search different trees
                helper.aspiration_width += wider;
                helper.deepen(root, false);
            };
            // if a thread cannot be started, the search is slower but still correct
            let _ = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, body);
        }
        let mut leader = Worker::new(shared, evaluator.clone(), first, keys, share, report);
        let outcome = leader.deepen(root, true);
        shared.finished.store(true, Relaxed);
        leader.report.finished(outcome.as_ref());
        outcome
    })
}
