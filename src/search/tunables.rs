//! Search parameters as UCI options, for tuning by SPSA (cargo feature `tuning`).

use super::params::Params;

/// A field of [`Params`] that can be set by a UCI option.
#[derive(Clone, Copy, Debug)]
pub struct Tunable {
    /// The name of the option.
    pub name: &'static str,
    /// The minimum and the maximum, inclusive.
    pub range: (i32, i32),
    /// Accesses the field.
    pub field: fn(&mut Params) -> &mut i32,
}

/// All tunable search parameters.
pub const TUNABLES: &[Tunable] = &[
    tunable("aspiration_width", (1, 54), |params| &mut params.aspiration_width),
    tunable("reverse_futility_depth", (1, 16), |params| &mut params.reverse_futility_depth),
    tunable("reverse_futility_margin", (0, 225), |params| &mut params.reverse_futility_margin),
    tunable("razor_depth", (1, 12), |params| &mut params.razor_depth),
    tunable("razor_base", (0, 660), |params| &mut params.razor_base),
    tunable("razor_margin", (0, 360), |params| &mut params.razor_margin),
    tunable("probcut_depth", (1, 12), |params| &mut params.probcut_depth),
    tunable("probcut_margin", (0, 480), |params| &mut params.probcut_margin),
    tunable("probcut_improving", (0, 120), |params| &mut params.probcut_improving),
    tunable("null_move_depth", (1, 12), |params| &mut params.null_move_depth),
    tunable("null_move_base", (0, 10), |params| &mut params.null_move_base),
    tunable("null_move_depth_divisor", (1, 10), |params| &mut params.null_move_depth_divisor),
    tunable("null_move_eval_divisor", (1, 540), |params| &mut params.null_move_eval_divisor),
    tunable("null_move_eval_most", (0, 10), |params| &mut params.null_move_eval_most),
    tunable("null_move_margin", (0, 60), |params| &mut params.null_move_margin),
    tunable("null_move_verify_depth", (1, 20), |params| &mut params.null_move_verify_depth),
    tunable("iterative_reduction_depth", (1, 12), |params| &mut params.iterative_reduction_depth),
    tunable("late_move_depth", (1, 16), |params| &mut params.late_move_depth),
    tunable("late_move_base", (0, 10), |params| &mut params.late_move_base),
    tunable("futility_depth", (1, 16), |params| &mut params.futility_depth),
    tunable("futility_base", (0, 270), |params| &mut params.futility_base),
    tunable("futility_margin", (0, 255), |params| &mut params.futility_margin),
    tunable("history_pruning_depth", (1, 12), |params| &mut params.history_pruning_depth),
    tunable("history_pruning_margin", (-10500, 0), |params| &mut params.history_pruning_margin),
    tunable("see_depth", (1, 18), |params| &mut params.see_depth),
    tunable("see_capture_margin", (-270, 0), |params| &mut params.see_capture_margin),
    tunable("see_quiet_margin", (-66, 0), |params| &mut params.see_quiet_margin),
    tunable("reduction_depth", (1, 12), |params| &mut params.reduction_depth),
    tunable("reduction_base", (0, 2457), |params| &mut params.reduction_base),
    tunable("reduction_slope", (0, 1335), |params| &mut params.reduction_slope),
    tunable("reduction_cut_node", (0, 3072), |params| &mut params.reduction_cut_node),
    tunable("reduction_not_improving", (0, 3072), |params| &mut params.reduction_not_improving),
    tunable("reduction_pv", (0, 3072), |params| &mut params.reduction_pv),
    tunable("reduction_check", (0, 3072), |params| &mut params.reduction_check),
    tunable("reduction_table_captures", (-1024, 2048), |params| {
        &mut params.reduction_table_captures
    }),
    tunable("reduction_cutoffs", (-1024, 2048), |params| &mut params.reduction_cutoffs),
    tunable("reduction_killer", (-1024, 2048), |params| &mut params.reduction_killer),
    tunable("deeper_margin", (0, 180), |params| &mut params.deeper_margin),
    tunable("shallower_margin", (-20, 50), |params| &mut params.shallower_margin),
    tunable("reduction_history", (1, 24576), |params| &mut params.reduction_history),
    tunable("correction_pawns", (0, 1600), |params| &mut params.correction_pawns),
    tunable("correction_pieces", (0, 1600), |params| &mut params.correction_pieces),
    tunable("correction_moves", (0, 1600), |params| &mut params.correction_moves),
    tunable("singular_depth", (3, 14), |params| &mut params.singular_depth),
    tunable("singular_margin", (0, 72), |params| &mut params.singular_margin),
    tunable("escape_minor", (0, 15_000), |params| &mut params.escape_bonus[0]),
    tunable("escape_rook", (0, 27_000), |params| &mut params.escape_bonus[1]),
    tunable("escape_queen", (0, 42_000), |params| &mut params.escape_bonus[2]),
    tunable("late_capture_count", (1, 20), |params| &mut params.late_capture_count),
    tunable("delta_margin", (0, 540), |params| &mut params.delta_margin),
    tunable("history_bonus", (0, 480), |params| &mut params.history_bonus.each),
    tunable("history_bonus_offset", (0, 300), |params| &mut params.history_bonus.offset),
    tunable("history_bonus_most", (0, 5100), |params| &mut params.history_bonus.most),
    tunable("history_malus", (0, 480), |params| &mut params.history_malus.each),
    tunable("history_malus_offset", (0, 300), |params| &mut params.history_malus.offset),
    tunable("history_malus_most", (0, 5100), |params| &mut params.history_malus.most),
    tunable("history_prior", (0, 300), |params| &mut params.history_prior),
    tunable("history_table", (0, 300), |params| &mut params.history_table),
];

const fn tunable(
    name: &'static str,
    range: (i32, i32),
    field: fn(&mut Params) -> &mut i32,
) -> Tunable {
    Tunable { name, range, field }
}

impl Tunable {
    /// Finds a parameter by name.
    pub fn named(name: &str) -> Option<&'static Self> {
        TUNABLES.iter().find(|tunable| tunable.name == name)
    }

    /// Sets the parameter. Returns `None` if `value` is not a number within the range.
    pub fn set(&self, params: &mut Params, value: &str) -> Option<()> {
        let (least, greatest) = self.range;
        let number = value.parse().ok().filter(|number| (least..=greatest).contains(number))?;
        *(self.field)(params) = number;
        Some(())
    }

    /// Returns the default value.
    pub fn default(&self) -> i32 {
        *(self.field)(&mut Params::default())
    }
}

/// Returns the SPSA input for `OpenBench`, one line per parameter: name, type, start, minimum,
/// maximum, final step (a twentieth of the range) and learning rate.
/// <https://github.com/AndyGrant/OpenBench/wiki/SPSA-Tuning-Workloads>
pub fn spsa_lines() -> String {
    let line = |tunable: &Tunable| {
        let (least, greatest) = tunable.range;
        let step = ((greatest - least) / 20).max(1);
        format!("{}, int, {}, {least}, {greatest}, {step}, 0.002", tunable.name, tunable.default())
    };
    TUNABLES.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tunable_has_a_unique_name_and_a_default_within_its_range() {
        let mut names: Vec<_> = TUNABLES.iter().map(|tunable| tunable.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), TUNABLES.len());
        for tunable in TUNABLES {
            let (least, greatest) = tunable.range;
            assert!((least..=greatest).contains(&tunable.default()), "{}", tunable.name);
        }
    }
}
