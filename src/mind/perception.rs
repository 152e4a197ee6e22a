//! Perception: maps the four measures of a position to the first activations of the map.

use super::{
    concept::{Activations, Concept},
    game::FourMeasures,
};

/// A linear scale from a measure to an activation: -1 at `from`, 1 at `to`, and clamped beyond.
///
/// `from` may be above `to`, which reverses the scale, but they must differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ramp {
    /// The measure with activation -1.
    pub from: f64,
    /// The measure with activation 1.
    pub to: f64,
}

impl Ramp {
    /// Returns the activation of `measure`, in [-1, 1]. The measure is in natural units.
    #[must_use]
    pub fn at(&self, measure: f64) -> f64 {
        (2.0 * (measure - self.from) / (self.to - self.from) - 1.0).clamp(-1.0, 1.0)
    }
}

/// A ramp for each of the four measures, in the unit of the measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Perception {
    /// For the balance of what the game is scored by.
    pub material: Ramp,
    /// For what the side can do, for example its moves.
    pub mobility: Ramp,
    /// For the distance of the side from what loses games.
    pub safety: Ramp,
    /// For the nearness of the opponent to it.
    pub exposure: Ramp,
}

impl Perception {
    /// Returns the activations of the four perceived concepts. All others are 0.
    #[must_use]
    pub fn perceive(&self, measures: &impl FourMeasures) -> Activations {
        let Self { material, mobility, safety, exposure } = self;
        let ramps = [material, mobility, safety, exposure];
        let natural = measures.natural();
        let mut perceived = Activations::zeros();
        for (i, concept) in Concept::PERCEIVED.into_iter().enumerate() {
            perceived[concept as usize] = ramps[i].at(natural[i]);
        }
        perceived
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "these are exact")]

    use super::*;

    #[test]
    fn ramps_are_linear_clamped_and_reversible() {
        let ramp = Ramp { from: -60.0, to: 20.0 };
        assert_eq!(
            [-100.0, -60.0, -20.0, 0.0, 20.0, 1e9].map(|m| ramp.at(m)),
            [-1.0, -1.0, 0.0, 0.5, 1.0, 1.0]
        );
        let turned = Ramp { from: 20.0, to: -60.0 };
        assert_eq!([-60.0, 0.0, 20.0].map(|m| turned.at(m)), [1.0, -0.5, -1.0]);
    }

    #[test]
    fn only_perceived_concepts_get_an_activation() {
        let ramp = Ramp { from: 0.0, to: 10.0 };
        let perception =
            Perception { material: ramp, mobility: ramp, safety: ramp, exposure: ramp };
        assert_eq!(
            perception.perceive(&[0.0, 5.0, 10.0, 5.25]).as_slice(),
            [0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.050_000_000_000_000_044]
        );
    }
}
