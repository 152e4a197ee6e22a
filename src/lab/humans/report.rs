//! Formats the comparison with humans as tables and as JSON.

use super::{Band, HumanMatches, pairs};
use crate::{
    lab::{duel::Entrant, style::Moments},
    support::noise::DEVIATIONS_95,
};
use serde::Serialize;
use std::{fmt, num::NonZeroU64};

/// Formats a share in percent, with half the 95 % interval if there is enough data for one.
fn percent(moments: &Moments, signed: bool) -> String {
    let Some(estimate) = moments.estimate(DEVIATIONS_95) else { return "-".into() };
    let mean = 100.0 * estimate.mean;
    let mean = if signed { format!("{mean:+.2}") } else { format!("{mean:.2}") };
    estimate.error.map_or(mean.clone(), |error| format!("{mean} ± {:.2}", 100.0 * error))
}

/// The JSON form of [`HumanMatches`]. Shares range from 0 to 1, errors are half a 95 % interval.
#[derive(Clone, Debug, Serialize)]
pub struct LikenessRecord {
    nodes: NonZeroU64,
    players: Vec<String>,
    bands: Vec<BandRecord>,
}

#[derive(Clone, Debug, Serialize)]
struct BandRecord {
    band: String,
    humans: u64,
    positions: u64,
    shares: Vec<EstimateRecord>,
    differences: Vec<DifferenceRecord>,
}

/// The difference of the shares of two players.
#[derive(Clone, Debug, Serialize)]
struct DifferenceRecord {
    first: String,
    second: String,
    #[serde(flatten)]
    estimate: EstimateRecord,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct EstimateRecord {
    mean: Option<f64>,
    error: Option<f64>,
}

impl From<&Moments> for EstimateRecord {
    fn from(moments: &Moments) -> Self {
        let estimate = moments.estimate(DEVIATIONS_95);
        let mean = estimate.map(|estimate| estimate.mean);
        Self { mean, error: estimate.and_then(|estimate| estimate.error) }
    }
}

impl HumanMatches<'_> {
    fn names(&self) -> Vec<String> {
        self.settings.players.iter().map(Entrant::name).collect()
    }

    /// Returns every band with its name, and all humans together last.
    fn rows(&self) -> Vec<(String, Band)> {
        let width = self.settings.width;
        let named = move |low: u16| format!("{low}-{}", u32::from(low) + u32::from(width) - 1);
        let bands = self.bands().into_iter().map(move |(low, band)| (named(low), band));
        bands.chain([("all".to_owned(), self.all())]).collect()
    }

    /// Returns the tables for JSON.
    #[must_use]
    pub fn record(&self) -> LikenessRecord {
        let names = self.names();
        let band = |(name, band): (String, Band)| {
            let differences = pairs(names.len()).zip(&band.differences);
            let difference = |((first, second), moments): ((usize, usize), _)| DifferenceRecord {
                first: names[first].clone(),
                second: names[second].clone(),
                estimate: EstimateRecord::from(moments),
            };
            BandRecord {
                band: name,
                humans: band.humans(),
                positions: band.positions(),
                shares: band.shares.iter().map(EstimateRecord::from).collect(),
                differences: differences.map(difference).collect(),
            }
        };
        let bands = self.rows().into_iter().map(band).collect();
        LikenessRecord { nodes: self.settings.nodes, players: self.names(), bands }
    }

    fn write_table(
        &self,
        f: &mut fmt::Formatter<'_>,
        heads: &[String],
        cells: impl Fn(&Band) -> Vec<String>,
    ) -> fmt::Result {
        let widths: Vec<_> = heads.iter().map(|head| head.chars().count().max(14) + 2).collect();
        write!(f, "\n{:<10}{:>7}{:>11}", "rating", "humans", "positions")?;
        for (head, width) in heads.iter().zip(&widths) {
            write!(f, "{head:>width$}")?;
        }
        for (name, band) in &self.rows() {
            write!(f, "\n{name:<10}{:>7}{:>11}", band.humans(), band.positions())?;
            for (cell, width) in cells(band).iter().zip(&widths) {
                write!(f, "{cell:>width$}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for HumanMatches<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names();
        write!(
            f,
            "Share of human moves played at {} nodes, in percent, with 95 % intervals",
            self.settings.nodes
        )?;
        self.write_table(f, &names, |band| {
            band.shares.iter().map(|share| percent(share, false)).collect()
        })?;
        if names.len() < 2 {
            return Ok(());
        }
        let heads: Vec<_> = pairs(names.len())
            .map(|(first, second)| format!("{} - {}", names[first], names[second]))
            .collect();
        write!(f, "\n\nDifferences on the same positions, in percentage points")?;
        self.write_table(f, &heads, |band| {
            band.differences.iter().map(|difference| percent(difference, true)).collect()
        })
    }
}
