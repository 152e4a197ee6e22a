//! What a fitted model foretells, and what came.

use super::{mean_loss, observation::Observation};
use crate::chess::wdl::{Chances, Model, OURS, Polynomial};
use serde_json::json;
use std::fmt;

/// Positions of like chances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    pub positions: usize,
    /// Means, White's point of view.
    pub foretold: Chances,
    pub seen: Chances,
}

/// A model, and how well it does.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub model: Model,
    /// Positions trained on and held out.
    pub positions: [usize; 2],
    /// Mean losses in nats, of positions trained on and held out.
    pub loss: [f64; 2],
    /// The same of the model that the engine has.
    pub loss_of_ours: [f64; 2],
    /// The same of a model that knows no score, only how often each result is seen.
    pub loss_without_score: [f64; 2],
    /// Of positions held out, by tenths of the points foretold.
    pub bins: Vec<Bin>,
}

impl Report {
    /// What there is to say about `model`, fitted to `training`.
    pub fn new(model: Model, training: &[Observation], held_out: &[Observation]) -> Self {
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

    /// The same for programs.
    pub fn as_json(&self) -> serde_json::Value {
        let chances = |of: Chances| json!({"win": of.win, "draw": of.draw, "loss": of.loss});
        let bins: Vec<_> = self
            .bins
            .iter()
            .map(|bin| {
                json!({
                    "positions": bin.positions, "foretold": chances(bin.foretold),
                    "seen": chances(bin.seen),
                })
            })
            .collect();
        json!({
            "steepness": self.model.steepness, "reserve": self.model.reserve,
            "positions": self.positions, "loss": self.loss, "loss_of_ours": self.loss_of_ours,
            "loss_without_score": self.loss_without_score, "bins": bins,
        })
    }
}

impl Report {
    /// The two coefficients of the model, as numbers for some boards and as formulas.
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

/// How often each result is seen.
fn shares(seen: &[Observation]) -> Chances {
    let count = seen.len().max(1) as f64;
    let share = |result| seen.iter().filter(|seen| seen.result == result).count() as f64 / count;
    Chances { win: share(2), draw: share(1), loss: share(0) }
}

/// The mean loss, in nats, of foretelling `foretold` where `seen` is seen.
fn cross_entropy(seen: Chances, foretold: Chances) -> f64 {
    -(seen.win * libm::log(foretold.win)
        + seen.draw * libm::log(foretold.draw)
        + seen.loss * libm::log(foretold.loss))
}

fn bins(model: &Model, held_out: &[Observation]) -> Vec<Bin> {
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

impl fmt::Display for Report {
    /// The model, then losses and bins.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_model(f)?;
        writeln!(
            f,
            "{:<18} {:>9} {:>9} {:>9} {:>14}",
            "mean loss (nats)", "positions", "fitted", "as it is", "without score"
        )?;
        for (i, part) in ["trained on", "held out"].iter().enumerate() {
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
        let heads = ["held out", "foretold: win", "draw", "loss", "seen: win", "draw", "loss"];
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
