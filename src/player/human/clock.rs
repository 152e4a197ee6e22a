//! How long a person thinks about a move.
//!
//! With a probability by logistic regression, a move is instant, like a premove. Otherwise the
//! logarithm of the time has a linear mean and a spread that depends on the same cues. Its shape is
//! a table of quantiles instead of the normal distribution, because people's times are skewed. This
//! is a log-normal model with zero inflation, as used for reaction times; source: van der Linden,
//! "A lognormal model for response times on test items" (2006).

use super::{
    clock_cue::{ClockCue, ClockCues, instant},
    policy::{PolicyError, read_cues},
};
use crate::chess::{time_control::TimeControl, wdl::logistic};
use std::fmt;
use strum::{EnumCount, IntoEnumIterator};

/// The model that was fitted to people's games.
const FITTED: &str = include_str!("clock.toml");

/// The probabilities at which the quantiles of a shape are stored.
pub const LEVELS: [f64; 21] = [
    0.005, 0.05, 0.10, 0.15, 0.20, 0.25, 0.30, 0.35, 0.40, 0.45, 0.50, 0.55, 0.60, 0.65, 0.70,
    0.75, 0.80, 0.85, 0.90, 0.95, 0.995,
];

/// The quantiles of the logarithm of a time at [`LEVELS`], minus its mean, in spreads.
pub type Shape = [f64; LEVELS.len()];

/// There is a shape for usual times below each of these numbers of seconds, and one above them.
pub const SHAPES_BELOW: [f64; 3] = [2.0, 4.0, 8.0];

/// The weights of one clock cue.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClockWeight {
    /// What it adds to the log-odds of an instant move.
    pub instant: f64,
    /// What it adds to the mean logarithm of the other times.
    pub mean: f64,
    /// What it adds to the logarithm of their spread.
    pub spread: f64,
}

/// The model of the time for a move.
#[derive(Clone, Debug, PartialEq)]
pub struct ClockModel {
    /// The weights, in the order of [`ClockCue`].
    pub weights: [ClockWeight; ClockCue::COUNT],
    /// The shapes, from short to long usual times.
    pub shapes: [Shape; SHAPES_BELOW.len() + 1],
}

impl ClockModel {
    /// Returns the model that was fitted to people's games.
    ///
    /// # Errors
    /// Never: a test reads it.
    pub fn fitted() -> Result<Self, PolicyError> {
        Self::parse(FITTED)
    }

    /// Returns the probability of an instant move.
    #[must_use]
    pub fn instant_chance(&self, cues: &ClockCues) -> f64 {
        logistic(self.sum(cues, |weight| weight.instant))
    }

    /// Returns the mean logarithm of a time that is not instant, in seconds.
    #[must_use]
    pub fn mean(&self, cues: &ClockCues, control: TimeControl) -> f64 {
        libm::log(control.per_move()) + self.sum(cues, |weight| weight.mean).clamp(-6.0, 6.0)
    }

    /// Returns the spread of this logarithm.
    #[must_use]
    pub fn spread(&self, cues: &ClockCues) -> f64 {
        libm::exp(self.sum(cues, |weight| weight.spread).clamp(-3.0, 1.0))
    }

    fn sum(&self, cues: &ClockCues, weight: impl Fn(&ClockWeight) -> f64) -> f64 {
        self.weights.iter().zip(cues).map(|(own, cue)| weight(own) * cue).sum()
    }

    /// Returns the time for a move in seconds. `unit` is from 0 to 1: the share of times that are
    /// shorter. `pace` multiplies every time.
    #[must_use]
    pub fn time(&self, cues: &ClockCues, control: TimeControl, pace: f64, unit: f64) -> f64 {
        let chance = self.instant_chance(cues);
        let instant = instant(control);
        let time = if unit < chance {
            instant * unit / chance
        } else {
            let mean = self.mean(cues, control);
            let unit = (unit - chance) / (1.0 - chance);
            let deviation = quantile(&self.shapes[shape_of(mean)], unit);
            libm::exp(mean + self.spread(cues) * deviation).max(instant)
        };
        pace * time
    }

    /// Returns the expected time for a move in seconds.
    #[must_use]
    pub fn expected(&self, cues: &ClockCues, control: TimeControl) -> f64 {
        const STEPS: u32 = 50;
        let unit = |step| (f64::from(step) + 0.5) / f64::from(STEPS);
        let sum: f64 = (0..STEPS).map(|step| self.time(cues, control, 1.0, unit(step))).sum();
        sum / f64::from(STEPS)
    }

    /// Reads a model from TOML: in a table `cues`, the three weights of each clock cue, and in an
    /// array `shapes`, the quantiles of each shape.
    ///
    /// # Errors
    /// If a table is missing or has the wrong types, or if a clock cue is missing or unknown.
    pub fn parse(text: &str) -> Result<Self, PolicyError> {
        let (table, cues) = read_cues::<ClockCue, [f64; 3]>(text)?;
        let mut weights = [ClockWeight::default(); ClockCue::COUNT];
        for (weight, [instant, mean, spread]) in weights.iter_mut().zip(cues) {
            *weight = ClockWeight { instant, mean, spread };
        }
        let shapes = table.get("shapes").cloned();
        let shapes =
            shapes.ok_or_else(|| PolicyError::Toml("the array `shapes` is missing".into()))?;
        let shapes =
            shapes.try_into().map_err(|e: toml::de::Error| PolicyError::Toml(e.to_string()))?;
        Ok(Self { weights, shapes })
    }
}

/// Returns the number of the shape for times with this mean logarithm.
#[must_use]
pub fn shape_of(mean: f64) -> usize {
    let usual = libm::exp(mean);
    SHAPES_BELOW.iter().take_while(|&&seconds| usual >= seconds).count()
}

/// Returns the quantile of `shape` at a probability, interpolated between its entries.
fn quantile(shape: &Shape, unit: f64) -> f64 {
    let above = LEVELS.partition_point(|&level| level <= unit);
    if above == 0 || above == LEVELS.len() {
        return shape[above.min(LEVELS.len() - 1)];
    }
    let [low, high] = [LEVELS[above - 1], LEVELS[above]];
    let part = (unit - low) / (high - low);
    shape[above - 1] + part * (shape[above] - shape[above - 1])
}

impl fmt::Display for ClockModel {
    /// Writes the model as [`ClockModel::parse`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# per shape: quantiles of the logarithm of the time, in spreads")?;
        writeln!(f, "shapes = [")?;
        for shape in &self.shapes {
            let row: Vec<_> = shape.iter().map(|entry| format!("{entry:.3}")).collect();
            writeln!(f, "  [{}],", row.join(", "))?;
        }
        writeln!(f, "]\n\n# log-odds of an instant move, mean and spread of the others\n[cues]")?;
        for (cue, ClockWeight { instant, mean, spread }) in ClockCue::iter().zip(&self.weights) {
            let name: &str = cue.into();
            writeln!(f, "{name} = [{instant:.3}, {mean:.3}, {spread:.3}]")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::game::Game, player::human::clock_cue::ClockView};

    const BLITZ: TimeControl = TimeControl { base: 180.0, increment: 2.0 };

    /// Returns model, cues and time control of a move with this much time left.
    fn expected(control: TimeControl, position: &str, m: &str, left: f64) -> f64 {
        let game = Game::parse(position, None).unwrap();
        let m = game.read_uci(m).unwrap();
        let view = ClockView { control, left, own_last: None, their_last: None };
        ClockModel::fitted().unwrap().expected(&view.cues(&game, m, 1500), control)
    }

    #[test]
    fn the_fitted_model_is_read_and_written() {
        let model = ClockModel::fitted().unwrap();
        assert_eq!(ClockModel::parse(&model.to_string()), Ok(model.clone()));
        let text = model.to_string().replace("only_move", "no_move");
        assert_eq!(ClockModel::parse(&text), Err(PolicyError::Unknown("no_move".into())));
        let text = model.to_string().replace("shapes", "forms");
        assert!(ClockModel::parse(&text).unwrap_err().to_string().contains("`shapes` is missing"));
        for shape in &model.shapes {
            assert!(shape.is_sorted(), "{shape:?}");
        }
    }

    #[test]
    fn a_recapture_is_faster_than_another_move() {
        let exchange = "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6";
        let takes = expected(BLITZ, exchange, "d7c6", 170.0);
        let other = expected(BLITZ, exchange, "d8h4", 170.0);
        assert!(takes < 0.8 * other, "{takes} {other}");
    }

    #[test]
    fn a_forced_move_is_faster_than_a_free_one() {
        let forced = expected(BLITZ, "7k/8/8/8/8/7P/5PP1/r5K1 w - - 0 40", "g1h2", 100.0);
        let free = expected(BLITZ, "7k/8/8/8/8/7P/r4PP1/6K1 w - - 0 40", "g1h2", 100.0);
        assert!(forced < 0.9 * free, "{forced} {free}");
    }

    #[test]
    fn people_hurry_in_time_trouble() {
        let position = "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7";
        for control in [BLITZ, TimeControl { base: 60.0, increment: 0.0 }] {
            let shares = [0.9, 0.05, 0.01];
            let times =
                shares.map(|share| expected(control, position, "f1e1", share * control.base));
            assert!(times.is_sorted_by(|a, b| a > b), "{times:?}");
        }
    }

    #[test]
    fn times_grow_with_the_draw_and_scale_with_the_pace() {
        let model = ClockModel::fitted().unwrap();
        let view = ClockView { control: BLITZ, left: 100.0, own_last: None, their_last: Some(0.1) };
        let game = Game::default();
        let cues = view.cues(&game, game.read_uci("e2e4").unwrap(), 1200);
        let time = |unit| model.time(&cues, BLITZ, 1.0, unit);
        let times: Vec<f64> = (0..100).map(|step| time(f64::from(step) / 100.0)).collect();
        assert!(times.is_sorted() && times[0] < 0.5 && times[99] > 2.0, "{times:?}");
        assert!((model.time(&cues, BLITZ, 4.0, 0.7) - 4.0 * time(0.7)).abs() < 1e-9);
    }
}
