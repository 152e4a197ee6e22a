//! The `remember` command: counts the positions of games with their results, for the option
//! `KnownGames`.

use super::{TableArgs, bars, output::OutputFile, played::PlayedArgs};
use crate::{
    chess::known::KnownGames,
    lab::remember::{RememberOptions, Remembered, RememberedRecord},
};
use anyhow::ensure;
use clap::Args;
use std::{
    fs::{self, File},
    io::{Read, Write},
    path::{Path, PathBuf},
};

/// The number of leading bytes that identify a file of known positions.
const START: u64 = 8;

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    deepfeeling remember games.pgn.zst --out known.bin --min-rating 2000\n  \
    deepfeeling remember known.bin new.pgn --out known.bin\n\n\
    The second one adds the games of new.pgn to known.bin.")]
pub(super) struct RememberArgs {
    /// PGN files, plain or compressed with gzip or zstd, and files written by this command, whose
    /// counts are added
    #[arg(required = true, value_name = "PGN")]
    files: Vec<PathBuf>,
    /// Write the known positions to this file
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Count positions after at most this many half-moves of a game
    #[arg(long, default_value_t = 40, value_name = "N",
          value_parser = clap::value_parser!(u16).range(0..=1000))]
    plies: u16,
    /// Skip games with a player of a lower or unknown rating
    #[arg(long, value_name = "ELO", value_parser = clap::value_parser!(u16).range(1..=4000))]
    min_rating: Option<u16>,
    /// Maximum number of games to read from each PGN file
    #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    #[command(flatten)]
    table: TableArgs,
}

pub(super) fn run(args: &RememberArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let output = OutputFile::new(&args.out, "a file of known positions", KnownGames::is_claimed)?;
    let options = RememberOptions { plies: args.plies.into(), min_rating: args.min_rating };
    let mut remembered = Remembered::new(options);
    let (known, games): (Vec<_>, Vec<_>) = args.files.iter().partition(|path| is_known(path));
    for path in known {
        remembered.merge(&KnownGames::read(path)?);
    }
    let games: Vec<_> = games.into_iter().cloned().collect();
    PlayedArgs::of(&games, args.limit).read(|games| remembered.add(games))?;
    let (known, record) = remembered.file();
    ensure!(record.games > 0, "found no game that counts: {}", skipped(&record));
    output.write_bytes(known.bytes())?;
    let name = args.out.display();
    let text = format!("{name}: {known}, {} bytes\n{}", record.bytes, skipped(&record));
    Ok(super::print(out, args.table, &record, text)?)
}

/// Describes the games that were skipped.
fn skipped(record: &RememberedRecord) -> String {
    let RememberedRecord { without_result, below_rating, .. } = record;
    format!(
        "skipped: {} without a result, {} with a lower or unknown rating",
        bars::count(*without_result, "game"),
        bars::count(*below_rating, "game")
    )
}

/// Returns whether the regular file at `path` begins like one of known positions. A pipe is never
/// touched, because what is read from it is lost.
fn is_known(path: &Path) -> bool {
    let mut start = Vec::new();
    let is_file = fs::metadata(path).is_ok_and(|found| found.is_file());
    let read = |file: File| file.take(START).read_to_end(&mut start);
    is_file && File::open(path).and_then(read).is_ok() && KnownGames::is_claimed(&start)
}
