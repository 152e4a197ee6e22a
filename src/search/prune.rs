//! The pruning and reduction rules, each a named function: what must hold, and nothing else.

use super::params as p;
use crate::score::Score;

/// Reverse futility (static null move): so far above beta that a shallow search will not fall
/// below. <https://www.chessprogramming.org/Reverse_Futility_Pruning>
pub(super) fn reverse_futility(depth: i32, eval: Score, beta: Score, improving: bool) -> bool {
    let margin = p::REVERSE_FUTILITY_MARGIN * (depth - i32::from(improving));
    depth <= p::REVERSE_FUTILITY_DEPTH && !beta.is_mate() && eval.plus(-margin) >= beta
}

/// Null move: if even passing holds beta, a move will. Not in zugzwang: the caller makes sure that
/// there are officers. <https://www.chessprogramming.org/Null_Move_Pruning>
pub(super) fn null_move(depth: i32, eval: Score, static_eval: Score, beta: Score) -> bool {
    depth >= p::NULL_MOVE_DEPTH
        && !beta.is_mate()
        && eval >= beta
        && static_eval.plus(20 * depth) >= beta
}

/// How many plies the search after a null move is shorter.
pub(super) fn null_move_reduction(depth: i32, eval: Score, beta: Score) -> i32 {
    let above = eval.centipawns() - beta.centipawns();
    p::NULL_MOVE_BASE
        + depth / p::NULL_MOVE_DEPTH_DIVISOR
        + (above / p::NULL_MOVE_EVAL_DIVISOR).min(p::NULL_MOVE_EVAL_MOST)
}

/// Late-move pruning: after this many moves of a shallow node the rest of the quiet ones are left.
/// <https://www.chessprogramming.org/Futility_Pruning#MoveCountBasedPruning>
pub(super) fn late_move(depth: i32, searched: usize, improving: bool) -> bool {
    let most = (3 + depth * depth) / if improving { 1 } else { 2 };
    depth <= p::LATE_MOVE_DEPTH && searched as i32 >= most
}

/// Futility: a quiet move cannot lift a hopeless score to alpha at a shallow depth.
/// <https://www.chessprogramming.org/Futility_Pruning>
pub(super) fn futility(reduced_depth: i32, static_eval: Option<Score>, alpha: Score) -> bool {
    let margin = p::FUTILITY_BASE + p::FUTILITY_MARGIN * reduced_depth.max(0);
    reduced_depth <= p::FUTILITY_DEPTH
        && !alpha.is_mate()
        && static_eval.is_some_and(|eval| eval.plus(margin) <= alpha)
}

/// History pruning: a move that failed almost everywhere is not tried at a shallow depth.
pub(super) fn bad_history(reduced_depth: i32, history: i32) -> bool {
    reduced_depth <= p::HISTORY_PRUNING_DEPTH
        && history < p::HISTORY_PRUNING_MARGIN * reduced_depth.max(1)
}

/// The exchange that a move may lose at `depth` and still be searched; none if the depth is great.
/// <https://www.chessprogramming.org/Static_Exchange_Evaluation>
pub(super) fn exchange_threshold(depth: i32, reduced_depth: i32, is_quiet: bool) -> Option<i32> {
    let reduced = reduced_depth.max(0);
    let threshold = if is_quiet {
        p::SEE_QUIET_MARGIN * reduced * reduced
    } else {
        p::SEE_CAPTURE_MARGIN * depth
    };
    (depth <= p::SEE_DEPTH).then_some(threshold)
}

/// Whether a move of this number is searched less deep at first.
/// <https://www.chessprogramming.org/Late_Move_Reductions>
pub(super) fn late_move_reduces(depth: i32, searched: usize, is_pv: bool) -> bool {
    depth >= p::REDUCTION_DEPTH && searched >= p::REDUCTION_MOVES + usize::from(is_pv)
}

/// Delta pruning in quiescence: not even the captured piece lifts the score to alpha.
/// <https://www.chessprogramming.org/Delta_Pruning>
pub(super) fn delta(stand_pat: Score, gain: i32, alpha: Score) -> bool {
    !alpha.is_mate() && stand_pat.plus(gain + p::DELTA_MARGIN) <= alpha
}
