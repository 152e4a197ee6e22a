//! Perception: maps the article's four measures of the board to the first activations of the map.

use super::concept::{Activations, Concept};
use crate::eval::measures::{Measures, QUARTERS};

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

/// A ramp for each of the four measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Perception {
    /// In centipawns.
    pub material: Ramp,
    /// In squares.
    pub mobility: Ramp,
    /// In points.
    pub king_safety: Ramp,
    /// In points.
    pub king_exposure: Ramp,
}

impl Perception {
    /// Returns the activations of the four perceived concepts. All others are 0.
    #[must_use]
    pub fn perceive(&self, measures: &Measures) -> Activations {
        let natural = |quarters: i32| f64::from(quarters) / f64::from(QUARTERS);
        let mut perceived = Activations::zeros();
        for (concept, ramp, measure) in [
            (Concept::Material, self.material, measures.material),
            (Concept::Mobility, self.mobility, measures.mobility),
            (Concept::KingSafety, self.king_safety, measures.king_safety),
            (Concept::KingExposure, self.king_exposure, measures.king_exposure),
        ] {
            perceived[concept as usize] = ramp.at(natural(measure));
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
            Perception { material: ramp, mobility: ramp, king_safety: ramp, king_exposure: ramp };
        let measures = Measures { material: 0, mobility: 20, king_safety: 40, king_exposure: 21 };
        assert_eq!(
            perception.perceive(&measures).as_slice(),
            [0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.050_000_000_000_000_044]
        );
    }
}
