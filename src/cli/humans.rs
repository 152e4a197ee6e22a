//! The `humans` command: measures how often profiles play the same moves as humans.

use super::{TableArgs, likelihood, played::PlayedArgs, tune::share};
use crate::{
    lab::{
        duel::Entrant,
        humans::{HumanMatches, HumansOptions},
    },
    pgn::PlayedGame,
};
use anyhow::ensure;
use clap::Args;
use std::{io::Write, num::NonZeroU64};

/// The number of games per batch. It is small because every position is searched.
const BATCH: usize = 32;

const PROFILE_HELP: &str = "Profile to test, optionally with the UCI options Emotion, Temperament and \
    UCI_Elo, e.g. standard,Temperament=50; may be repeated";

#[derive(Args, Debug)]
pub(super) struct HumansArgs {
    #[command(flatten)]
    games: PlayedArgs,
    #[arg(long, help = PROFILE_HELP, value_name = "NAME|TOML[,OPTION=VALUE…]", default_values = ["standard", "neutral"])]
    profile: Vec<String>,
    /// Nodes per move
    #[arg(long, default_value_t = NonZeroU64::new(1000).unwrap_or(NonZeroU64::MIN), value_name = "N")]
    nodes: NonZeroU64,
    /// Test only every Nth move of each game (both sides)
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..))]
    every: u16,
    /// Skip the games before this number in each file, e.g. those used for fitting
    #[arg(long, default_value_t = 1, value_name = "GAME",
          value_parser = clap::value_parser!(u64).range(1..))]
    from_game: u64,
    /// Measure how likely the human style plays the moves of people, at their own ratings and by
    /// level. The first profile feels, and its table [human] counts
    #[arg(long, conflicts_with_all = ["nodes", "band_width"])]
    likelihood: bool,
    /// Share of players to judge with --likelihood: those that tune --policy holds out with the same
    /// share. 1 judges all
    #[arg(long, default_value_t = 1.0, value_name = "0..1", value_parser = share, requires = "likelihood")]
    holdout: f64,
    /// Width of a rating band, in Elo
    #[arg(long, default_value_t = 200, value_name = "ELO",
          value_parser = clap::value_parser!(u16).range(1..=4000))]
    band_width: u16,
    #[command(flatten)]
    table: TableArgs,
}

pub(super) fn run(args: &HumansArgs, out: &mut impl Write) -> anyhow::Result<()> {
    if args.likelihood {
        let profile = super::profile(args.profile.first().map_or("standard", String::as_str))?;
        let judged = likelihood::LikelihoodArgs {
            every: args.every.into(),
            from_game: args.from_game,
            holdout: args.holdout,
            table: args.table,
        };
        return likelihood::run(&args.games, &profile, &judged, out);
    }
    let settings = HumansOptions {
        players: args.profile.iter().map(|text| player(text)).collect::<Result<_, _>>()?,
        nodes: args.nodes,
        every: args.every.into(),
        width: args.band_width,
    };
    let mut likeness = HumanMatches::new(&settings);
    let pool = super::pool(0)?;
    let mut outcome = Ok(());
    args.games.read_by(BATCH, |games| {
        let is_asked = |game: &&PlayedGame| game.number as u64 >= args.from_game;
        let games: Vec<_> = games.iter().filter(is_asked).cloned().collect();
        if outcome.is_ok() {
            outcome = pool.install(|| likeness.add(&games));
        }
    })?;
    outcome?;
    ensure!(
        likeness.positions() > 0,
        "found no moves by rated players (from game {} on, tags WhiteElo and BlackElo)",
        args.from_game
    );
    Ok(super::print(out, args.table, &likeness.record(), &likeness)?)
}

/// Parses a profile name followed by comma-separated options.
fn player(text: &str) -> anyhow::Result<Entrant> {
    let mut parts = text.split(',');
    let profile = super::profile(parts.next().unwrap_or_default())?;
    let options: Vec<_> = parts.map(str::to_owned).collect();
    Ok(Entrant::new(profile, &options)?)
}
