//! The `coach` command: says what a player can learn from own games.

use super::{ProfileArgs, TableArgs, own::OwnArgs};
use crate::review::coach::{Checker, CoachRecord, DecisionReader};
use clap::Args;
use std::io::Write;

#[derive(Args, Debug)]
#[command(after_help = "Example:\n  deepfeeling coach games.pgn --player Ann")]
pub(super) struct CoachArgs {
    #[command(flatten)]
    own: OwnArgs,
    #[command(flatten)]
    profile: ProfileArgs,
    #[command(flatten)]
    table: TableArgs,
}

pub(super) fn run(args: &CoachArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let profile = args.profile.profile()?;
    let own = args.own.games()?;
    let pool = super::pool(0)?;
    let reader = DecisionReader::new(&profile)?;
    let decisions = pool.install(|| reader.decisions(&own.games))?;
    let mut checker = Checker::new(profile.clone())?;
    let player = &args.own.player;
    let record = CoachRecord::new(player, own.games.len(), &decisions, &mut checker)?;
    Ok(super::print(out, args.table, &record, &record)?)
}
