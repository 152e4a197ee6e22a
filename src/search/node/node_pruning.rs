//! Conditions and margins for pruning a whole node or changing its depth, one function per rule.

use super::negamax::NodeState;
use crate::{
    chess::score::Score,
    search::{
        memory::{packed_move::PackedMove, tt::TableScore},
        params::Params,
        root::report::Bound,
    },
};

impl Params {
    /// Razoring: at low depth, if the evaluation is below alpha by a margin, only quiescence search
    /// can still raise the score.
    /// <https://www.chessprogramming.org/Razoring>
    pub(in crate::search) fn razor(&self, depth: i32, eval: Score, alpha: Score) -> bool {
        let margin = self.razor_base + self.razor_margin * depth * depth;
        depth <= self.razor_depth && !alpha.is_decided() && eval.plus(margin) < alpha
    }

    /// Probcut: at high depth, returns the bound above beta that a capture must reach in a reduced
    /// search. If one does, the node probably fails high.
    /// <https://www.chessprogramming.org/ProbCut>
    pub(in crate::search) fn probcut(
        &self,
        depth: i32,
        beta: Score,
        improving: bool,
    ) -> Option<Score> {
        let margin = self.probcut_margin - if improving { self.probcut_improving } else { 0 };
        (depth >= self.probcut_depth && !beta.is_decided()).then(|| beta.plus(margin))
    }

    /// Reverse futility pruning (static null move pruning): at low depth, if the evaluation exceeds
    /// beta by a margin, the node is assumed to fail high. The caller excludes nodes that have been
    /// PV nodes.
    /// <https://www.chessprogramming.org/Reverse_Futility_Pruning>
    pub(in crate::search) fn reverse_futility(
        &self,
        state: NodeState,
        eval: Score,
        beta: Score,
    ) -> bool {
        let NodeState { depth, improving, gain, .. } = state;
        let per_ply =
            if improving { self.reverse_futility_improving } else { self.reverse_futility_margin };
        let less =
            if gain.is_some_and(|gain| gain > 0) { self.reverse_futility_worsening } else { 0 };
        let margin = (per_ply * depth - less).max(0);
        depth <= self.reverse_futility_depth && !beta.is_decided() && eval.plus(-margin) >= beta
    }

    /// Null move pruning: whether a null move is tried, because the evaluation is at least beta and
    /// the static evaluation is above it by a margin that falls with depth. If even passing fails
    /// high, a real move would too. The caller excludes positions with only kings and pawns, where
    /// zugzwang is common.
    /// <https://www.chessprogramming.org/Null_Move_Pruning>
    pub(in crate::search) fn null_move(
        &self,
        depth: i32,
        eval: Score,
        static_eval: Score,
        beta: Score,
    ) -> bool {
        depth >= self.null_move_depth
            && !beta.is_decided()
            && eval >= beta
            && static_eval.plus(self.null_move_margin * depth - self.null_move_above) >= beta
    }

    /// Returns the depth reduction of the null move search, in plies.
    pub(in crate::search) fn null_move_reduction(
        &self,
        depth: i32,
        eval: Score,
        beta: Score,
    ) -> i32 {
        let above = eval.centipawns() - beta.centipawns();
        self.null_move_base
            + depth / self.null_move_depth_divisor
            + (above / self.null_move_eval_divisor).min(self.null_move_eval_most)
    }

    /// Hindsight: returns by how many plies to change `depth`, now that the static evaluation after a
    /// reduced move is known. `gain` is what the move has cost the side that made it.
    pub(in crate::search) fn hindsight(&self, depth: i32, reduction: i32, gain: i32) -> i32 {
        if reduction >= self.hindsight_deeper && gain <= 0 {
            1
        } else if reduction >= self.hindsight_shallower
            && depth >= 2
            && gain > self.hindsight_margin
        {
            -1
        } else {
            0
        }
    }

    /// Small Probcut: returns a score if the table holds a lower bound far above beta from a search
    /// that was only a few plies shallower.
    /// <https://www.chessprogramming.org/ProbCut>
    pub(in crate::search) fn small_probcut(
        &self,
        depth: i32,
        beta: Score,
        known: Option<TableScore>,
    ) -> Option<Score> {
        let known = known.filter(|known| known.bound != Bound::Upper)?;
        let bound = beta.plus(self.small_probcut_margin);
        let is_decided = beta.is_decided() || known.score.is_decided();
        (!is_decided && known.depth >= depth - 4 && known.score >= bound).then_some(bound)
    }

    /// Internal iterative reductions: without a table move, or with one from a much shallower
    /// search, a shallower search finds a good move first.
    /// <https://www.chessprogramming.org/Internal_Iterative_Reductions>
    pub(in crate::search) fn reduces_iteratively(
        &self,
        depth: i32,
        table_move: PackedMove,
        known: Option<TableScore>,
    ) -> bool {
        let is_shallow =
            |known: TableScore| known.depth + self.iterative_reduction_shallow <= depth;
        depth >= self.iterative_reduction_depth
            && (table_move == PackedMove::NONE || known.is_some_and(is_shallow))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hindsight_corrects_the_depth_after_a_reduced_move() {
        let params = Params::default();
        let (deeper, shallower) = (params.hindsight_deeper, params.hindsight_shallower);
        let blunder = params.hindsight_margin + 1;
        assert_eq!(params.hindsight(5, deeper, 0), 1);
        assert_eq!(params.hindsight(5, deeper, 1), 0);
        assert_eq!(params.hindsight(5, shallower, blunder), -1);
        assert_eq!(params.hindsight(1, shallower, blunder), 0, "a ply must be left");
        assert_eq!(params.hindsight(5, 0, blunder), 0, "not reduced");
    }

    #[test]
    fn small_probcut_needs_a_bound_far_above_beta_from_nearly_the_same_depth() {
        let params = Params::default();
        let bound = Score::cp(params.small_probcut_margin);
        let known = |score, bound, depth| {
            Some(TableScore { score, bound, depth, static_eval: None, was_pv: false })
        };
        let cut = |known| params.small_probcut(8, Score::DRAW, known);
        assert_eq!(cut(known(bound.plus(50), Bound::Lower, 4)), Some(bound));
        assert_eq!(cut(known(bound.plus(-1), Bound::Lower, 4)), None);
        assert_eq!(cut(known(bound, Bound::Lower, 3)), None);
        assert_eq!(cut(known(bound, Bound::Upper, 9)), None);
        assert_eq!(cut(known(Score::mate_in(5), Bound::Lower, 9)), None);
        assert_eq!(cut(None), None);
    }
}
