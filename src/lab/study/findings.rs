//! The results of all hypotheses, with the correction for testing five of them.

use super::{
    Observation, Settings,
    fit::{Estimate, holm},
    hypotheses::{complacency, resignation, thought, time_trouble},
    placebo::{self, Bin},
    sample::Sizes,
    units::Units,
};
use crate::chess_mind::Mind;

/// The corrected p-value below which a hypothesis counts as supported.
const LEVEL: f64 = 0.05;

/// The hypotheses, with what they state.
pub(super) const STATEMENTS: [(&str, &str); 5] = [
    ("H1", "relief leads to errors"),
    ("H2", "fear with less than 30 seconds left leads to errors"),
    ("H3", "relief leads to longer thought, fear to shorter"),
    ("H4", "fear predicts resignation"),
    ("H5", "the emotion says more than its inputs"),
];

/// What a coefficient multiplies, from no emotion to full emotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    Odds,
    Time,
}

/// One estimate of a model.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub label: String,
    pub scale: Scale,
    pub estimate: Estimate,
    pub rows: usize,
    pub clusters: usize,
}

/// The result of a test by regression. The first line is the tested one; for H3, the first two are.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub lines: Vec<Line>,
    /// The two-sided p-value.
    pub p: f64,
    /// Whether the estimates have the predicted signs.
    pub is_as_predicted: bool,
    pub sizes: Sizes,
    pub note: String,
}

/// A finding, or the reason why the hypothesis cannot be tested.
pub(super) type Tested = Result<Finding, String>;

/// The result of H5.
#[derive(Clone, Debug)]
pub(super) struct Rank {
    /// Gain in held-out log-likelihood by the emotion of the map, in nats.
    pub gain: f64,
    /// The gain by part of the players.
    pub parts: Vec<f64>,
    /// The gains of the maps with shuffled weights.
    pub placebos: Vec<f64>,
    /// The one-sided p-value: the rank of our gain among all.
    pub p: f64,
    pub sizes: Sizes,
    pub calibration: Vec<Bin>,
}

/// What the data say about a hypothesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Supported,
    /// The effect is significant, but not as predicted.
    Contradicted,
    NotSupported,
    NotTested,
}

impl Verdict {
    /// Returns the words used in tables.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Supported => "supported",
            Self::Contradicted => "contradicted",
            Self::NotSupported => "not supported",
            Self::NotTested => "not tested",
        }
    }
}

/// The results of the five hypotheses.
#[derive(Clone, Debug)]
pub(super) struct Findings {
    /// H1 to H4.
    pub regressions: [Tested; 4],
    /// H5.
    pub rank: Result<Rank, String>,
    /// The p-values after Holm's correction, H1 to H5.
    pub corrected: Vec<Option<f64>>,
}

impl Findings {
    /// Tests all hypotheses.
    pub(super) fn new(
        all: &[Observation],
        units: &Units,
        mind: &Mind,
        settings: &Settings,
    ) -> Self {
        let tests = [complacency, time_trouble, thought, resignation];
        let regressions = tests.map(|test| test(all, units));
        let rank = placebo::rank(all, units, mind, settings.placebos.get(), settings.seed);
        Self::corrected(regressions, rank)
    }

    fn corrected(regressions: [Tested; 4], rank: Result<Rank, String>) -> Self {
        let mut raw: Vec<Option<f64>> =
            regressions.iter().map(|tested| tested.as_ref().ok().map(|found| found.p)).collect();
        raw.push(rank.as_ref().ok().map(|rank| rank.p));
        Self { corrected: holm(&raw), regressions, rank }
    }

    /// Returns what the data say about hypothesis `number`, from 0.
    pub(super) fn verdict(&self, number: usize) -> Verdict {
        let Some(p) = self.corrected.get(number).copied().flatten() else {
            return Verdict::NotTested;
        };
        // the rank of H5 is one-sided, so only a loss of likelihood speaks against it
        let is_as_predicted = match self.regressions.get(number) {
            Some(tested) => tested.as_ref().is_ok_and(|found| found.is_as_predicted),
            None => self.rank.as_ref().is_ok_and(|rank| rank.gain > 0.0),
        };
        match (p < LEVEL, is_as_predicted) {
            (true, true) => Verdict::Supported,
            (true, false) => Verdict::Contradicted,
            (false, _) => Verdict::NotSupported,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    const SIZES: Sizes = Sizes { moves: 1000, events: 50, games: 20, players: 30 };

    /// Results with one supported hypothesis, one contradicted, one not supported, one not tested.
    pub(in super::super) fn findings() -> Findings {
        let line = |label: &str, scale, value, error| Line {
            label: label.into(),
            scale,
            estimate: Estimate { value, error, freedom: 29.0 },
            rows: 1000,
            clusters: 30,
        };
        let finding = |lines: Vec<Line>, is_as_predicted| {
            Ok(Finding {
                p: lines[0].estimate.p(),
                lines,
                is_as_predicted,
                sizes: SIZES,
                note: "a note".into(),
            })
        };
        let h1 = finding(vec![line("relief, all controls", Scale::Odds, 0.4, 0.05)], true);
        let h2 = Err("the games have no clocks ([%clk])".into());
        let h3 = finding(vec![line("relief, time", Scale::Time, 0.02, 0.03)], true);
        let h4 = finding(vec![line("fear", Scale::Odds, -0.9, 0.1)], false);
        let bin = |share| Bin { predicted: share, observed: share * 1.1, moves: 100 };
        let rank = Rank {
            gain: 4.0,
            parts: vec![1.0, 2.0, 1.0, 0.5, -0.5],
            placebos: (0..50).map(|number| f64::from(number) / 20.0).collect(),
            p: 1.0 / 51.0,
            sizes: SIZES,
            calibration: (1..=10).map(|number| bin(f64::from(number) / 50.0)).collect(),
        };
        Findings::corrected([h1, h2, h3, h4], Ok(rank))
    }

    #[test]
    fn verdicts_need_significance_and_the_predicted_sign() {
        let findings = findings();
        let verdicts: Vec<_> = (0..5).map(|number| findings.verdict(number).name()).collect();
        assert_eq!(
            verdicts,
            ["supported", "not tested", "not supported", "contradicted", "not supported"]
        );
        // the rank of 1/51 is the third smallest of five p-values
        let corrected = findings.corrected[4].unwrap();
        assert!((corrected - 3.0 / 51.0).abs() < 1e-9, "{corrected}");
    }
}
