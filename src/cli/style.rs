//! The `style` command: measures and compares the playing style of players.

use super::{TableArgs, played::PlayedArgs};
use crate::{
    lab::style::{Players, Style},
    pgn::PlayedGame,
};
use anyhow::ensure;
use clap::Args;
use rayon::prelude::*;
use shakmaty::ByColor;
use std::io::Write;

#[derive(Args, Debug)]
pub(super) struct StyleArgs {
    #[command(flatten)]
    games: PlayedArgs,
    /// Show only this player, as named in the White and Black tags; may be repeated [default: the
    /// players with the most games]
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,
    #[command(flatten)]
    table: TableArgs,
}

pub(super) fn run(args: &StyleArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let of_both = |game: &PlayedGame| ByColor::new_with(|side| Style::of(game, side));
    let mut players = Players::default();
    args.games.read(|games| {
        let styles: Vec<_> = games.par_iter().map(of_both).collect();
        for (game, styles) in games.iter().zip(&styles) {
            players.add(game, styles);
        }
    })?;
    ensure!(!players.is_empty(), "no game names its players (tags White and Black)");
    let comparison = players.compare(&args.player)?;
    Ok(super::print(out, args.table, &comparison.record(), &comparison)?)
}
