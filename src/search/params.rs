//! The numbers of the search that play can fit, with unit and meaning. Margins are in centipawns of the neutral
//! evaluation, depths in plies, reductions in 1024ths of a ply, history in its own units up to
//! `HISTORY_MAX`.

use crate::chess::score::MAX_PLY;
use std::time::Duration;

/// Aspiration begins at this depth; before it scores jump too much.
pub(super) const ASPIRATION_DEPTH: i32 = 5;
/// Helpers have wider windows, by 1 to so much in turn.
pub(super) const MOST_WIDER: i32 = 7;
/// Windows wider than this are opened fully.
pub(super) const ASPIRATION_GIVE_UP: i32 = 700;
/// Bounds of an iteration are reported once this many nodes are searched.
pub(super) const REPORT_BOUNDS_NODES: u64 = 2_000_000;
/// Root moves are reported once the search has taken this long.
pub(super) const REPORT_MOVES_AFTER: Duration = Duration::from_secs(3);

/// What a tablebase knows counts as searched this much deeper, so that it stays in the table.
pub(super) const TABLEBASE_DEPTH: i32 = 6;

/// Static scores lose this part of themselves with each half-move without capture or pawn move, up to
/// the fifty-move rule.
pub(super) const IDLE_FADE: i32 = 200;
pub(super) const IDLE_MOST: u32 = 100;

/// After so many half-moves without capture or pawn move no score of the table cuts a node off: it may
/// have been found farther from the fifty-move rule.
pub(super) const STALE: u32 = 90;

/// No history is larger.
pub(super) const HISTORY_MAX: i32 = 16_384;

/// A reduction by one ply.
pub(super) const PLY: i32 = 1024;

/// Static exchange values: pawn, knight, bishop, rook, queen, king.
pub(super) const EXCHANGE_VALUE: [i32; 6] = [100, 300, 300, 500, 900, 10_000];

/// The numbers that are fitted by play, but for the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    /// Iterations up to this depth try every move at full depth: no mate in two is overlooked, and it
    /// costs next to nothing. Fixed; tests set it to see that what is left out elsewhere loses little.
    pub full_width_depth: i32,

    /// The width of the first aspiration window to each side of the last score.
    pub aspiration_width: i32,

    /// Reverse futility: the greatest depth, and the margin for each ply of it.
    pub reverse_futility_depth: i32,
    pub reverse_futility_margin: i32,

    /// Razoring: the greatest depth, the margin at depth 0, and what the square of the depth adds.
    pub razor_depth: i32,
    pub razor_base: i32,
    pub razor_margin: i32,

    /// Probcut: the least depth, the margin, and how much less it is when things improve.
    pub probcut_depth: i32,
    pub probcut_margin: i32,
    pub probcut_improving: i32,

    /// Null move: the least depth, the base reduction, and what adds a ply to it.
    pub null_move_depth: i32,
    pub null_move_base: i32,
    pub null_move_depth_divisor: i32,
    pub null_move_eval_divisor: i32,
    pub null_move_eval_most: i32,
    /// From this depth on a null move's refutation is verified: zugzwang.
    pub null_move_verify_depth: i32,

    /// Internal iterative reduction: nodes without a table move from this depth on.
    pub iterative_reduction_depth: i32,

    /// Late-move pruning: the greatest depth, and the moves tried at depth 0.
    pub late_move_depth: i32,
    pub late_move_base: i32,
    /// Futility: the greatest (reduced) depth, the base margin and that for each ply.
    pub futility_depth: i32,
    pub futility_base: i32,
    pub futility_margin: i32,
    /// History pruning: the greatest (reduced) depth, and history for each ply.
    pub history_pruning_depth: i32,
    pub history_pruning_margin: i32,
    /// Exchange pruning: the greatest depth, and the loss allowed by captures and quiet moves.
    pub see_depth: i32,
    pub see_capture_margin: i32,
    pub see_quiet_margin: i32,

    /// Late-move reductions begin at this depth.
    pub reduction_depth: i32,
    /// The reduction: its base, and that for a product of logarithms of 1.
    pub reduction_base: i32,
    pub reduction_slope: i32,
    /// What else changes that of a quiet move.
    pub reduction_cut_node: i32,
    pub reduction_not_improving: i32,
    pub reduction_table_captures: i32,
    pub reduction_cutoffs: i32,
    pub reduction_killer: i32,
    /// What else changes that of any move.
    pub reduction_pv: i32,
    pub reduction_check: i32,
    /// A reduced search that beats the best score by so much is repeated deeper, by less shallower.
    pub deeper_margin: i32,
    pub shallower_margin: i32,
    /// History that changes a reduction by one ply.
    pub reduction_history: i32,

    /// Correction history: the most that each kind adds to a static score, in 16ths of a centipawn.
    pub correction_pawns: i32,
    pub correction_pieces: i32,
    pub correction_moves: i32,

    /// Singular extensions: the least depth, and the margin for each ply in 16ths.
    pub singular_depth: i32,
    pub singular_margin: i32,

    /// What is added to the history of a quiet move by which a minor piece, a rook or a queen escapes from
    /// a lesser man, and taken from that of one by which it goes to be taken.
    pub escape_bonus: [i32; 3],

    /// Quiescence: after so many captures and promotions were looked at, those that lose among them, only
    /// recaptures and promotions are.
    pub late_capture_count: i32,
    /// Quiescence: what a capture must be able to gain beyond the static score.
    pub delta_margin: i32,

    /// The bonus for a cutoff: per ply, less an offset, at most.
    pub history_bonus: i32,
    pub history_bonus_offset: i32,
    pub history_bonus_most: i32,
    /// The malus for moves tried in vain before a cutoff, in the same way.
    pub history_malus: i32,
    pub history_malus_offset: i32,
    pub history_malus_most: i32,
    /// Hundredths of a bonus for the quiet move that led to a node where nothing helps.
    pub history_prior: i32,
    /// Hundredths of a bonus for the quiet move by which the table cuts.
    pub history_table: i32,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            full_width_depth: 3,
            aspiration_width: 17,
            reverse_futility_depth: 8,
            reverse_futility_margin: 75,
            razor_depth: 4,
            razor_base: 182,
            razor_margin: 120,
            probcut_depth: 5,
            probcut_margin: 149,
            probcut_improving: 40,
            null_move_depth: 3,
            null_move_base: 4,
            null_move_depth_divisor: 4,
            null_move_eval_divisor: 173,
            null_move_eval_most: 3,
            null_move_verify_depth: 10,
            iterative_reduction_depth: 4,
            late_move_depth: 8,
            late_move_base: 3,
            futility_depth: 8,
            futility_base: 81,
            futility_margin: 65,
            history_pruning_depth: 4,
            history_pruning_margin: -3723,
            see_depth: 9,
            see_capture_margin: -87,
            see_quiet_margin: -17,
            reduction_depth: 3,
            reduction_base: 1032,
            reduction_slope: 448,
            reduction_cut_node: 1243,
            reduction_not_improving: 1089,
            reduction_pv: 1024,
            reduction_check: 1024,
            reduction_table_captures: 728,
            reduction_cutoffs: 921,
            reduction_killer: 700,
            deeper_margin: 60,
            shallower_margin: 8,
            reduction_history: 9460,
            correction_pawns: 598,
            correction_pieces: 488,
            correction_moves: 387,
            singular_depth: 7,
            singular_margin: 27,
            escape_bonus: [5000, 9000, 14_000],
            late_capture_count: 2,
            delta_margin: 204,
            history_bonus: 136,
            history_bonus_offset: 100,
            history_bonus_most: 1700,
            history_malus: 197,
            history_malus_offset: 100,
            history_malus_most: 1700,
            history_prior: 63,
            history_table: 100,
        }
    }
}

/// Late-move reductions in 1024ths of a ply, by depth and move number (both capped).
#[derive(Clone, Debug)]
pub(super) struct Reductions(Box<[[u16; 64]; MAX_PLY + 1]>);

impl Reductions {
    /// A product of logarithms. From `libm`, so that all machines search the same tree.
    #[allow(clippy::float_arithmetic, clippy::cast_precision_loss)]
    pub(super) fn new(params: &Params) -> Self {
        let logs: [f64; MAX_PLY + 1] = std::array::from_fn(|number| libm::log(number as f64));
        let mut table = Box::new([[0; 64]; MAX_PLY + 1]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, reduction) in row.iter_mut().enumerate().skip(1) {
                let scaled = f64::from(params.reduction_slope) * (logs[depth] * logs[number]);
                *reduction = (f64::from(params.reduction_base) + scaled) as u16;
            }
        }
        Self(table)
    }

    /// How much later to stop for the move of this `number` at `depth`.
    pub(super) fn get(&self, depth: i32, number: usize) -> i32 {
        i32::from(self.0[depth.clamp(0, MAX_PLY as i32) as usize][number.min(63)])
    }
}
