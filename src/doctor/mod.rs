//! Checks whether the engine works on this machine: processor, memory, speed, files and tables.

pub mod build;
pub mod setup;

use crate::{
    chess::{game::Game, syzygy::Syzygy},
    lab::bench,
    player::{Engine, Options},
    profile::Profile,
    search::root::report::per_second,
};
use serde::Serialize;
use std::{
    fmt, fs, io,
    num::NonZeroU64,
    path::{Path, PathBuf},
    thread,
};

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, strum::IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum CheckState {
    Good,
    /// It works, but could work better.
    Note,
    Bad,
}

impl CheckState {
    pub const fn name(self) -> &'static str {
        self.into_str()
    }
}

/// One check and its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DoctorFinding {
    pub what: &'static str,
    pub state: CheckState,
    /// What was found, and advice if it is not good.
    pub text: String,
}

/// The optional checks, and their values.
#[derive(Clone, Debug, Default)]
pub struct DoctorOptions {
    /// The size of the hash table in MiB.
    pub hash: usize,
    /// Folders of endgame tables, in the format of the option `SyzygyPath`.
    pub tables: Option<String>,
    /// Folders that must be writable, for logs or feelings files.
    pub folders: Vec<PathBuf>,
}

/// The results of all checks.
#[derive(Clone, Debug)]
pub struct DoctorReport {
    pub findings: Vec<DoctorFinding>,
}

/// The lowest acceptable speed in nodes per second, roughly that of a ten-year-old processor.
const SLOW: u64 = 200_000;
/// The number of nodes of the trial search.
const TRIAL: NonZeroU64 = NonZeroU64::new(300_000).unwrap();

impl DoctorReport {
    /// Runs all checks.
    pub fn new(wishes: &DoctorOptions) -> Self {
        let mut findings = vec![processor(), memory(wishes.hash), search(), profiles()];
        findings.extend(wishes.folders.iter().map(|folder| writable(folder)));
        findings.extend(wishes.tables.as_deref().map(tables));
        Self { findings }
    }

    /// Returns whether no check is bad.
    pub fn is_good(&self) -> bool {
        self.findings.iter().all(|finding| finding.state != CheckState::Bad)
    }
}

impl fmt::Display for DoctorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, DoctorFinding { what, state, text }) in self.findings.iter().enumerate() {
            let end = if number == 0 { "" } else { "\n" };
            write!(f, "{end}{:<5} {what:<15} {text}", state.name())?;
        }
        Ok(())
    }
}

/// Reports the number of cores, and the processor instructions that this build does not use.
fn processor() -> DoctorFinding {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let unused = build::unused_features();
    let (state, advice) = if unused.is_empty() {
        (CheckState::Good, String::new())
    } else {
        let advice = format!("; a build on this machine would also use {}", unused.join(", "));
        (CheckState::Note, advice)
    };
    let text = format!(
        "{} {} (set the option Threads to at most {cores}){advice}",
        cores,
        if cores == 1 { "core" } else { "cores" }
    );
    DoctorFinding { what: "processor", state, text }
}

/// Checks that a hash table of `mib` MiB can be allocated.
fn memory(mib: usize) -> DoctorFinding {
    let what = "memory";
    match engine().and_then(|mut engine| engine.set_hash(mib).map_err(|e| e.to_string())) {
        Ok(()) => DoctorFinding {
            what,
            state: CheckState::Good,
            text: format!("can allocate a hash table of {mib} MiB (option Hash)"),
        },
        Err(reason) => DoctorFinding { what, state: CheckState::Bad, text: reason },
    }
}

/// Creates an engine without emotions.
fn engine() -> Result<Engine, String> {
    let profile = Profile::builtin("neutral").map_err(|e| e.to_string())?;
    Engine::new(profile, Options::default()).map_err(|e| e.to_string())
}

/// Checks that the engine can search, and measures its speed.
fn search() -> DoctorFinding {
    let what = "search";
    match trial() {
        Ok(nps) if nps >= SLOW => {
            DoctorFinding { what, state: CheckState::Good, text: format!("{nps} nodes per second") }
        }
        Ok(nps) => {
            let text = format!(
                "{nps} nodes per second is slow: build with --release, and check that the machine is idle"
            );
            DoctorFinding { what, state: CheckState::Note, text }
        }
        Err(reason) => DoctorFinding { what, state: CheckState::Bad, text: reason },
    }
}

/// Returns the nodes per second on the first bench position.
fn trial() -> Result<u64, String> {
    let mut engine = engine()?;
    let game = Game::from_fen(bench::POSITIONS[0], None).map_err(|e| e.to_string())?;
    engine
        .best_at(&game, TRIAL)
        .map(|outcome| per_second(outcome.nodes, outcome.elapsed))
        .ok_or_else(|| "the search found no move".into())
}

/// Checks that all built-in profiles load.
fn profiles() -> DoctorFinding {
    let broken = Profile::BUILTIN.iter().find_map(|name| Profile::builtin(name).err());
    let what = "temperaments";
    match broken {
        None => {
            let text =
                format!("{} built in: {}", Profile::BUILTIN.len(), Profile::BUILTIN.join(", "));
            DoctorFinding { what, state: CheckState::Good, text }
        }
        Some(error) => DoctorFinding { what, state: CheckState::Bad, text: error.to_string() },
    }
}

/// Checks that a file can be written to `folder`.
fn writable(folder: &Path) -> DoctorFinding {
    let what = "writing";
    let name = folder.display();
    // the process id makes the name unique
    let file = folder.join(format!(".deepfeeling-doctor-{}", std::process::id()));
    let written = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&file)
        .and_then(|mut open| io::Write::write_all(&mut open, b"well\n"))
        .and_then(|()| fs::remove_file(&file));
    match written {
        Ok(()) => DoctorFinding {
            what,
            state: CheckState::Good,
            text: format!("can write files to {name}"),
        },
        Err(error) => DoctorFinding {
            what,
            state: CheckState::Bad,
            text: format!("cannot write files to {name}: {error}"),
        },
    }
}

/// Checks that the folders of `path` contain endgame tables.
fn tables(path: &str) -> DoctorFinding {
    let what = "endgame tables";
    let found = match Syzygy::open(path) {
        Ok(found) => found,
        Err(error) => {
            return DoctorFinding { what, state: CheckState::Bad, text: error.to_string() };
        }
    };
    match found.take_faults() {
        None => DoctorFinding { what, state: CheckState::Good, text: found.to_string() },
        Some(faults) => {
            DoctorFinding { what, state: CheckState::Bad, text: format!("{found}; {faults}") }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_folder_is_bad_and_a_writable_one_stays_empty() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(writable(folder.path()).state, CheckState::Good);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let missing = writable(&folder.path().join("none"));
        assert_eq!(missing.state, CheckState::Bad);
        assert!(missing.text.contains("none"), "{missing:?}");
    }

    #[test]
    fn impossible_requests_are_bad() {
        assert_eq!(memory(1).state, CheckState::Good);
        assert_eq!(memory(usize::MAX >> 21).state, CheckState::Bad);
        assert_eq!(tables("/no/such/folder").state, CheckState::Bad);
        assert_eq!(profiles().state, CheckState::Good);
    }
}
