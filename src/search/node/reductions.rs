//! A move whose turn it is: whether it is left out, and how much less deep than others it is searched.
//! Late-move reductions (lmr): <https://www.chessprogramming.org/Late_Move_Reductions>

use super::{learning::Found, negamax::NodeState, ordering::is_quiet, see::see_ge};
use crate::{
    chess::{evaluator::Evaluator, node::Checks, score::Score},
    search::{Kind, Worker, memory::history::Steps, params::PLY},
};
use shakmaty::{Chess, Color, Move};

/// A move whose turn it is.
#[derive(Clone, Copy)]
pub(in crate::search) struct Candidate {
    pub m: Move,
    /// What history knows of it, if it is quiet.
    history: i32,
    /// So many were searched before it, and this is the best score they had.
    pub searched: usize,
    pub best: Score,
    /// How much deeper it is searched than others.
    pub extension: i32,
}

impl<E: Evaluator> Worker<'_, E> {
    /// The turn of `m`, after those that have come before.
    pub(in crate::search) fn turn(
        &self,
        m: Move,
        found: &Found,
        side: Color,
        steps: &Steps,
    ) -> Candidate {
        let history = if is_quiet(m) { self.history.of_quiet(side, m, steps) } else { 0 };
        Candidate { m, history, searched: found.searched, best: found.best, extension: 0 }
    }

    /// How deep a move would be searched, were it reduced for its number alone.
    fn reduced_depth(&self, depth: i32, searched: usize) -> i32 {
        depth - self.reductions.get(depth, searched + 1) / PLY
    }

    /// Whether no calm move after so many is worth a search in a shallow node: for its number, or
    /// because the static score is too far below alpha.
    pub(in crate::search) fn is_hopeless(
        &self,
        state: NodeState,
        alpha: Score,
        searched: usize,
    ) -> bool {
        let NodeState { depth, static_eval, improving, .. } = state;
        let reduced = self.reduced_depth(depth, searched);
        self.params.late_move(depth, searched, improving)
            || self.params.futility(reduced, static_eval, alpha)
    }

    /// Whether a move of a shallow node is left out: it is calm, quiet and no check, and has failed too
    /// often, or it may lose too much at once, unless its exchange `is_sound`.
    pub(in crate::search) fn prunes(
        &self,
        chess: &Chess,
        turn: Candidate,
        depth: i32,
        checks: &Checks,
        is_sound: bool,
    ) -> bool {
        let reduced = self.reduced_depth(depth, turn.searched);
        let is_calm = is_quiet(turn.m) && !checks.gives(turn.m);
        if is_calm && self.params.bad_history(reduced, turn.history) {
            return true;
        }
        let threshold = self.params.exchange_threshold(depth, reduced, is_calm);
        !is_sound && threshold.is_some_and(|threshold| !see_ge(chess, turn.m, threshold))
    }

    /// How many plies less deep a late move is searched at first.
    pub(in crate::search) fn reduction<K: Kind>(
        &self,
        turn: Candidate,
        state: NodeState,
        gives_check: bool,
    ) -> i32 {
        let Candidate { m, history, searched, .. } = turn;
        let NodeState { depth, ply, improving, cut_node, .. } = state;
        let params = self.params;
        let given = |condition: bool, change: i32| if condition { change } else { 0 };
        let mut reduction = self.reductions.get(depth, searched + 1);
        if is_quiet(m) {
            reduction -= history * PLY / params.reduction_history;
            reduction += given(cut_node, params.reduction_cut_node);
            reduction += given(!improving, params.reduction_not_improving);
            reduction += given(state.table_captures, params.reduction_table_captures);
            reduction += given(self.stack[ply + 1].cutoffs > 3, params.reduction_cutoffs);
            reduction -= given(self.is_killer(m, ply), params.reduction_killer);
        } else {
            reduction /= 2;
        }
        reduction -= given(K::PV, params.reduction_pv);
        reduction -= given(gives_check, params.reduction_check);
        reduction -= self.attention(m, ply);
        reduction / PLY
    }

    fn is_killer(&self, m: Move, ply: usize) -> bool {
        self.stack[ply].killers.contains(&m.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{evaluator::stub::Even, score::Window},
        search::{
            AttentionBonus, NonPv, Shared, Signals,
            memory::{history::History, pages::Memory, tt::Compatible},
            root::{limits::Limits, report::Silent, time::Timer},
        },
    };
    use shakmaty::{Position, Square};

    /// By how much the tenth move, to E4 or to E3, is reduced `ply` half-moves from a root at which E4 is in
    /// attention by so much.
    fn reductions(attention: i16, ply: usize) -> [i32; 2] {
        let mut memory = Memory::new(1).unwrap();
        memory.new_search(0, Compatible::default());
        let (signals, limits) = (Signals::default(), Limits::default());
        let timer = Timer::stopwatch();
        let mut shared = Shared::new(&signals, &limits, timer, memory.table(), 1);
        shared.attention =
            Some(AttentionBonus::new(|_| 0, |_, to| if to == Square::E4 { attention } else { 0 }));
        let (mut history, mut report) = (History::default(), Silent);
        let worker = Worker::new(&shared, Even, &mut history, &[], 1, &mut report);
        let state = NodeState {
            depth: 12,
            ply,
            raw_eval: None,
            static_eval: None,
            improving: true,
            cut_node: false,
            table_captures: false,
            steps: [None; 3],
        };
        [Square::E4, Square::E3].map(|to| {
            let is_it = |m: &&Move| m.role() == shakmaty::Role::Pawn && m.to() == to;
            let m = *Chess::default().legal_moves().iter().find(is_it).unwrap();
            let (history, searched, best, extension) = (0, 9, Window::FULL.alpha, 0);
            let turn = Candidate { m, history, searched, best, extension };
            worker.reduction::<NonPv>(turn, state, false)
        })
    }

    #[test]
    fn moves_in_favour_are_reduced_less_by_the_side_that_favours_them() {
        let [usual, other] = reductions(0, 2);
        assert!(usual == other && usual >= 2);
        assert_eq!(reductions(PLY as i16, 2), [usual - 1, usual]);
        // the opponent does not care
        assert_eq!(reductions(PLY as i16, 3), [usual, usual]);
    }
}
