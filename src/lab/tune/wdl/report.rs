//! Compares the win, draw and loss rates that a fitted model predicts with the actual ones.

use super::{mean_loss, observation::Observation};
use crate::chess::wdl::{Chances, OURS, Polynomial, WdlModel};
use serde::Serialize;
use std::fmt;

/// Held-out positions with similar predictions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bin {
    pub positions: usize,
    /// Mean predicted probabilities, from White's point of view.
    pub foretold: Chances,
    /// Share of each actual result, from White's point of view.
    pub seen: Chances,
}

/// A fitted model and its quality.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WdlReport {
    #[serde(flatten)]
    pub model: WdlModel,
    /// Number of training and held-out positions.
    pub positions: [usize; 2],
    /// Mean training and held-out loss of the fitted model, in nats.
    pub loss: [f64; 2],
    /// Mean training and held-out loss of the model built into the engine ([`OURS`]), in nats.
    pub loss_of_ours: [f64; 2],
    /// Mean training and held-out loss of a baseline that predicts the share of each result in the
    /// training positions and ignores scores, in nats.
    pub loss_without_score: [f64; 2],
    /// Held-out positions, grouped by tenths of the predicted points.
    pub bins: Vec<Bin>,
}

impl WdlReport {
    /// Evaluates `model`, which was fitted to `training`.
    pub fn new(model: WdlModel, training: &[Observation], held_out: &[Observation]) -> Self {
        let both = [training, held_out];
        let shares = shares(training);
        Self {
            model,
            positions: both.map(<[_]>::len),
            loss: both.map(|seen| mean_loss(&model, seen)),
            loss_of_ours: both.map(|seen| mean_loss(&OURS, seen)),
            loss_without_score: both.map(|seen| cross_entropy(self::shares(seen), shares)),
            bins: bins(&model, held_out),
        }
    }
}

impl WdlReport {
    /// Writes steepness and reserve, as a table over the remaining material and as formulas.
    fn write_model(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Log-odds of a win:  steepness * score in pawns - reserve")?;
        writeln!(f, "Log-odds of a loss: -steepness * score in pawns - reserve\n")?;
        writeln!(f, "{:<18} {:>9} {:>9}", "material left (m)", "steepness", "reserve")?;
        for m in [1.0, 0.75, 0.5, 0.25, 0.0] {
            let [steepness, reserve] = [self.model.steepness(m), self.model.reserve(m)];
            let percent = format!("{:.0} %", 100.0 * m);
            writeln!(f, "{percent:<18} {steepness:>9.3} {reserve:>9.3}")?;
        }
        let formula = |[constant, linear, square]: Polynomial| {
            format!("{constant:.3} {linear:+.3} m {square:+.3} m^2")
        };
        writeln!(f, "\nsteepness = {}", formula(self.model.steepness))?;
        writeln!(f, "reserve   = {}\n", formula(self.model.reserve))
    }
}

/// Returns the share of each result.
fn shares(seen: &[Observation]) -> Chances {
    let count = seen.len().max(1) as f64;
    let share = |result| seen.iter().filter(|seen| seen.result == result).count() as f64 / count;
    Chances { win: share(2), draw: share(1), loss: share(0) }
}

/// Returns the cross-entropy of the predicted probabilities with the actual shares, in nats.
fn cross_entropy(seen: Chances, predicted: Chances) -> f64 {
    -(seen.win * libm::log(predicted.win)
        + seen.draw * libm::log(predicted.draw)
        + seen.loss * libm::log(predicted.loss))
}

/// Groups the held-out positions by tenths of the predicted points and drops empty groups.
fn bins(model: &WdlModel, held_out: &[Observation]) -> Vec<Bin> {
    let foretold = |seen: &Observation| model.chances(seen.pawns, seen.fullness);
    let tenth = |seen: &Observation| {
        let chances = foretold(seen);
        (10.0 * (chances.win + chances.draw / 2.0)) as usize
    };
    let bin = |number| {
        let of: Vec<Observation> =
            held_out.iter().copied().filter(|seen| tenth(seen).min(9) == number).collect();
        let mean = |chance: fn(Chances) -> f64| {
            of.iter().map(|seen| chance(foretold(seen))).sum::<f64>() / of.len().max(1) as f64
        };
        let foretold =
            Chances { win: mean(|of| of.win), draw: mean(|of| of.draw), loss: mean(|of| of.loss) };
        Bin { positions: of.len(), foretold, seen: shares(&of) }
    };
    (0..10).map(bin).filter(|bin| bin.positions > 0).collect()
}

impl fmt::Display for WdlReport {
    /// Writes the model, the losses and the bins.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_model(f)?;
        writeln!(
            f,
            "{:<18} {:>9} {:>9} {:>9} {:>14}",
            "mean loss (nats)", "positions", "fitted", "built-in", "without score"
        )?;
        for (i, part) in ["training", "held out"].iter().enumerate() {
            let loss = |losses: [f64; 2]| match self.positions[i] {
                0 => "-".into(),
                _ => format!("{:.5}", losses[i]),
            };
            writeln!(
                f,
                "{part:<18} {:>9} {:>9} {:>9} {:>14}",
                self.positions[i],
                loss(self.loss),
                loss(self.loss_of_ours),
                loss(self.loss_without_score)
            )?;
        }
        let heads = ["held out", "expected: win", "draw", "loss", "actual: win", "draw", "loss"];
        let [positions, heads @ ..] = heads;
        write!(f, "\n{positions:>9}")?;
        heads.iter().try_for_each(|head| write!(f, " {head:>13}"))?;
        for bin in &self.bins {
            write!(f, "\n{:>9}", bin.positions)?;
            for Chances { win, draw, loss } in [bin.foretold, bin.seen] {
                write!(f, " {win:>13.3} {draw:>13.3} {loss:>13.3}")?;
            }
        }
        Ok(())
    }
}
