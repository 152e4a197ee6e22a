//! Alpha-beta search over any [`Evaluator`]. It knows nothing of feelings and never prints.

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
        tt::{PackedMove, Table},
    },
    node::ordering::Killers,
    params::{Params, Reductions},
    root::{
        deepening::RootMove,
        limits::Limits,
        poll::Poll,
        report::{Report, Silent},
        time::Timer,
    },
};
use crate::{
    chess::{
        evaluator::Evaluator,
        node::{Line, Node},
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

/// What the outside tells a running search.
#[derive(Debug, Default)]
pub struct Signals {
    /// Stop now.
    pub stop: AtomicBool,
    /// The opponent is still thinking: no time limit binds until this is cleared.
    pub pondering: AtomicBool,
}

/// What the threads of one search share.
#[derive(Debug)]
pub struct Shared<'s> {
    pub signals: &'s Signals,
    pub limits: &'s Limits,
    pub timer: Timer,
    pub table: Table<'s>,
    /// How many lines to report.
    pub multi_pv: usize,
    /// The numbers to search by.
    pub params: Params,
    /// What tables know of endings, if there are any.
    pub endgames: Option<Endgames<'s>>,
    /// What a draw is worth to the side to move at the root: never a decided score.
    pub draw: Score,
    /// Moves to be reduced less, if there are any.
    pub attention: Option<AttentionBonus>,
    /// Nodes that the threads have told of.
    nodes: AtomicU64,
    /// The first thread is done: the others stop.
    finished: AtomicBool,
}

impl<'s> Shared<'s> {
    /// A search about to begin.
    pub fn new(
        signals: &'s Signals,
        limits: &'s Limits,
        timer: Timer,
        table: Table<'s>,
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

/// The outcome of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub best: Move,
    /// The best move and what the search expects to follow.
    pub pv: Vec<Move>,
    /// The answer expected to it, of which the table may know more than the line shows.
    pub ponder: Option<Move>,
    /// A lower bound, if the last iteration was stopped after it had found a better move.
    pub score: Score,
    /// The last finished iteration, in plies; line and score may be of one more.
    pub depth: u8,
    pub nodes: u64,
    pub elapsed: Duration,
}

/// The search was told to stop; whatever node it was in has no value.
#[derive(Clone, Copy, Debug)]
struct Stopped;

/// Kinds of node, known at compile time.
trait Kind {
    const ROOT: bool;
    /// On the principal variation: searched with an open window.
    const PV: bool;
}

struct Root;
struct Pv;
struct NonPv;

impl Kind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl Kind for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}

impl Kind for NonPv {
    const ROOT: bool = false;
    const PV: bool = false;
}

/// What a node leaves for its children and siblings.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    static_eval: Option<Score>,
    killers: Killers,
    /// The move being searched; none for a pass.
    step: Option<Step>,
    /// The same if it is quiet.
    quiet: Option<Move>,
    /// Left out, to see how much worse the others are.
    excluded: PackedMove,
    /// Cutoffs among the node's siblings so far.
    cutoffs: i32,
}

impl Frame {
    fn add_killer(&mut self, m: PackedMove) {
        if self.killers[0] != m {
            self.killers = [m, self.killers[0]];
        }
    }
}

/// One thread's search.
struct Worker<'s, E: Evaluator> {
    shared: &'s Shared<'s>,
    report: &'s mut dyn Report,
    evaluator: E,
    evals: EvalCache,
    history: &'s mut History,
    params: &'s Params,
    reductions: Reductions,
    /// Of the first window of an iteration; helpers have others.
    aspiration_width: i32,
    line: Line,
    stack: [Frame; MAX_PLY + 1],
    /// The principal variation from each ply on.
    pv: Vec<Vec<Move>>,
    root: Vec<RootMove>,
    /// The best score of the root moves since the root was last entered.
    root_best: Score,
    /// The best move last reported.
    told_best: Option<Move>,
    /// The root moves that this iteration considers.
    root_moves: Vec<Move>,
    /// They are for the line of this number, 0 for the best.
    searched_line: usize,
    /// Those are all the moves there are.
    root_is_whole: bool,
    /// This iteration prunes and reduces nothing.
    full_width: bool,
    /// The depth of this iteration.
    root_depth: i32,
    /// No null move before this ply: a null move is being verified.
    no_pass_before: usize,
    /// An iteration is done, so there is a move to play when the search is to end.
    timed: bool,
    /// What share of the usual time was worth spending after the last iteration, in percent; known to
    /// the leader, and only while it ponders.
    pondered: Option<u32>,
    /// Nodes with more men are not looked up in tables.
    tablebase_men: usize,
    nodes: u64,
    poll: Poll,
    /// Nodes already told to [`Shared::nodes`].
    told: u64,
    node_limit: u64,
    seldepth: usize,
}

impl<'s, E: Evaluator> Worker<'s, E> {
    fn new(
        shared: &'s Shared<'s>,
        evaluator: E,
        history: &'s mut History,
        keys: &[Zobrist64],
        node_limit: u64,
        report: &'s mut dyn Report,
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
            line: Line::new(keys),
            stack: [Frame::default(); MAX_PLY + 1],
            pv: vec![Vec::new(); MAX_PLY + 1],
            root: Vec::new(),
            root_best: -Score::INFINITE,
            told_best: None,
            root_moves: Vec::new(),
            searched_line: 0,
            root_is_whole: true,
            full_width: false,
            root_depth: 0,
            no_pass_before: 0,
            timed: false,
            pondered: None,
            tablebase_men: shared.endgames.as_ref().map_or(0, Endgames::men),
            nodes: 0,
            poll: Poll::default(),
            told: 0,
            node_limit,
            seldepth: 0,
        }
    }

    /// By repetition, by the fifty-move rule, or because nobody can mate any more.
    fn is_draw(&self, node: &Node<E::Sums>) -> bool {
        let halfmoves = node.chess.halfmoves();
        let fifty = halfmoves >= 100 && (!node.in_check() || !node.chess.legal_moves().is_empty());
        fifty
            || (halfmoves >= 4 && self.line.repeats(node.key, halfmoves))
            || node.chess.is_insufficient_material()
    }

    /// What a draw is worth to the side to move `ply` half-moves from the root; a pass is one too.
    fn draw(&self, ply: usize) -> Score {
        if ply.is_multiple_of(2) { self.shared.draw } else { -self.shared.draw }
    }

    fn evaluate(&mut self, node: &Node<E::Sums>) -> Score {
        self.evals.get(node.key, || self.evaluator.evaluate(&node.chess, node.sums))
    }

    /// The static score, `raw`, with what searches have taught of such positions. It fades as the
    /// fifty-move rule draws near: whoever could win would have made progress.
    fn correct(&self, node: &Node<E::Sums>, raw: Score, steps: &Steps) -> Score {
        let correction = self.history.corrections.of(node, steps, self.params);
        let idle = node.chess.halfmoves().min(params::IDLE_MOST) as i32;
        let score = raw.plus(correction).clamp_static().centipawns();
        Score::cp(score - score * idle / params::IDLE_FADE)
    }

    /// The variation from `ply` on: `m`, then what the child found.
    fn extend_pv(&mut self, ply: usize, m: Move) {
        let (parents, children) = self.pv.split_at_mut(ply + 1);
        parents[ply].clear();
        parents[ply].push(m);
        parents[ply].extend_from_slice(&children[0]);
    }
}

/// Searches `root` on as many threads as there are `histories`; they share a table (lazy SMP).
/// `keys` are those of the positions before it. `None` if there is no legal move.
pub fn search<E>(
    root: &Chess,
    keys: &[Zobrist64],
    evaluator: &E,
    shared: &Shared<'_>,
    histories: &mut [History],
    report: &mut dyn Report,
) -> Option<Outcome>
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
        for (wider, history) in (1..=params::MOST_WIDER).cycle().zip(others) {
            let evaluator = evaluator.clone();
            let body = move || {
                let mut silent = Silent;
                let mut helper = Worker::new(shared, evaluator, history, keys, share, &mut silent);
                // with other windows they search other trees
                helper.aspiration_width += wider;
                helper.deepen(root, false);
            };
            // without one more thread the search is slower, but right
            let _ = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, body);
        }
        let mut leader = Worker::new(shared, evaluator.clone(), first, keys, share, report);
        let outcome = leader.deepen(root, true);
        shared.finished.store(true, Relaxed);
        leader.report.finished(outcome.as_ref());
        outcome
    })
}
