//! The steps of SPSA: how parameters are perturbed, and how the games change them.
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

use super::parameter::{Parameter, Player};
use crate::support::random::{Random, hashed, mixed};

/// Decay of the learning rate, as Spall recommends.
const ALPHA: f64 = 0.602;
/// Decay of the perturbation, as Spall recommends.
const GAMMA: f64 = 0.101;
/// The share of the iterations that dampens the first steps.
const DAMPING: f64 = 0.1;

/// The schedule of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Schedule {
    /// The total number of iterations.
    pub(super) iterations: u64,
    /// The learning rate of the last iteration: the share of a step by which a win moves a
    /// parameter.
    pub(super) rate: f64,
    pub(super) seed: u64,
}

/// The two players of one iteration.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Players {
    pub(super) plus: Player,
    pub(super) minus: Player,
}

impl Schedule {
    /// Returns the perturbation of a parameter in an iteration, counted from 0, without its sign.
    fn perturbation(&self, parameter: Parameter, iteration: u64) -> f64 {
        let share = self.iterations as f64 / (iteration + 1) as f64;
        f64::from(parameter.step()) * libm::pow(share, GAMMA)
    }

    /// Returns by how much the score of one win moves a parameter, without its sign.
    fn gain(&self, parameter: Parameter, iteration: u64) -> f64 {
        let damping = DAMPING * self.iterations as f64;
        let share = (damping + self.iterations as f64) / (damping + (iteration + 1) as f64);
        let step = f64::from(parameter.step());
        let rate = self.rate * step * step * libm::pow(share, ALPHA);
        rate / self.perturbation(parameter, iteration)
    }

    /// Returns whether the first player has more of a parameter in an iteration.
    fn is_up(&self, parameter: Parameter, iteration: u64) -> bool {
        hashed(mixed(self.seed) ^ iteration, &parameter.name()) & 1 == 1
    }

    /// Returns the players of an iteration: both are like `start`, but differ in every parameter of
    /// `values`.
    ///
    /// Values are rounded at random, to the nearer number more often. So small changes count too.
    pub(super) fn players(
        &self,
        start: &Player,
        values: &[(Parameter, f64)],
        iteration: u64,
    ) -> Players {
        let mut random = Random::new(mixed(self.seed ^ mixed(iteration)));
        let mut players = Players { plus: start.clone(), minus: start.clone() };
        for &(parameter, value) in values {
            let by = self.perturbation(parameter, iteration);
            let by = if self.is_up(parameter, iteration) { by } else { -by };
            let dither = random.unit();
            let (least, most) = parameter.range();
            let rounded = |value: f64| (libm::floor(value + dither) as i32).clamp(least, most);
            parameter.set(&mut players.plus, rounded(value + by));
            parameter.set(&mut players.minus, rounded(value - by));
        }
        players
    }

    /// Moves `values` after the first player has won `lead` games more than it lost.
    pub(super) fn update(&self, values: &mut [(Parameter, f64)], iteration: u64, lead: i64) {
        for (parameter, value) in values {
            let by = self.gain(*parameter, iteration) * lead as f64;
            let (least, most) = parameter.range();
            let moved = if self.is_up(*parameter, iteration) { *value + by } else { *value - by };
            *value = moved.clamp(f64::from(least), f64::from(most));
        }
    }
}

/// Returns the parameters with the given names and their defaults. No name stands for all of them.
/// Returns the name that no parameter has as an error.
pub(super) fn start(only: &[String]) -> Result<Vec<(Parameter, f64)>, String> {
    if let Some(unknown) = only.iter().find(|name| Parameter::named(name).is_none()) {
        return Err(unknown.clone());
    }
    let is_chosen = |parameter: &Parameter| only.is_empty() || only.contains(&parameter.name());
    let chosen = Parameter::all().filter(is_chosen);
    Ok(chosen.map(|parameter| (parameter, f64::from(parameter.default()))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{eval::feature::Feature, profile::Profile, search::params::Params};

    fn player() -> Player {
        let weights = Profile::builtin("neutral").unwrap().weights;
        Player { params: Params::default(), weights }
    }

    const SCHEDULE: Schedule = Schedule { iterations: 1000, rate: 0.002, seed: 7 };

    #[test]
    fn the_last_iteration_has_the_final_step_and_rate() {
        let parameter = Parameter::named("razor_base").unwrap();
        let step = f64::from(parameter.step());
        assert!((SCHEDULE.perturbation(parameter, 999) - step).abs() < 1e-9);
        assert!((SCHEDULE.gain(parameter, 999) - 0.002 * step).abs() < 1e-9);
        assert!(SCHEDULE.perturbation(parameter, 0) > 1.5 * step);
        assert!(SCHEDULE.gain(parameter, 0) > SCHEDULE.gain(parameter, 999));
    }

    #[test]
    fn players_differ_in_the_chosen_parameters_alone() {
        let names = ["razor_base", "delta_margin", "tempo_ending"].map(str::to_owned);
        let Players { plus, minus } = SCHEDULE.players(&player(), &start(&names).unwrap(), 3);
        let (Player { params, mut weights }, other) = (minus, plus.params);
        assert_ne!(params.razor_base, other.razor_base);
        assert_ne!(params.delta_margin, other.delta_margin);
        let (razor_base, delta_margin) = (other.razor_base, other.delta_margin);
        assert_eq!(Params { razor_base, delta_margin, ..params }, other);
        let tempo = Feature::Tempo.start();
        assert_ne!(weights.0[tempo].eg(), plus.weights.0[tempo].eg());
        assert_eq!(weights.0[tempo].mg(), plus.weights.0[tempo].mg());
        weights.0[tempo] = plus.weights.0[tempo];
        assert_eq!(weights, plus.weights);
        assert_eq!(start(&["razor".to_owned()]).unwrap_err(), "razor");
    }

    #[test]
    fn a_known_optimum_is_found_with_noisy_games() {
        let names = ["razor_base", "delta_margin", "history_bonus"].map(str::to_owned);
        let mut values = start(&names).unwrap();
        // the strength of a player is minus the squared distance to the optimum, in steps
        let optimum = [120, 260, 200];
        let schedule = Schedule { rate: 0.02, ..SCHEDULE };
        let mut random = Random::new(1);
        for iteration in 0..1000 {
            let Players { plus, minus } = schedule.players(&player(), &values, iteration);
            let strength = |Player { params, .. }: Player| -> f64 {
                let found = [params.razor_base, params.delta_margin, params.history_bonus];
                let steps =
                    found.iter().zip(&optimum).zip(&values).map(|((found, at), value)| {
                        f64::from(found - at) / f64::from(value.0.step())
                    });
                steps.map(|steps| -steps * steps).sum()
            };
            let chance = 0.5 + (strength(plus) - strength(minus)).clamp(-20.0, 20.0) / 100.0;
            let games = (0..24).map(|_| if random.unit() < chance { 1 } else { -1 });
            let lead = games.sum();
            schedule.update(&mut values, iteration, lead);
        }
        for ((parameter, value), at) in values.iter().zip(optimum) {
            let steps = (value - f64::from(at)) / f64::from(parameter.step());
            assert!(steps.abs() < 1.0, "{}: {value}, optimum {at}", parameter.name());
        }
    }
}
