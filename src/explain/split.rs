//! The static evaluation of a position, split into the parts that the factors of a feeling multiply.

use crate::{
    chess::{evaluator::Evaluator, score::Score},
    chess_mind::{Ratios, SideGroup},
    eval::{
        explain::{Explanation, Frame, explain},
        feature::Feature,
        group::Group,
        measures::{Measures, QUARTERS},
        paper::{MeasureEvaluator, UNITS_PER_POINT},
    },
    mind::side_group::RelativeSide,
    profile::{EvaluatorKind, Profile},
};
use shakmaty::{Chess, Color, Position};

/// What one factor contributes to an evaluation, in centipawns for the side that feels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contribution {
    /// The contribution if the factor is 1.
    pub unit: f64,
    /// The contribution with the actual factor.
    pub value: f64,
    /// The contribution of each term of the group; empty for the article's measures.
    pub terms: Vec<(&'static str, f64)>,
}

impl Contribution {
    /// Returns the value of the term at `index`, or 0 without terms.
    pub(super) fn term(&self, index: usize) -> f64 {
        self.terms.get(index).map_or(0.0, |(_, value)| *value)
    }
}

/// A static evaluation split by factor, from the point of view of the side that feels.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// The factors and what each contributes. The values add up to the score, up to rounding.
    pub parts: Vec<(SideGroup, Contribution)>,
    /// The score that the search would use, in centipawns.
    pub score: i32,
}

/// Returns the factors that an evaluator uses.
pub fn factors(evaluator: EvaluatorKind) -> Vec<SideGroup> {
    match evaluator {
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

impl Split {
    /// Evaluates `chess` with the evaluator of `profile` for `side`, which feels `ratios`.
    pub fn of(profile: &Profile, chess: &Chess, side: Color, ratios: &Ratios) -> Self {
        let (parts, score) = match profile.evaluator {
            EvaluatorKind::Terms => terms(profile, chess, side, ratios),
            EvaluatorKind::Measures => measures(chess, side, ratios),
        };
        Self { parts: factors(profile.evaluator).into_iter().zip(parts).collect(), score }
    }

    /// Returns what each group contributes, in the order of [`Group::ALL`].
    #[must_use]
    pub fn by_group(&self) -> [f64; Group::COUNT] {
        let mut groups = [0.0; Group::COUNT];
        for (side_group, part) in &self.parts {
            groups[side_group.group as usize] += part.value;
        }
        groups
    }
}

/// Returns the parts of the tapered terms, and the score.
fn terms(
    profile: &Profile,
    chess: &Chess,
    side: Color,
    ratios: &Ratios,
) -> (Vec<Contribution>, i32) {
    let explanation = |ratios: &Ratios| explain(chess, &profile.weights, ratios.relevance(side));
    let (felt, plain) = (explanation(ratios), explanation(&Ratios::NEUTRAL));
    let sum = |terms: &[(_, f64)]| terms.iter().map(|(_, value)| value).sum();
    let part = |side_group| {
        let terms = terms_of(side_group, side, &felt, felt.frame);
        let unit = sum(&terms_of(side_group, side, &plain, felt.frame));
        Contribution { unit, value: sum(&terms), terms }
    };
    let white = Score::cp(felt.score).clamp_static().centipawns();
    (SideGroup::all().map(part).collect(), side.fold_wb(white, -white))
}

/// Returns the values of the terms that `side_group` multiplies.
fn terms_of(
    side_group: SideGroup,
    side: Color,
    of: &Explanation,
    frame: Frame,
) -> Vec<(&'static str, f64)> {
    let features =
        Feature::ALL.into_iter().filter(|feature| feature.spec().group == side_group.group);
    let term = |feature: Feature| {
        let row = of.rows.iter().find(|row| row.feature == feature);
        let value = |color| row.map_or(0.0, |row| frame.centipawns(*row.values.get(color)));
        (feature.spec().name, side_group.part(value(side), value(!side)))
    };
    features.map(term).collect()
}

/// Returns the parts of the article's evaluation (eq. 7), and the score.
#[expect(clippy::cast_precision_loss, reason = "printed only")]
fn measures(chess: &Chess, side: Color, ratios: &Ratios) -> (Vec<Contribution>, i32) {
    let mut evaluator = MeasureEvaluator::new(side, ratios.measures());
    let measures = Measures::of(chess, side);
    let values = evaluator.parts(&measures);
    let parts = measures.in_order().into_iter().zip(values).map(|(quarters, value)| Contribution {
        unit: f64::from(quarters) / f64::from(QUARTERS),
        value: value as f64 / UNITS_PER_POINT as f64,
        terms: Vec::new(),
    });
    let score = evaluator.evaluate(chess, ()).centipawns();
    (parts.collect(), if chess.turn() == side { score } else { -score })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "the values are exact")]

    use super::*;
    use crate::chess::game::Game;

    const FEN: &str = "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1";

    fn bent() -> Ratios {
        let mut ratios = Ratios::NEUTRAL;
        ratios.own[Group::King as usize] = 1.5;
        ratios.other[Group::Mobility as usize] = 0.75;
        ratios
    }

    #[test]
    fn parts_and_groups_add_up_to_the_score_and_parts_are_linear_in_their_factors() {
        let chess = Game::from_fen(FEN, None).unwrap().chess;
        for name in ["standard", "paper2012"] {
            let profile = Profile::builtin(name).unwrap();
            for (side, ratios) in
                Color::ALL.into_iter().flat_map(|side| [(side, Ratios::NEUTRAL), (side, bent())])
            {
                let split = Split::of(&profile, &chess, side, &ratios);
                let parts: f64 = split.parts.iter().map(|(_, part)| part.value).sum();
                let groups: f64 = split.by_group().iter().sum();
                let score = f64::from(split.score);
                assert!((parts - score).abs() < 1.1, "{name}: {parts} {score}");
                assert!((groups - parts).abs() < 1e-9, "{name}: {groups} {parts}");
                for (side_group, part) in split.parts {
                    // weights are rounded to 1/256 centipawn when their factor is applied
                    let expected = part.unit * side_group.of(&ratios);
                    assert!((part.value - expected).abs() < 0.5, "{}: {part:?}", side_group.name());
                }
            }
        }
    }

    #[test]
    fn scores_of_both_sides_differ_only_in_sign() {
        let profile = Profile::builtin("standard").unwrap();
        let chess = Game::from_fen(FEN, None).unwrap().chess;
        let score = |side| Split::of(&profile, &chess, side, &Ratios::NEUTRAL).score;
        assert_eq!(score(Color::White), -score(Color::Black));
    }

    #[test]
    fn every_factor_has_one_knob() {
        for side_group in factors(EvaluatorKind::Terms) {
            let mut turned = bent();
            side_group.turn(&mut turned, 3.0);
            assert_eq!(side_group.of(&turned), 3.0, "{}", side_group.name());
            assert_ne!(turned, bent());
        }
    }
}
