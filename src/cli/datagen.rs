//! The `datagen` command: generates positions with results and scores from self-play.

use super::{ProfileArgs, TableArgs, bars, interrupt, switch::Switch};
use crate::lab::{
    datagen::{self, DatagenOptions, Totals},
    self_play::opening::Book,
};
use clap::Args;
use std::{
    io::{self, Write},
    num::{NonZeroU64, NonZeroUsize},
    path::PathBuf,
    sync::atomic::Ordering::Relaxed,
};

#[derive(Args, Debug)]
pub(super) struct DatagenArgs {
    /// CSV file to write (fen,result,cp,game). Resumes an existing file
    #[arg(long, short, value_name = "CSV")]
    out: PathBuf,
    /// Total number of games in the file
    #[arg(long, default_value_t = 1000, value_name = "N")]
    games: u64,
    /// Nodes per move
    #[arg(long, default_value = "5000", value_name = "N")]
    nodes: NonZeroU64,
    /// Random plies at the start of each game [default: 8, or 2 with --book]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=60))]
    plies: Option<u32>,
    /// Start from the positions of an EPD file (plain, gzip or zstd)
    #[arg(long, value_name = "EPD")]
    book: Option<PathBuf>,
    /// Games to play in parallel. Does not affect the result
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Random seed. Equal seeds give equal games
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Whether feelings change the evaluation; --emotion without a value means on
    #[arg(long, value_enum, default_value_t = Switch::Off, value_name = "on|off",
          num_args = 0..=1, default_missing_value = "on", hide_possible_values = true)]
    emotion: Switch,
    /// Store N positions that each search evaluates instead of the positions of the games
    #[arg(long, value_name = "N", conflicts_with = "emotion")]
    searched: Option<NonZeroUsize>,
    #[command(flatten)]
    profile: ProfileArgs,
    #[command(flatten)]
    table: TableArgs,
}

pub(super) fn run(args: &DatagenArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let profile = args.profile.profile()?;
    let settings = DatagenOptions {
        out: args.out.clone(),
        games: args.games,
        nodes: args.nodes,
        plies: args.plies.unwrap_or(if args.book.is_some() { 2 } else { 8 }),
        book: args.book.as_deref().map(Book::read).transpose()?,
        emotion: args.emotion.is_on(),
        searched: args.searched,
        threads: usize::from(args.threads),
        seed: args.seed,
    };
    let stop = interrupt::flag()?;
    let bar = bars::bar(args.games, "{bar:30} {left}{msg}")?;
    let mut begun = false;
    let totals = datagen::run(&profile, &settings, &stop, |totals| {
        bar.set_position(totals.games);
        if !begun {
            begun = true;
            bar.reset_eta();
        }
        let games = bars::count_of(totals.games, args.games, "game");
        bar.set_message(format!("{games}, {}", bars::count(totals.positions, "position")));
        if bar.is_hidden() && totals.games > 0 && totals.games.is_multiple_of(100) {
            // a closed stderr must not stop the work
            let _ = writeln!(io::stderr(), "{}", summary(totals));
        }
    })?;
    bar.finish_and_clear();
    super::print(out, args.table, &totals, summary(&totals))?;
    if stop.load(Relaxed) && totals.games < args.games {
        let path = args.out.display();
        writeln!(io::stderr(), "interrupted: the same command resumes {path}")?;
    }
    Ok(())
}

fn summary(totals: &Totals) -> String {
    let Totals { games, positions, duplicates, wins, draws, losses } = totals;
    format!(
        "{} (+{wins} ={draws} -{losses} for White), {}, {} skipped",
        bars::count(*games, "game"),
        bars::count(*positions, "position"),
        bars::count(*duplicates, "duplicate")
    )
}
