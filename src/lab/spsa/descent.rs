//! The steps of SPSA: how parameters are perturbed, and how the games change them.
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

use crate::{
    search::{
        params::Params,
        tunables::{TUNABLES, Tunable},
    },
    support::random::{Random, hashed, mixed},
};

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

/// The parameters of the two players of one iteration.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Players {
    pub(super) plus: Params,
    pub(super) minus: Params,
}

impl Schedule {
    /// Returns the perturbation of a parameter in an iteration, counted from 0, without its sign.
    fn perturbation(&self, tunable: &Tunable, iteration: u64) -> f64 {
        let share = self.iterations as f64 / (iteration + 1) as f64;
        f64::from(tunable.step()) * libm::pow(share, GAMMA)
    }

    /// Returns by how much the score of one win moves a parameter, without its sign.
    fn gain(&self, tunable: &Tunable, iteration: u64) -> f64 {
        let damping = DAMPING * self.iterations as f64;
        let share = (damping + self.iterations as f64) / (damping + (iteration + 1) as f64);
        let step = f64::from(tunable.step());
        let rate = self.rate * step * step * libm::pow(share, ALPHA);
        rate / self.perturbation(tunable, iteration)
    }

    /// Returns whether the first player has more of a parameter in an iteration.
    fn is_up(&self, tunable: &Tunable, iteration: u64) -> bool {
        hashed(mixed(self.seed) ^ iteration, tunable.name) & 1 == 1
    }

    /// Returns the players of an iteration: they differ in every parameter of `values`.
    ///
    /// Values are rounded at random, to the nearer number more often. So small changes count too.
    pub(super) fn players(&self, values: &[(&'static Tunable, f64)], iteration: u64) -> Players {
        let mut random = Random::new(mixed(self.seed ^ mixed(iteration)));
        let mut players = Players { plus: Params::default(), minus: Params::default() };
        for (tunable, value) in values {
            let by = self.perturbation(tunable, iteration);
            let by = if self.is_up(tunable, iteration) { by } else { -by };
            let dither = random.unit();
            let (least, most) = tunable.range;
            let rounded = |value: f64| (libm::floor(value + dither) as i32).clamp(least, most);
            *(tunable.field)(&mut players.plus) = rounded(value + by);
            *(tunable.field)(&mut players.minus) = rounded(value - by);
        }
        players
    }

    /// Moves `values` after the first player has won `lead` games more than it lost.
    pub(super) fn update(&self, values: &mut [(&'static Tunable, f64)], iteration: u64, lead: i64) {
        for (tunable, value) in values {
            let by = self.gain(tunable, iteration) * lead as f64;
            let (least, most) = tunable.range;
            let moved = if self.is_up(tunable, iteration) { *value + by } else { *value - by };
            *value = moved.clamp(f64::from(least), f64::from(most));
        }
    }
}

/// Returns the parameters with the given names and their defaults. No name stands for all of them.
/// Returns the name that no parameter has as an error.
pub(super) fn start(only: &[String]) -> Result<Vec<(&'static Tunable, f64)>, String> {
    if let Some(unknown) = only.iter().find(|name| Tunable::named(name).is_none()) {
        return Err(unknown.clone());
    }
    let is_chosen = |tunable: &&Tunable| only.is_empty() || only.iter().any(|n| n == tunable.name);
    let chosen = TUNABLES.iter().filter(is_chosen);
    Ok(chosen.map(|tunable| (tunable, f64::from(tunable.default()))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEDULE: Schedule = Schedule { iterations: 1000, rate: 0.002, seed: 7 };

    #[test]
    fn the_last_iteration_has_the_final_step_and_rate() {
        let tunable = Tunable::named("razor_base").unwrap();
        let step = f64::from(tunable.step());
        assert!((SCHEDULE.perturbation(tunable, 999) - step).abs() < 1e-9);
        assert!((SCHEDULE.gain(tunable, 999) - 0.002 * step).abs() < 1e-9);
        assert!(SCHEDULE.perturbation(tunable, 0) > 1.5 * step);
        assert!(SCHEDULE.gain(tunable, 0) > SCHEDULE.gain(tunable, 999));
    }

    #[test]
    fn players_differ_in_the_chosen_parameters_alone() {
        let values = start(&["razor_base".to_owned(), "delta_margin".to_owned()]).unwrap();
        let Players { plus, minus } = SCHEDULE.players(&values, 3);
        assert_ne!(plus.razor_base, minus.razor_base);
        assert_ne!(plus.delta_margin, minus.delta_margin);
        let same = Params { razor_base: plus.razor_base, delta_margin: plus.delta_margin, ..minus };
        assert_eq!(same, plus);
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
            let Players { plus, minus } = schedule.players(&values, iteration);
            let strength = |mut player: Params| -> f64 {
                let distance = |(&(tunable, _), at): (&(&Tunable, f64), &i32)| {
                    f64::from(*(tunable.field)(&mut player) - at) / f64::from(tunable.step())
                };
                values.iter().zip(&optimum).map(distance).map(|steps| -steps * steps).sum()
            };
            let chance = 0.5 + (strength(plus) - strength(minus)).clamp(-20.0, 20.0) / 100.0;
            let games = (0..24).map(|_| if random.unit() < chance { 1 } else { -1 });
            let lead = games.sum();
            schedule.update(&mut values, iteration, lead);
        }
        for ((tunable, value), at) in values.iter().zip(optimum) {
            let steps = (value - f64::from(at)) / f64::from(tunable.step());
            assert!(steps.abs() < 1.0, "{}: {value}, optimum {at}", tunable.name);
        }
    }
}
