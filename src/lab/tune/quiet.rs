//! Quiet positions: a static evaluation can only be fitted where nothing hangs.

use crate::{eval::TermEvaluator, search::quiet_line};
use shakmaty::{Chess, Position};

/// What to do with a position in which something hangs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quiet {
    /// Take the position at the end of the best line of captures instead.
    Resolve,
    /// Leave it out.
    Skip,
    /// Take it as it is.
    Trust,
}

/// Why a position is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// The side to move is in check.
    Check,
    /// Something hangs, and it was not to be resolved, or could not.
    Unquiet,
    /// There is no legal move.
    Over,
}

/// The position to fit in place of `chess`.
pub(super) fn settled(
    chess: &Chess,
    quiet: Quiet,
    evaluator: &mut TermEvaluator,
) -> Result<Chess, Unfit> {
    if chess.is_check() {
        return Err(Unfit::Check);
    }
    match quiet {
        Quiet::Trust => usable(chess.clone()),
        Quiet::Resolve => resolved(chess, evaluator),
        Quiet::Skip if best_leaf(chess, evaluator) == *chess => usable(chess.clone()),
        Quiet::Skip => Err(Unfit::Unquiet),
    }
}

/// The position at the end of the best line of captures and evasions.
pub(super) fn resolved(chess: &Chess, evaluator: &mut TermEvaluator) -> Result<Chess, Unfit> {
    usable(best_leaf(chess, evaluator))
}

fn usable(leaf: Chess) -> Result<Chess, Unfit> {
    if leaf.legal_moves().is_empty() {
        return Err(Unfit::Over);
    }
    if leaf.is_check() { Err(Unfit::Unquiet) } else { Ok(leaf) }
}

/// The position at the end of the best line of captures and evasions, whatever it is.
pub(super) fn best_leaf(chess: &Chess, evaluator: &mut TermEvaluator) -> Chess {
    let mut leaf = chess.clone();
    for m in quiet_line(chess.clone(), evaluator) {
        leaf.play_unchecked(m);
    }
    leaf
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::game::Game, profile::Profile};
    use shakmaty::ByColor;

    fn settle(fen: &str, quiet: Quiet) -> Result<String, Unfit> {
        let weights = Profile::builtin("default").unwrap().weights;
        let mut evaluator = TermEvaluator::new(ByColor { white: weights.clone(), black: weights });
        let chess = Game::from_fen(fen, None).unwrap().chess;
        settled(&chess, quiet, &mut evaluator).map(|chess| Game { chess, keys: Vec::new() }.fen())
    }

    #[test]
    fn what_hangs_is_taken() {
        let hanging = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1";
        assert_eq!(settle(hanging, Quiet::Resolve).unwrap(), "4k3/8/8/3P4/8/8/8/4K3 b - - 0 1");
        assert_eq!(settle(hanging, Quiet::Skip), Err(Unfit::Unquiet));
        assert_eq!(settle(hanging, Quiet::Trust).unwrap(), hanging);
    }

    #[test]
    fn quiet_positions_stay_and_checks_go() {
        let guarded = "4k3/3p4/4p3/8/8/8/4R3/4K3 w - - 0 1";
        for quiet in [Quiet::Resolve, Quiet::Skip, Quiet::Trust] {
            assert_eq!(settle(guarded, quiet).unwrap(), guarded);
            assert_eq!(settle("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", quiet), Err(Unfit::Check));
            assert_eq!(settle("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1", quiet), Err(Unfit::Over));
        }
    }

    #[test]
    fn a_capture_with_check_is_answered_before_it_is_judged() {
        let check = "3rk3/8/8/8/8/8/3R4/3RK3 w - - 0 1";
        let leaf = settle(check, Quiet::Resolve).unwrap();
        assert!(!leaf.contains('r') && !leaf.ends_with("b - - 0 1"), "{leaf}");
    }
}
