//! `tune --target human --clock`: fits the think times of human-like play to clocks of games.

use super::{
    choices::ChoicesArgs,
    played::{BATCH, PlayedArgs},
};
use crate::{
    lab::tune::clock::{ClockReport, ClockSample, SourceReport, ThinkTime, figure, fit},
    support::whole_file,
};
use anyhow::ensure;
use std::{
    io::Write,
    path::{Path, PathBuf},
};

/// The options of the fit.
pub(super) struct ClockArgs<'a> {
    /// The games.
    pub(super) files: &'a [PathBuf],
    /// Maximum number of games to read from each file.
    pub(super) limit: Option<u64>,
    /// Ratings of the players, and one game in how many is used.
    pub(super) choices: &'a ChoicesArgs,
    /// The share of players held out.
    pub(super) holdout: f64,
    /// The file for the model.
    pub(super) out: Option<&'a Path>,
    /// The file for the figure.
    pub(super) figure: Option<&'a Path>,
}

pub(super) fn run(
    args: &ClockArgs<'_>,
    pool: &rayon::ThreadPool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut sample = ClockSample::new(args.choices.band(), args.choices.every(), args.holdout);
    let games = PlayedArgs::of(args.files, args.limit);
    games.read_files(BATCH, |source, games| pool.install(|| sample.add(games, source)))?;
    let of = |held_out| sample.times.iter().filter(move |time| time.is_held_out == held_out);
    let (training, held_out): (Vec<_>, Vec<_>) = (of(false).collect(), of(true).collect());
    ensure!(!training.is_empty(), "no time to fit to: no clocks, no ratings, or all held out");
    let model = fit(&training);
    let watched: &[&ThinkTime] = if held_out.is_empty() { &training } else { &held_out };
    let judged = |source: usize, file: &PathBuf| {
        let own: Vec<_> = watched.iter().copied().filter(|time| time.source == source).collect();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        SourceReport::new(name.into_owned(), &model, &own)
    };
    let sources = args.files.iter().enumerate();
    let sources = sources.filter_map(|(source, file)| judged(source, file)).collect();
    if let Some(path) = args.out {
        whole_file::write(path, model.to_string().as_bytes())?;
    }
    if let Some(path) = args.figure {
        whole_file::write(path, figure(&model, watched).as_bytes())?;
    }
    let (times, players) = (sample.times.len(), sample.players());
    writeln!(out, "{times} moves of {players} players, {} held out", held_out.len())?;
    Ok(writeln!(out, "{}", ClockReport { model, sources })?)
}
