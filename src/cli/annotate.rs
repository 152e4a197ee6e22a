//! The `annotate` command: adds scores, feelings, glyphs, better lines and comments to games.

use super::{ProfileArgs, bars, interrupt, limit::LimitArgs};
use crate::{
    lab::bench,
    pgn::{
        games_in,
        raw::{RawGame, RawGames},
    },
    profile::Profile,
    review::{
        Reviewer,
        annotate::{Annotated, Annotator, record::AnnotationRecord},
    },
    support::{compressed, input, threads::jobs_in_order},
};
use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use shakmaty::Color;
use std::{
    io::{self, Write},
    path::PathBuf,
    sync::atomic::Ordering::Relaxed,
};

/// The maximum length of the text before the first game, in bytes.
const LONGEST_PREFACE: usize = 1 << 24;

#[derive(Args, Debug)]
#[command(after_help = "Example:\n  deepfeeling annotate game.pgn --nodes 50000 -o annotated.pgn")]
pub(super) struct AnnotateArgs {
    /// PGN file, plain or compressed with gzip or zstd
    #[arg(value_name = "PGN")]
    games: PathBuf,
    #[command(flatten)]
    limit: LimitArgs,
    #[command(flatten)]
    profile: ProfileArgs,
    /// Whose moves to annotate
    #[arg(long, value_enum, default_value_t = SideArg::Both)]
    side: SideArg,
    /// Games to annotate in parallel, one engine each. Does not affect the result unless --time is
    /// used
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Write to this file, or resume it if the same command started it [default: standard output]
    #[arg(long, short, alias = "output", value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SideArg {
    White,
    Black,
    Both,
}

impl SideArg {
    fn color(self) -> Option<Color> {
        match self {
            Self::White => Some(Color::White),
            Self::Black => Some(Color::Black),
            Self::Both => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::White => "White's moves",
            Self::Black => "Black's moves",
            Self::Both => "all moves",
        }
    }
}

impl AnnotateArgs {
    /// Describes everything that the result depends on, in one line.
    fn settings(&self, profile: &Profile) -> anyhow::Result<String> {
        let file = self.games.file_name().unwrap_or_default().to_string_lossy();
        let (limit, side) = (self.limit.describe(), self.side.name());
        let (name, digest, plays) = (&profile.name, profile.digest(), bench::signature()?);
        let settings = format!("{file}, {limit}, {side}, {name} ({digest}, {plays})");
        Ok(settings.replace(char::is_control, " "))
    }
}

pub(super) fn run(args: &AnnotateArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let profile = args.profile.profile()?;
    let name = args.games.display();
    let signals = interrupt::signals()?;
    let unreadable = || format!("{name}: cannot be read");
    let input = input::open(&args.games, &signals.stop).with_context(unreadable)?;
    let length = input.length.unwrap_or(0);
    let bar = bars::bar(length, "{bar:30} {percent}% of {total_bytes}, {left}{msg}")?;
    let source = compressed::unpack(bar.wrap_read(input.source)).with_context(unreadable)?;
    let mut games = RawGames::of(source);
    let preface = up_to_first_game(&mut games).with_context(|| name.to_string())?;
    let mut games = preface.into_iter().map(Ok).chain(games);
    let open = |path| anyhow::Ok(AnnotationRecord::open(path, &args.settings(&profile)?)?);
    let mut record = args.out.as_deref().map(open).transpose()?;
    let annotators = (0..args.threads).map(|_| {
        let reviewer = Reviewer::new(profile.clone(), args.limit.limits())?;
        Ok(Annotator::new(reviewer, args.side.color()))
    });
    let annotators = annotators.collect::<anyhow::Result<Vec<_>>>()?;
    skip(&mut games, record.as_ref())?;
    let jobs = games
        .map(|game| game.with_context(|| format!("{name}: cannot be read further")))
        .take_while(|_| !signals.stop.load(Relaxed));
    let mut tally = GamesWritten::default();
    jobs_in_order(
        annotators,
        jobs,
        |annotator, raw: RawGame| annotator.annotate(raw, &signals),
        |game: Annotated| -> anyhow::Result<()> {
            match &mut record {
                Some(record) => record.add(&game)?,
                None => out.write_all(&game.bytes)?,
            }
            tally.count(&game);
            if let Some(broken) = &game.broken {
                // a closed stderr must not stop the work
                let warn = || writeln!(io::stderr(), "{name}: {broken}; copied unchanged");
                let _ = bar.suspend(warn);
            }
            bar.set_message(bars::count(tally.games, "game"));
            Ok(())
        },
    )?;
    out.flush()?;
    bar.finish_and_clear();
    let before = record.as_ref().map_or(0, |record| record.done() as u64);
    let is_resumable = record.is_some();
    record.map(AnnotationRecord::finish).transpose()?;
    let place =
        args.out.as_ref().map_or("standard output".into(), |path| path.display().to_string());
    let mut line = format!("{place}: {}", tally.describe(before));
    if signals.stop.load(Relaxed) {
        line += "; interrupted";
        line += if is_resumable { ", the same command resumes" } else { "" };
    }
    // a closed stderr is not an error
    let _ = writeln!(io::stderr(), "{line}");
    Ok(())
}

/// Reads the first game and the text before it.
fn up_to_first_game(games: &mut RawGames) -> anyhow::Result<Vec<RawGame>> {
    let mut preface = Vec::new();
    let mut length = 0;
    for raw in games {
        let raw = raw.context("cannot be read further")?;
        length += raw.bytes.len();
        let has_game = raw.is_whole && !games_in(&raw).is_empty();
        preface.push(raw);
        if has_game {
            return Ok(preface);
        }
        if length >= LONGEST_PREFACE {
            break;
        }
    }
    bail!("found no game, expected PGN")
}

/// Skips the games that an earlier run has already written.
fn skip(
    games: &mut impl Iterator<Item = io::Result<RawGame>>,
    record: Option<&AnnotationRecord>,
) -> anyhow::Result<()> {
    let Some(record) = record else { return Ok(()) };
    let mut number = 0;
    while number < record.done() {
        let game = games.next().transpose()?;
        ensure!(game.is_some(), "the output has more games than the input");
        if let Some(game) = game {
            number = game.number;
            record.check_last(&game)?;
        }
    }
    Ok(())
}

/// The number of games written.
#[derive(Default)]
struct GamesWritten {
    games: u64,
    broken: u64,
}

impl GamesWritten {
    /// Describes the games written in this run, and the `before` games of earlier runs.
    fn describe(&self, before: u64) -> String {
        let mut parts = vec![format!("{} written", bars::count(self.games, "game"))];
        if self.broken > 0 {
            parts.push(format!("{} of {} copied unchanged", self.broken, self.games));
        }
        if before > 0 {
            parts.push(format!("{before} already written by an earlier run"));
        }
        parts.join(", ")
    }

    fn count(&mut self, game: &Annotated) {
        self.games += 1;
        self.broken += u64::from(game.broken.is_some());
    }
}
