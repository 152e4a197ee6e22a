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

/// A parameter that can be set by a UCI option, for tuning.
#[derive(Clone, Copy, Debug)]
pub struct Tunable {
    /// The name of the option.
    pub name: &'static str,
    /// The minimum and the maximum, inclusive.
    pub range: (i32, i32),
    /// Accesses the field.
    pub field: fn(&mut Params) -> &mut i32,
}

/// Defines the parameters from one table. A row has the name, the default, and the range for tuning.
macro_rules! params {
    ($($(#[$doc:meta])+ $name:ident = $default:literal, $least:literal..=$most:literal;)+) => {
        /// The search parameters.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            /// Iterations up to this depth search without pruning and reductions, so that no mate in
            /// two is overlooked. Not tuned. Tests raise it to compare with a full-width search.
            pub full_width_depth: i32,
            $($(#[$doc])+ pub $name: i32,)+
        }

        impl Default for Params {
            fn default() -> Self {
                Self { full_width_depth: 3, $($name: $default,)+ }
            }
        }

        /// All tunable search parameters.
        pub const TUNABLES: &[Tunable] = &[$(Tunable {
            name: stringify!($name),
            range: ($least, $most),
            field: |params| &mut params.$name,
        },)+];
    };
}

params! {
    /// Aspiration windows: the first margin on each side of the last score.
    aspiration_width = 10, 1..=54;
    /// Aspiration windows: percent by which the margin grows when the score is outside.
    aspiration_growth = 30, 5..=200;
    /// Aspiration windows: the maximum number of plies by which repeated searches that failed high
    /// are shallower.
    aspiration_reduction = 3, 0..=6;

    /// Reverse futility pruning: the maximum depth.
    reverse_futility_depth = 8, 1..=16;
    /// Reverse futility pruning: the margin per ply of depth.
    reverse_futility_margin = 75, 0..=225;
    /// Reverse futility pruning: the margin per ply of depth at an improving node.
    reverse_futility_improving = 40, 0..=225;
    /// Reverse futility pruning: subtracted from the margin after a move that worsened the
    /// opponent's evaluation.
    reverse_futility_worsening = 20, 0..=100;

    /// Razoring: the maximum depth.
    razor_depth = 4, 1..=12;
    /// Razoring: the constant part of the margin.
    razor_base = 182, 0..=660;
    /// Razoring: the part of the margin per squared ply of depth.
    razor_margin = 120, 0..=360;

    /// Probcut: the minimum depth.
    probcut_depth = 5, 1..=12;
    /// Probcut: the margin above beta.
    probcut_margin = 145, 0..=480;
    /// Probcut: subtracted from the margin at an improving node.
    probcut_improving = 40, 0..=120;

    /// Small Probcut: how far above beta a lower bound in the table must be.
    small_probcut_margin = 200, 0..=600;

    /// Null move pruning: the minimum depth.
    null_move_depth = 3, 1..=12;
    /// Null move pruning: the constant part of the reduction, in plies.
    null_move_base = 4, 0..=10;
    /// Null move pruning: plies of depth per additional ply of reduction.
    null_move_depth_divisor = 4, 1..=10;
    /// Null move pruning: centipawns above beta per additional ply of reduction.
    null_move_eval_divisor = 197, 1..=540;
    /// Null move pruning: the maximum reduction for a score above beta, in plies.
    null_move_eval_most = 3, 0..=10;
    /// Null move pruning: how far above beta the static evaluation must be at depth 0.
    null_move_above = 150, 0..=400;
    /// Null move pruning: how much less the static evaluation must be above beta, per ply of depth.
    null_move_margin = 20, 0..=60;
    /// Null move pruning: the minimum depth at which a cutoff is verified (zugzwang).
    null_move_verify_depth = 14, 1..=20;

    /// Internal iterative reductions: the minimum depth.
    iterative_reduction_depth = 4, 1..=12;
    /// Internal iterative reductions: the minimum number of plies by which the table entry is
    /// shallower.
    iterative_reduction_shallow = 4, 1..=20;

    /// Pruning of moves: added to the base reduction, for the depth that a move would be searched to.
    pruning_reduction = 400, 0..=1024;

    /// Late move pruning: the number of moves tried at depth 0.
    late_move_base = 4, 0..=10;

    /// Futility pruning: the maximum reduced depth.
    futility_depth = 12, 1..=20;
    /// Futility pruning: the constant part of the margin.
    futility_base = 42, 0..=270;
    /// Futility pruning: the margin per ply of reduced depth.
    futility_margin = 58, 0..=255;
    /// Futility pruning: history per centipawn of margin. Continuation history counts twice.
    futility_history = 153, 50..=1000;

    /// Futility pruning of captures: the maximum reduced depth.
    capture_futility_depth = 6, 0..=12;
    /// Futility pruning of captures: the constant part of the margin.
    capture_futility_base = 95, 0..=300;
    /// Futility pruning of captures: the margin per ply of reduced depth.
    capture_futility_margin = 81, 0..=300;
    /// Futility pruning of captures: capture history per centipawn of margin.
    capture_futility_history = 24, 10..=1000;

    /// History pruning: the maximum reduced depth.
    history_pruning_depth = 4, 1..=12;
    /// History pruning: the minimum continuation history per ply of depth after the first.
    history_pruning_margin = -2307, -10_500..=0;

    /// SEE pruning: the threshold of captures and checks, per ply of depth.
    see_capture_margin = -83, -270..=0;
    /// SEE pruning: the threshold of other moves, per squared ply of reduced depth.
    see_quiet_margin = -11, -66..=0;
    /// SEE pruning: the threshold of other moves, per ply of reduced depth.
    see_quiet_linear = -6, -66..=0;

    /// Late move reductions: the minimum depth.
    reduction_depth = 3, 1..=12;
    /// Late move reductions: the constant part.
    reduction_base = 1032, 0..=2457;
    /// Late move reductions: the factor of `ln(depth) · ln(move number)`.
    reduction_slope = 490, 0..=1335;
    /// Late move reductions: added for a quiet move at a cut node.
    reduction_cut_node = 1181, 0..=3072;
    /// Late move reductions: added for a quiet move unless the node is improving.
    reduction_not_improving = 926, 0..=3072;
    /// Late move reductions: subtracted at a PV node.
    reduction_pv = 600, 0..=3072;
    /// Late move reductions: subtracted at a node that is or was a PV node.
    reduction_was_pv = 1375, 0..=3072;
    /// Late move reductions: subtracted per centipawn of correction of the static evaluation.
    reduction_complexity = 8, 0..=40;
    /// Late move reductions: subtracted for a move that gives check.
    reduction_check = 1117, 0..=3072;
    /// Late move reductions: added for a quiet move if the table move is a capture.
    reduction_table_captures = 580, -1024..=2048;
    /// Late move reductions: added for a quiet move after more than three cutoffs in child nodes.
    reduction_cutoffs = 912, -1024..=2048;
    /// Late move reductions: subtracted for a killer.
    reduction_killer = 677, -1024..=2048;

    /// Hindsight: a node is searched one ply deeper if its move was reduced by at least this many
    /// plies and has not worsened the evaluation of the side that made it.
    hindsight_deeper = 3, 1..=10;
    /// Hindsight: a node is searched one ply shallower if its move was reduced by at least this many
    /// plies and has worsened the evaluation by `hindsight_margin`.
    hindsight_shallower = 2, 1..=10;
    /// See `hindsight_shallower`.
    hindsight_margin = 85, 0..=300;

    /// At PV nodes up to this depth, moves after one that raised alpha are searched one ply shallower.
    raised_depth = 6, 0..=20;

    /// A reduced search that beats the best score by more than this is repeated one ply deeper.
    deeper_margin = 40, 0..=180;

    /// A reduced search that beats the best score by less than this is repeated one ply shallower.
    shallower_margin = 8, -20..=50;

    /// Late move reductions: history per ply subtracted from the reduction of a quiet move.
    reduction_history = 9078, 1..=24_576;
    /// Late move reductions: history per ply subtracted from the reduction of a capture.
    reduction_capture_history = 10_000, 1..=32_768;

    /// Correction history: the maximum correction by pawns, in 16ths of a centipawn.
    correction_pawns = 588, 0..=1600;
    /// Correction history: the maximum correction by each side's pieces, in 16ths of a centipawn.
    correction_pieces = 488, 0..=1600;
    /// Correction history: the maximum correction by the minor pieces, in 16ths of a centipawn.
    correction_minors = 250, 0..=1600;
    /// Correction history: the maximum correction by the major pieces, in 16ths of a centipawn.
    correction_majors = 250, 0..=1600;
    /// Correction history: the maximum correction by the last two moves, in 16ths of a centipawn.
    correction_moves = 458, 0..=1600;
    /// Correction history: the maximum correction by the last move and the one four plies before, in
    /// 16ths of a centipawn.
    correction_older_moves = 250, 0..=1600;

    /// Singular extensions: the minimum depth.
    singular_depth = 6, 3..=14;
    /// Singular extensions: the margin per ply of depth, in 16ths of a centipawn.
    singular_margin = 17, 0..=72;
    /// Double extensions: how far below the singular bound all other moves must be.
    double_margin = 17, 0..=100;
    /// Double extensions: the maximum number in one line.
    double_most = 12, 0..=20;

    /// Move ordering: added for a quiet move of a minor piece that leaves the attack of a lesser piece,
    /// and subtracted for one that enters it.
    escape_minor = 5000, 0..=15_000;
    /// Move ordering: like `escape_minor`, for a rook.
    escape_rook = 9000, 0..=27_000;
    /// Move ordering: like `escape_minor`, for a queen.
    escape_queen = 14_000, 0..=42_000;

    /// Quiescence search: after this many captures and promotions, only recaptures and promotions
    /// are searched.
    late_capture_count = 2, 1..=20;

    /// Quiescence search: the number of quiet evasions searched, or more while all lead to mate.
    quiet_evasions = 2, 1..=8;

    /// Delta pruning: the margin above the stand-pat score and the captured piece.
    delta_margin = 95, 0..=540;

    /// History: the bonus for a cutoff, per ply of depth.
    history_bonus = 152, 0..=480;
    /// History: subtracted from the bonus.
    history_bonus_offset = 100, 0..=300;
    /// History: the maximum bonus.
    history_bonus_most = 1700, 0..=5100;
    /// History: the malus for moves searched before the one that caused the cutoff, per ply of depth.
    history_malus = 220, 0..=480;
    /// History: subtracted from the malus.
    history_malus_offset = 100, 0..=300;
    /// History: the maximum malus.
    history_malus_most = 1700, 0..=5100;
    /// History: percent of the bonus for the quiet move that led to a node that failed low.
    history_prior = 63, 0..=300;
    /// History: percent of the bonus or malus for a reply that was searched again after a reduced
    /// search.
    history_again = 60, 0..=300;
    /// History: percent of the bonus for a quiet table move that caused a table cutoff.
    history_table = 100, 0..=300;
    /// History: percent of the malus for an early quiet move that the opponent refutes.
    history_refuted = 60, 0..=300;
    /// History: the bonus for a quiet move, per centipawn by which it raised the static evaluation.
    history_eval = 5, 0..=50;
    /// History: the largest bonus or malus for a change of the static evaluation.
    history_eval_most = 600, 0..=3000;
    /// History: the loss of static evaluation that is no fault of the move, because the right to move
    /// counts for both sides in turn.
    history_eval_even = 25, 0..=100;
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
