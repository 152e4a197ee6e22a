//! What all commands that read games share: the games of PGN files in batches, with progress and complaints
//! on stderr.

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

/// Games that are in memory at once.
pub(super) const BATCH: usize = 512;
/// How many broken games are told one by one.
const EXAMPLES: usize = 10;

#[derive(Args, Debug)]
pub(super) struct PlayedArgs {
    /// PGN files, plain or compressed with gzip or zstd
    #[arg(required = true, value_name = "PGN")]
    files: Vec<PathBuf>,
    /// Read at most so many games of each file
    #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
}

impl PlayedArgs {
    /// At most so many games of each of these files.
    pub(super) fn of(files: &[PathBuf], limit: Option<u64>) -> Self {
        Self { files: files.to_vec(), limit }
    }

    /// Hands the games of all files to `each`, in order and in batches, until Ctrl-C.
    ///
    /// # Errors
    /// If a file cannot be read, or holds no game that can be replayed.
    pub(super) fn read(&self, each: impl FnMut(&[PlayedGame])) -> anyhow::Result<()> {
        self.read_by(BATCH, each)
    }

    /// The same in batches of so many games, for those who take long over each.
    ///
    /// # Errors
    /// If a file cannot be read, or holds no game that can be replayed.
    pub(super) fn read_by(
        &self,
        size: usize,
        mut each: impl FnMut(&[PlayedGame]),
    ) -> anyhow::Result<()> {
        let stop = interrupt::flag()?;
        let style = bars::style("{spinner} {msg}")?;
        let mut reading =
            Reading { bar: ProgressBar::new_spinner().with_style(style), broken: 0, whole: 0 };
        for path in &self.files {
            self.read_file(path, size, &stop, &mut reading, &mut each)?;
        }
        reading.bar.finish_and_clear();
        if reading.broken > EXAMPLES {
            writeln!(io::stderr(), "{} games are broken and left out", reading.broken)?;
        }
        if stop.load(Relaxed) {
            ensure!(reading.whole > 0, "interrupted before a game was read");
            writeln!(io::stderr(), "interrupted: what follows is of the games read so far")?;
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
                .filter_map(|game| game.map_err(|broken| reading.tell(path, &broken)).ok())
                .collect();
            if reading.bar.is_hidden() && reading.bar.position().is_multiple_of(BATCH as u64) {
                // nobody listens: no reason to stop
                let _ = writeln!(io::stderr(), "{name}: {} games", reading.bar.position());
            }
            whole += batch.len();
            reading.whole += batch.len();
            each(&batch);
        }
        Ok(())
    }
}

/// Whether the file ends here before its time.
fn is_end(game: &Result<PlayedGame, BrokenGame>) -> bool {
    game.as_ref().is_err_and(|broken| broken.is_end)
}

/// How far the reading has come.
struct Reading {
    bar: ProgressBar,
    broken: usize,
    whole: usize,
}

impl Reading {
    fn tell(&mut self, path: &Path, broken: &BrokenGame) {
        self.broken += 1;
        if self.broken <= EXAMPLES {
            // nobody listens: no reason to stop
            let tell = || writeln!(io::stderr(), "{}: {broken}; left out", path.display());
            let _ = self.bar.suspend(tell);
        }
    }
}
