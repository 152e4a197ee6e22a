//! Search parameters: margins, depths and reductions, with units.
//!
//! Margins are in centipawns of the neutral evaluation, depths in plies and reductions in 1024ths
//! of a ply. Histories have their own unit and are bounded by `HISTORY_MAX`.

use crate::chess::score::MAX_PLY;
use std::time::Duration;

/// The minimum depth of aspiration windows. At lower depths, scores vary too much.
pub(super) const ASPIRATION_DEPTH: i32 = 5;
/// Helper threads widen the aspiration window by 1 to this many centipawns, in turn.
pub(super) const MAX_HELPER_WIDENING: i32 = 7;
/// An aspiration window wider than this is opened completely.
pub(super) const ASPIRATION_GIVE_UP: i32 = 700;
/// Fail-high and fail-low scores are reported after this many nodes.
pub(super) const REPORT_BOUNDS_NODES: u64 = 2_000_000;
/// Current root moves are reported after this much time.
pub(super) const REPORT_MOVES_AFTER: Duration = Duration::from_secs(3);

/// Tablebase scores are stored at this much additional depth, so that they stay in the table.
pub(super) const TABLEBASE_DEPTH: i32 = 6;

/// Each halfmove since the last capture or pawn move takes one part in this many from the static
/// evaluation.
pub(super) const FADE_DIVISOR: i32 = 200;
/// The halfmove clock at which the static evaluation stops shrinking.
pub(super) const FADE_MAX_CLOCK: u32 = 100;

/// With this halfmove clock, scores from the transposition table no longer cause cutoffs. They may
/// have been found further from the fifty-move rule.
pub(super) const TT_CUTOFF_CLOCK_LIMIT: u32 = 90;

/// The bound of every history entry.
pub(super) const HISTORY_MAX: i32 = 16_384;

/// One ply in units of the reductions.
pub(super) const PLY: i32 = 1024;

/// Piece values of the static exchange evaluation: pawn, knight, bishop, rook, queen, king.
pub(super) const EXCHANGE_VALUE: [i32; 6] = [100, 300, 300, 500, 900, 10_000];

/// The search parameters. All but the first are tuned in games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    /// Iterations up to this depth search without pruning and reductions, so that no mate in two is
    /// overlooked. Not tuned. Tests raise it to compare with a full-width search.
    pub full_width_depth: i32,

    /// Aspiration windows: the first margin on each side of the last score.
    pub aspiration_width: i32,

    /// Reverse futility pruning: the maximum depth.
    pub reverse_futility_depth: i32,
    /// Reverse futility pruning: the margin per ply of depth.
    pub reverse_futility_margin: i32,

    /// Razoring: the maximum depth.
    pub razor_depth: i32,
    /// Razoring: the constant part of the margin.
    pub razor_base: i32,
    /// Razoring: the part of the margin per squared ply of depth.
    pub razor_margin: i32,

    /// Probcut: the minimum depth.
    pub probcut_depth: i32,
    /// Probcut: the margin above beta.
    pub probcut_margin: i32,
    /// Probcut: subtracted from the margin at an improving node.
    pub probcut_improving: i32,

    /// Null move pruning: the minimum depth.
    pub null_move_depth: i32,
    /// Null move pruning: the constant part of the reduction, in plies.
    pub null_move_base: i32,
    /// Null move pruning: plies of depth per additional ply of reduction.
    pub null_move_depth_divisor: i32,
    /// Null move pruning: centipawns above beta per additional ply of reduction.
    pub null_move_eval_divisor: i32,
    /// Null move pruning: the maximum reduction for a score above beta, in plies.
    pub null_move_eval_most: i32,
    /// Null move pruning: per ply of depth, how far below beta the static evaluation may be.
    pub null_move_margin: i32,
    /// Null move pruning: the minimum depth at which a cutoff is verified (zugzwang).
    pub null_move_verify_depth: i32,

    /// Internal iterative reductions: the minimum depth.
    pub iterative_reduction_depth: i32,

    /// Late move pruning: the maximum depth.
    pub late_move_depth: i32,
    /// Late move pruning: the number of moves searched at depth 0.
    pub late_move_base: i32,
    /// Futility pruning: the maximum reduced depth.
    pub futility_depth: i32,
    /// Futility pruning: the constant part of the margin.
    pub futility_base: i32,
    /// Futility pruning: the margin per ply of reduced depth.
    pub futility_margin: i32,
    /// History pruning: the maximum reduced depth.
    pub history_pruning_depth: i32,
    /// History pruning: the minimum history per ply of reduced depth.
    pub history_pruning_margin: i32,
    /// SEE pruning: the maximum depth.
    pub see_depth: i32,
    /// SEE pruning: the threshold of captures and checks, per ply of depth.
    pub see_capture_margin: i32,
    /// SEE pruning: the threshold of other moves, per squared ply of reduced depth.
    pub see_quiet_margin: i32,

    /// Late move reductions: the minimum depth.
    pub reduction_depth: i32,
    /// Late move reductions: the constant part.
    pub reduction_base: i32,
    /// Late move reductions: the factor of `ln(depth) · ln(move number)`.
    pub reduction_slope: i32,
    /// Late move reductions: added for a quiet move at a cut node.
    pub reduction_cut_node: i32,
    /// Late move reductions: added for a quiet move unless the node is improving.
    pub reduction_not_improving: i32,
    /// Late move reductions: added for a quiet move if the table move is a capture.
    pub reduction_table_captures: i32,
    /// Late move reductions: added for a quiet move after more than three cutoffs in child nodes.
    pub reduction_cutoffs: i32,
    /// Late move reductions: subtracted for a killer.
    pub reduction_killer: i32,
    /// Late move reductions: subtracted at a PV node.
    pub reduction_pv: i32,
    /// Late move reductions: subtracted for a move that gives check.
    pub reduction_check: i32,
    /// A reduced search that beats the best score by more than this is repeated one ply deeper.
    pub deeper_margin: i32,
    /// A reduced search that beats the best score by less than this is repeated one ply shallower.
    pub shallower_margin: i32,
    /// Late move reductions: history per ply subtracted from the reduction of a quiet move.
    pub reduction_history: i32,

    /// Correction history: the maximum correction by pawns, in 16ths of a centipawn.
    pub correction_pawns: i32,
    /// Correction history: the maximum correction by each side's pieces, in 16ths of a centipawn.
    pub correction_pieces: i32,
    /// Correction history: the maximum correction by the last two moves, in 16ths of a centipawn.
    pub correction_moves: i32,

    /// Singular extensions: the minimum depth.
    pub singular_depth: i32,
    /// Singular extensions: the margin per ply of depth, in 16ths of a centipawn.
    pub singular_margin: i32,

    /// Move ordering: added for a quiet move of a minor piece, rook or queen that leaves the attack of
    /// a lesser piece, and subtracted for one that enters it.
    pub escape_bonus: [i32; 3],

    /// Quiescence search: after this many captures and promotions, only recaptures and promotions
    /// are searched.
    pub late_capture_count: i32,
    /// Delta pruning: the margin above the stand-pat score and the captured piece.
    pub delta_margin: i32,

    /// History: the bonus for a cutoff.
    pub history_bonus: LinearBonus,
    /// History: the malus for moves searched before the one that caused the cutoff.
    pub history_malus: LinearBonus,
    /// History: percent of the bonus for the quiet move that led to a node that failed low.
    pub history_prior: i32,
    /// History: percent of the bonus for a quiet table move that caused a table cutoff.
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
            null_move_margin: 20,
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
            history_bonus: LinearBonus { each: 136, offset: 100, most: 1700 },
            history_malus: LinearBonus { each: 197, offset: 100, most: 1700 },
            history_prior: 63,
            history_table: 100,
        }
    }
}

/// A history bonus that grows with depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinearBonus {
    /// The bonus per ply of depth.
    pub each: i32,
    /// Subtracted from the bonus.
    pub offset: i32,
    /// The maximum bonus.
    pub most: i32,
}

impl LinearBonus {
    /// Returns the bonus at `depth`, from 0 to the maximum.
    pub(super) fn at(self, depth: i32) -> i32 {
        (self.each * depth - self.offset).clamp(0, self.most)
    }
}

/// The base reductions in 1024ths of a ply, by depth and move number.
#[derive(Clone, Debug)]
pub(super) struct Reductions(Box<[[u16; 64]; MAX_PLY + 1]>);

impl Reductions {
    /// Computes `base + slope · ln(depth) · ln(number)`. The logarithm comes from `libm`, so that
    /// the search tree is the same on all machines.
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

    /// Returns the base reduction of the move with this `number` at `depth`. Both are clamped.
    pub(super) fn get(&self, depth: i32, number: usize) -> i32 {
        i32::from(self.0[depth.clamp(0, MAX_PLY as i32) as usize][number.min(63)])
    }
}
