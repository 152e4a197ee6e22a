//! `datagen`: labelled positions from self-play, with progress on stderr.

use super::{ProfileArgs, TableArgs, bars, interrupt, switch::Switch};
use crate::lab::{
    datagen::{self, Settings, Totals},
    self_play::opening::Book,
};
use clap::Args;
use std::{
    io::{self, Write},
    num::NonZeroU64,
    path::PathBuf,
    sync::atomic::Ordering::Relaxed,
};

#[derive(Args, Debug)]
pub(super) struct DatagenArgs {
    /// The CSV file to write (fen,result,cp,game); one that exists is continued
    #[arg(long, short, value_name = "CSV")]
    out: PathBuf,
    /// Games that the file shall hold in all
    #[arg(long, default_value_t = 1000, value_name = "N")]
    games: u64,
    /// Nodes of the search for each move
    #[arg(long, default_value = "5000", value_name = "N")]
    nodes: NonZeroU64,
    /// Random plies of each opening: 8, or 2 from a book, if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=60))]
    plies: Option<u32>,
    /// Begin with positions of this EPD file, plain, gzip or zstd
    #[arg(long, value_name = "EPD")]
    book: Option<PathBuf>,
    /// Games played at the same time. The outcome does not depend on it
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// The same seed gives the same games
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Whether feelings change the evaluation of the players; --emotion alone means on
    #[arg(long, value_enum, default_value_t = Switch::Off, value_name = "on|off",
          num_args = 0..=1, default_missing_value = "on", hide_possible_values = true)]
    emotion: Switch,
    #[command(flatten)]
    profile: ProfileArgs,
    #[command(flatten)]
    table: TableArgs,
}

pub(super) fn run(args: &DatagenArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let profile = args.profile.profile()?;
    let settings = Settings {
        out: args.out.clone(),
        games: args.games,
        nodes: args.nodes,
        plies: args.plies.unwrap_or(if args.book.is_some() { 2 } else { 8 }),
        book: args.book.as_deref().map(Book::read).transpose()?,
        emotion: args.emotion.is_on(),
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
            // nobody listens: no reason to stop
            let _ = writeln!(io::stderr(), "{}", summary(totals));
        }
    })?;
    bar.finish_and_clear();
    let json = serde_json::json!({
        "games": totals.games, "positions": totals.positions, "duplicates": totals.duplicates,
        "wins": totals.wins, "draws": totals.draws, "losses": totals.losses,
    });
    super::print(out, args.table, &json, summary(&totals))?;
    if stop.load(Relaxed) && totals.games < args.games {
        let path = args.out.display();
        writeln!(io::stderr(), "interrupted: the same command continues {path}")?;
    }
    Ok(())
}

fn summary(totals: &Totals) -> String {
    let Totals { games, positions, duplicates, wins, draws, losses } = totals;
    format!(
        "{} (+{wins} ={draws} -{losses} for White), {}, {} left out",
        bars::count(*games, "game"),
        bars::count(*positions, "position"),
        bars::count(*duplicates, "duplicate")
    )
}
