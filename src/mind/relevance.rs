//! Relevance: turns a goal and the intensity of an emotion into factors for groups of terms.

use super::{
    game::FeltGame,
    listed::{Each, Listed, RatioRow, Row},
};

/// Ratios for the groups of terms of both sides. A ratio of 1 leaves a group unchanged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratios<G: FeltGame> {
    /// Ratios for the terms of the side that feels.
    pub own: Each<G::Group, f64>,
    /// Ratios for the terms of its opponent.
    pub other: Each<G::Group, f64>,
}

impl<G: FeltGame> Ratios<G> {
    /// All ratios are 1.
    pub const NEUTRAL: Self = Self { own: RatioRow::ONES, other: RatioRow::ONES };

    /// Returns the multipliers of the four measures.
    #[must_use]
    pub fn measures(&self) -> [f64; 4] {
        G::MEASURES.map(|measure| measure.ratio.of(self))
    }

    /// Creates ratios from multipliers of the four measures. All other groups get 1.
    #[must_use]
    pub fn of_measures(multipliers: [f64; 4]) -> Self {
        let mut ratios = Self::NEUTRAL;
        for (measure, multiplier) in G::MEASURES.into_iter().zip(multipliers) {
            measure.ratio.turn(&mut ratios, multiplier);
        }
        ratios
    }

    /// Returns ratios whose distance from 1 is the part `share` of the distance of these, 0 to 1.
    #[must_use]
    pub fn toned_down(&self, share: f64) -> Self {
        self.map(|ratio| share * ratio + (1.0 - share))
    }

    fn map(&self, change: impl Fn(f64) -> f64) -> Self {
        let row = |ratios: &Each<G::Group, f64>| Row::from_fn(|i| change(ratios.as_ref()[i]));
        Self { own: row(&self.own), other: row(&self.other) }
    }
}

/// Returns the weight of a term under `ratio`, also of a term that weighs nothing without emotion.
///
/// It is `weight × ratio + unit × (ratio - 1)`. A ratio of 1 leaves any weight unchanged. A ratio alone
/// cannot bring in a term of weight 0, so the game gives this term a `unit`: its weight at 200 percent.
/// Below 100 percent, the term then counts negatively. All other terms have a unit of 0.
///
/// ```
/// use deepfeeling::mind::relevance::bent_weight;
/// assert_eq!(bent_weight(2.0, 0.0, 1.5), 3.0);
/// assert_eq!(bent_weight(0.0, 3.0, 1.0), 0.0);
/// assert_eq!(bent_weight(0.0, 3.0, 1.5), 1.5);
/// ```
#[must_use]
pub fn bent_weight(weight: f64, unit: f64, ratio: f64) -> f64 {
    weight * ratio + unit * (ratio - 1.0)
}

/// How a goal turns intensity into ratios.
#[derive(Clone, Debug, PartialEq)]
pub enum GoalRelevance<G: FeltGame> {
    /// Ratios at full fear (-1) and full relief (1), interpolated linearly from 1 at intensity 0.
    Sides { fear: Box<Ratios<G>>, relief: Box<Ratios<G>> },
    /// The article's form (eqs. 8-11): the share of the total range that each measure should have
    /// at intensity `at`. In the order of [`FeltGame::MEASURES`].
    Shares { share: [f64; 4], at: f64 },
}

impl<G: FeltGame> GoalRelevance<G> {
    /// Returns a relevance that leaves all ratios at 1.
    #[must_use]
    pub fn neutral() -> Self {
        Self::sides(Ratios::NEUTRAL, Ratios::NEUTRAL)
    }

    /// Creates [`Self::Sides`] from ratios at full fear and at full relief.
    #[must_use]
    pub fn sides(fear: Ratios<G>, relief: Ratios<G>) -> Self {
        Self::Sides { fear: Box::new(fear), relief: Box::new(relief) }
    }

    /// Returns the ratios at `intensity`, before floor and ceiling are applied.
    #[must_use]
    pub fn ratios(&self, intensity: f64) -> Ratios<G> {
        match self {
            Self::Sides { fear, relief } => {
                let full = if intensity < 0.0 { fear } else { relief };
                full.map(|full| 1.0 + intensity.abs() * (full - 1.0))
            }
            Self::Shares { share, at } => {
                let ranges = G::MEASURES.map(|measure| measure.range);
                let r = factor_of_share(share, &ranges, *at);
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
pub struct RelevanceTable<G: FeltGame> {
    /// One entry per goal, in the order of the goals.
    pub goals: Each<G::Goal, GoalRelevance<G>>,
    /// The lower bound of ratios; the article has none.
    pub floor: Option<f64>,
    /// The upper bound of ratios; the article has none.
    pub ceiling: Option<f64>,
}

impl<G: FeltGame> RelevanceTable<G> {
    /// Returns the ratios for `goal` at `intensity`.
    ///
    /// `emotion_strength` scales the distance of every ratio from 1, in percent, 0 to 200. The
    /// bounds are applied after it.
    #[must_use]
    pub fn ratios(
        &self,
        goal: Option<G::Goal>,
        intensity: f64,
        emotion_strength: u16,
    ) -> Ratios<G> {
        let Some(goal) = goal else { return Ratios::NEUTRAL };
        let share = f64::from(emotion_strength) / 100.0;
        let ratios = self.goals.as_ref()[goal.index()].ratios(intensity);
        ratios.map(|ratio| self.bounded(1.0 + share * (ratio - 1.0)))
    }

    fn bounded(&self, ratio: f64) -> f64 {
        let ratio = self.floor.map_or(ratio, |floor| ratio.max(floor));
        self.ceiling.map_or(ratio, |ceiling| ratio.min(ceiling))
    }
}
