//! The `knobs` command: finds positions where each number of a profile changes the move.

use super::{TableArgs, bars, interrupt, output::OutputFile};
use crate::{
    chess::game::Game,
    lab::{
        knobs::{
            mine::{KnobFinding, MineOptions, mine},
            table,
        },
        self_play::opening::Book,
    },
    profile::Profile,
};
use clap::Args;
use indicatif::ProgressBar;
use std::{
    io::{self, Write},
    num::NonZeroU64,
    path::PathBuf,
    sync::atomic::Ordering::Relaxed,
};

/// Find a position for each knob of a profile where the knob changes the move
///
/// A knob is a percentage of a goal other than 100 %. The command looks for a position where
/// setting only this knob to 100 % changes the move. A tiny change of the tempo weight must not
/// change the move. The number of threads does not affect the result.
///
/// A test checks the table tests/data/knobs.tsv. After changing the search or a built-in profile,
/// update it with 'deepfeeling knobs --positions FILE --out tests/data/knobs.tsv'.
#[derive(Args, Debug)]
pub(super) struct KnobsArgs {
    /// Built-in profile, path of a TOML file, or all for every built-in profile
    #[arg(default_value = "all", value_name = "PROFILE|all")]
    profile: String,
    /// EPD file with positions (plain, gzip or zstd); may be repeated
    #[arg(long, required = true, value_name = "EPD")]
    positions: Vec<PathBuf>,
    /// Maximum number of positions per file, evenly spread over it
    #[arg(long, default_value_t = 50_000, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Nodes per search
    #[arg(long, default_value = "2000", value_name = "N")]
    nodes: NonZeroU64,
    /// Maximum number of positions to search per goal and feeling, strongest feelings first
    #[arg(long, default_value_t = 400, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    tries: u32,
    /// Goals to process in parallel
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Write the findings to this file, and print only their number
    #[arg(long, short, value_name = "TSV")]
    out: Option<PathBuf>,
    #[command(flatten)]
    table: TableArgs,
}

pub(super) fn run(args: &KnobsArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let is_table = |start: &[u8]| start.starts_with(b"# deepfeeling knobs ");
    let file = args.out.as_ref().map(|path| OutputFile::new(path, "a table of knobs", is_table));
    let file = file.transpose()?;
    let profiles = profiles(&args.profile)?;
    let positions = positions(args)?;
    let stop = interrupt::flag()?;
    let (nodes, tries) = (args.nodes, args.tries as usize);
    let settings = MineOptions { positions: &positions, nodes, tries, stop: &stop };
    let style = bars::style("{spinner} {elapsed}, {msg}")?;
    let bar = ProgressBar::new_spinner().with_style(style);
    bar.set_message("appraising positions");
    let show = |knobs: usize, found: usize| {
        bar.inc_length(knobs as u64);
        bar.inc(found as u64);
        let all = bar.length().unwrap_or_default();
        bar.set_message(format!("found {}", bars::count_of(bar.position(), all, "knob")));
    };
    bar.set_length(0);
    let pool = super::pool(args.threads.into())?;
    let findings = pool.install(|| mine(&profiles, &settings, show))?;
    bar.finish_and_clear();
    if let Some(file) = file {
        file.write(&format!("{}{}", origin(args), table::write(&findings)))?;
    }
    let json: Vec<_> = findings.iter().map(KnobFinding::record).collect();
    let text =
        if args.out.is_some() { summary(&profiles, &findings) } else { table::write(&findings) };
    super::print(out, args.table, &json, text.trim_end())?;
    if stop.load(Relaxed) {
        writeln!(io::stderr(), "interrupted: knobs not searched yet are reported as not found")?;
    }
    Ok(())
}

fn profiles(name: &str) -> anyhow::Result<Vec<Profile>> {
    if name != "all" {
        return Ok(vec![super::profile(name)?]);
    }
    Ok(Profile::BUILTIN.into_iter().map(Profile::builtin).collect::<Result<_, _>>()?)
}

fn positions(args: &KnobsArgs) -> anyhow::Result<Vec<Game>> {
    let mut positions = Vec::new();
    for path in &args.positions {
        let book = Book::read(path)?;
        let taken = book.len().min(args.limit as usize);
        positions.extend((0..taken).filter_map(|i| book.game(i * book.len() / taken)));
    }
    Ok(positions)
}

/// Returns the header line with the command that creates the file. It has only the names of the
/// position files, because their folders differ between machines.
fn origin(args: &KnobsArgs) -> String {
    let names = args.positions.iter().filter_map(|path| path.file_name());
    let files: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
    format!(
        "# deepfeeling knobs {} --positions {} --limit {} --nodes {} --tries {}\n",
        args.profile,
        files.join(" --positions "),
        args.limit,
        args.nodes,
        args.tries
    )
}

/// Formats the number of knobs found for each profile.
fn summary(profiles: &[Profile], findings: &[KnobFinding]) -> String {
    let line = |profile: &Profile| {
        let of: Vec<_> = findings.iter().filter(|one| one.profile == profile.source).collect();
        let found = of.iter().filter(|one| one.witness.is_ok()).count();
        format!("{:<12} {:>6} {found:>6}", profile.source, of.len())
    };
    let head = format!("{:<12} {:>6} {:>6}", "profile", "knobs", "found");
    std::iter::once(head).chain(profiles.iter().map(line)).collect::<Vec<_>>().join("\n")
}
