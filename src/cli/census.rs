//! The `census` command: appraises the positions of games and prints statistics.

use super::{ProfileArgs, TableArgs, played::PlayedArgs};
use crate::{
    lab::census::Census,
    pgn::{FIRST_PLY, PlayedGame},
};
use anyhow::ensure;
use clap::Args;
use rayon::prelude::*;
use std::io::Write;

#[derive(Args, Debug)]
pub(super) struct CensusArgs {
    #[command(flatten)]
    games: PlayedArgs,
    #[command(flatten)]
    profile: ProfileArgs,
    /// Appraise only every Nth move of each game (both sides)
    #[arg(long, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..))]
    every: u16,
    #[command(flatten)]
    table: TableArgs,
}

pub(super) fn run(args: &CensusArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let mind = args.profile.profile()?.mind;
    let of_one = |game: &PlayedGame| {
        let mut census = Census::new(&mind);
        census.add(&mind, game, args.every.into());
        census
    };
    let mut census = Census::new(&mind);
    args.games.read(|games| {
        // merge in the order of the games, so that sums do not depend on the number of threads
        let each: Vec<_> = games.par_iter().map(of_one).collect();
        for one in &each {
            census.merge(one);
        }
    })?;
    ensure!(census.total() > 0, "found no game longer than {FIRST_PLY} plies");
    Ok(super::print(out, args.table, &census.record(), &census)?)
}
