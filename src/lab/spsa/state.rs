//! The state of a tuning run: a TOML file that is rewritten after every iteration.

use super::parameter::Parameter;
use crate::support::state_file::{self, StateError};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::Path};

/// The first line of each file.
const HEADER: &str = "State of a tuning run of deepfeeling spsa. The same command continues it.";

/// What the games of a run depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Conditions {
    pub(super) profile: String,
    pub(super) nodes: u64,
    pub(super) pairs: u64,
    pub(super) iterations: u64,
    pub(super) rate: f64,
    pub(super) seed: u64,
    pub(super) book: String,
    /// The bench signature of the engine with default parameters.
    pub(super) bench: u64,
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct State {
    /// The number of finished iterations.
    pub(super) iteration: u64,
    pub(super) conditions: Conditions,
    /// The present value of each parameter.
    pub(super) values: BTreeMap<String, f64>,
}

impl State {
    /// Reads the state in the file at `path`. If the file does not exist, returns `start`.
    ///
    /// # Errors
    /// If the file is not the state of a run with the conditions and parameters of `start`.
    pub(super) fn resume(path: &Path, start: Self) -> Result<Self, StateError> {
        let refuse = |reason: String| state_file::unusable(path, reason);
        let Some(found) = state_file::read::<Self>(path)? else { return Ok(start) };
        if found.conditions != start.conditions {
            return Err(refuse(format!(
                "found a run with {}, expected {}: repeat that command",
                found.conditions.words(),
                start.conditions.words()
            )));
        }
        if !found.values.keys().eq(start.values.keys()) {
            return Err(refuse("tunes other parameters".into()));
        }
        let is_in_range = |(name, value): (&String, &f64)| {
            let range = Parameter::named(name).map(Parameter::range);
            range.is_some_and(|(least, most)| (f64::from(least)..=f64::from(most)).contains(value))
        };
        match found.values.iter().find(|entry| !is_in_range(*entry)) {
            Some((name, value)) => Err(refuse(format!("{name} = {value} is out of range"))),
            None => Ok(found),
        }
    }

    /// Writes the state to the file at `path`.
    ///
    /// # Errors
    /// If this fails. The file then keeps its content.
    pub(super) fn write(&self, path: &Path) -> Result<(), StateError> {
        state_file::write(path, HEADER, self)
    }
}

impl Conditions {
    fn words(&self) -> String {
        let Self { profile, nodes, pairs, iterations, rate, seed, book, bench } = self;
        format!(
            "{profile}, {nodes} nodes, {iterations} iterations of {pairs} pairs, rate {rate}, seed \
             {seed}, {book}, bench {bench}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn state() -> State {
        State {
            iteration: 3,
            conditions: Conditions {
                profile: "neutral".into(),
                nodes: 100,
                pairs: 2,
                iterations: 10,
                rate: 0.002,
                seed: 1,
                book: "no book".into(),
                bench: 123,
            },
            values: BTreeMap::from([("delta_margin".to_owned(), 200.0 / 3.0)]),
        }
    }

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state.toml");
        let start = State { iteration: 0, ..state() };
        assert_eq!(State::resume(&path, start.clone()).unwrap(), start);
        state().write(&path).unwrap();
        assert_eq!(State::resume(&path, start).unwrap(), state());
    }

    #[test]
    fn other_files_and_other_runs_are_rejected() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state.toml");
        let error = |start: State| State::resume(&path, start).unwrap_err().to_string();
        fs::write(&path, "[weights]\n").unwrap();
        assert!(error(state()).contains("is not the state of this kind of tuning run"));
        state().write(&path).unwrap();
        let mut other = state();
        other.conditions.nodes = 200;
        assert!(error(other).contains("100 nodes"));
        let values = BTreeMap::from([("razor_base".to_owned(), 1.0)]);
        assert!(error(State { values, ..state() }).contains("other parameters"));
        let values = BTreeMap::from([("delta_margin".to_owned(), 1e9)]);
        State { values, ..state() }.write(&path).unwrap();
        assert!(error(state()).contains("out of range"));
    }
}
