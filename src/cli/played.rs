//! Reads the games of PGN files in batches, with progress and warnings on standard error.

use super::{bars, interrupt};
use crate::pgn::{self, BrokenGame, PlayedGame};
use anyhow::{Context, bail, ensure};
use clap::Args;
use indicatif::ProgressBar;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

/// The default number of games per batch.
pub(super) const BATCH: usize = 512;
/// The number of broken games that are reported individually.
const EXAMPLES: usize = 10;

#[derive(Args, Debug)]
pub(super) struct PlayedArgs {
    /// PGN files, plain or compressed with gzip or zstd
    #[arg(required = true, value_name = "PGN")]
    files: Vec<PathBuf>,
    /// Maximum number of games to read from each file
    #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
}

impl PlayedArgs {
    /// Creates arguments that read at most `limit` games of each file.
    pub(super) fn of(files: &[PathBuf], limit: Option<u64>) -> Self {
        Self { files: files.to_vec(), limit }
    }

    /// Passes the games of all files to `each`, in order and in batches, until Ctrl-C.
    ///
    /// # Errors
    /// If a file cannot be read or has no playable game.
    pub(super) fn read(&self, each: impl FnMut(&[PlayedGame])) -> anyhow::Result<()> {
        self.read_by(BATCH, each)
    }

    /// Like [`Self::read`], with `size` games per batch, for commands that need much time per game.
    ///
    /// # Errors
    /// If a file cannot be read or has no playable game.
    pub(super) fn read_by(
        &self,
        size: usize,
        mut each: impl FnMut(&[PlayedGame]),
    ) -> anyhow::Result<()> {
        self.read_files(size, |_, games| each(games))
    }

    /// Like [`Self::read_by`], with the number of the file.
    ///
    /// # Errors
    /// If a file cannot be read or has no playable game.
    pub(super) fn read_files(
        &self,
        size: usize,
        mut each: impl FnMut(usize, &[PlayedGame]),
    ) -> anyhow::Result<()> {
        let stop = interrupt::flag()?;
        let style = bars::style("{spinner} {msg}")?;
        let mut reading =
            Reading { bar: ProgressBar::new_spinner().with_style(style), broken: 0, whole: 0 };
        for (number, path) in self.files.iter().enumerate() {
            let mut each = |games: &[PlayedGame]| each(number, games);
            self.read_file(path, size, &stop, &mut reading, &mut each)?;
        }
        reading.bar.finish_and_clear();
        if reading.broken > EXAMPLES {
            writeln!(io::stderr(), "{} broken games skipped", reading.broken)?;
        }
        if stop.load(Relaxed) {
            ensure!(reading.whole > 0, "interrupted before a game was read");
            writeln!(io::stderr(), "interrupted: the result covers only the games read so far")?;
        }
        Ok(())
    }

    fn read_file(
        &self,
        path: &Path,
        size: usize,
        stop: &AtomicBool,
        reading: &mut Reading,
        each: &mut impl FnMut(&[PlayedGame]),
    ) -> anyhow::Result<()> {
        let name = path.display();
        let games = pgn::read(path, stop).with_context(|| format!("{name}: cannot be read"))?;
        let mut games = games.take(self.limit.map_or(usize::MAX, |limit| limit as usize));
        let mut whole = 0;
        while !stop.load(Relaxed) {
            let mut batch: Vec<_> = games.by_ref().take(size).collect();
            if batch.is_empty() {
                ensure!(whole > 0, "{name}: found no game that can be replayed, expected PGN");
                break;
            }
            reading.bar.inc(batch.len() as u64);
            let games = bars::count(reading.bar.position(), "game");
            reading.bar.set_message(format!("{games}, {name}"));
            if let Some(Err(broken)) = batch.pop_if(|game| is_end(game))
                && !stop.load(Relaxed)
            {
                bail!("{name}: {broken}");
            }
            let batch: Vec<_> = batch
                .into_iter()
                .filter_map(|game| game.map_err(|broken| reading.report_broken(path, &broken)).ok())
                .collect();
            if reading.bar.is_hidden() && reading.bar.position().is_multiple_of(BATCH as u64) {
                // a closed stderr must not stop the work
                let _ = writeln!(io::stderr(), "{name}: {} games", reading.bar.position());
            }
            whole += batch.len();
            reading.whole += batch.len();
            each(&batch);
        }
        Ok(())
    }
}

/// Returns whether the file is truncated here.
fn is_end(game: &Result<PlayedGame, BrokenGame>) -> bool {
    game.as_ref().is_err_and(|broken| broken.is_end)
}

/// The progress of reading.
struct Reading {
    bar: ProgressBar,
    broken: usize,
    whole: usize,
}

impl Reading {
    fn report_broken(&mut self, path: &Path, broken: &BrokenGame) {
        self.broken += 1;
        if self.broken <= EXAMPLES {
            // a closed stderr must not stop the work
            let warn = || writeln!(io::stderr(), "{}: {broken}; skipped", path.display());
            let _ = self.bar.suspend(warn);
        }
    }
}
