//! The policy: how likely a person of some rating plays each move.
//!
//! A conditional logit model. The probability of a move is proportional to the exponential of the
//! weighted sum of its cues. Each weight is linear in the rating.
//! Source: `McFadden`, "Conditional logit analysis of qualitative choice behavior" (1974).

use super::cue::{Cue, Cues};
use std::{collections::BTreeMap, fmt};
use strum::{EnumCount, IntoEnumIterator};

/// The rating at which the slopes of the weights do not count.
pub const CENTRE: f64 = 1500.0;
/// The rating difference that adds one slope to a weight.
pub const SPAN: f64 = 500.0;

/// The weight of one cue: at [`CENTRE`], and what [`SPAN`] rating points add.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CueWeight {
    /// The weight in nats per unit of the cue, at a rating of [`CENTRE`].
    pub base: f64,
    /// The change of the weight per [`SPAN`] rating points.
    pub slope: f64,
}

/// The weights that were fitted to people's games.
const FITTED: &str = include_str!("weights.toml");

/// The weights of all cues, in the order of [`Cue`].
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// The weights.
    pub weights: [CueWeight; Cue::COUNT],
}

/// Returns how far `rating` is from [`CENTRE`], in units of [`SPAN`], between -2 and 2.
#[must_use]
pub fn relative(rating: u16) -> f64 {
    ((f64::from(rating) - CENTRE) / SPAN).clamp(-2.0, 2.0)
}

impl Policy {
    /// Returns the policy that was fitted to people's games.
    ///
    /// # Errors
    /// Never: a test reads it.
    pub fn fitted() -> Result<Self, PolicyError> {
        Self::parse(FITTED)
    }

    /// Returns the probability of each move of a position, in the order of `moves`.
    #[must_use]
    pub fn probabilities(&self, rating: u16, moves: &[Cues]) -> Vec<f64> {
        let at = relative(rating);
        let weights = self.weights.map(|weight| weight.base + weight.slope * at);
        let utility = |cues: &Cues| -> f64 {
            weights.iter().zip(cues).map(|(weight, &cue)| weight * f64::from(cue)).sum()
        };
        let utilities: Vec<f64> = moves.iter().map(utility).collect();
        let most = utilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let odds: Vec<f64> = utilities.iter().map(|utility| libm::exp(utility - most)).collect();
        let sum: f64 = odds.iter().sum();
        odds.iter().map(|odds| odds / sum).collect()
    }
}

/// The error of a file of weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    /// The file is not TOML, or has the wrong types.
    #[error("{0}")]
    Toml(String),
    /// A name is not a cue.
    #[error("cues.{0}: unknown cue")]
    Unknown(String),
    /// A cue has no weight.
    #[error("cues.{0}: missing")]
    Missing(&'static str),
}

impl Policy {
    /// Reads the weights from TOML: in a table `cues`, an array of base and slope for each cue.
    ///
    /// # Errors
    /// If the text is not such a table, or does not name each cue.
    pub fn parse(text: &str) -> Result<Self, PolicyError> {
        let table: toml::Table =
            text.parse().map_err(|error: toml::de::Error| PolicyError::Toml(error.to_string()))?;
        let cues: BTreeMap<String, [f64; 2]> = table
            .get("cues")
            .cloned()
            .ok_or_else(|| PolicyError::Toml("the table `cues` is missing".into()))?
            .try_into()
            .map_err(|error: toml::de::Error| PolicyError::Toml(error.to_string()))?;
        if let Some(unknown) = cues.keys().find(|name| name.parse::<Cue>().is_err()) {
            return Err(PolicyError::Unknown(unknown.clone()));
        }
        let mut weights = [CueWeight::default(); Cue::COUNT];
        for cue in Cue::iter() {
            let name: &'static str = cue.into();
            let [base, slope] = *cues.get(name).ok_or(PolicyError::Missing(name))?;
            weights[cue as usize] = CueWeight { base, slope };
        }
        Ok(Self { weights })
    }
}

impl fmt::Display for Policy {
    /// Writes the weights as [`Policy::parse`] reads them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "[cues]")?;
        for (cue, weight) in Cue::iter().zip(&self.weights) {
            let name: &str = cue.into();
            writeln!(f, "{name} = [{:.3}, {:.3}]", weight.base, weight.slope)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fitted_weights_are_read_and_written() {
        let policy = Policy::fitted().unwrap();
        assert_eq!(Policy::parse(&policy.to_string()), Ok(policy.clone()));
        let text = policy.to_string();
        let without = text.replace("check = ", "chess = ");
        assert_eq!(Policy::parse(&without), Err(PolicyError::Unknown("chess".into())));
        let shorter: Vec<_> = text.lines().filter(|line| !line.starts_with("undo")).collect();
        let shorter = shorter.join(
            "
",
        );
        assert_eq!(Policy::parse(&shorter), Err(PolicyError::Missing("undo")));
        assert!(matches!(Policy::parse("x = 1"), Err(PolicyError::Toml(_))));
    }

    #[test]
    fn probabilities_add_up_and_follow_the_weights() {
        let policy = Policy::fitted().unwrap();
        let mut bad = [0.0; Cue::COUNT];
        bad[Cue::GlanceLoss as usize] = 5.0;
        bad[Cue::ReadChance as usize] = 0.8;
        let chances = policy.probabilities(1500, &[[0.0; Cue::COUNT], bad]);
        assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(chances[0] > 0.8, "{chances:?}");
        assert!((relative(1500).abs(), relative(4000)) == (0.0, 2.0));
    }
}
