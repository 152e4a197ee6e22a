//! `tune`: weights fitted to the results of games.

use super::{
    ProfileArgs, TableArgs, choices::ChoicesArgs, interrupt, output::Output, played::PlayedArgs,
    tune_bars::Bars,
};
use crate::{
    lab::tune::{
        self, Choice, Quiet, Settings, Source,
        descent::{Descent, End},
        relevance,
    },
    profile::{
        Profile,
        error::ProfileError,
        refit::{is_fitted, refelt, refitted},
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
pub(super) struct TuneArgs {
    /// Positions with results: CSV (fen,result[,cp[,game]]) or EPD, or games in PGN, plain,
    /// gzip or zstd; with --target human, PGN alone
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the fitted profile here; without it only the report is printed
    #[arg(long, short, value_name = "TOML")]
    out: Option<PathBuf>,
    /// What the weights start from, and are pulled to
    #[command(flatten)]
    profile: ProfileArgs,
    /// Files that are never fitted to, only reported; not with --relevance
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "relevance")]
    validate: Vec<PathBuf>,
    /// How much a file's positions count, 1 unless said; may be given for several
    #[arg(long, value_name = "FILE=X", value_parser = weight)]
    weight: Vec<(String, f32)>,
    /// Take only so many rows of each file, evenly spread (of PGN its first games)
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// What to do with positions in which something hangs
    #[arg(long, default_value = "resolve")]
    quiet: QuietArg,
    /// Take instead the end of the best line of a search of so many nodes: where a feeling at the root
    /// weighs (with --target human: a search after each of the best moves)
    #[arg(long, value_name = "N", conflicts_with = "quiet")]
    nodes: Option<NonZeroU64>,
    /// Fit what each goal makes of fear and of relief, not the weights
    #[arg(long, conflicts_with_all = ["epochs", "rate", "batch", "patience"])]
    relevance: bool,
    /// What to fit to
    #[arg(long, default_value = "results")]
    target: TargetArg,
    #[command(flatten)]
    choices: ChoicesArgs,
    /// Share of the score in the target where a row has one; the rest is the result
    #[arg(long, default_value_t = 0.0, value_name = "0..1", value_parser = share)]
    mix: f64,
    /// Share of the positions that is held out to tell when to stop
    #[arg(long, default_value_t = 0.1, value_name = "0..1", value_parser = share)]
    holdout: f64,
    /// K, the steepness of the chance to win, per centipawn; fitted if left out
    #[arg(long, value_name = "K", value_parser = positive)]
    k: Option<f32>,
    /// Fit only these groups or features (--relevance: groups; the others stand at 100 %)
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    only: Vec<String>,
    /// Leave these groups or features as they are (--relevance: groups, at 100 %)
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    freeze: Vec<String>,
    /// Passes over the positions, at most; 0 only measures the profile
    #[arg(long, default_value_t = 200, value_name = "N")]
    epochs: u32,
    /// Length of the first steps, in centipawns
    #[arg(long, default_value_t = 1.0, value_name = "CP", value_parser = positive)]
    rate: f32,
    /// Positions in a batch
    #[arg(long, default_value_t = 16_384, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    batch: u32,
    /// Pull to the starting weights, 4 unless said: nats that a weight 100 centipawns off adds to the
    /// sum of losses. With --relevance, to 100 %, 40 unless said: nats that 0 % or 200 % adds
    #[arg(long, value_name = "NATS", value_parser = at_least_zero)]
    pull: Option<f32>,
    /// Stop after so many epochs without a better loss
    #[arg(long, default_value_t = 6, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    patience: u32,
    /// Decides samples, what is held out, and the order; the same seed gives the same weights
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Threads; all cores if left out. The outcome does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    table: TableArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum QuietArg {
    /// Take the position at the end of the best line of captures
    Resolve,
    /// Leave them out
    Skip,
    /// Take them as they are
    Trust,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TargetArg {
    /// The results of games
    Results,
    /// The moves that humans chose (needs --relevance, and games in PGN)
    Human,
}

pub(super) fn run(args: &TuneArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let start = args.profile.profile()?;
    let settings = settings(args)?;
    let file = args.out.as_ref().map(|path| Output::new(path, "fitted profile", is_fitted));
    let file = file.transpose()?;
    let pool = super::pool(args.threads.unwrap_or(0).into())?;
    match args.target {
        TargetArg::Human => return fit_human(args, &start, file.as_ref(), &pool, out),
        TargetArg::Results => args.choices.refuse()?,
    }
    if args.relevance {
        return fit_relevance(args, &start, &settings, file.as_ref(), &pool, out);
    }
    let stop = interrupt::flag()?;
    let mut bars = Bars::new();
    let tuned = pool.install(|| tune::tune(&start, &settings, &stop, &mut bars))?;
    bars.finish();
    write(file.as_ref(), || refitted(&start, &tuned.weights))?;
    super::print(out, args.table, &tuned.report.as_json(), &tuned.report)?;
    let how = match tuned.report.end {
        End::Epochs | End::Patience => "",
        End::Interrupted => "interrupted: these are the best weights so far; ",
    };
    tell_file(args, how)
}

fn fit_relevance(
    args: &TuneArgs,
    start: &Profile,
    settings: &Settings,
    file: Option<&Output>,
    pool: &rayon::ThreadPool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let Settings { sources, choice, mix, slope, .. } = settings.clone();
    let settings = relevance::Settings {
        sources,
        choice,
        mix: f64::from(mix),
        slope: slope.map(f64::from),
        hold: hold(args),
    };
    let stop = interrupt::flag()?;
    let mut bars = Bars::new();
    let tuned = pool.install(|| relevance::tune(start, &settings, &stop, &mut bars))?;
    bars.finish();
    write(file, || refelt(start, &tuned.relevance))?;
    super::print(out, args.table, &tuned.report.as_json(), &tuned.report)?;
    tell_file(args, "")
}

fn hold(args: &TuneArgs) -> relevance::Hold {
    relevance::Hold {
        pull: f64::from(args.pull.unwrap_or(40.0)),
        only: args.only.clone(),
        freeze: args.freeze.clone(),
    }
}

fn fit_human(
    args: &TuneArgs,
    start: &Profile,
    file: Option<&Output>,
    pool: &rayon::ThreadPool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    ensure!(args.relevance, "--target human fits relevance alone: --relevance is missing");
    for (is_given, option) in [
        (!args.weight.is_empty(), "--weight"),
        (args.mix > 0.0, "--mix"),
        (args.k.is_some(), "--k"),
        (!matches!(args.quiet, QuietArg::Resolve), "--quiet"),
    ] {
        ensure!(!is_given, "{option} has no meaning with --target human");
    }
    let settings = args.choices.settings(args.nodes, args.holdout, hold(args));
    let games = PlayedArgs::of(&args.files, args.limit);
    let tuned = super::choices::tune(&games, start, &settings, pool)?;
    write(file, || refelt(start, &tuned.relevance))?;
    super::print(out, args.table, &tuned.report.as_json(), &tuned.report)?;
    tell_file(args, "")
}

/// Writes the fitted profile, if that was asked for.
fn write(
    file: Option<&Output>,
    text: impl FnOnce() -> Result<String, ProfileError>,
) -> anyhow::Result<()> {
    file.map_or(Ok(()), |file| file.write(&text()?))
}

fn tell_file(args: &TuneArgs, how: &str) -> anyhow::Result<()> {
    let written = args.out.as_ref().map_or_else(
        || "nothing is written without --out".into(),
        |path| format!("{} is written", path.display()),
    );
    Ok(writeln!(io::stderr(), "{how}{written}")?)
}

fn settings(args: &TuneArgs) -> anyhow::Result<Settings> {
    let mut sources: Vec<Source> = Vec::new();
    for (files, validation) in [(&args.files, false), (&args.validate, true)] {
        sources.extend(files.iter().map(|path| Source {
            path: path.clone(),
            weight: 1.0,
            validation,
        }));
    }
    ensure!(u16::try_from(sources.len()).is_ok(), "found {} files, allowed: 65535", sources.len());
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
            bail!("--weight {name}: no such file among those to read");
        }
    }
    let quiet = match args.quiet {
        QuietArg::Resolve => Quiet::Resolve,
        QuietArg::Skip => Quiet::Skip,
        QuietArg::Trust => Quiet::Trust,
    };
    let limit = args.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(Settings {
        sources,
        choice: Choice { quiet, nodes: args.nodes, limit, holdout: args.holdout, seed: args.seed },
        mix: args.mix as f32,
        slope: args.k,
        descent: Descent {
            epochs: args.epochs,
            rate: args.rate,
            batch: args.batch as usize,
            pull: args.pull.unwrap_or(4.0),
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
    number.ok_or("allowed: a number from 0".into())
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
