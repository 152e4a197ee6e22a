//! Search parameters as UCI options, for tuning by SPSA (cargo feature `tuning`).

use super::params::Params;

pub use super::params::{TUNABLES, Tunable};

impl Tunable {
    /// Finds a parameter by name.
    pub fn named(name: &str) -> Option<&'static Self> {
        TUNABLES.iter().find(|tunable| tunable.name == name)
    }

    /// Sets the parameter. Returns `None` if `value` is not a number within the range.
    pub fn set(&self, params: &mut Params, value: &str) -> Option<()> {
        let (least, greatest) = self.range;
        let number = value.parse().ok().filter(|number| (least..=greatest).contains(number))?;
        *(self.field)(params) = number;
        Some(())
    }

    /// Returns the default value.
    pub fn default(&self) -> i32 {
        *(self.field)(&mut Params::default())
    }

    /// Returns the step at the end of a tuning run: a twentieth of the range.
    pub fn step(&self) -> i32 {
        step(self.range)
    }
}

/// Returns the step of a number with this range at the end of a tuning run.
pub fn step((least, greatest): (i32, i32)) -> i32 {
    ((greatest - least) / 20).max(1)
}

/// Returns the SPSA input for `OpenBench`, one line per parameter: name, type, start, minimum,
/// maximum, final step and learning rate.
/// <https://github.com/AndyGrant/OpenBench/wiki/SPSA-Tuning-Workloads>
pub fn spsa_lines() -> String {
    let line = |tunable: &Tunable| {
        let Tunable { name, range: (least, greatest), .. } = tunable;
        format!(
            "{name}, int, {}, {least}, {greatest}, {}, 0.002",
            tunable.default(),
            tunable.step()
        )
    };
    TUNABLES.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tunable_has_a_unique_name_and_a_default_within_its_range() {
        let mut names: Vec<_> = TUNABLES.iter().map(|tunable| tunable.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), TUNABLES.len());
        for tunable in TUNABLES {
            let (least, greatest) = tunable.range;
            assert!((least..=greatest).contains(&tunable.default()), "{}", tunable.name);
        }
    }
}
