//! A move whose turn it is: whether it is left out, and how much less deep than others it is searched.
//! Late-move reductions (lmr): <https://www.chessprogramming.org/Late_Move_Reductions>

use super::{
    Kind, Worker,
    history::Steps,
    learning::Found,
    negamax::Outlook,
    ordering::{Picker, is_quiet},
    params::PLY,
    see::see_ge,
};
use crate::{evaluator::Evaluator, position::Checks, score::Score};
use shakmaty::{Chess, Color, Move};

/// A move whose turn it is.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    pub m: Move,
    /// What history knows of it, if it is quiet.
    history: i32,
    /// It is quiet and gives no check.
    is_calm: bool,
    /// So many were searched before it, and this is the best score they had.
    pub searched: usize,
    pub best: Score,
    /// How much deeper it is searched than others.
    pub extension: i32,
}

impl<E: Evaluator> Worker<'_, E> {
    /// The turn of `m`, after those that have come before.
    pub(super) fn turn(
        &self,
        m: Move,
        checks: &Checks,
        found: &Found,
        side: Color,
        steps: &Steps,
    ) -> Turn {
        let quiet = is_quiet(m);
        let history = if quiet { self.history.of_quiet(side, m, steps) } else { 0 };
        let is_calm = quiet && !checks.gives(m);
        Turn { m, history, is_calm, searched: found.searched, best: found.best, extension: 0 }
    }

    /// How deep a move would be searched, were it reduced for its number alone.
    fn reduced_depth(&self, depth: i32, searched: usize) -> i32 {
        depth - self.reductions.get(depth, searched + 1) / PLY
    }

    /// Whether a calm move of a shallow node is not worth a search. If that is for its number, the
    /// calm ones after it are left out too.
    pub(super) fn prune_calm(
        &self,
        turn: Turn,
        outlook: Outlook,
        alpha: Score,
        checks: &Checks,
        picker: &mut Picker,
    ) -> bool {
        let Outlook { depth, static_eval, improving, .. } = outlook;
        if !turn.is_calm {
            return false;
        }
        if self.params.late_move(depth, turn.searched, improving) {
            picker.leave_out_quiets(checks);
            return true;
        }
        let reduced = self.reduced_depth(depth, turn.searched);
        self.params.futility(reduced, static_eval, alpha)
            || self.params.bad_history(reduced, turn.history)
    }

    /// Whether a move of a shallow node may lose too much at once.
    pub(super) fn prune_exchange(&self, chess: &Chess, turn: Turn, depth: i32) -> bool {
        let reduced = self.reduced_depth(depth, turn.searched);
        let threshold = self.params.exchange_threshold(depth, reduced, turn.is_calm);
        threshold.is_some_and(|threshold| !see_ge(chess, turn.m, threshold))
    }

    /// How many plies less deep a late move is searched at first.
    pub(super) fn reduction<K: Kind>(
        &self,
        turn: Turn,
        outlook: Outlook,
        gives_check: bool,
    ) -> i32 {
        let Turn { m, history, searched, .. } = turn;
        let Outlook { depth, improving, cut_node, .. } = outlook;
        let params = self.params;
        let mut reduction = self.reductions.get(depth, searched + 1);
        if is_quiet(m) {
            reduction -= history * PLY / params.reduction_history;
        } else {
            reduction /= 2;
        }
        let given = |condition: bool, change: i32| if condition { change } else { 0 };
        reduction += given(cut_node, params.reduction_cut_node);
        reduction += given(!improving, params.reduction_not_improving);
        reduction += given(outlook.table_captures, params.reduction_table_captures);
        reduction += given(self.stack[outlook.ply + 1].cutoffs > 3, params.reduction_cutoffs);
        reduction -= given(self.is_killer(m, outlook.ply), params.reduction_killer);
        reduction -= given(K::PV, params.reduction_pv);
        reduction -= given(gives_check, params.reduction_check);
        reduction -= self.favour(m, outlook.ply);
        reduction / PLY
    }

    fn is_killer(&self, m: Move, ply: usize) -> bool {
        self.stack[ply].killers.contains(&m.into())
    }
}
