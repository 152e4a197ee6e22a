//! The `study` command: compares the emotion of the map with the conduct of people.

use super::{ProfileArgs, TableArgs, output::OutputFile, played::PlayedArgs};
use crate::{
    lab::study::{Cache, Settings, Study},
    pgn::PlayedGame,
};
use anyhow::ensure;
use clap::Args;
use std::{
    io::Write,
    num::{NonZeroU64, NonZeroUsize},
    path::PathBuf,
};

/// The number of games per batch. It is small because positions are searched, and because Ctrl-C
/// stops after a batch.
const BATCH: usize = 64;

#[derive(Args, Debug)]
pub(super) struct StudyArgs {
    /// PGN files with ratings and scores ([%eval]) or clocks ([%clk]), plain or compressed
    #[arg(required = true, value_name = "PGN")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    profile: ProfileArgs,
    /// Use at most this many games of each file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Use only every Nth game of each file
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Nodes per position that has no score
    #[arg(long, default_value = "2000", value_name = "N")]
    nodes: NonZeroU64,
    /// Keep searched scores in this file. An existing file is resumed
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,
    /// Number of maps with shuffled weights to compare with
    #[arg(long, default_value = "200", value_name = "N")]
    placebos: NonZeroUsize,
    /// Random seed of the shuffled maps and the held-out players
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Number of threads
    #[arg(long, default_value = "1", value_name = "N")]
    threads: NonZeroUsize,
    /// Also write a page with figures to this file
    #[arg(long, value_name = "HTML")]
    html: Option<PathBuf>,
    #[command(flatten)]
    table: TableArgs,
}

pub(super) fn run(args: &StudyArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let is_page = |start: &[u8]| start.starts_with(b"<!doctype html>");
    let html = args.html.as_deref().map(|path| OutputFile::new(path, "an HTML page", is_page));
    let html = html.transpose()?;
    let settings = Settings {
        profile: args.profile.profile()?,
        nodes: args.nodes,
        placebos: args.placebos,
        seed: args.seed,
    };
    let cache = args.cache.as_deref().map(|path| Cache::open(path, args.nodes));
    let mut study = Study::new(settings, cache.transpose()?.unwrap_or_default());
    let pool = super::pool(args.threads.get())?;
    let mut outcome = Ok(());
    let limit = args.games.map(|games| games.saturating_mul(args.every));
    PlayedArgs::of(&args.files, limit).read_by(BATCH, |games| {
        let is_sampled = |game: &&PlayedGame| (game.number as u64).is_multiple_of(args.every);
        let games: Vec<_> = games.iter().filter(is_sampled).cloned().collect();
        if outcome.is_ok() {
            outcome = pool.install(|| study.add(&games));
        }
    })?;
    outcome?;
    ensure!(
        study.moves() > 0,
        "found no moves by rated players after the opening (tags WhiteElo and BlackElo)"
    );
    let results = pool.install(|| study.results());
    if let Some(html) = html {
        html.write(&results.page())?;
    }
    Ok(super::print(out, args.table, &results.as_json(), &results)?)
}
