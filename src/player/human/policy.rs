//! The policy: how likely a person of some rating plays each move.
//!
//! A conditional logit model. The probability of a move is proportional to the exponential of the
//! weighted sum of its cues. Each weight is linear in the rating.
//! Source: `McFadden`, "Conditional logit analysis of qualitative choice behavior" (1974).

use super::cue::{Cue, Cues};
use crate::profile::HumanTaste;
use serde::de::DeserializeOwned;
use std::{collections::BTreeMap, fmt, str::FromStr};
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
    /// The beginning of every file of weights.
    pub const BEGINNING: &str = "[cues]";

    /// Returns the policy that was fitted to people's games.
    ///
    /// # Errors
    /// Never: a test reads it.
    pub fn fitted() -> Result<Self, PolicyError> {
        Self::parse(FITTED)
    }

    /// Returns the policy of a player with this taste: its weights are added, then all weights are
    /// multiplied by its sharpness.
    #[must_use]
    pub fn with(&self, taste: &HumanTaste) -> Self {
        let mut weights = self.weights;
        for (weight, added) in weights.iter_mut().zip(taste.cues) {
            weight.base = taste.sharpness * (weight.base + added);
            weight.slope *= taste.sharpness;
        }
        Self { weights }
    }

    /// Returns the probability of each move of a position, in the order of `moves`.
    #[must_use]
    pub fn probabilities(&self, rating: u16, moves: &[Cues]) -> Vec<f64> {
        shares(&self.utilities(rating, moves))
    }

    /// Returns how much each cue raises each move above the mean of the moves, weighted by their
    /// `chances`, in nats.
    #[must_use]
    pub fn lifts(&self, rating: u16, moves: &[Cues], chances: &[f64]) -> Vec<[f64; Cue::COUNT]> {
        let at = relative(rating);
        let mean = |cue: usize| -> f64 {
            moves.iter().zip(chances).map(|(cues, chance)| chance * f64::from(cues[cue])).sum()
        };
        let means: [f64; Cue::COUNT] = std::array::from_fn(mean);
        let lift = |cues: &Cues, cue: usize| {
            let CueWeight { base, slope } = self.weights[cue];
            (base + slope * at) * (f64::from(cues[cue]) - means[cue])
        };
        moves.iter().map(|cues| std::array::from_fn(|cue| lift(cues, cue))).collect()
    }

    /// Returns the weighted sum of the cues of each move, in nats.
    #[must_use]
    pub fn utilities(&self, rating: u16, moves: &[Cues]) -> Vec<f64> {
        let at = relative(rating);
        let weights = self.weights.map(|weight| weight.base + weight.slope * at);
        let utility = |cues: &Cues| -> f64 {
            weights.iter().zip(cues).map(|(weight, &cue)| weight * f64::from(cue)).sum()
        };
        moves.iter().map(utility).collect()
    }
}

/// Returns the probability of each of several moves with these utilities in nats.
#[must_use]
pub fn shares(utilities: &[f64]) -> Vec<f64> {
    let most = utilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let odds: Vec<f64> = utilities.iter().map(|utility| libm::exp(utility - most)).collect();
    let sum: f64 = odds.iter().sum();
    odds.iter().map(|odds| odds / sum).collect()
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
    /// If the text is not TOML, the table is missing, or it does not name each cue.
    pub fn parse(text: &str) -> Result<Self, PolicyError> {
        let (_, cues) = read_cues::<Cue, [f64; 2]>(text)?;
        let mut weights = [CueWeight::default(); Cue::COUNT];
        for (weight, [base, slope]) in weights.iter_mut().zip(cues) {
            *weight = CueWeight { base, slope };
        }
        Ok(Self { weights })
    }
}

/// Reads TOML with a table `cues` that has a row for each cue. Returns everything that was read, and
/// the rows in the order of the cues.
pub(super) fn read_cues<C, R>(text: &str) -> Result<(toml::Table, Vec<R>), PolicyError>
where
    C: IntoEnumIterator + FromStr + Into<&'static str>,
    R: DeserializeOwned,
{
    let refusal = |error: toml::de::Error| PolicyError::Toml(error.to_string());
    let table: toml::Table = text.parse().map_err(refusal)?;
    let cues = table.get("cues").cloned();
    let cues = cues.ok_or_else(|| PolicyError::Toml("the table `cues` is missing".into()))?;
    let mut cues: BTreeMap<String, R> = cues.try_into().map_err(refusal)?;
    if let Some(unknown) = cues.keys().find(|name| name.parse::<C>().is_err()) {
        return Err(PolicyError::Unknown(unknown.clone()));
    }
    let rows = C::iter().map(|cue| {
        let name: &'static str = cue.into();
        cues.remove(name).ok_or(PolicyError::Missing(name))
    });
    let rows = rows.collect::<Result<_, _>>()?;
    Ok((table, rows))
}

impl fmt::Display for Policy {
    /// Writes the weights as [`Policy::parse`] reads them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", Self::BEGINNING)?;
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
        let shorter = shorter.join("\n");
        assert_eq!(Policy::parse(&shorter), Err(PolicyError::Missing("undo")));
        assert!(matches!(Policy::parse("x = 1"), Err(PolicyError::Toml(_))));
    }

    #[test]
    fn a_taste_adds_to_weights_and_sharpens_them() {
        let policy = Policy::fitted().unwrap();
        assert_eq!(policy.with(&HumanTaste::default()), policy);
        let mut taste = HumanTaste { sharpness: 2.0, ..HumanTaste::default() };
        taste.cues[Cue::Check as usize] = 0.5;
        let (plain, own) = (policy.weights, policy.with(&taste).weights);
        let (check, undo) = (Cue::Check as usize, Cue::Undo as usize);
        assert!((own[check].base - 2.0 * (plain[check].base + 0.5)).abs() < 1e-12);
        assert!((own[undo].base - 2.0 * plain[undo].base).abs() < 1e-12);
        assert!((own[undo].slope - 2.0 * plain[undo].slope).abs() < 1e-12);
    }

    #[test]
    fn lifts_explain_the_differences_between_utilities() {
        let policy = Policy::fitted().unwrap();
        let mut check = [0.0; Cue::COUNT];
        check[Cue::Check as usize] = 1.0;
        let moves = [[0.0; Cue::COUNT], check];
        let utilities = policy.utilities(1300, &moves);
        let lifts = policy.lifts(1300, &moves, &policy.probabilities(1300, &moves));
        let sums: Vec<f64> = lifts.iter().map(|lifts| lifts.iter().sum()).collect();
        assert!((sums[1] - sums[0] - (utilities[1] - utilities[0])).abs() < 1e-9, "{sums:?}");
        assert!(lifts[1][Cue::Check as usize] > 0.0 && lifts[0][Cue::Check as usize] < 0.0);
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
