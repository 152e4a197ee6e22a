//! Relevance: turns a goal and the intensity of an emotion into factors for groups of terms.

use super::goal::Goal;
use crate::eval::{
    group::Group,
    weights::{Factor, Relevance},
};
use shakmaty::{ByColor, Color};

/// The widths of the measures' ranges (table 3): material in centipawns, mobility in squares, king
/// safety and king exposure in points.
pub const RANGES: [f64; 4] = [8150.0, 137.0, 179.5, 179.5];

/// Ratios for the groups of terms of both sides. A ratio of 1 leaves a group unchanged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratios {
    /// Ratios for the terms of the side that feels.
    pub own: [f64; Group::COUNT],
    /// Ratios for the terms of its opponent.
    pub other: [f64; Group::COUNT],
}

impl Ratios {
    /// All ratios are 1.
    pub const NEUTRAL: Self = Self { own: [1.0; Group::COUNT], other: [1.0; Group::COUNT] };

    /// Returns the multipliers of the article's measures: material, mobility, own king, and the
    /// enemy king for its exposure.
    #[must_use]
    pub const fn measures(&self) -> [f64; 4] {
        [
            self.own[Group::Material as usize],
            self.own[Group::Mobility as usize],
            self.own[Group::King as usize],
            self.other[Group::King as usize],
        ]
    }

    /// Creates ratios from multipliers of the article's measures. All other groups get 1.
    #[must_use]
    pub const fn of_measures([material, mobility, own_king, other_king]: [f64; 4]) -> Self {
        let mut ratios = Self::NEUTRAL;
        // BM is a balance and contains both sides' pieces
        ratios.own[Group::Material as usize] = material;
        ratios.other[Group::Material as usize] = material;
        ratios.own[Group::Mobility as usize] = mobility;
        ratios.own[Group::King as usize] = own_king;
        ratios.other[Group::King as usize] = other_king;
        ratios
    }

    /// Converts these ratios to factors, where `side` is the side that feels.
    #[must_use]
    pub fn relevance(&self, side: Color) -> ByColor<Relevance> {
        let (own, other) = (factors(&self.own), factors(&self.other));
        side.fold_wb(
            ByColor { white: own.clone(), black: other.clone() },
            ByColor { white: other, black: own },
        )
    }

    fn map(&self, change: impl Fn(f64) -> f64) -> Self {
        Self { own: self.own.map(&change), other: self.other.map(&change) }
    }
}

fn factors(ratios: &[f64; Group::COUNT]) -> Relevance {
    Relevance(ratios.map(Factor::from_ratio))
}

/// How a goal turns intensity into ratios.
#[derive(Clone, Debug, PartialEq)]
pub enum GoalRelevance {
    /// Ratios at full fear (-1) and full relief (1), interpolated linearly from 1 at intensity 0.
    Sides { fear: Box<Ratios>, relief: Box<Ratios> },
    /// The article's form (eqs. 8-11): the share of the total range that each measure should have
    /// at intensity `at`. The order is material, mobility, king safety, king exposure.
    Shares { share: [f64; 4], at: f64 },
}

impl GoalRelevance {
    /// Returns a relevance that leaves all ratios at 1.
    #[must_use]
    pub fn neutral() -> Self {
        Self::sides(Ratios::NEUTRAL, Ratios::NEUTRAL)
    }

    /// Creates [`Self::Sides`] from ratios at full fear and at full relief.
    #[must_use]
    pub fn sides(fear: Ratios, relief: Ratios) -> Self {
        Self::Sides { fear: Box::new(fear), relief: Box::new(relief) }
    }

    /// Returns the ratios at `intensity`, before floor and ceiling are applied.
    #[must_use]
    pub fn ratios(&self, intensity: f64) -> Ratios {
        match self {
            Self::Sides { fear, relief } => {
                let full = if intensity < 0.0 { fear } else { relief };
                full.map(|full| 1.0 + intensity.abs() * (full - 1.0))
            }
            Self::Shares { share, at } => {
                let r = factor_of_share(share, &RANGES, *at);
                Ratios::of_measures(r.map(|r| 1.0 + r * intensity))
            }
        }
    }
}

/// Returns the relevance factors of eq. 11, `rᵢ = (ηᵢ·Σ range / rangeᵢ - 1) / ε`.
///
/// They give each measure its `share` η of the total range at intensity `at`, which must not be 0.
#[must_use]
pub fn factor_of_share(share: &[f64; 4], ranges: &[f64; 4], at: f64) -> [f64; 4] {
    let total: f64 = ranges.iter().sum();
    std::array::from_fn(|i| (share[i] * total / ranges[i] - 1.0) / at)
}

/// The relevance of all goals, with bounds on the ratios.
#[derive(Clone, Debug, PartialEq)]
pub struct RelevanceTable {
    /// One entry per goal, in the order of [`Goal::ALL`].
    pub goals: [GoalRelevance; Goal::COUNT],
    /// The lower bound of ratios; the article has none.
    pub floor: Option<f64>,
    /// The upper bound of ratios; the article has none.
    pub ceiling: Option<f64>,
}

impl RelevanceTable {
    /// Returns the ratios for `goal` at `intensity`.
    ///
    /// `emotion_strength` scales the distance of every ratio from 1, in percent, 0 to 200. The
    /// bounds are applied after it.
    #[must_use]
    pub fn ratios(&self, goal: Option<Goal>, intensity: f64, emotion_strength: u16) -> Ratios {
        let Some(goal) = goal else { return Ratios::NEUTRAL };
        let share = f64::from(emotion_strength) / 100.0;
        let ratios = self.goals[goal as usize].ratios(intensity);
        ratios.map(|ratio| self.bounded(1.0 + share * (ratio - 1.0)))
    }

    fn bounded(&self, ratio: f64) -> f64 {
        let ratio = self.floor.map_or(ratio, |floor| ratio.max(floor));
        self.ceiling.map_or(ratio, |ceiling| ratio.min(ceiling))
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "these are exact")]

    use super::*;

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
