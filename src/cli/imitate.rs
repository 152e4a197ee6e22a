//! The `imitate` command: fits a profile that plays in human style like one player.

use super::{ProfileArgs, TableArgs, output::OutputFile, own::OwnArgs};
use crate::{
    lab::imitate::{self, ImitationRecord},
    profile::refit,
};
use anyhow::Context;
use clap::Args;
use std::{io::Write, path::PathBuf};

#[derive(Args, Debug)]
#[command(after_help = "Example:\n  \
    deepfeeling imitate games.pgn --player Ann -o ann.toml\n\n\
    In a GUI, set ProfileFile to ann.toml, UCI_LimitStrength to true, LimitStyle to human, and UCI_Elo \
    to the rating of the player.")]
pub(super) struct ImitateArgs {
    #[command(flatten)]
    own: OwnArgs,
    /// Write the profile to this file
    #[arg(long, short, value_name = "TOML")]
    out: PathBuf,
    #[command(flatten)]
    profile: ProfileArgs,
    /// Share of the player's last games that judge the fit
    #[arg(long, default_value_t = 0.2, value_name = "SHARE", value_parser = share)]
    holdout: f64,
    #[command(flatten)]
    table: TableArgs,
}

pub(super) fn run(args: &ImitateArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let output = OutputFile::new(&args.out, "a fitted profile", refit::is_fitted)?;
    let profile = args.profile.profile()?;
    let own = args.own.games()?;
    let pool = super::pool(0)?;
    let found = pool.install(|| imitate::imitate(&profile, &own.games, args.holdout));
    let imitation = found.with_context(|| args.own.player.clone())?;
    let record = ImitationRecord::new(&args.own.player, own.games.len(), own.unrated, &imitation);
    output.write(&record.profile(&profile, &imitation)?)?;
    Ok(super::print(out, args.table, &record, &record)?)
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.05..=0.5).contains(share));
    share.ok_or_else(|| "allowed: 0.05 to 0.5".into())
}
