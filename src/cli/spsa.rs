//! The `spsa` command: tunes search parameters and weights by self-play, or prints the parameters.

use super::{ProfileArgs, TableArgs, bars, interrupt, output::OutputFile};
use crate::{
    lab::{
        self_play::opening::Book,
        spsa::{self, SpsaOptions},
    },
    player::Options,
    profile::refit::{is_fitted, refitted},
    search::tunables::spsa_lines,
};
use anyhow::ensure;
use clap::Args;
use std::{io::Write, num::NonZeroU64, path::PathBuf};

#[derive(Args, Debug)]
pub(super) struct SpsaArgs {
    /// Tune, and keep the state in this file. The same command continues an interrupted run
    #[arg(long, value_name = "TOML")]
    state: Option<PathBuf>,
    /// Tune only this parameter; may be repeated
    #[arg(long, value_name = "NAME", requires = "state")]
    only: Vec<String>,
    /// Nodes per move
    #[arg(long, default_value = "25000", value_name = "N", requires = "state")]
    nodes: NonZeroU64,
    /// Number of iterations
    #[arg(long, default_value = "2500", value_name = "N", requires = "state")]
    iterations: NonZeroU64,
    /// Pairs of games per iteration
    #[arg(long, default_value = "12", value_name = "N", requires = "state")]
    pairs: NonZeroU64,
    /// Learning rate at the end: the share of a step by which a win moves each parameter
    #[arg(long, default_value_t = 0.002, value_name = "RATE", requires = "state")]
    rate: f64,
    /// Start games from the positions of an EPD file (plain, gzip or zstd) instead of random moves
    #[arg(long, value_name = "EPD", requires = "state")]
    book: Option<PathBuf>,
    /// Random seed
    #[arg(long, default_value_t = 1, value_name = "N", requires = "state")]
    seed: u64,
    /// Games to play in parallel. Does not affect the result
    #[arg(long, default_value_t = 1, value_name = "N", requires = "state",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Write a profile with the tuned weights to this file
    #[arg(long, short, value_name = "TOML", requires = "state")]
    out: Option<PathBuf>,
    #[command(flatten)]
    profile: ProfileArgs,
    #[command(flatten)]
    table: TableArgs,
}

pub(super) fn run(args: &SpsaArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let Some(state) = &args.state else { return Ok(writeln!(out, "{}", spsa_lines())?) };
    ensure!(args.rate > 0.0 && args.rate <= 1.0, "--rate {}: allowed: up to 1", args.rate);
    let file = args.out.as_ref().map(|path| OutputFile::new(path, "a fitted profile", is_fitted));
    let file = file.transpose()?;
    let options = SpsaOptions {
        state: state.clone(),
        profile: args.profile.profile()?,
        only: args.only.clone(),
        nodes: args.nodes,
        iterations: args.iterations.get(),
        pairs: args.pairs.get(),
        rate: args.rate,
        book: args.book.as_deref().map(Book::read).transpose()?,
        seed: args.seed,
        threads: args.threads.into(),
        hash: Options::DEFAULT_HASH,
    };
    let stop = interrupt::flag()?;
    let bar = bars::bar(options.iterations, "{bar:30} {left}{msg}")?;
    let report = spsa::run(&options, &stop, |done| {
        bar.set_position(done);
        bar.set_message(bars::count_of(done, options.iterations, "iteration"));
    })?;
    bar.finish_and_clear();
    if let Some(file) = file {
        file.write(&refitted(&options.profile, &report.weights, "spsa")?)?;
    }
    Ok(super::print(out, args.table, &report, &report)?)
}
