//! The `epd` command: searches test suites and counts the solved positions.

use super::{ProfileArgs, TableArgs, bars, interrupt, limit::LimitArgs};
use crate::{
    explain::schema,
    lab::{
        BrokenLine,
        epd::{
            Suite,
            record::EpdRecord,
            report::{CSV_HEADER, EpdRow, TrialRecord},
            run::{self, Emotions, EpdOptions, EpdTrial},
            summary::EpdSummary,
        },
    },
    player::Options,
    search::root::{report::per_second, time::Timer},
};
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use serde::Serialize;
use std::{
    io::{self, Write},
    num::NonZeroU64,
    path::PathBuf,
    sync::atomic::Ordering::Relaxed,
    time::Duration,
};

#[derive(Args, Debug)]
pub(super) struct EpdArgs {
    /// EPD files (plain, gzip or zstd) with the operations bm, am or dm, or with points for moves
    /// in c0, or in c7 and c8. With dm, the search must find the mate
    #[arg(required = true, value_name = "SUITE")]
    suites: Vec<PathBuf>,
    #[command(flatten)]
    limit: LimitArgs,
    /// Positions to search in parallel, one engine each
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Hash table size per engine, in MiB
    #[arg(long, default_value_t = Options::DEFAULT_HASH as u32, value_name = "MIB",
          value_parser = clap::value_parser!(u32).range(1..=*Options::HASH.end() as i64))]
    hash: u32,
    #[command(flatten)]
    profile: ProfileArgs,
    /// Whether feelings change the evaluation; both searches each position twice and compares the
    /// results
    #[arg(long, value_enum, default_value_t = Emotion::On, value_name = "on|off|both",
          hide_possible_values = true)]
    emotion: Emotion,
    /// Emotion strength, in percent
    #[arg(long, default_value_t = 100, value_name = "PERCENT",
          value_parser = clap::value_parser!(u16).range(0..=*Options::EMOTION_STRENGTH.end() as i64))]
    temperament: u16,
    /// List only unsolved positions
    #[arg(long)]
    failed: bool,
    /// Print only the totals
    #[arg(long, conflicts_with_all = ["failed", "csv"])]
    quiet: bool,
    #[command(flatten)]
    table: TableArgs,
    /// Print the positions as CSV, and the totals on standard error
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Emotion {
    #[value(alias = "true")]
    On,
    #[value(alias = "false")]
    Off,
    Both,
}

impl Emotion {
    fn emotions(self) -> Emotions {
        match self {
            Self::On => Emotions::On,
            Self::Off => Emotions::Off,
            Self::Both => Emotions::Both,
        }
    }
}

impl EpdArgs {
    fn settings(&self) -> anyhow::Result<EpdOptions> {
        Ok(EpdOptions {
            profile: self.profile.profile()?,
            emotions: self.emotion.emotions(),
            options: Options {
                hash: self.hash as usize,
                emotion_strength: self.temperament,
                ..Options::default()
            },
            threads: self.threads.into(),
            limits: self.limit.limits(),
        })
    }
}

pub(super) fn run(args: &EpdArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let settings = args.settings()?;
    let suites =
        args.suites.iter().map(|path| Suite::from_file(path)).collect::<Result<Vec<_>, _>>()?;
    warn(&suites)?;
    let signals = interrupt::signals()?;
    let timer = Timer::stopwatch();
    let mut printer = Printer::new(args, &suites, &settings, out)?;
    let records: Vec<&EpdRecord> = suites.iter().flat_map(|suite| &suite.records).collect();
    let mut written = Ok(());
    run::run(&records, &settings, &signals, |trial| {
        if written.is_ok() {
            written = printer.add(trial);
        }
        if written.is_err() {
            signals.stop.store(true, Relaxed);
        }
    })?;
    written?;
    Ok(printer.finish(timer.elapsed())?)
}

/// Prints a warning for invalid lines.
fn warn(suites: &[Suite]) -> io::Result<()> {
    let mut err = io::stderr().lock();
    for suite in suites.iter().filter(|suite| suite.broken + suite.unscored > 0) {
        for example in &suite.examples {
            writeln!(err, "{}: {example}", suite.name)?;
        }
        writeln!(err, "{}: skipped: {}", suite.name, suite.left_out())?;
    }
    Ok(())
}

/// Prints each trial in the requested format, and sums up the results.
struct Printer<'a, W> {
    args: &'a EpdArgs,
    settings: &'a EpdOptions,
    suites: &'a [Suite],
    out: &'a mut W,
    bar: ProgressBar,
    /// The totals of each suite.
    parts: Vec<EpdSummary>,
    total: EpdSummary,
    /// The index of the last suite whose name was printed.
    heading: Option<usize>,
    /// The positions for JSON, which is printed at the end.
    positions: Vec<TrialRecord>,
}

impl<'a, W: Write> Printer<'a, W> {
    fn new(
        args: &'a EpdArgs,
        suites: &'a [Suite],
        settings: &'a EpdOptions,
        out: &'a mut W,
    ) -> io::Result<Self> {
        if args.csv {
            writeln!(out, "{CSV_HEADER}")?;
        }
        let total = EpdSummary::new(settings.emotions);
        let parts = vec![total.clone(); suites.len()];
        let (heading, positions) = (None, Vec::new());
        let bar = progress(count(suites));
        Ok(Self { args, settings, suites, out, bar, parts, total, heading, positions })
    }

    fn add(&mut self, trial: &EpdTrial) -> io::Result<()> {
        let (at, index) = place(trial.index, self.suites);
        let suite = &self.suites[at];
        let record = &suite.records[index];
        self.parts[at].add(record, trial);
        self.total.add(record, trial);
        self.bar.set_message(self.total.totals[0].solved.to_string());
        self.bar.inc(1);
        let row = EpdRow { suite: &suite.name, number: index + 1, record, trial };
        if self.args.quiet || (self.args.failed && row.solved()) {
            return Ok(());
        }
        if self.args.table.json {
            self.positions.push(row.record());
            return Ok(());
        }
        let mut lines = if self.args.csv { row.csv() } else { row.text() };
        if !self.args.csv && self.suites.len() > 1 && self.heading != Some(at) {
            self.heading = Some(at);
            lines.insert(0, suite.name.clone());
        }
        let out = &mut *self.out;
        self.bar.suspend(|| lines.iter().try_for_each(|line| writeln!(out, "{line}")))
    }

    fn finish(self, elapsed: Duration) -> io::Result<()> {
        self.bar.finish_and_clear();
        if self.args.table.json {
            let json = schema::text(&self.record(elapsed));
            return writeln!(self.out, "{json}");
        }
        let text = self.text(elapsed);
        if self.args.csv {
            return io::stderr().lock().write_all(text.as_bytes());
        }
        self.out.write_all(text.as_bytes())
    }

    fn done(&self) -> u64 {
        self.total.totals[0].positions
    }

    fn asked(&self) -> u64 {
        count(self.suites)
    }

    fn nodes(&self) -> u64 {
        self.total.totals.iter().map(|total| total.nodes).sum()
    }

    /// Formats the totals of each suite and of all suites.
    fn text(&self, elapsed: Duration) -> String {
        let mut lines = Vec::new();
        let mut add = |name: &str, summary: &EpdSummary| {
            lines.extend(summary.to_string().lines().map(|line| format!("{name}: {line}")));
        };
        if self.suites.len() > 1 {
            for (suite, part) in self.suites.iter().zip(&self.parts) {
                add(&suite.name, part);
            }
        }
        add("total", &self.total);
        let (seconds, nps) = (elapsed.as_secs_f64(), per_second(self.nodes(), elapsed));
        lines.push(format!("total: {seconds:.1} s, {nps} nodes per second"));
        if self.done() < self.asked() {
            lines.push(format!("interrupted after {} of {} positions", self.done(), self.asked()));
        }
        lines.join("\n") + "\n"
    }

    fn record(&self, elapsed: Duration) -> RunRecord<'_> {
        let suites = self.suites.iter().zip(&self.parts);
        let limits = &self.settings.limits;
        RunRecord {
            profile: &self.settings.profile.name,
            temperament: self.settings.options.emotion_strength,
            hash: self.settings.options.hash,
            threads: self.settings.threads,
            limits: LimitsRecord {
                nodes: limits.nodes,
                depth: limits.depth,
                seconds: limits.move_time.map(|time| time.as_secs_f64()),
            },
            positions: &self.positions,
            suites: suites.map(|(suite, total)| SuiteRecord::of(suite, total)).collect(),
            total: &self.total,
            seconds: elapsed.as_secs_f64(),
            interrupted: self.done() < self.asked(),
        }
    }
}

/// The JSON form of a run.
#[derive(Debug, Serialize)]
struct RunRecord<'a> {
    profile: &'a str,
    temperament: u16,
    hash: usize,
    threads: usize,
    limits: LimitsRecord,
    positions: &'a [TrialRecord],
    suites: Vec<SuiteRecord<'a>>,
    total: &'a EpdSummary,
    seconds: f64,
    interrupted: bool,
}

#[derive(Debug, Serialize)]
struct LimitsRecord {
    nodes: Option<NonZeroU64>,
    depth: Option<u8>,
    seconds: Option<f64>,
}

#[derive(Debug, Serialize)]
struct SuiteRecord<'a> {
    suite: &'a str,
    positions: usize,
    unscored: usize,
    broken: usize,
    first_broken: &'a [BrokenLine],
    total: &'a EpdSummary,
}

impl<'a> SuiteRecord<'a> {
    fn of(suite: &'a Suite, total: &'a EpdSummary) -> Self {
        Self {
            suite: &suite.name,
            positions: suite.records.len(),
            unscored: suite.unscored,
            broken: suite.broken,
            first_broken: &suite.examples,
            total,
        }
    }
}

/// Converts an index over all records to the suite and the index in that suite.
fn place(mut index: usize, suites: &[Suite]) -> (usize, usize) {
    let mut at = 0;
    while index >= suites[at].records.len() {
        index -= suites[at].records.len();
        at += 1;
    }
    (at, index)
}

fn count(suites: &[Suite]) -> u64 {
    suites.iter().map(|suite| suite.records.len() as u64).sum()
}

/// Creates a progress bar on standard error, hidden unless that is a terminal.
fn progress(positions: u64) -> ProgressBar {
    let template = "{elapsed_precise} {wide_bar} {pos}/{len}, {left}solved {msg}";
    let bar = ProgressBar::new(positions).with_message("0");
    if let Ok(style) = bars::style(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
