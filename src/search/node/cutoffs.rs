//! Prunes whole nodes before any move is searched: razoring, reverse futility pruning, null move
//! pruning and Probcut.

use super::{negamax::NodeState, ordering::Picker, see::see_ge};
use crate::{
    chess::{
        evaluator::Evaluator,
        node::Node,
        score::{Score, Window},
    },
    search::{
        memory::{
            packed_move::PackedMove,
            step::Step,
            tt::{Hit, TableScore},
        },
        root::report::Bound,
        worker::{NonPv, Stopped, Worker},
    },
};
use shakmaty::Position;

impl<E: Evaluator> Worker<'_, E> {
    /// Returns a score if a non-PV node can be cut off without a full search.
    pub(in crate::search) fn cutoff(
        &mut self,
        node: &Node<E::Sums>,
        window: Window,
        state: NodeState,
        hit: Option<Hit>,
    ) -> Result<Option<Score>, Stopped> {
        let known = hit.and_then(|hit| hit.known);
        if let Some(static_eval) = state.static_eval {
            let eval = known.filter(|k| k.improves(static_eval)).map_or(static_eval, |k| k.score);
            if let Some(score) = self.cutoff_by_eval(node, window, state, eval, hit)? {
                return Ok(Some(score));
            }
        }
        Ok(self.params.small_probcut(state.depth, window.beta, known))
    }

    /// Like [`Self::cutoff`], for a node that is not in check. `eval` is the best estimate of its score.
    fn cutoff_by_eval(
        &mut self,
        node: &Node<E::Sums>,
        window: Window,
        state: NodeState,
        eval: Score,
        hit: Option<Hit>,
    ) -> Result<Option<Score>, Stopped> {
        let NodeState { depth, ply, .. } = state;
        if self.params.razor(depth, eval, window.alpha) {
            let score = self.qsearch::<NonPv>(node, window, ply)?;
            if score <= window.alpha {
                return Ok(Some(score));
            }
        }
        let was_pv = self.stack[ply].was_pv;
        if !was_pv && self.params.reverse_futility(state, eval, window.beta) {
            return Ok(Some(eval));
        }
        if let Some(score) = self.null_move(node, window.beta, state, eval)? {
            return Ok(Some(score));
        }
        self.probcut(node, window.beta, state, hit)
    }

    /// Records the null move (`None`) or capture that tests whether the node at `ply` fails high.
    fn begin_probe(&mut self, ply: usize, step: Option<Step>) {
        let frame = &mut self.stack[ply];
        (frame.step, frame.quiet, frame.reduction) = (step, None, 0);
        self.stack[ply + 1].doubles = self.stack[ply].doubles;
    }

    /// Null move pruning: if the score stays at or above beta after passing, the node fails high.
    /// <https://www.chessprogramming.org/Null_Move_Pruning>
    fn null_move(
        &mut self,
        node: &Node<E::Sums>,
        beta: Score,
        state: NodeState,
        eval: Score,
    ) -> Result<Option<Score>, Stopped> {
        let NodeState { depth, ply, static_eval, cut_node, .. } = state;
        let after_null_move = ply > 0 && self.stack[ply - 1].step.is_none();
        if after_null_move
            || ply < self.null_move_min_ply
            || !node.has_non_pawns()
            || !self.params.null_move(depth, eval, static_eval.unwrap_or(eval), beta)
        {
            return Ok(None);
        }
        let Some(child) = node.pass() else { return Ok(None) };
        self.fetch(child.key);
        let reduced = depth - self.params.null_move_reduction(depth, eval, beta);
        self.begin_probe(ply, None);
        let passed = self.line.pass(node.key);
        let zero = Window::zero(beta.plus(-1));
        let score = -self.negamax::<NonPv>(&child, zero.flip(), reduced, ply + 1, !cut_node)?;
        self.line.unpass(passed);
        if score < beta {
            return Ok(None);
        }
        let score = if score.is_decided() { beta } else { score };
        if depth < self.params.null_move_verify_depth || self.null_move_min_ply > 0 {
            return Ok(Some(score));
        }
        // zugzwang: verify with a reduced search without null moves near this node
        self.null_move_min_ply = ply + (3 * reduced.max(1) / 4) as usize + 1;
        let verified = self.negamax::<NonPv>(node, zero, reduced, ply, false);
        self.null_move_min_ply = 0;
        Ok((verified? >= beta).then_some(score))
    }

    /// Probcut: if a capture beats beta by a margin in a reduced search, a full search will
    /// probably fail high.
    /// <https://www.chessprogramming.org/ProbCut>
    fn probcut(
        &mut self,
        node: &Node<E::Sums>,
        beta: Score,
        state: NodeState,
        hit: Option<Hit>,
    ) -> Result<Option<Score>, Stopped> {
        let NodeState { depth, ply, raw_eval, static_eval, improving, cut_node, .. } = state;
        let Some(bound) = self.params.probcut(depth, beta, improving) else { return Ok(None) };
        let refuted = |known: TableScore| known.depth >= depth - 3 && known.score < bound;
        let Some(static_eval) = static_eval else { return Ok(None) };
        if hit.and_then(|hit| hit.known).is_some_and(refuted) {
            return Ok(None);
        }
        let needed = bound.centipawns() - static_eval.centipawns();
        let table_move = hit.map_or(PackedMove::NONE, |hit| hit.m);
        let mut picker = Picker::noisy(&node.chess, table_move);
        let window = Window::zero(bound.plus(-1)).flip();
        let side = node.chess.turn();
        while let Some(m) = picker.next(
            |m| self.history.of_capture(side, m, node.threats().attacked()),
            || self.rank_quiets(node, state.steps),
        ) {
            let key = self.prefetch(node, m);
            if !see_ge(&node.chess, m, needed) {
                continue;
            }
            let child = node.play(&self.evaluator, m.into(), key);
            self.begin_probe(ply, Some(Step::of(m)));
            self.line.push(node.key);
            let mut score = -self.qsearch::<NonPv>(&child, window, ply + 1)?;
            if score >= bound {
                score = -self.negamax::<NonPv>(&child, window, depth - 4, ply + 1, !cut_node)?;
            }
            self.line.pop();
            if score >= bound {
                let bound = Bound::Lower;
                let (depth, was_pv) = (depth - 3, self.stack[ply].was_pv);
                let known = TableScore { score, bound, depth, static_eval: raw_eval, was_pv };
                self.shared.table.store(node.key, ply, m.into(), known);
                return Ok(Some(score));
            }
        }
        Ok(None)
    }
}
