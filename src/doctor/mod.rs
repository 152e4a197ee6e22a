//! Whether this program runs well here, and how others are told to use it.

pub mod setup;

use crate::{
    chess::{game::Game, syzygy::Syzygy},
    lab::bench,
    player::Engine,
    profile::Profile,
    search::{
        Signals,
        root::{
            limits::Limits,
            report::{Silent, per_second},
        },
    },
};
use serde_json::{Value, json};
use std::{
    fmt, fs, io,
    num::NonZeroU64,
    path::{Path, PathBuf},
    thread,
};

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Good,
    /// It works, and could work better.
    Note,
    Bad,
}

impl State {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Note => "note",
            Self::Bad => "bad",
        }
    }
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub what: &'static str,
    pub state: State,
    /// What was found, and what to do about it.
    pub text: String,
}

/// What to look at beside the machine itself.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// The table, in MiB.
    pub hash: usize,
    /// Folders of endgame tables, as the option `SyzygyPath` takes them.
    pub tables: Option<String>,
    /// Folders into which logs or feelings are to be written.
    pub folders: Vec<PathBuf>,
}

/// Everything that was looked at.
#[derive(Clone, Debug)]
pub struct Report {
    pub findings: Vec<Finding>,
}

/// The speed of a processor ten years old: below it something is wrong.
const SLOW: u64 = 200_000;
/// Nodes of the trial search.
const TRIAL: NonZeroU64 = NonZeroU64::new(300_000).unwrap();

impl Report {
    /// Looks at everything.
    pub fn new(wishes: &Wishes) -> Self {
        let mut findings = vec![processor(), memory(wishes.hash), search(), profiles()];
        findings.extend(wishes.folders.iter().map(|folder| writable(folder)));
        findings.extend(wishes.tables.as_deref().map(tables));
        Self { findings }
    }

    /// Whether nothing is bad.
    pub fn is_well(&self) -> bool {
        self.findings.iter().all(|finding| finding.state != State::Bad)
    }

    /// For programs.
    pub fn as_json(&self) -> Value {
        let one = |finding: &Finding| {
            let Finding { what, state, text } = finding;
            json!({ "what": what, "state": state.name(), "text": text })
        };
        self.findings.iter().map(one).collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, Finding { what, state, text }) in self.findings.iter().enumerate() {
            let end = if number == 0 { "" } else { "\n" };
            write!(f, "{end}{:<5} {what:<15} {text}", state.name())?;
        }
        Ok(())
    }
}

/// The instructions that this build uses, and those that it could use.
fn processor() -> Finding {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let unused: Vec<&str> = features()
        .into_iter()
        .filter_map(|(name, is_used, is_here)| (is_here && !is_used).then_some(name))
        .collect();
    let (state, advice) = if unused.is_empty() {
        (State::Good, String::new())
    } else {
        let advice = format!("; a build on this machine would also use {}", unused.join(", "));
        (State::Note, advice)
    };
    let text = format!(
        "{} {}, up to {cores} for the option Threads{advice}",
        cores,
        if cores == 1 { "core" } else { "cores" }
    );
    Finding { what: "processor", state, text }
}

/// Instructions that make a difference here: whether this build uses them, and whether the processor
/// has them.
#[cfg(target_arch = "x86_64")]
fn features() -> [(&'static str, bool, bool); 4] {
    [
        ("popcnt", cfg!(target_feature = "popcnt"), is_x86_feature_detected!("popcnt")),
        ("avx2", cfg!(target_feature = "avx2"), is_x86_feature_detected!("avx2")),
        ("bmi1", cfg!(target_feature = "bmi1"), is_x86_feature_detected!("bmi1")),
        ("bmi2", cfg!(target_feature = "bmi2"), is_x86_feature_detected!("bmi2")),
    ]
}

/// Elsewhere every build uses what there is.
#[cfg(not(target_arch = "x86_64"))]
fn features() -> [(&'static str, bool, bool); 0] {
    []
}

/// Whether a table of so many MiB can be had.
fn memory(mib: usize) -> Finding {
    let what = "memory";
    match engine().and_then(|mut engine| engine.set_hash(mib).map_err(|e| e.to_string())) {
        Ok(()) => Finding {
            what,
            state: State::Good,
            text: format!("a table of {mib} MiB (option Hash)"),
        },
        Err(reason) => Finding { what, state: State::Bad, text: reason },
    }
}

/// One that feels nothing.
fn engine() -> Result<Engine, String> {
    let profile = Profile::builtin("neutral").map_err(|e| e.to_string())?;
    Engine::new(profile).map_err(|e| e.to_string())
}

/// Whether it searches, and how fast.
fn search() -> Finding {
    let what = "search";
    match trial() {
        Ok(nps) if nps >= SLOW => {
            Finding { what, state: State::Good, text: format!("{nps} nodes per second") }
        }
        Ok(nps) => {
            let text = format!(
                "{nps} nodes per second is slow: is it built with --release, and is the machine idle?"
            );
            Finding { what, state: State::Note, text }
        }
        Err(reason) => Finding { what, state: State::Bad, text: reason },
    }
}

/// Nodes per second on the first position of the bench.
fn trial() -> Result<u64, String> {
    let mut engine = engine()?;
    let game = Game::from_fen(bench::POSITIONS[0], None).map_err(|e| e.to_string())?;
    let limits = Limits { nodes: Some(TRIAL), ..Limits::default() };
    let outcome = engine.go(&game, &limits, &Signals::default(), &mut Silent);
    outcome
        .map(|outcome| per_second(outcome.nodes, outcome.elapsed))
        .ok_or_else(|| "no move found at the start".into())
}

/// Whether all temperaments load.
fn profiles() -> Finding {
    let broken = Profile::BUILTIN.iter().find_map(|name| Profile::builtin(name).err());
    let what = "temperaments";
    match broken {
        None => {
            let text =
                format!("{} built in: {}", Profile::BUILTIN.len(), Profile::BUILTIN.join(", "));
            Finding { what, state: State::Good, text }
        }
        Some(error) => Finding { what, state: State::Bad, text: error.to_string() },
    }
}

/// Whether a file can be written into `folder`.
fn writable(folder: &Path) -> Finding {
    let what = "writing";
    let name = folder.display();
    // a name that no file of anybody's has
    let file = folder.join(format!(".deepfeeling-doctor-{}", std::process::id()));
    let written = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&file)
        .and_then(|mut open| io::Write::write_all(&mut open, b"well\n"))
        .and_then(|()| fs::remove_file(&file));
    match written {
        Ok(()) => {
            Finding { what, state: State::Good, text: format!("files can be written to {name}") }
        }
        Err(error) => Finding {
            what,
            state: State::Bad,
            text: format!("no file can be written to {name}: {error}"),
        },
    }
}

/// Whether there are endgame tables in the folders of `path`.
fn tables(path: &str) -> Finding {
    let what = "endgame tables";
    let found = match Syzygy::open(path) {
        Ok(found) => found,
        Err(error) => return Finding { what, state: State::Bad, text: error.to_string() },
    };
    match found.take_faults() {
        None => Finding { what, state: State::Good, text: found.to_string() },
        Some(faults) => Finding { what, state: State::Bad, text: format!("{found}; {faults}") },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_not_there_is_bad_and_one_that_is_stays_clean() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(writable(folder.path()).state, State::Good);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let missing = writable(&folder.path().join("none"));
        assert_eq!(missing.state, State::Bad);
        assert!(missing.text.contains("none"), "{missing:?}");
    }

    #[test]
    fn what_cannot_be_had_is_told() {
        assert_eq!(memory(1).state, State::Good);
        assert_eq!(memory(usize::MAX >> 21).state, State::Bad);
        assert_eq!(tables("/no/such/folder").state, State::Bad);
        assert_eq!(profiles().state, State::Good);
    }
}
