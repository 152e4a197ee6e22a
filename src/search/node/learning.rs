//! Updates killers, histories and correction history after a node is searched.

use super::negamax::NodeState;
use crate::{
    chess::{
        evaluator::Evaluator,
        node::{CompactMove, CompactMoves, Node},
        score::{Score, Window},
    },
    search::{memory::packed_move::PackedMove, root::report::Bound, worker::Worker},
};
use shakmaty::{Color, Position};

/// The results of the moves searched so far at a node.
pub(in crate::search) struct SearchedMoves {
    pub best: Score,
    /// The last move that raised alpha.
    pub best_move: Option<CompactMove>,
    pub searched: usize,
    /// Moves searched or pruned.
    pub tried: usize,
    /// Quiet moves searched without a beta cutoff.
    quiets: CompactMoves,
    captures: CompactMoves,
}

impl Default for SearchedMoves {
    fn default() -> Self {
        let (quiets, captures) = (CompactMoves::new(), CompactMoves::new());
        Self { best: -Score::INFINITE, best_move: None, searched: 0, tried: 0, quiets, captures }
    }
}

impl SearchedMoves {
    /// Records the score of one more move.
    pub(in crate::search) fn record_score(&mut self, score: Score) {
        self.searched += 1;
        self.best = self.best.max(score);
    }

    /// Records that `m` was searched without a beta cutoff.
    pub(in crate::search) fn add(&mut self, m: CompactMove) {
        if m.is_quiet() { self.quiets.push(m) } else { self.captures.push(m) }
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// Updates killers and histories after a beta cutoff by `m`: a bonus for `m`, a malus for the
    /// moves searched before it.
    pub(in crate::search) fn update_histories(
        &mut self,
        node: &Node<E::Sums>,
        m: CompactMove,
        found: &SearchedMoves,
        state: NodeState,
    ) {
        let NodeState { depth, ply, steps, .. } = state;
        let (side, attacked) = (node.chess.turn(), node.threats().attacked());
        let (bonus, malus) = (self.params.bonus(depth), self.params.malus(depth));
        self.stack[ply].cutoffs += 1;
        self.blame_previous_move(node, depth, ply);
        if m.is_quiet() {
            self.stack[ply].add_killer(m.into());
            self.history.update_quiet(side, m, steps, attacked, bonus);
            for quiet in &found.quiets {
                self.history.update_quiet(side, *quiet, steps, attacked, -malus);
            }
        } else {
            self.history.update_capture(side, m, attacked, bonus);
        }
        for capture in &found.captures {
            self.history.update_capture(side, *capture, attacked, -malus);
        }
    }

    /// Gives a history bonus to a quiet table move that causes a cutoff. The move is rebuilt
    /// without move generation, so castling is skipped and en passant counts as quiet.
    pub(in crate::search) fn reward_table_move(
        &mut self,
        node: &Node<E::Sums>,
        table_move: PackedMove,
        depth: i32,
        ply: usize,
    ) {
        let Some((from, to, None)) = table_move.parts() else { return };
        let board = node.chess.board();
        let Some(role) = board.role_at(from).filter(|_| board.role_at(to).is_none()) else {
            return;
        };
        let m = CompactMove::normal(role, from, to, None, None);
        let bonus = self.params.bonus(depth) * self.params.history_table / 100;
        let steps = self.steps(ply);
        let attacked = node.threats().attacked();
        self.history.update_quiet(node.chess.turn(), m, steps, attacked, bonus);
    }

    /// Gives a history bonus to the opponent's quiet move that led to a node that failed low.
    pub(in crate::search) fn reward_previous_move(
        &mut self,
        node: &Node<E::Sums>,
        state: NodeState,
    ) {
        let Some(ply) = state.ply.checked_sub(1) else { return };
        let Some(m) = self.stack[ply].quiet else { return };
        let bonus = self.params.bonus(state.depth) * self.params.history_prior / 100;
        let (steps, attacked) = (self.steps(ply), self.stack[ply].attacked);
        self.history.update_quiet(!node.chess.turn(), m, steps, attacked, bonus);
    }

    /// Gives a history malus to the opponent's quiet move that led to a node that failed high, if it
    /// was searched early: other early moves should come before it.
    pub(in crate::search) fn blame_previous_move(
        &mut self,
        node: &Node<E::Sums>,
        depth: i32,
        ply: usize,
    ) {
        let Some(ply) = ply.checked_sub(1) else { return };
        let Some(m) = self.stack[ply].quiet.filter(|_| self.stack[ply].is_early) else { return };
        let malus = self.params.malus(depth) * self.params.history_refuted / 100;
        let steps = self.steps(ply);
        self.history.update_replies(!node.chess.turn(), m, steps, -malus);
    }

    /// Gives a history bonus to the opponent's last move if it is quiet, by how it has changed the
    /// static evaluation: `gain` is what it has cost the opponent, in centipawns.
    pub(in crate::search) fn judge_previous_move(
        &mut self,
        node: &Node<E::Sums>,
        gain: i32,
        ply: usize,
    ) {
        let before = &self.stack[ply - 1];
        let Some(m) = before.quiet else { return };
        let (params, attacked) = (self.params, before.attacked);
        let bonus = (params.history_eval_even - gain) * params.history_eval;
        let bonus = bonus.clamp(-params.history_eval_most, params.history_eval_most);
        self.history.update_squares(!node.chess.turn(), m, attacked, bonus);
    }

    /// Teaches the continuation histories of a quiet move `m` that a reduced search took for good
    /// and that was then searched again: a bonus if the second search failed high in `window`, a
    /// malus if it failed low.
    pub(in crate::search) fn learn_again(
        &mut self,
        side: Color,
        m: CompactMove,
        score: Score,
        window: Window,
        state: NodeState,
    ) {
        let NodeState { depth, steps, .. } = state;
        let change = if !m.is_quiet() {
            return;
        } else if score <= window.alpha {
            -self.params.malus(depth)
        } else if window.fails_high(score) {
            self.params.bonus(depth)
        } else {
            return;
        };
        self.history.update_replies(side, m, steps, change * self.params.history_again / 100);
    }

    /// Updates the correction history with the difference between score and static evaluation.
    /// Skips bounds that do not contradict the static evaluation.
    pub(in crate::search) fn update_correction(
        &mut self,
        found: Score,
        bound: Bound,
        state: NodeState,
    ) {
        let (Some(static_eval), Some(places)) = (state.static_eval, state.places) else { return };
        let is_informative = match bound {
            Bound::Exact => true,
            Bound::Lower => found > static_eval,
            Bound::Upper => found < static_eval,
        };
        if is_informative && !found.is_decided() {
            let error = found.centipawns() - static_eval.centipawns();
            self.history.corrections.update(places, state.depth, error);
        }
    }
}
