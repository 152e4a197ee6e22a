//! The `tune` command: fits weights or relevance to games.

use super::{
    ProfileArgs, TableArgs,
    choices::ChoicesArgs,
    interrupt,
    output::OutputFile,
    played::PlayedArgs,
    tune_bars::Bars,
    tune_clock, tune_policy,
    tune_style::{self, SharedArgs, StyleFitArgs},
};
use crate::{
    lab::tune::{
        self, FitData, PositionFilter, Quiet, Source, TuneOptions,
        descent::{Descent, DescentEnd},
        relevance,
    },
    profile::{
        Profile,
        error::ProfileError,
        refit::{is_fitted, refitted, with_relevance},
    },
};
use anyhow::{bail, ensure};
use clap::{Args, ValueEnum};
use std::{
    io::{self, Write},
    num::NonZeroU64,
    path::{Path, PathBuf},
};

#[derive(Args, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(super) struct TuneArgs {
    /// Positions with results as CSV (fen,result[,cp[,game]]) or EPD, or games as PGN (plain, gzip
    /// or zstd). With --target human, only PGN is allowed
    #[arg(required_unless_present = "style", conflicts_with = "style", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the fitted profile to this file. Without it, only the report is printed
    #[arg(long, short, value_name = "TOML")]
    out: Option<PathBuf>,
    /// The starting weights, and the target of the pull
    #[command(flatten)]
    profile: ProfileArgs,
    /// Files for validation only, never used for fitting; not with --relevance
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "relevance")]
    validate: Vec<PathBuf>,
    /// Weight of a file's positions; may be repeated [default: 1]
    #[arg(long, value_name = "FILE=X", value_parser = weight)]
    weight: Vec<(String, f32)>,
    /// Maximum number of rows per file, evenly spread over it (PGN: the first games)
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// How to treat positions that are not quiet
    #[arg(long, default_value = "resolve")]
    quiet: QuietArg,
    /// Use the end of the best line of a search with this many nodes, where feelings at the root
    /// count (with --target human: a search after each of the best moves; with --style: nodes per
    /// move, default 3,000)
    #[arg(long, value_name = "N", conflicts_with = "quiet")]
    nodes: Option<NonZeroU64>,
    /// Fit the relevance of groups for each goal and emotion instead of the weights
    #[arg(long, conflicts_with_all = ["epochs", "rate", "batch", "smooth", "patience"])]
    relevance: bool,
    /// Fit the units of king danger instead. They are printed, to be copied into the program
    #[arg(long, conflicts_with_all = ["relevance", "style", "out", "validate", "only", "freeze", "pull", "patience"])]
    danger: bool,
    /// Fit the policy of human-like play instead (with --target human)
    #[arg(long, conflicts_with_all =
          ["relevance", "danger", "epochs", "rate", "batch", "smooth", "patience", "seed"])]
    policy: bool,
    /// Fit the think times of human-like play instead (with --target human)
    #[arg(long, conflicts_with_all =
          ["relevance", "danger", "policy", "epochs", "rate", "batch", "smooth", "patience", "seed"])]
    clock: bool,
    /// Write a figure of think times as SVG (with --clock)
    #[arg(long, value_name = "SVG", requires = "clock")]
    figure: Option<PathBuf>,
    #[command(flatten)]
    style_fit: StyleFitArgs,
    /// Data to fit to
    #[arg(long, default_value = "results")]
    target: TargetArg,
    #[command(flatten)]
    choices: ChoicesArgs,
    /// Share of the score in the target; the rest is the result. Rows without a score ignore it
    #[arg(long, default_value_t = 0.0, value_name = "0..1", value_parser = share)]
    mix: f64,
    /// How much positions of one game are compared with each other. At 1, only their differences
    /// count; at 0, every position counts by itself
    #[arg(long, default_value_t = 0.0, value_name = "0..1", value_parser = share,
          conflicts_with_all = ["relevance", "danger", "policy", "clock"])]
    compare: f64,
    /// Share of positions held out to decide when to stop
    #[arg(long, default_value_t = 0.1, value_name = "0..1", value_parser = share)]
    holdout: f64,
    /// Steepness K of the win probability, per centipawn [default: fitted]
    #[arg(long, value_name = "K", value_parser = positive)]
    k: Option<f32>,
    /// Fit only these groups or features (with --relevance: groups; the others stay at 100 %)
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    only: Vec<String>,
    /// Keep these groups or features unchanged (with --relevance: groups, at 100 %)
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    freeze: Vec<String>,
    /// Maximum number of passes over the positions; 0 only measures the profile
    #[arg(long, default_value_t = 200, value_name = "N")]
    epochs: u32,
    /// Initial learning rate, in centipawns
    #[arg(long, default_value_t = 1.0, value_name = "CP", value_parser = positive)]
    rate: f32,
    /// Positions per batch
    #[arg(long, default_value_t = 16_384, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// Regularisation towards the starting weights: nats added to the sum of losses by a weight 100
    /// centipawns off. With --relevance, towards 100 %: nats added by 0 % or 200 %
    /// [default: 4, or 40 with --relevance]
    #[arg(long, value_name = "NATS", value_parser = at_least_zero)]
    pull: Option<f32>,
    /// Regularisation towards smooth tables: nats added to the sum of losses by a weight that is 100
    /// centipawns off the mean of its neighbours
    #[arg(long, default_value_t = 0.0, value_name = "NATS", value_parser = at_least_zero)]
    smooth: f32,
    /// Stop after this many epochs without a better loss
    #[arg(long, default_value_t = 6, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    patience: u32,
    /// Random seed for sampling, holdout and order. Equal seeds give equal weights
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Number of threads. Does not affect the result [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    table: TableArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum QuietArg {
    /// Use the position at the end of the best line of captures
    Resolve,
    /// Skip them
    Skip,
    /// Use them unchanged
    Trust,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TargetArg {
    /// The results of games
    Results,
    /// The moves played by humans (needs --relevance and games in PGN)
    Human,
}

pub(super) fn run(args: &TuneArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let start = args.profile.profile()?;
    if args.style_fit.style {
        let shared = SharedArgs {
            out: args.out.as_deref(),
            nodes: args.nodes,
            seed: args.seed,
            threads: args.threads,
            table: args.table,
        };
        return tune_style::run(&args.style_fit, &shared, start, out);
    }
    if args.policy {
        return fit_policy(args, &start, out);
    }
    if args.clock {
        return fit_clock(args, out);
    }
    let settings = settings(args)?;
    let file = args.out.as_ref().map(|path| OutputFile::new(path, "a fitted profile", is_fitted));
    let file = file.transpose()?;
    let pool = super::pool(args.threads.unwrap_or(0).into())?;
    match args.target {
        TargetArg::Human => return fit_human(args, &start, file.as_ref(), &pool, out),
        TargetArg::Results => args.choices.refuse()?,
    }
    if args.relevance {
        return fit_relevance(args, &start, &settings.data, file.as_ref(), &pool, out);
    }
    let stop = interrupt::flag()?;
    let mut bars = Bars::new();
    if args.danger {
        let (data, descent) = (&settings.data, &settings.descent);
        let fit = || tune::danger::tune(&start, data, descent, &stop, &mut bars);
        let report = pool.install(fit)?;
        bars.finish();
        return Ok(super::print(out, args.table, &report, &report)?);
    }
    let tuned = pool.install(|| tune::tune(&start, &settings, &stop, &mut bars))?;
    bars.finish();
    write(file.as_ref(), || refitted(&start, &tuned.weights, "tune"))?;
    super::print(out, args.table, &tuned.report.record(), &tuned.report)?;
    let how = match tuned.report.end {
        DescentEnd::Epochs | DescentEnd::Patience => "",
        DescentEnd::Interrupted => "interrupted: these are the best weights so far; ",
    };
    report_file(args, how)
}

fn fit_relevance(
    args: &TuneArgs,
    start: &Profile,
    data: &FitData,
    file: Option<&OutputFile>,
    pool: &rayon::ThreadPool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let settings = relevance::RelevanceOptions { data: data.clone(), scope: scope(args) };
    let stop = interrupt::flag()?;
    let mut bars = Bars::new();
    let tuned = pool.install(|| relevance::tune(start, &settings, &stop, &mut bars))?;
    bars.finish();
    write(file, || with_relevance(start, &tuned.relevance))?;
    super::print(out, args.table, &tuned.report.record(), &tuned.report)?;
    report_file(args, "")
}

fn fit_policy(args: &TuneArgs, start: &Profile, out: &mut impl Write) -> anyhow::Result<()> {
    refuse_profile_options(args, "--policy")?;
    let fit = tune_policy::PolicyArgs {
        holdout: args.holdout,
        pull: args.pull,
        files: args.out.as_deref().map(tune_policy::PolicyFiles::new).transpose()?,
        table: args.table,
    };
    let pool = super::pool(args.threads.unwrap_or(0).into())?;
    let games = PlayedArgs::of(&args.files, args.limit);
    tune_policy::run(&games, start, &args.choices, &fit, &pool, out)?;
    report_file(args, "")
}

/// Rejects the options that concern profiles. `fit` is the option that fits something else.
fn refuse_profile_options(args: &TuneArgs, fit: &str) -> anyhow::Result<()> {
    ensure!(args.target == TargetArg::Human, "{fit} needs --target human");
    refuse_results_options(args)?;
    for (is_given, option) in [
        (args.nodes.is_some(), "--nodes"),
        (!args.only.is_empty(), "--only"),
        (!args.freeze.is_empty(), "--freeze"),
        (!args.validate.is_empty(), "--validate"),
    ] {
        ensure!(!is_given, "{option} cannot be used with {fit}");
    }
    Ok(())
}

/// Rejects the options that concern positions with results.
fn refuse_results_options(args: &TuneArgs) -> anyhow::Result<()> {
    for (is_given, option) in [
        (!args.weight.is_empty(), "--weight"),
        (args.mix > 0.0, "--mix"),
        (args.k.is_some(), "--k"),
        (!matches!(args.quiet, QuietArg::Resolve), "--quiet"),
    ] {
        ensure!(!is_given, "{option} cannot be used with --target human");
    }
    Ok(())
}

fn fit_clock(args: &TuneArgs, out: &mut impl Write) -> anyhow::Result<()> {
    refuse_profile_options(args, "--clock")?;
    ensure!(args.pull.is_none(), "--pull cannot be used with --clock");
    let pool = super::pool(args.threads.unwrap_or(0).into())?;
    let fit = tune_clock::ClockArgs {
        files: &args.files,
        limit: args.limit,
        choices: &args.choices,
        holdout: args.holdout,
        out: args.out.as_deref(),
        figure: args.figure.as_deref(),
    };
    tune_clock::run(&fit, &pool, out)
}

fn scope(args: &TuneArgs) -> relevance::FitScope {
    relevance::FitScope {
        pull: f64::from(args.pull.unwrap_or(40.0)),
        only: args.only.clone(),
        freeze: args.freeze.clone(),
    }
}

fn fit_human(
    args: &TuneArgs,
    start: &Profile,
    file: Option<&OutputFile>,
    pool: &rayon::ThreadPool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    ensure!(args.relevance, "--target human needs --relevance or --policy");
    refuse_results_options(args)?;
    let settings = args.choices.settings(args.nodes, args.holdout, scope(args));
    let games = PlayedArgs::of(&args.files, args.limit);
    let tuned = super::choices::tune(&games, start, &settings, pool)?;
    write(file, || with_relevance(start, &tuned.relevance))?;
    super::print(out, args.table, &tuned.report.record(), &tuned.report)?;
    report_file(args, "")
}

/// Writes the fitted profile if --out was given.
fn write(
    file: Option<&OutputFile>,
    text: impl FnOnce() -> Result<String, ProfileError>,
) -> anyhow::Result<()> {
    file.map_or(Ok(()), |file| file.write(&text()?))
}

fn report_file(args: &TuneArgs, how: &str) -> anyhow::Result<()> {
    let written = args.out.as_ref().map(|path| format!("wrote {}", path.display()));
    let written = written.unwrap_or_else(|| "no file written (--out was not given)".into());
    Ok(writeln!(io::stderr(), "{how}{written}")?)
}

fn settings(args: &TuneArgs) -> anyhow::Result<TuneOptions> {
    let mut sources: Vec<Source> = Vec::new();
    for (files, validation) in [(&args.files, false), (&args.validate, true)] {
        sources.extend(files.iter().map(|path| Source {
            path: path.clone(),
            weight: 1.0,
            validation,
        }));
    }
    ensure!(
        u16::try_from(sources.len()).is_ok(),
        "found {} files, allowed: at most 65535",
        sources.len()
    );
    for (name, weight) in &args.weight {
        let mut known = false;
        for source in &mut sources {
            let path = &source.path;
            if path == Path::new(name) || path.file_name().is_some_and(|file| file == name.as_str())
            {
                (known, source.weight) = (true, *weight);
            }
        }
        if !known {
            bail!("--weight {name}: this is not one of the input files");
        }
    }
    let quiet = match args.quiet {
        QuietArg::Resolve => Quiet::Resolve,
        QuietArg::Skip => Quiet::Skip,
        QuietArg::Trust => Quiet::Trust,
    };
    let limit = args.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let nodes = args.nodes;
    let filter = PositionFilter { quiet, nodes, limit, holdout: args.holdout, seed: args.seed };
    Ok(TuneOptions {
        data: FitData {
            sources,
            filter,
            mix: args.mix as f32,
            compare: args.compare as f32,
            slope: args.k,
        },
        descent: Descent {
            epochs: args.epochs,
            rate: args.rate,
            batch: args.batch as usize,
            pull: args.pull.unwrap_or(4.0),
            smooth: args.smooth,
            patience: args.patience,
            seed: args.seed,
        },
        only: args.only.clone(),
        freeze: args.freeze.clone(),
    })
}

pub(super) fn share(text: &str) -> Result<f64, String> {
    let share: Option<f64> = text.parse().ok();
    share.filter(|share| (0.0..=1.0).contains(share)).ok_or("allowed: a number from 0 to 1".into())
}

fn at_least_zero(text: &str) -> Result<f32, String> {
    let number: Option<f32> = text.parse().ok();
    let number = number.filter(|number| (0.0..1e9).contains(number));
    number.ok_or("allowed: a number of at least 0".into())
}

fn positive(text: &str) -> Result<f32, String> {
    at_least_zero(text)
        .ok()
        .filter(|&number| number > 0.0)
        .ok_or("allowed: a number above 0".into())
}

fn weight(text: &str) -> Result<(String, f32), String> {
    let (file, weight) = text.rsplit_once('=').ok_or("allowed: FILE=X")?;
    Ok((file.into(), positive(weight)?))
}
