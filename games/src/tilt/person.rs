//! A simulated person against the three levels, beside the report's ten people a level.
//!
//! The person is our model: greedy, with a share of random moves that is the same against all
//! levels. As in the report, the person plays Silver and begins.

use super::{Tilt, rules::TiltRules};
use crate::{
    agent::AgentOptions,
    game::{Game, Side},
    level::{PlayerError, PlayerSpec},
    matches,
};
use deepfeeling::support::{
    noise::wilson,
    random::mixed,
    threads::{NoThread, numbers_in_order},
};
use serde::Serialize;
use std::sync::atomic::AtomicBool;

/// The levels of the report, and how many of ten games the machine won at each (its table 3).
pub const REPORTED: [(&str, u32); 3] = [("novice", 2), ("normal", 4), ("expert", 8)];
/// The games that the report has at each level.
const GAMES: u32 = 10;

/// Returns the Wilson 95 % interval of the machine's share of the wins at a level of the report, in
/// percent.
#[must_use]
pub fn reported_interval(wins: u32) -> [f64; 2] {
    let (low, high) = wilson(f64::from(wins) / f64::from(GAMES), f64::from(GAMES));
    [low, high].map(|end| 100.0 * end)
}

/// The machine's results against the person.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PersonRow {
    /// The person's share of random moves, 0 to 1.
    pub errs: f64,
    /// The machine's share of the points at each level of [`REPORTED`], in percent.
    pub machine: [f64; 3],
    /// Whether it is within the interval of the report's result, for each level.
    pub is_inside: [bool; 3],
}

/// Plays `games` games at each level against a person with a share `errs` of random moves.
///
/// # Errors
/// If a thread cannot be started.
///
/// # Panics
/// If a level of the report is not a level of the game.
pub fn against_person(
    errs: f64,
    games: u32,
    seed: u64,
    threads: usize,
    stop: &AtomicBool,
) -> Result<PersonRow, NoThread> {
    let mut row = PersonRow { errs, machine: [0.0; 3], is_inside: [false; 3] };
    for (i, (level, wins)) in REPORTED.into_iter().enumerate() {
        let half_points = half_points(level, errs, games, seed, threads, stop)?;
        let machine = 50.0 * f64::from(half_points) / f64::from(games);
        let [low, high] = reported_interval(wins);
        row.machine[i] = machine;
        row.is_inside[i] = (low..=high).contains(&machine);
    }
    Ok(row)
}

/// Returns the half points of the machine at a level.
fn half_points(
    level: &str,
    errs: f64,
    games: u32,
    seed: u64,
    threads: usize,
    stop: &AtomicBool,
) -> Result<u32, NoThread> {
    let player = |name: &str| -> Result<PlayerSpec<Tilt>, PlayerError> { PlayerSpec::parse(name) };
    let known = "the levels of the report are levels of the game";
    let (person, machine) =
        (player(&format!("normal~{errs}")).expect(known), player(level).expect(known));
    // Silver begins in the start of every even seed
    let start = Tilt::start(TiltRules::default(), 0);
    let work = |(): &mut (), number: u64, stopped: &dyn Fn() -> bool| {
        let seed = mixed(seed) ^ number;
        let options = AgentOptions::default();
        Ok(matches::game([&person, &machine], start, options, seed, stopped))
    };
    let mut sum = 0;
    numbers_in_order(vec![(); threads], 0..games.into(), stop, work, |_, record| {
        let outcome = record.last().outcome();
        sum += outcome.map_or(0, |outcome| u32::from(outcome.half_points(Side::Second)));
        Ok::<_, NoThread>(false)
    })?;
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_intervals_of_the_report_are_those_of_its_readers() {
        let rounded = REPORTED.map(|(_, wins)| reported_interval(wins).map(f64::round));
        assert_eq!(rounded, [[6.0, 51.0], [17.0, 69.0], [49.0, 94.0]]);
    }
}
