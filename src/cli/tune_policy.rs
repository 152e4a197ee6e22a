//! `tune --target human --policy`: fits the policy of human-like play to moves played by people.

use super::{TableArgs, choices::ChoicesArgs, output::OutputFile, played::PlayedArgs};
use crate::{
    lab::tune::policy::{FitOutcome, PolicySample, count_habits, count_openings, fit_and_judge},
    player::human::{book::Book, habit::Habits, policy::Policy},
    profile::Profile,
    support::whole_file,
};
use anyhow::{Context, ensure};
use std::{
    io::Write,
    path::{Path, PathBuf},
};

/// Nats that a weight of 1 adds to the loss, unless `--pull` says otherwise.
const PULL: f64 = 4.0;
/// The extensions of the files with habits and opening moves, which are written beside the weights.
const BESIDE: [&str; 2] = ["habits", "book"];

/// The files that the fit writes: weights, and beside them habits and opening moves.
pub(super) struct PolicyFiles<'p> {
    weights: OutputFile<'p>,
    beside: [PathBuf; 2],
}

impl<'p> PolicyFiles<'p> {
    /// Checks that both files can be written, and that nothing else is lost.
    pub(super) fn new(path: &'p Path) -> anyhow::Result<Self> {
        let beside = BESIDE.map(|extension| path.with_extension(extension));
        ensure!(
            !beside.iter().any(|other| other == path),
            "--out {}: allowed: any extension but .{} and .{}",
            path.display(),
            BESIDE[0],
            BESIDE[1]
        );
        let is_policy = |start: &[u8]| start.starts_with(Policy::BEGINNING.as_bytes());
        let weights = OutputFile::new(path, "fitted weights of a policy", is_policy)?;
        OutputFile::new(&beside[0], "a file of habits", |_| is(&beside[0], Habits::of_bytes))?;
        OutputFile::new(&beside[1], "a file of opening moves", |_| is(&beside[1], Book::of_bytes))?;
        Ok(Self { weights, beside })
    }

    fn write(&self, policy: &Policy, habits: &Habits, book: &Book) -> anyhow::Result<()> {
        self.weights.write(&policy.to_string())?;
        for (path, bytes) in self.beside.iter().zip([&habits.bytes()[..], book.bytes()]) {
            whole_file::write(path, bytes)
                .with_context(|| format!("{} cannot be written", path.display()))?;
        }
        Ok(())
    }
}

/// Returns whether `read` understands the content of the file.
fn is<T>(path: &Path, read: impl Fn(Vec<u8>) -> Option<T>) -> bool {
    std::fs::read(path).is_ok_and(|bytes| read(bytes).is_some())
}

/// The options of the fit.
pub(super) struct PolicyArgs<'a> {
    /// The share of players held out.
    pub(super) holdout: f64,
    /// Nats that a weight of 1 adds to the loss.
    pub(super) pull: Option<f32>,
    pub(super) files: Option<PolicyFiles<'a>>,
    pub(super) table: TableArgs,
}

pub(super) fn run(
    games: &PlayedArgs,
    profile: &Profile,
    choices: &ChoicesArgs,
    args: &PolicyArgs<'_>,
    pool: &rayon::ThreadPool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut all = Vec::new();
    games.read(|games| all.extend_from_slice(games))?;
    let habits = pool.install(|| count_habits(&all, args.holdout)).habits();
    let mut sample = PolicySample::new(profile, choices.band(), choices.every(), args.holdout);
    let book = count_openings(&all, args.holdout).book();
    let added = pool.install(|| sample.add(&all, &habits, &book));
    ensure!(added.is_ok(), "the transposition tables cannot be allocated");
    let pull = args.pull.map_or(PULL, f64::from);
    let fitted = pool.install(|| fit_and_judge(&sample.choices, pull));
    let Some(FitOutcome { policy, report }) = fitted else {
        anyhow::bail!("no move to fit to: all games are unrated or held out");
    };
    if let Some(files) = &args.files {
        files.write(&policy, &habits, &book)?;
    }
    Ok(super::print(out, args.table, &report, &report)?)
}
