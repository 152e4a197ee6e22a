//! Static evaluation of the end of a line, factor by factor, for one side under any factors.

use super::end::LineEnd;
use crate::{
    chess::known::KnownGames,
    chess_mind::{Ratios, SideGroup},
    eval::{TermEvaluator, paper::MeasureEvaluator},
    explain::split::{Contribution, Split, factors},
    profile::{EvaluatorKind, Profile},
    search::quiet_line,
};
use shakmaty::{ByColor, Chess, Color, Move};
use std::sync::Arc;

/// The evaluation of an end, split by factor, from the point of view of the side that feels.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FactorSplit {
    /// One part per factor, in the order of [`ProfileEvaluator::factors`]. Together with `draw`
    /// they add up to the score, up to rounding.
    pub parts: Vec<Contribution>,
    /// The worth of a draw in centipawns if the position is drawn, else 0.
    pub draw: i32,
    /// The score that the search would use, in centipawns.
    pub score: i32,
}

/// The static evaluation of a profile, from the point of view of one side.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProfileEvaluator<'p> {
    pub profile: &'p Profile,
    pub side: Color,
    /// The games that the player remembers. They count at the root of a search only.
    pub known: Option<&'p Arc<KnownGames>>,
}

impl ProfileEvaluator<'_> {
    /// Returns the factors that this profile's evaluation uses.
    pub(super) fn factors(self) -> Vec<SideGroup> {
        factors(self.profile.evaluator)
    }

    /// Returns the captures that lead from `chess` to a quiet position, as evaluated under
    /// `ratios`.
    pub(super) fn quiet_line(self, chess: Chess, ratios: &Ratios) -> Vec<Move> {
        match self.profile.evaluator {
            EvaluatorKind::Terms => {
                let relevance = ratios.relevance(self.side);
                let weights = |side| self.profile.weights.under(relevance.get(side));
                quiet_line(chess, &mut TermEvaluator::new(ByColor::new_with(weights)))
            }
            EvaluatorKind::Measures => {
                quiet_line(chess, &mut MeasureEvaluator::new(self.side, ratios.measures()))
            }
        }
    }

    /// Evaluates the end of a line. A drawn end is worth `draw` only. Returns `None` for a mate and
    /// for a result from an endgame table.
    pub(super) fn weigh(self, end: &LineEnd, ratios: &Ratios, draw: i32) -> Option<FactorSplit> {
        match end.over {
            None => {
                let Split { parts, score } =
                    Split::of(self.profile, &end.game.chess, self.side, ratios);
                let parts = parts.into_iter().map(|(_, part)| part).collect();
                Some(FactorSplit { parts, draw: 0, score })
            }
            Some(over) if over.is_draw() => {
                let parts = vec![Contribution::default(); self.factors().len()];
                Some(FactorSplit { parts, draw, score: draw })
            }
            Some(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::game::Game, explain::why::end::NoEvaluation};

    #[test]
    fn a_draw_has_its_worth_and_a_mate_has_no_evaluation() {
        let profile = Profile::builtin("standard").unwrap();
        let evaluator = ProfileEvaluator { profile: &profile, side: Color::White, known: None };
        let end = |over| LineEnd { game: Game::default(), over: Some(over) };
        let drawn = evaluator.weigh(&end(NoEvaluation::Repetition), &Ratios::NEUTRAL, -14).unwrap();
        assert_eq!((drawn.score, drawn.draw), (-14, -14));
        assert_eq!(evaluator.weigh(&end(NoEvaluation::Mate), &Ratios::NEUTRAL, 0), None);
    }
}
