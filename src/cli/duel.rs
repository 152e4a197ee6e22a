//! The `duel` command: plays a match between two profiles.

use super::{TableArgs, bars, interrupt};
use crate::{
    lab::{
        duel::{self, Decision, DuelOptions, Entrant, MatchScore, Sprt, TimeControl},
        self_play::opening::Book,
    },
    player::Options,
    search::root::limits::Clock,
};
use clap::Args;
use serde::Serialize;
use std::{
    io::{self, Write},
    num::{NonZeroU32, NonZeroU64},
    path::PathBuf,
    sync::atomic::Ordering::Relaxed,
    time::Duration,
};

#[derive(Args, Debug)]
pub(super) struct DuelArgs {
    /// First player: a built-in profile or the path of a TOML file
    #[arg(value_name = "A")]
    first: String,
    /// Second player: a built-in profile or the path of a TOML file
    #[arg(value_name = "B")]
    second: String,
    #[arg(
        long,
        value_name = "NAME=VALUE",
        help = "Option of the first player: e.g. Emotion=false, UCI_Elo=1500 or KnownGames=known.bin; may be repeated"
    )]
    option_a: Vec<String>,
    /// Option of the second player; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    option_b: Vec<String>,
    /// Nodes per move. Makes the games reproducible
    #[arg(long, default_value = "10000", value_name = "N", conflicts_with = "tc")]
    nodes: NonZeroU64,
    /// Time control instead of nodes: base time and increment in seconds, e.g. 2+0.02
    #[arg(long, value_name = "BASE+INC", value_parser = clock)]
    tc: Option<Clock>,
    /// Let the clock count nodes instead of time, at this many per millisecond. Makes games with --tc
    /// reproducible, whatever else the machine does
    #[arg(long, value_name = "N", requires = "tc")]
    nodes_per_ms: Option<NonZeroU32>,
    /// Total number of games, an even number
    #[arg(long, default_value_t = 1000, value_name = "N",
          value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,
    /// Play games to the end instead of adjudicating them. By default, a lead of 10 pawns for 6
    /// plies wins, and scores within 0.1 pawns for 12 plies from ply 80 on are a draw
    #[arg(long)]
    to_the_end: bool,
    /// Start from the positions of an EPD file (plain, gzip or zstd) instead of random moves
    #[arg(long, value_name = "EPD")]
    book: Option<PathBuf>,
    /// Random seed. Equal seeds give equal openings
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Games to play in parallel. Does not affect the result at fixed nodes
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Hash table size per player, in MiB
    #[arg(long, default_value_t = Options::DEFAULT_HASH as u16, value_name = "MIB",
          value_parser = clap::value_parser!(u16).range(1..))]
    hash: u16,
    /// Stop the match by SPRT between two Elo differences (5 % error)
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Write the games to this PGN file. Resumes a file started by the same command
    #[arg(long, value_name = "PGN")]
    pgn: Option<PathBuf>,
    #[command(flatten)]
    table: TableArgs,
}

/// Parses a time control such as `2+0.02`, in seconds.
fn clock(text: &str) -> Result<Clock, String> {
    let seconds = |text: &str| {
        let seconds: f64 = text.trim().parse().ok()?;
        (0.0..=86_400.0).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
    };
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let clock = seconds(base).zip(seconds(increment));
    clock
        .filter(|(left, _)| !left.is_zero())
        .map(|(left, increment)| Clock { left, increment })
        .ok_or_else(|| "allowed: seconds and increment up to 86400, e.g. 2+0.02".into())
}

pub(super) fn run(args: &DuelArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let player = |name: &str, options: &[String]| -> anyhow::Result<Entrant> {
        Ok(Entrant::new(super::profile(name)?, options)?)
    };
    let settings = DuelOptions {
        players: [player(&args.first, &args.option_a)?, player(&args.second, &args.option_b)?],
        pace: args.tc.map_or(TimeControl::Nodes(args.nodes), |clock| {
            TimeControl::Clock(clock, args.nodes_per_ms)
        }),
        games: args.games,
        book: args.book.as_deref().map(Book::read).transpose()?,
        seed: args.seed,
        threads: usize::from(args.threads),
        hash: usize::from(args.hash),
        to_the_end: args.to_the_end,
        sprt: args.sprt.as_ref().map(|elos| Sprt { elo0: elos[0], elo1: elos[1] }),
        pgn: args.pgn.clone(),
    };
    let stop = interrupt::flag()?;
    let bar = bars::bar(args.games, "{bar:30} {left}{msg}")?;
    let mut begun = false;
    let tally = duel::run(&settings, &stop, |tally| {
        bar.set_position(tally.games());
        if !begun {
            begun = true;
            bar.reset_eta();
        }
        let games = bars::count_of(tally.games(), args.games, "game");
        bar.set_message(format!("{games}, {}", strength(&settings, tally)));
        if bar.is_hidden() && tally.games() > 0 && tally.games().is_multiple_of(100) {
            // a closed stderr must not stop the match
            let _ =
                writeln!(io::stderr(), "{} games: {}", tally.games(), strength(&settings, tally));
        }
    })?;
    bar.finish_and_clear();
    super::print(out, args.table, &json(&settings, &tally), summary(&settings, &tally))?;
    if stop.load(Relaxed) && tally.games() < args.games && args.pgn.is_some() {
        writeln!(io::stderr(), "interrupted: the same command resumes from the PGN file")?;
    }
    Ok(())
}

fn summary(settings: &DuelOptions, tally: &MatchScore) -> String {
    let [first, second] = settings.names();
    let MatchScore { wins, draws, losses, pairs, forfeits, .. } = tally;
    format!(
        "{first} against {second}: {}, +{wins} ={draws} -{losses}\n\
         pairs by points 0, 0.5, 1, 1.5, 2: {pairs:?}\n\
         lost on time: {} and {}\n{}",
        bars::count(tally.games(), "game"),
        forfeits[0],
        forfeits[1],
        strength(settings, tally)
    )
}

/// Formats the Elo difference with its error, and the state of the SPRT if there is one.
fn strength(settings: &DuelOptions, tally: &MatchScore) -> String {
    let elo = tally.elo().map_or_else(
        || "Elo unknown".into(),
        |(elo, error)| format!("Elo {elo:+.1} ± {error:.1} (95 %)"),
    );
    let Some(sprt) = settings.sprt else { return elo };
    let Sprt { elo0, elo1 } = sprt;
    let decision = match sprt.decision(tally) {
        Decision::Passed => "passed",
        Decision::Failed => "failed",
        Decision::Open => "open",
    };
    format!("{elo}, test [{elo0}, {elo1}] {decision}, LLR {:.2} of ±2.94", sprt.llr(tally))
}

/// The JSON form of the result of a match.
#[derive(Debug, Serialize)]
struct MatchRecord {
    first: String,
    second: String,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    pairs: [u64; 5],
    forfeits: [u64; 2],
    elo: Option<f64>,
    error: Option<f64>,
    llr: Option<f64>,
    test: Option<String>,
}

fn json(settings: &DuelOptions, tally: &MatchScore) -> MatchRecord {
    let decision = settings.sprt.map(|sprt| format!("{:?}", sprt.decision(tally)).to_lowercase());
    let [first, second] = settings.names();
    MatchRecord {
        first,
        second,
        games: tally.games(),
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses,
        pairs: tally.pairs,
        forfeits: tally.forfeits,
        elo: tally.elo().map(|(elo, _)| elo),
        error: tally.elo().map(|(_, error)| error),
        llr: settings.sprt.map(|sprt| sprt.llr(tally)),
        test: decision,
    }
}
