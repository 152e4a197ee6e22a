//! A position weighed factor by factor, under any ratios, for one side.

use super::line::End;
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
        knob::{Knob, Side},
        relevance::Ratios,
    },
    profile::{EvaluatorKind, Profile},
    search::quiet_line,
};
use shakmaty::{ByColor, Chess, Color, Move, Position};

/// What one factor weighs in a position, in centipawns for the side that feels.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Part {
    /// With the factor at 1.
    pub unit: f64,
    /// As weighed.
    pub value: f64,
    /// The same term by term, for all terms of the group; none for the article's measures.
    pub terms: Vec<(&'static str, f64)>,
}

impl Part {
    /// The value of the term at `index`; of none it is 0.
    pub(super) fn term(&self, index: usize) -> f64 {
        self.terms.get(index).map_or(0.0, |(_, value)| *value)
    }
}

/// A static evaluation taken apart, from the point of view of the side that feels.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Weighed {
    /// One for each of [`Judge::knobs`], in that order. With `draw` they add up to the score but for
    /// rounding.
    pub parts: Vec<Part>,
    /// What a draw is worth, if it is one.
    pub draw: i32,
    /// As the search would see it, in centipawns.
    pub score: i32,
}

/// How one side evaluates under a profile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judge<'p> {
    pub profile: &'p Profile,
    pub side: Color,
}

impl Judge<'_> {
    /// The factors that this profile's evaluation knows.
    pub(super) fn knobs(self) -> Vec<Knob> {
        match self.profile.evaluator {
            EvaluatorKind::Terms => Knob::all().collect(),
            EvaluatorKind::Measures => [
                (Group::Material, Side::Both),
                (Group::Mobility, Side::Own),
                (Group::King, Side::Own),
                (Group::King, Side::Other),
            ]
            .map(|(group, side)| Knob { group, side })
            .to_vec(),
        }
    }

    /// The captures after which nothing hangs in `chess`, as evaluated under `ratios`.
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

    /// The evaluation of the end of a line: nothing but what a `draw` is worth if that is one, none if
    /// it is a mate or a result that tables know.
    pub(super) fn weigh(self, end: &End, ratios: &Ratios, draw: i32) -> Option<Weighed> {
        let chess = &end.game.chess;
        match end.over {
            None => Some(match self.profile.evaluator {
                EvaluatorKind::Terms => self.terms(chess, ratios),
                EvaluatorKind::Measures => self.measures(chess, ratios),
            }),
            Some(over) if over.is_draw() => {
                let parts = vec![Part::default(); self.knobs().len()];
                Some(Weighed { parts, draw, score: draw })
            }
            Some(_) => None,
        }
    }

    fn terms(self, chess: &Chess, ratios: &Ratios) -> Weighed {
        let explanation =
            |ratios: &Ratios| explain(chess, &self.profile.weights, ratios.relevance(self.side));
        let (felt, plain) = (explanation(ratios), explanation(&Ratios::NEUTRAL));
        let part = |knob| {
            let terms = self.terms_of(knob, &felt, &felt);
            let unit = self.terms_of(knob, &plain, &felt).iter().map(|(_, value)| value).sum();
            Part { unit, value: terms.iter().map(|(_, value)| value).sum(), terms }
        };
        let white = Score::cp(felt.score).clamp_static().centipawns();
        let score = self.side.fold_wb(white, -white);
        Weighed { parts: self.knobs().into_iter().map(part).collect(), draw: 0, score }
    }

    /// What the terms that `knob` weighs come to in `of`, by phase and scale of `frame`.
    fn terms_of(
        self,
        knob: Knob,
        of: &Explanation,
        frame: &Explanation,
    ) -> Vec<(&'static str, f64)> {
        let (own, other) = match knob.side {
            Side::Own => (1, 0),
            Side::Other => (0, -1),
            Side::Both => (1, -1),
        };
        Feature::ALL
            .into_iter()
            .filter(|feature| feature.spec().group == knob.group)
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

    #[expect(clippy::cast_precision_loss, reason = "for people to read")]
    fn measures(self, chess: &Chess, ratios: &Ratios) -> Weighed {
        let mut evaluator = MeasureEvaluator::new(self.side, ratios.measures());
        let measures = Measures::of(chess, self.side);
        let values = evaluator.parts(&measures);
        let parts = measures.in_order().into_iter().zip(values).map(|(quarters, value)| Part {
            unit: f64::from(quarters) / f64::from(QUARTERS),
            value: value as f64 / UNITS_PER_POINT as f64,
            terms: Vec::new(),
        });
        let score = evaluator.evaluate(chess, ()).centipawns();
        let score = if chess.turn() == self.side { score } else { -score };
        Weighed { parts: parts.collect(), draw: 0, score }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "these are exact")]

    use super::*;
    use crate::{chess::game::Game, explain::why::line::Over, profile::Profile};

    const FEN: &str = "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1";

    fn end(over: Option<Over>) -> End {
        End { game: Game::from_fen(FEN, None).unwrap(), over }
    }

    fn bent() -> Ratios {
        let mut ratios = Ratios::NEUTRAL;
        ratios.own[Group::King as usize] = 1.5;
        ratios.other[Group::Mobility as usize] = 0.75;
        ratios
    }

    #[test]
    fn every_factor_of_both_sides_is_one_knob() {
        let profile = Profile::builtin("default").unwrap();
        let knobs = Judge { profile: &profile, side: Color::White }.knobs();
        assert_eq!(knobs.len(), 2 * Group::COUNT - 1);
        for knob in knobs {
            let mut turned = bent();
            knob.turn(&mut turned, 3.0);
            assert_eq!(knob.of(&turned), 3.0, "{}", knob.name());
            assert_ne!(turned, bent());
        }
    }

    #[test]
    fn parts_add_up_and_are_linear_in_their_factors() {
        let profile = Profile::builtin("default").unwrap();
        for side in Color::ALL {
            let judge = Judge { profile: &profile, side };
            let felt = judge.weigh(&end(None), &bent(), 40).unwrap();
            let total: f64 = felt.parts.iter().map(|part| part.value).sum();
            assert!((total - f64::from(felt.score)).abs() < 1.1, "{total} {}", felt.score);
            for (knob, part) in judge.knobs().into_iter().zip(&felt.parts) {
                // each weight is rounded to 256ths of a centipawn when its factor is applied
                let expected = part.unit * knob.of(&bent());
                assert!((part.value - expected).abs() < 0.5, "{}: {part:?}", knob.name());
            }
        }
    }

    #[test]
    fn both_sides_see_the_same_with_the_sign_turned() {
        let profile = Profile::builtin("default").unwrap();
        let score = |side| {
            let judge = Judge { profile: &profile, side };
            judge.weigh(&end(None), &Ratios::NEUTRAL, 0).unwrap().score
        };
        assert_eq!(score(Color::White), -score(Color::Black));
    }

    #[test]
    fn what_is_over_is_worth_a_draw_or_beyond_weighing() {
        let profile = Profile::builtin("default").unwrap();
        let judge = Judge { profile: &profile, side: Color::White };
        let drawn = judge.weigh(&end(Some(Over::Repetition)), &bent(), -14).unwrap();
        assert_eq!((drawn.score, drawn.draw), (-14, -14));
        assert_eq!(judge.weigh(&end(Some(Over::Mate)), &bent(), 0), None);
    }
}
