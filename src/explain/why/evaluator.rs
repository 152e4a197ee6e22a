//! Static evaluation of a position factor by factor, for one side under any factors.

use super::line::LineEnd;
use crate::{
    chess::{
        evaluator::Evaluator,
        score::{Score, Tapered},
    },
    eval::{
        TermEvaluator,
        explain::{Explanation, explain},
        feature::Feature,
        group::Group,
        measures::{Measures, QUARTERS},
        paper::{MeasureEvaluator, UNITS_PER_POINT},
    },
    mind::{
        relevance::Ratios,
        side_group::{RelativeSide, SideGroup},
    },
    profile::{EvaluatorKind, Profile},
    search::quiet_line,
};
use shakmaty::{ByColor, Chess, Color, Move, Position};

/// The contribution of one factor to the evaluation, in centipawns for the side that feels.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Contribution {
    /// The contribution if the factor is 1.
    pub unit: f64,
    /// The contribution with the actual factor.
    pub value: f64,
    /// The contribution of each term of the group; empty for the article's measures.
    pub terms: Vec<(&'static str, f64)>,
}

impl Contribution {
    /// Returns the value of the term at `index`, or 0 if there is none.
    pub(super) fn term(&self, index: usize) -> f64 {
        self.terms.get(index).map_or(0.0, |(_, value)| *value)
    }
}

/// A static evaluation split by factor, from the point of view of the side that feels.
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
}

impl ProfileEvaluator<'_> {
    /// Returns the factors that this profile's evaluation uses.
    pub(super) fn factors(self) -> Vec<SideGroup> {
        match self.profile.evaluator {
            EvaluatorKind::Terms => SideGroup::all().collect(),
            EvaluatorKind::Measures => [
                (Group::Material, RelativeSide::Both),
                (Group::Mobility, RelativeSide::Own),
                (Group::King, RelativeSide::Own),
                (Group::King, RelativeSide::Other),
            ]
            .map(|(group, side)| SideGroup { group, side })
            .to_vec(),
        }
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
        let chess = &end.game.chess;
        match end.over {
            None => Some(match self.profile.evaluator {
                EvaluatorKind::Terms => self.terms(chess, ratios),
                EvaluatorKind::Measures => self.measures(chess, ratios),
            }),
            Some(over) if over.is_draw() => {
                let parts = vec![Contribution::default(); self.factors().len()];
                Some(FactorSplit { parts, draw, score: draw })
            }
            Some(_) => None,
        }
    }

    fn terms(self, chess: &Chess, ratios: &Ratios) -> FactorSplit {
        let explanation =
            |ratios: &Ratios| explain(chess, &self.profile.weights, ratios.relevance(self.side));
        let (felt, plain) = (explanation(ratios), explanation(&Ratios::NEUTRAL));
        let part = |side_group| {
            let terms = self.terms_of(side_group, &felt, &felt);
            let unit =
                self.terms_of(side_group, &plain, &felt).iter().map(|(_, value)| value).sum();
            Contribution { unit, value: terms.iter().map(|(_, value)| value).sum(), terms }
        };
        let white = Score::cp(felt.score).clamp_static().centipawns();
        let score = self.side.fold_wb(white, -white);
        FactorSplit { parts: self.factors().into_iter().map(part).collect(), draw: 0, score }
    }

    /// Returns the values of the terms of `side_group` in `of`, with the phase and scale of
    /// `frame`.
    fn terms_of(
        self,
        side_group: SideGroup,
        of: &Explanation,
        frame: &Explanation,
    ) -> Vec<(&'static str, f64)> {
        let (own, other) = match side_group.side {
            RelativeSide::Own => (1, 0),
            RelativeSide::Other => (0, -1),
            RelativeSide::Both => (1, -1),
        };
        Feature::ALL
            .into_iter()
            .filter(|feature| feature.spec().group == side_group.group)
            .map(|feature| {
                let rows = of.rows.iter().filter(|row| row.feature == feature);
                let value = rows.fold(Tapered::default(), |sum, row| {
                    let values = &row.values;
                    sum + *values.get(self.side) * own + *values.get(!self.side) * other
                });
                (feature.spec().name, frame.centipawns(value))
            })
            .collect()
    }

    #[expect(clippy::cast_precision_loss, reason = "printed only")]
    fn measures(self, chess: &Chess, ratios: &Ratios) -> FactorSplit {
        let mut evaluator = MeasureEvaluator::new(self.side, ratios.measures());
        let measures = Measures::of(chess, self.side);
        let values = evaluator.parts(&measures);
        let parts =
            measures.in_order().into_iter().zip(values).map(|(quarters, value)| Contribution {
                unit: f64::from(quarters) / f64::from(QUARTERS),
                value: value as f64 / UNITS_PER_POINT as f64,
                terms: Vec::new(),
            });
        let score = evaluator.evaluate(chess, ()).centipawns();
        let score = if chess.turn() == self.side { score } else { -score };
        FactorSplit { parts: parts.collect(), draw: 0, score }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "the values are exact")]

    use super::*;
    use crate::{chess::game::Game, explain::why::line::NoEvaluation, profile::Profile};

    const FEN: &str = "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1";

    fn end(over: Option<NoEvaluation>) -> LineEnd {
        LineEnd { game: Game::from_fen(FEN, None).unwrap(), over }
    }

    fn bent() -> Ratios {
        let mut ratios = Ratios::NEUTRAL;
        ratios.own[Group::King as usize] = 1.5;
        ratios.other[Group::Mobility as usize] = 0.75;
        ratios
    }

    #[test]
    fn every_factor_has_one_knob() {
        let profile = Profile::builtin("default").unwrap();
        let side_groups = ProfileEvaluator { profile: &profile, side: Color::White }.factors();
        assert_eq!(side_groups.len(), 2 * Group::COUNT - 1);
        for side_group in side_groups {
            let mut turned = bent();
            side_group.turn(&mut turned, 3.0);
            assert_eq!(side_group.of(&turned), 3.0, "{}", side_group.name());
            assert_ne!(turned, bent());
        }
    }

    #[test]
    fn parts_add_up_to_the_score_and_are_linear_in_their_factors() {
        let profile = Profile::builtin("default").unwrap();
        for side in Color::ALL {
            let evaluator = ProfileEvaluator { profile: &profile, side };
            let felt = evaluator.weigh(&end(None), &bent(), 40).unwrap();
            let total: f64 = felt.parts.iter().map(|part| part.value).sum();
            assert!((total - f64::from(felt.score)).abs() < 1.1, "{total} {}", felt.score);
            for (side_group, part) in evaluator.factors().into_iter().zip(&felt.parts) {
                // weights are rounded to 1/256 centipawn when their factor is applied
                let expected = part.unit * side_group.of(&bent());
                assert!((part.value - expected).abs() < 0.5, "{}: {part:?}", side_group.name());
            }
        }
    }

    #[test]
    fn scores_of_both_sides_differ_only_in_sign() {
        let profile = Profile::builtin("default").unwrap();
        let score = |side| {
            let evaluator = ProfileEvaluator { profile: &profile, side };
            evaluator.weigh(&end(None), &Ratios::NEUTRAL, 0).unwrap().score
        };
        assert_eq!(score(Color::White), -score(Color::Black));
    }

    #[test]
    fn a_draw_has_its_worth_and_a_mate_has_no_evaluation() {
        let profile = Profile::builtin("default").unwrap();
        let evaluator = ProfileEvaluator { profile: &profile, side: Color::White };
        let drawn = evaluator.weigh(&end(Some(NoEvaluation::Repetition)), &bent(), -14).unwrap();
        assert_eq!((drawn.score, drawn.draw), (-14, -14));
        assert_eq!(evaluator.weigh(&end(Some(NoEvaluation::Mate)), &bent(), 0), None);
    }
}
