//! The ratios of a mind as factors of the chess evaluation.

use super::Ratios;
use crate::eval::{
    group::Group,
    weights::{Factor, Relevance},
};
use shakmaty::{ByColor, Color};

/// The widths of the measures' ranges (table 3): material in centipawns, mobility in squares, king
/// safety and king exposure in points.
pub const RANGES: [f64; 4] = [8150.0, 137.0, 179.5, 179.5];

impl Ratios {
    /// Converts these ratios to factors, where `side` is the side that feels.
    #[must_use]
    pub fn relevance(&self, side: Color) -> ByColor<Relevance> {
        let (own, other) = (factors(&self.own), factors(&self.other));
        side.fold_wb(
            ByColor { white: own.clone(), black: other.clone() },
            ByColor { white: other, black: own },
        )
    }
}

fn factors(ratios: &[f64; Group::COUNT]) -> Relevance {
    Relevance(ratios.map(Factor::from_ratio))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "these are exact")]

    use super::*;
    use crate::chess_mind::{Goal, GoalRelevance, RelevanceTable};

    const ESCAPE: GoalRelevance =
        GoalRelevance::Shares { share: [0.05, 0.30, 0.60, 0.05], at: -0.7 };

    fn table(relevance: &GoalRelevance) -> RelevanceTable {
        RelevanceTable { goals: Goal::ALL.map(|_| relevance.clone()), floor: None, ceiling: None }
    }

    fn king_and_mobility() -> GoalRelevance {
        let mut fear = Ratios::NEUTRAL;
        fear.own[Group::King as usize] = 1.8;
        fear.other[Group::King as usize] = 0.6;
        let mut relief = Ratios::NEUTRAL;
        relief.own[Group::Mobility as usize] = 1.5;
        GoalRelevance::sides(fear, relief)
    }

    #[test]
    fn every_measure_has_its_share_at_the_reference_intensity() {
        let weighted: Vec<_> =
            ESCAPE.ratios(-0.7).measures().iter().zip(RANGES).map(|(m, range)| m * range).collect();
        let total: f64 = weighted.iter().sum();
        for (part, share) in weighted.iter().zip([0.05, 0.30, 0.60, 0.05]) {
            assert!((part / total - share).abs() < 1e-12);
        }
    }

    #[test]
    fn shares_affect_only_the_groups_of_the_measures() {
        let ratios = ESCAPE.ratios(-1.0);
        assert_eq!(ratios.own[Group::Material as usize], ratios.other[Group::Material as usize]);
        assert_eq!(ratios.other[Group::Mobility as usize], 1.0);
        for group in [Group::Placement, Group::Pawns, Group::Passed] {
            assert_eq!([ratios.own[group as usize], ratios.other[group as usize]], [1.0; 2]);
        }
    }

    #[test]
    fn ratios_start_at_one_and_scale_with_emotion_strength() {
        let table = table(&king_and_mobility());
        let at = |intensity, emotion_strength| {
            table.ratios(Some(Goal::SecureKing), intensity, emotion_strength).measures()
        };
        assert_eq!(at(0.0, 100), [1.0; 4]);
        assert_eq!(at(-0.5, 100), [1.0, 1.0, 1.4, 0.8]);
        assert_eq!(at(1.0, 100), [1.0, 1.5, 1.0, 1.0]);
        assert_eq!(at(1.0, 200), [1.0, 2.0, 1.0, 1.0]);
        assert_eq!(at(-1.0, 0), [1.0; 4]);
        assert_eq!(table.ratios(None, -1.0, 100), Ratios::NEUTRAL);
    }

    #[test]
    fn bounds_apply_after_emotion_strength() {
        let bounded = RelevanceTable { floor: Some(0.25), ceiling: Some(4.0), ..table(&ESCAPE) };
        let [material, mobility, own_king, other_king] =
            bounded.ratios(Some(Goal::EscapeCheck), -1.0, 200).measures();
        assert_eq!([material, mobility, own_king, other_king], [0.25, 4.0, 4.0, 4.0]);
    }

    #[test]
    fn the_side_that_feels_gets_the_own_factors() {
        let ratios = king_and_mobility().ratios(-1.0);
        let king = |relevance: &Relevance| relevance.0[Group::King as usize];
        for side in Color::ALL {
            let relevance = ratios.relevance(side);
            assert_eq!(king(relevance.get(side)), Factor::from_ratio(1.8));
            assert_eq!(king(relevance.get(side.other())), Factor::from_ratio(0.6));
        }
        assert_eq!(*Ratios::NEUTRAL.relevance(Color::Black).get(Color::White), Relevance::NEUTRAL);
    }
}
