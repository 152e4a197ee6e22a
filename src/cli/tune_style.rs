//! `tune --style`: fits the percentages of a profile to measures of style at a price in Elo.

use super::{TableArgs, bars, interrupt, output::OutputFile};
use crate::{
    lab::{
        self_play::opening::Book,
        style::Measure,
        tune::style::{self, StyleFitOptions},
    },
    player::Options,
    profile::{
        Profile,
        error::unknown,
        refit::{is_fitted, with_style},
    },
};
use anyhow::{Context, ensure};
use clap::Args;
use std::{
    io::Write,
    num::NonZeroU64,
    path::{Path, PathBuf},
};

/// The options of `tune` that only a fit of style has.
#[derive(Args, Debug)]
pub(super) struct StyleFitArgs {
    /// Fit percentages and taste to measures of style instead, by games against neutral
    #[arg(long, conflicts_with_all = ["relevance", "policy", "clock", "validate", "weight", "limit", "quiet",
          "target", "mix", "holdout", "k", "only", "freeze", "epochs", "rate", "batch", "pull", "smooth", "patience"])]
    pub(super) style: bool,
    /// Raise this measure of style, such as sacrifices; may be repeated (with --style)
    #[arg(long, value_name = "MEASURE", value_parser = measure, requires = "style")]
    raise: Vec<Measure>,
    /// Lower this measure of style; may be repeated (with --style)
    #[arg(long, value_name = "MEASURE", value_parser = measure, requires = "style")]
    lower: Vec<Measure>,
    /// Accepted loss against neutral, in Elo (with --style)
    #[arg(long, default_value_t = 30.0, value_name = "ELO", value_parser = price, requires = "style")]
    price: f64,
    /// Keep the state of the run in this file. The same command continues an interrupted run (with
    /// --style)
    #[arg(long, value_name = "TOML", requires = "style")]
    state: Option<PathBuf>,
    /// Number of iterations (with --style)
    #[arg(long, default_value = "250", value_name = "N", requires = "style")]
    iterations: NonZeroU64,
    /// Pairs of games of each of the two players per iteration (with --style)
    #[arg(long, default_value = "12", value_name = "N", requires = "style")]
    pairs: NonZeroU64,
    /// Start games from the positions of an EPD file instead of random moves (with --style)
    #[arg(long, value_name = "EPD", requires = "style")]
    book: Option<PathBuf>,
}

/// The options that a fit of style shares with other fits.
pub(super) struct SharedArgs<'a> {
    pub(super) out: Option<&'a Path>,
    pub(super) nodes: Option<NonZeroU64>,
    pub(super) seed: u64,
    pub(super) threads: Option<u16>,
    pub(super) table: TableArgs,
}

/// The default number of nodes per move.
const NODES: NonZeroU64 = NonZeroU64::new(3000).unwrap();

pub(super) fn run(
    args: &StyleFitArgs,
    shared: &SharedArgs,
    start: Profile,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let raised = args.raise.iter().map(|measure| (*measure, true));
    let aims: Vec<_> = raised.chain(args.lower.iter().map(|measure| (*measure, false))).collect();
    ensure!(
        !aims.is_empty(),
        "--style needs --raise or --lower with a measure of `deepfeeling style`"
    );
    let twice =
        aims.iter().find(|(one, _)| aims.iter().filter(|(other, _)| one == other).count() > 1);
    ensure!(
        twice.is_none(),
        "{}: given twice, allowed: once",
        twice.map_or("", |(one, _)| one.name())
    );
    let file =
        shared.out.map(|path| OutputFile::new(path, "a fitted profile", is_fitted)).transpose()?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let options = StyleFitOptions {
        state: args.state.clone().context("--style needs --state FILE, which keeps the run")?,
        profile: start,
        aims,
        price: args.price,
        nodes: shared.nodes.unwrap_or(NODES),
        iterations: args.iterations.get(),
        pairs: args.pairs.get(),
        book: args.book.as_deref().map(Book::read).transpose()?,
        seed: shared.seed,
        threads: shared.threads.map_or(cores, usize::from),
        hash: Options::DEFAULT_HASH,
    };
    let stop = interrupt::flag()?;
    let bar = bars::bar(options.iterations, "{bar:30} {left}{msg}")?;
    let fit = style::run(&options, &stop, |done| {
        bar.set_position(done);
        bar.set_message(bars::count_of(done, options.iterations, "iteration"));
    })?;
    bar.finish_and_clear();
    if let Some(file) = file {
        let [style, elo] = [fit.report.style, fit.report.elo];
        let measured = format!(
            "In the last quarter of {} games: style {:+.3} ± {:.3} standard deviations, Elo {:+.0} ± {:.0}",
            fit.report.games, style[0], style[1], elo[0], elo[1]
        );
        file.write(&with_style(&options.profile, &fit.profile.mind, &measured)?)?;
    }
    Ok(super::print(out, shared.table, &fit.report, &fit.report)?)
}

/// Parses the name of a measure of style.
fn measure(text: &str) -> Result<Measure, String> {
    let found = Measure::ALL.into_iter().find(|measure| measure.name() == text);
    found.ok_or_else(|| unknown("measure", text, &Measure::ALL.map(Measure::name)))
}

fn price(text: &str) -> Result<f64, String> {
    let price = text.parse().map_err(|_| "allowed: 0 to 400".to_owned())?;
    if (0.0..=400.0).contains(&price) { Ok(price) } else { Err("allowed: 0 to 400".into()) }
}
