//! The search state of one thread, and what every kind of node needs of it.

use super::{
    memory::{
        correction::Places, eval_cache::EvalCache, history::History, packed_move::PackedMove,
        step::Step,
    },
    node::ordering::Killers,
    params::{FADE_DIVISOR, FADE_MAX_CLOCK, Params, Reductions},
    root::{endgames::Endgames, handicap::Handicap, poll::Poll, state::RootState},
    shared::SharedState,
};
use crate::chess::{
    evaluator::Evaluator,
    node::{CompactMove, KeyHistory, Node},
    score::{MAX_PLY, Score},
};
use shakmaty::{Bitboard, Move, Position, zobrist::Zobrist64};

/// The error that unwinds a stopped search. The node being searched has no score.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// The kind of a node, known at compile time.
pub(super) trait NodeKind {
    /// Whether this is the root.
    const ROOT: bool;
    /// Whether this is a PV node, searched with an open window.
    const PV: bool;
}

/// The root of the search.
pub(super) struct Root;
/// A PV node below the root.
pub(super) struct Pv;
/// A node searched with a zero window.
pub(super) struct NonPv;

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
pub(super) struct Frame {
    /// The evaluation with correction history. `None` in check.
    pub(super) static_eval: Option<Score>,
    /// The killers of this ply.
    pub(super) killers: Killers,
    /// The move being searched. `None` for a null move.
    pub(super) step: Option<Step>,
    /// The move being searched, if it is quiet.
    pub(super) quiet: Option<CompactMove>,
    /// The squares that the opponent attacks. Only set if `quiet` is.
    pub(super) attacked: Bitboard,
    /// Whether the move being searched is one of the first two moves, but not the table move.
    pub(super) is_early: bool,
    /// The reduction of the move being searched, in plies. 0 in a search to full depth.
    pub(super) reduction: i32,
    /// Whether the node is or was a PV node.
    pub(super) was_pv: bool,
    /// Double extensions in the line that leads to this node.
    pub(super) doubles: i32,
    /// The move excluded by a singular extension search.
    pub(super) excluded: PackedMove,
    /// Beta cutoffs at this ply since the parent node was entered.
    pub(super) cutoffs: i32,
}

impl Frame {
    /// Puts a killer first. Does nothing if it is the first already.
    pub(super) fn add_killer(&mut self, m: PackedMove) {
        if self.killers[0] != m {
            self.killers = [m, self.killers[0]];
        }
    }
}

/// The search state of one thread.
pub(super) struct Worker<'s, E: Evaluator> {
    pub(super) shared: &'s SharedState<'s>,
    pub(super) evaluator: E,
    evals: EvalCache,
    pub(super) history: &'s mut History,
    pub(super) params: &'s Params,
    pub(super) reductions: Reductions,
    pub(super) line: KeyHistory,
    pub(super) stack: [Frame; MAX_PLY + 1],
    /// The moves that a player of limited strength considers, by ply. `None` means all moves.
    pub(super) attended: [Option<Vec<CompactMove>>; Handicap::PLIES],
    /// Triangular PV table: the principal variation from each ply.
    pub(super) pv: Vec<Vec<Move>>,
    /// What only the root needs.
    pub(super) root: RootState<'s>,
    /// Whether this iteration searches without pruning and reductions.
    pub(super) full_width: bool,
    /// The depth of this iteration.
    pub(super) root_depth: i32,
    /// No null move before this ply, while a null move cutoff is being verified.
    pub(super) null_move_min_ply: usize,
    /// Nodes with more pieces (kings and pawns included) are not looked up in tablebases.
    pub(super) tablebase_men: usize,
    pub(super) nodes: u64,
    pub(super) poll: Poll,
    pub(super) seldepth: usize,
}

impl<'s, E: Evaluator> Worker<'s, E> {
    /// Creates the state of a thread that searches at most `node_limit` nodes. `keys` are the
    /// Zobrist keys of the earlier positions of the game.
    pub(super) fn new(
        shared: &'s SharedState<'s>,
        evaluator: E,
        history: &'s mut History,
        keys: &[Zobrist64],
        node_limit: u64,
        root: RootState<'s>,
    ) -> Self {
        Self {
            shared,
            evaluator,
            evals: EvalCache::default(),
            history,
            params: &shared.params,
            reductions: Reductions::new(&shared.params),
            line: KeyHistory::new(keys),
            stack: [Frame::default(); MAX_PLY + 1],
            attended: Default::default(),
            pv: vec![Vec::new(); MAX_PLY + 1],
            root,
            full_width: false,
            root_depth: 0,
            null_move_min_ply: 0,
            tablebase_men: shared.endgames.as_ref().map_or(0, Endgames::men),
            nodes: 0,
            poll: Poll::new(node_limit),
            seldepth: 0,
        }
    }

    /// Counts a node. Returns `Err` if the search must stop.
    pub(super) fn enter(&mut self, ply: usize) -> Result<(), Stopped> {
        if self.poll.stops(self.nodes, self.shared) {
            return Err(Stopped);
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        Ok(())
    }

    /// Whether the node is a draw by repetition, the fifty-move rule or insufficient material.
    pub(super) fn is_draw(&self, node: &Node<E::Sums>) -> bool {
        let halfmoves = node.chess.halfmoves();
        let fifty = halfmoves >= 100 && (!node.in_check() || !node.chess.legal_moves().is_empty());
        fifty
            || (halfmoves >= 4 && self.line.repeats(node.key, halfmoves))
            || node.has_only_minors() && node.chess.is_insufficient_material()
    }

    /// Returns the score of a draw for the side to move at `ply`. A null move counts as a ply.
    pub(super) fn draw(&self, ply: usize) -> Score {
        if ply.is_multiple_of(2) { self.shared.draw } else { -self.shared.draw }
    }

    /// Prefetches what is known about the position with `key`.
    pub(super) fn fetch(&self, key: Zobrist64) {
        self.shared.table.fetch(key);
        self.evals.fetch(key);
    }

    pub(super) fn evaluate(&mut self, node: &Node<E::Sums>) -> Score {
        self.evals.get(node.key, || self.evaluator.evaluate(&node.chess, node.sums))
    }

    /// Whether neither `node` nor its moves are pruned. With bishop and knight against a bare king, the
    /// differences that show the way to mate are smaller than the margins of pruning.
    pub(super) fn searches_all(&self, node: &Node<E::Sums>) -> bool {
        self.full_width || node.has_bare_king() && node.has_only_minors()
    }

    /// Returns the correction at `places` of the static evaluation of `node`, in centipawns. It is 0
    /// against a bare king: small differences show the way to mate there.
    pub(super) fn correction(&self, node: &Node<E::Sums>, places: Places) -> i32 {
        if node.has_bare_king() {
            return 0;
        }
        self.history.corrections.of(places, self.params)
    }

    /// Adds `correction` to the static evaluation `raw` and scales the sum down as the fifty-move
    /// rule approaches. A side that could win would have made progress. Against a bare king, the
    /// score is not scaled: long lines would look worse than short ones that lead nowhere.
    pub(super) fn correct(node: &Node<E::Sums>, raw: Score, correction: i32) -> Score {
        let fades = !node.has_bare_king();
        let clock = if fades { node.chess.halfmoves().min(FADE_MAX_CLOCK) as i32 } else { 0 };
        let score = raw.plus(correction).clamp_static().centipawns();
        Score::cp(score - score * clock / FADE_DIVISOR)
    }

    /// Sets the principal variation at `ply` to `m` and the child's principal variation.
    pub(super) fn extend_pv(&mut self, ply: usize, m: Move) {
        let (parents, children) = self.pv.split_at_mut(ply + 1);
        parents[ply].clear();
        parents[ply].push(m);
        parents[ply].extend_from_slice(&children[0]);
    }
}
