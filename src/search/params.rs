//! Every number of the search, with its unit and meaning. Margins are in centipawns of the neutral
//! evaluation, depths in plies, history in its own units up to [`HISTORY_MAX`].

use crate::score::MAX_PLY;

/// The width of the first aspiration window to each side of the last score.
pub(super) const ASPIRATION_WIDTH: i32 = 18;
/// Aspiration begins at this depth; before it scores jump too much.
pub(super) const ASPIRATION_DEPTH: i32 = 5;
/// Windows wider than this are opened fully.
pub(super) const ASPIRATION_GIVE_UP: i32 = 700;
/// Bounds of an iteration are reported once this many nodes are searched.
pub(super) const REPORT_BOUNDS_NODES: u64 = 2_000_000;

/// Iterations up to this depth try every move at full depth: no mate in two is overlooked, and it
/// costs next to nothing.
pub(super) const FULL_WIDTH_DEPTH: i32 = 3;

/// Reverse futility: the greatest depth, and the margin for each ply of it.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 8;
pub(super) const REVERSE_FUTILITY_MARGIN: i32 = 75;

/// Null move: the least depth, the base reduction, and what adds a ply to it.
pub(super) const NULL_MOVE_DEPTH: i32 = 3;
pub(super) const NULL_MOVE_BASE: i32 = 4;
pub(super) const NULL_MOVE_DEPTH_DIVISOR: i32 = 4;
pub(super) const NULL_MOVE_EVAL_DIVISOR: i32 = 180;
pub(super) const NULL_MOVE_EVAL_MOST: i32 = 3;
/// From this depth on a null move's refutation is verified: zugzwang.
pub(super) const NULL_MOVE_VERIFY_DEPTH: i32 = 10;

/// Internal iterative reduction: nodes without a table move from this depth on.
pub(super) const ITERATIVE_REDUCTION_DEPTH: i32 = 4;

/// Late-move pruning: the greatest depth.
pub(super) const LATE_MOVE_DEPTH: i32 = 8;
/// Futility: the greatest (reduced) depth, the base margin and that for each ply.
pub(super) const FUTILITY_DEPTH: i32 = 8;
pub(super) const FUTILITY_BASE: i32 = 90;
pub(super) const FUTILITY_MARGIN: i32 = 85;
/// History pruning: the greatest (reduced) depth, and history for each ply.
pub(super) const HISTORY_PRUNING_DEPTH: i32 = 4;
pub(super) const HISTORY_PRUNING_MARGIN: i32 = -3500;
/// Exchange pruning: the greatest depth, and the loss allowed by captures and quiet moves.
pub(super) const SEE_DEPTH: i32 = 9;
pub(super) const SEE_CAPTURE_MARGIN: i32 = -90;
pub(super) const SEE_QUIET_MARGIN: i32 = -22;

/// Late-move reductions begin at this depth and after this many moves.
pub(super) const REDUCTION_DEPTH: i32 = 3;
pub(super) const REDUCTION_MOVES: usize = 2;
/// History that changes a reduction by one ply.
pub(super) const REDUCTION_HISTORY: i32 = 8192;

/// Quiescence: what a capture must be able to gain beyond the static score.
pub(super) const DELTA_MARGIN: i32 = 180;

/// No history is larger.
pub(super) const HISTORY_MAX: i32 = 16_384;
/// The bonus for a cutoff: per ply, less an offset, at most.
pub(super) const HISTORY_BONUS: i32 = 160;
pub(super) const HISTORY_BONUS_OFFSET: i32 = 100;
pub(super) const HISTORY_BONUS_MOST: i32 = 1700;

/// Static exchange values: pawn, knight, bishop, rook, queen, king.
pub(super) const EXCHANGE_VALUE: [i32; 6] = [100, 300, 300, 500, 900, 10_000];

/// Late-move reductions in plies, by depth and move number (both capped).
#[derive(Clone, Debug)]
pub(super) struct Reductions([[u8; 64]; MAX_PLY + 1]);

impl Reductions {
    /// A product of logarithms. From `libm`, so that all machines search the same tree.
    #[allow(clippy::float_arithmetic, clippy::cast_precision_loss)]
    pub(super) fn new() -> Self {
        let mut table = [[0; 64]; MAX_PLY + 1];
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, plies) in row.iter_mut().enumerate().skip(1) {
                let product = libm::log(depth as f64) * libm::log(number as f64);
                *plies = (0.8 + product / 2.3) as u8;
            }
        }
        Self(table)
    }

    /// How many plies later to stop for the move of this `number` at `depth`.
    pub(super) fn get(&self, depth: i32, number: usize) -> i32 {
        i32::from(self.0[depth.clamp(0, MAX_PLY as i32) as usize][number.min(63)])
    }
}
