//! Selects quiet positions: a static evaluation can only be fitted where no capture is pending.
//!
//! <https://www.chessprogramming.org/Quiescence_Search>

use crate::{eval::TermEvaluator, search::quiet_line};
use shakmaty::{Chess, Position};

/// How to treat a position in which a capture wins material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quiet {
    /// Replace it by the position at the end of the best line of captures.
    Resolve,
    /// Skip it.
    Skip,
    /// Use it unchanged.
    Trust,
}

/// The reason why a position is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// The side to move is in check.
    Check,
    /// A capture is pending and was not played out, or the line of captures ends in check.
    Unquiet,
    /// There is no legal move, or the game is decided.
    Over,
}

/// Returns the position to use in place of `chess`, or the reason to skip it.
pub(super) fn quiet_position(
    chess: &Chess,
    quiet: Quiet,
    evaluator: &mut TermEvaluator,
) -> Result<Chess, Unfit> {
    if chess.is_check() {
        return Err(Unfit::Check);
    }
    match quiet {
        Quiet::Trust => usable(chess.clone()),
        Quiet::Resolve => resolve(chess, evaluator),
        Quiet::Skip if best_leaf(chess, evaluator) == *chess => usable(chess.clone()),
        Quiet::Skip => Err(Unfit::Unquiet),
    }
}

/// Returns the position at the end of the best line of captures and evasions, or the reason to skip
/// it.
pub(super) fn resolve(chess: &Chess, evaluator: &mut TermEvaluator) -> Result<Chess, Unfit> {
    usable(best_leaf(chess, evaluator))
}

/// Returns `leaf` unless the game is over or the side to move is in check.
fn usable(leaf: Chess) -> Result<Chess, Unfit> {
    if leaf.legal_moves().is_empty() {
        return Err(Unfit::Over);
    }
    if leaf.is_check() { Err(Unfit::Unquiet) } else { Ok(leaf) }
}

/// Like [`resolve`], but accepts any position, including mate and check.
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

    fn quiet_fen(fen: &str, quiet: Quiet) -> Result<String, Unfit> {
        let weights = Profile::builtin("standard").unwrap().weights;
        let mut evaluator = TermEvaluator::new(ByColor { white: weights.clone(), black: weights });
        let chess = Game::from_fen(fen, None).unwrap().chess;
        quiet_position(&chess, quiet, &mut evaluator)
            .map(|chess| Game { chess, ..Game::default() }.fen())
    }

    #[test]
    fn hanging_pieces_are_captured_or_the_position_is_skipped() {
        let hanging = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1";
        assert_eq!(quiet_fen(hanging, Quiet::Resolve).unwrap(), "4k3/8/8/3P4/8/8/8/4K3 b - - 0 1");
        assert_eq!(quiet_fen(hanging, Quiet::Skip), Err(Unfit::Unquiet));
        assert_eq!(quiet_fen(hanging, Quiet::Trust).unwrap(), hanging);
    }

    #[test]
    fn quiet_positions_are_kept_and_checks_are_skipped() {
        let guarded = "4k3/3p4/4p3/8/8/8/4R3/4K3 w - - 0 1";
        for quiet in [Quiet::Resolve, Quiet::Skip, Quiet::Trust] {
            assert_eq!(quiet_fen(guarded, quiet).unwrap(), guarded);
            assert_eq!(quiet_fen("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", quiet), Err(Unfit::Check));
            assert_eq!(quiet_fen("k7/2Q5/8/8/8/8/8/4K3 b - - 0 1", quiet), Err(Unfit::Over));
        }
    }

    #[test]
    fn a_capture_with_check_is_answered_before_the_line_ends() {
        let check = "3rk3/8/8/8/8/8/3R4/3RK3 w - - 0 1";
        let leaf = quiet_fen(check, Quiet::Resolve).unwrap();
        assert!(!leaf.contains('r') && !leaf.ends_with("b - - 0 1"), "{leaf}");
    }
}
