//! Decides whether a move is pruned and how much its depth is reduced: late move reductions (LMR).
//! <https://www.chessprogramming.org/Late_Move_Reductions>

use super::{learning::SearchedMoves, negamax::NodeState, see};
use crate::{
    chess::{
        evaluator::Evaluator,
        node::{Checks, CompactMove, Node},
        score::Score,
    },
    search::{
        memory::{packed_move::PackedMove, step::Steps},
        params::PLY,
        worker::{NodeKind, Worker},
    },
};
use shakmaty::{Bitboard, Position};
use std::ops::Deref;

/// The move to be searched next.
#[derive(Clone, Copy)]
pub(in crate::search) struct Candidate {
    pub m: CompactMove,
    /// The history of the move. 0 for the first move.
    history: i32,
    /// The part of the history that depends on the moves before. 0 for captures and the first move.
    replies: i32,
    /// The squares that the opponent attacks. Always set for a quiet move.
    pub attacked: Bitboard,
    /// Moves tried before this one at the node, pruned ones included.
    pub tried: usize,
    pub best: Score,
    /// Whether it is one of the first two moves, but not the table move.
    pub is_early: bool,
    /// The extension of the move, in plies.
    pub extension: i32,
}

impl<E: Evaluator> Worker<'_, E> {
    /// Creates the candidate `m` after the moves in `found`.
    #[inline]
    pub(in crate::search) fn candidate(
        &self,
        node: &Node<E::Sums>,
        m: CompactMove,
        found: &SearchedMoves,
        table_move: PackedMove,
        steps: Steps,
    ) -> Candidate {
        let (is_quiet, is_first) = (m.is_quiet(), found.searched == 0);
        let side = node.chess.turn();
        // threats are computed on first use, and a first capture does not need them
        let attacked =
            if is_first && !is_quiet { Bitboard::EMPTY } else { node.threats().attacked() };
        let (history, replies) = if is_first {
            (0, 0)
        } else if is_quiet {
            let history = self.history.quiets(side, steps, attacked);
            let replies = history.of_replies(m);
            (history.of_squares(m) + replies, replies)
        } else {
            (self.history.of_capture(side, m, attacked), 0)
        };
        let SearchedMoves { searched, tried, best, .. } = *found;
        let is_early = searched < 2 && PackedMove::from(m) != table_move;
        Candidate { m, history, replies, attacked, tried, best, is_early, extension: 0 }
    }

    /// Returns the depth to which a late move would be searched, at least 0.
    fn reduced_depth<K: NodeKind>(&self, state: NodeState, tried: usize) -> i32 {
        let NodeState { depth, improving, .. } = state;
        let params = self.params;
        let when = |condition: bool, change: i32| if condition { change } else { 0 };
        let reduction = self.reductions.get(depth, tried + 1)
            + params.pruning_reduction
            + when(!improving, params.reduction_not_improving)
            - when(K::PV, params.reduction_pv);
        (depth - 1 - reduction / PLY).max(0)
    }

    /// Whether moves of this node may be pruned. With only kings and pawns, a single tempo can decide
    /// the game.
    pub(in crate::search) fn may_prune_moves<K: NodeKind>(&self, node: &Node<E::Sums>) -> bool {
        !K::ROOT && !self.searches_all(node) && node.has_non_pawns()
    }

    /// Returns the SEE threshold below which a move is skipped, or `None` if futility or history pruning
    /// skips it, because it is unlikely to exceed `goal`. Without a goal, no move is skipped.
    pub(in crate::search) fn exchange_needed<K: NodeKind>(
        &self,
        candidate: Candidate,
        state: NodeState,
        goal: Option<Score>,
        checks: &impl Deref<Target = Checks>,
    ) -> Option<i32> {
        let Some(goal) = goal else { return Some(see::ANY) };
        let NodeState { depth, static_eval, .. } = state;
        let Candidate { m, history, replies, tried, .. } = candidate;
        let params = self.params;
        let reduced = self.reduced_depth::<K>(state, tried);
        let is_calm = m.is_quiet() && !checks.gives(m);
        let is_hopeless = if is_calm {
            params.bad_history(depth, reduced, replies)
                || params.futility(reduced, static_eval, history + replies, goal)
        } else {
            !K::PV
                && !m.is_quiet()
                && params.capture_futility(reduced, static_eval, see::gain(m), history, goal)
                && !checks.gives(m)
        };
        (!is_hopeless).then(|| params.exchange_threshold(depth, reduced, is_calm))
    }

    /// Returns the depth at which the moves of a node are searched after one that raised alpha to
    /// `score`: at PV nodes of low depth, a second one rarely does.
    pub(in crate::search) fn depth_after_raise<K: NodeKind>(
        &self,
        depth: i32,
        score: Score,
    ) -> i32 {
        let is_low = depth > 2 && depth <= self.params.raised_depth;
        depth - i32::from(K::PV && !K::ROOT && is_low && !score.is_decided())
    }

    /// Returns the late move reduction of a move, in plies.
    pub(in crate::search) fn reduction<K: NodeKind>(
        &self,
        candidate: Candidate,
        state: NodeState,
        gives_check: bool,
    ) -> i32 {
        let Candidate { m, history, tried, .. } = candidate;
        let NodeState { depth, ply, improving, cut_node, .. } = state;
        let params = self.params;
        let when = |condition: bool, change: i32| if condition { change } else { 0 };
        let mut reduction = self.reductions.get(depth, tried + 1);
        if m.is_quiet() {
            reduction -= history * PLY / params.reduction_history;
            reduction += when(cut_node, params.reduction_cut_node);
            reduction += when(!improving, params.reduction_not_improving);
            reduction += when(state.table_captures, params.reduction_table_captures);
            reduction += when(self.stack[ply + 1].cutoffs > 3, params.reduction_cutoffs);
            reduction -= when(self.is_killer(m.into(), ply), params.reduction_killer);
        } else {
            if self.stack[ply].was_pv {
                reduction /= 2;
            }
            reduction -= history * PLY / params.reduction_capture_history;
        }
        reduction -= when(K::PV, params.reduction_pv);
        reduction -= when(self.stack[ply].was_pv, params.reduction_was_pv);
        reduction -= state.complexity * params.reduction_complexity;
        reduction -= when(gives_check, params.reduction_check);
        reduction -= self.attention(m, ply);
        reduction / PLY
    }

    /// Returns the attention bonus of `m` at `ply`, in 1024ths of a ply. It is 0 for moves of the
    /// opponent.
    fn attention(&self, m: CompactMove, ply: usize) -> i32 {
        match &self.shared.attention {
            Some(attention) if ply.is_multiple_of(2) => attention.of(m.into()),
            _ => 0,
        }
    }

    fn is_killer(&self, m: PackedMove, ply: usize) -> bool {
        self.stack[ply].killers.contains(&m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{evaluator::stub::DrawEvaluator, score::Window},
        search::{
            memory::{history::History, pages::Memory, tt::CompatibleEvaluations},
            node::attention::AttentionBonus,
            root::{limits::Limits, report::Silent, state::RootState, time::Timer},
            shared::{SharedState, Signals},
            worker::NonPv,
        },
    };
    use shakmaty::{Chess, Move, Square};

    /// Returns the reductions of the pawn moves to E4 and E3 as tenth move at `ply`. E4 has an
    /// attention bonus.
    fn reductions(attention: i16, ply: usize) -> [i32; 2] {
        let mut memory = Memory::new(1).unwrap();
        memory.new_search(0, CompatibleEvaluations::default());
        let (signals, limits) = (Signals::default(), Limits::default());
        let timer = Timer::stopwatch();
        let arriving = |_, to| if to == Square::E4 { attention } else { 0 };
        let attention = Some(AttentionBonus::new(|_| 0, arriving));
        let shared =
            SharedState { attention, ..SharedState::new(&signals, &limits, timer, memory.table()) };
        let (mut history, mut report) = (History::default(), Silent);
        let root = RootState::new(&mut report, 1);
        let worker = Worker::new(&shared, DrawEvaluator, &mut history, &[], 1, root);
        let state = NodeState {
            depth: 12,
            ply,
            raw_eval: None,
            static_eval: None,
            improving: true,
            gain: None,
            cut_node: false,
            complexity: 0,
            table_captures: false,
            steps: [None; 3],
            places: None,
        };
        [Square::E4, Square::E3].map(|to| {
            let is_it = |m: &&Move| m.role() == shakmaty::Role::Pawn && m.to() == to;
            let m = *Chess::default().legal_moves().iter().find(is_it).unwrap();
            let (history, replies, tried, best) = (0, 0, 9, Window::FULL.alpha);
            let (is_early, extension) = (false, 0);
            let attacked = Bitboard::EMPTY;
            let candidate = Candidate {
                m: m.into(),
                history,
                replies,
                attacked,
                tried,
                best,
                is_early,
                extension,
            };
            worker.reduction::<NonPv>(candidate, state, false)
        })
    }

    #[test]
    fn attention_reduces_moves_less_for_the_root_side_only() {
        let [usual, other] = reductions(0, 2);
        assert!(usual == other && usual >= 2);
        assert_eq!(reductions(PLY as i16, 2), [usual - 1, usual]);
        // the bonus does not apply to the opponent
        assert_eq!(reductions(PLY as i16, 3), [usual, usual]);
    }
}
