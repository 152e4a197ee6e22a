//! Searches one node of the main search: principal variation search (PVS) with pruning and late
//! move reductions (LMR).
//! <https://www.chessprogramming.org/Principal_Variation_Search>

use super::ordering::Killers;
use crate::{
    chess::{
        evaluator::Evaluator,
        node::Node,
        score::{MAX_PLY, Score, Window},
    },
    search::{
        memory::{
            correction::Places,
            packed_move::PackedMove,
            step::{STEPS_BACK, Steps},
            tt::TableScore,
        },
        params::TT_CUTOFF_CLOCK_LIMIT,
        worker::{NodeKind, Stopped, Worker},
    },
};
use shakmaty::Position;

/// What is known about a node before its moves are searched.
#[derive(Clone, Copy)]
pub(in crate::search) struct NodeState {
    /// Remaining depth, in plies.
    pub depth: i32,
    /// Distance from the root, in plies.
    pub ply: usize,
    /// The evaluation. `None` in check.
    pub raw_eval: Option<Score>,
    /// The evaluation with correction history. `None` in check.
    pub static_eval: Option<Score>,
    /// Whether the static evaluation has risen since the last turn of the side to move.
    pub improving: bool,
    /// The rise of the static evaluation by the opponent's last move, in centipawns, for the side to
    /// move. `None` if the evaluation before or after it is missing.
    pub gain: Option<i32>,
    /// Whether this is an expected cut node: a zero-window node expected to fail high.
    pub cut_node: bool,
    /// The size of the correction of the static evaluation, in centipawns. A large one shows a
    /// position that the evaluation misjudges.
    pub complexity: i32,
    /// Whether the table move is a capture.
    pub table_captures: bool,
    /// The moves that led to this node.
    pub steps: Steps,
    /// The places of its corrections. `None` in check.
    pub places: Option<Places>,
}

impl<E: Evaluator> Worker<'_, E> {
    /// Searches a node to `depth` and returns its score. Returns `Err` if the search was stopped.
    /// <https://www.chessprogramming.org/Negamax>
    pub(in crate::search) fn negamax<K: NodeKind>(
        &mut self,
        node: &Node<E::Sums>,
        mut window: Window,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Result<Score, Stopped> {
        let in_check = node.in_check();
        // check extension
        let depth = depth + i32::from(in_check && !K::ROOT);
        if depth <= 0 {
            return self.qsearch::<K>(node, window, ply);
        }
        self.enter(ply)?;
        if K::PV {
            self.pv[ply].clear();
        }
        if !K::ROOT
            && let Some(score) = self.score_by_rules(node, &mut window, ply)
        {
            return Ok(score);
        }
        // before the table is read, because that waits for memory
        let steps = self.steps(ply);
        let places = (!in_check).then(|| self.history.corrections.find(node, steps));
        let is_exclusion_search = self.stack[ply].excluded != PackedMove::NONE;
        let hit = if is_exclusion_search { None } else { self.shared.table.probe(node.key, ply) };
        let known = hit.and_then(|hit| hit.known);
        let table_move =
            if K::ROOT { self.best_root_move() } else { hit.map_or(PackedMove::NONE, |hit| hit.m) };
        if let Some(known) = known
            && !K::PV
            && known.depth >= depth
            && node.chess.halfmoves() < TT_CUTOFF_CLOCK_LIMIT
            && known.cuts(window)
        {
            if window.fails_high(known.score) {
                self.reward_table_move(node, table_move, depth, ply);
                self.blame_previous_move(node, depth, ply);
            }
            return Ok(known.score);
        }
        let endgame = if K::ROOT || is_exclusion_search {
            None
        } else {
            self.probe_tablebase(node, depth, ply)
        };
        if let Some(endgame) = endgame {
            if endgame.cuts(window) {
                self.shared.table.store(node.key, ply, PackedMove::NONE, endgame);
                return Ok(endgame.score);
            }
            // a tablebase win is a lower bound on the score
            window.raise(endgame.nearest_to(window.alpha));
        }
        let raw_eval = (!in_check).then(|| {
            known.and_then(|known| known.static_eval).unwrap_or_else(|| self.evaluate(node))
        });
        let correction = places.map_or(0, |places| self.correction(node, places));
        let static_eval = raw_eval.map(|raw| Self::correct(node, raw, correction));
        let improving = self.improves(static_eval, ply);
        let gain = self.gain(static_eval, ply);
        if !is_exclusion_search {
            self.stack[ply].was_pv = K::PV || known.is_some_and(|known| known.was_pv);
        }
        self.stack[ply].static_eval = static_eval;
        self.forget_descendants(ply);
        let table_captures =
            table_move.parts().is_some_and(|(_, to, _)| node.chess.them().contains(to));
        let mut state = NodeState {
            depth,
            ply,
            raw_eval,
            static_eval,
            improving,
            gain,
            cut_node,
            complexity: correction.abs(),
            table_captures,
            steps,
            places,
        };
        if let Some(gain) = gain
            && !is_exclusion_search
        {
            self.judge_previous_move(node, gain, ply);
            state.depth += self.params.hindsight(depth, self.stack[ply - 1].reduction, gain);
        }
        if !K::PV
            && !self.searches_all(node)
            && !is_exclusion_search
            && let Some(score) = self.cutoff(node, window, state, hit)?
        {
            return Ok(score);
        }
        if !is_exclusion_search
            && (K::PV || cut_node)
            && self.params.reduces_iteratively(depth, table_move, known)
        {
            state.depth -= 1;
        }
        let score = self.try_moves::<K>(node, window, state, table_move, known)?;
        let Some(endgame) = endgame.filter(|endgame| endgame.nearest_to(score) != score) else {
            return Ok(score);
        };
        // the tablebase score must not be overwritten by the score of the moves
        self.shared.table.store(node.key, ply, PackedMove::NONE, endgame);
        Ok(endgame.score)
    }

    /// Returns the score of a node that needs no search: a draw, or one too far from the root.
    /// Otherwise narrows the window to what is possible there.
    fn score_by_rules(
        &mut self,
        node: &Node<E::Sums>,
        window: &mut Window,
        ply: usize,
    ) -> Option<Score> {
        if self.is_draw(node) {
            return Some(self.draw(ply));
        }
        if ply >= MAX_PLY - 1 {
            return Some(if node.in_check() { Score::DRAW } else { self.evaluate(node) });
        }
        // a draw is certain if a move repeats a position of the line
        if window.alpha < self.draw(ply) && self.line.can_repeat(node.key, &node.chess) {
            window.raise(self.draw(ply));
        }
        // mate distance pruning: a shorter mate was found elsewhere
        window.raise(Score::mated_in(ply));
        window.beta = window.beta.min(Score::mate_in(ply + 1));
        window.is_empty().then_some(window.alpha)
    }

    /// Probes a node in the tablebases if it has few enough pieces.
    fn probe_tablebase(
        &mut self,
        node: &Node<E::Sums>,
        depth: i32,
        ply: usize,
    ) -> Option<TableScore> {
        if node.chess.board().occupied().count() > self.tablebase_men {
            return None;
        }
        let endgames = self.shared.endgames.as_ref()?;
        let known = endgames.probe(&node.chess, depth, ply, self.draw(ply))?;
        // the probe may have waited for the disk
        self.poll.soon();
        Some(known)
    }

    /// Forgets what was learnt below other nodes at `ply`. Children share their killers with all
    /// nodes that have the same grandparent, and count their cutoffs from 0.
    fn forget_descendants(&mut self, ply: usize) {
        self.stack[ply + 1].cutoffs = 0;
        self.stack[ply + 2].killers = Killers::default();
    }

    fn improves(&self, static_eval: Option<Score>, ply: usize) -> bool {
        let before = ply.checked_sub(2).and_then(|ply| self.stack[ply].static_eval);
        static_eval.is_some_and(|now| before.is_none_or(|before| now > before))
    }

    /// Returns [`NodeState::gain`].
    fn gain(&self, static_eval: Option<Score>, ply: usize) -> Option<i32> {
        let before = ply.checked_sub(1).and_then(|ply| self.stack[ply].static_eval)?;
        Some(static_eval?.centipawns() + before.centipawns())
    }

    pub(in crate::search) fn steps(&self, ply: usize) -> Steps {
        STEPS_BACK.map(|back| ply.checked_sub(back).and_then(|ply| self.stack[ply].step))
    }
}
