//! The `known` command: prints what known games say about a position.

use super::{TableArgs, game};
use crate::{chess::known::KnownGames, explain::known::KnownView};
use clap::Args;
use std::{io::Write, path::PathBuf};

#[derive(Args, Debug)]
pub(super) struct KnownArgs {
    /// FEN or startpos, optionally followed by moves and a list of moves, e.g. startpos moves e4 e5
    #[arg(required = true, num_args = 1.., value_name = "FEN")]
    position: Vec<String>,
    /// File of known positions, as written by remember
    #[arg(long, default_value = "known.bin", value_name = "FILE")]
    known_games: PathBuf,
    #[command(flatten)]
    table: TableArgs,
}

pub(super) fn run(args: &KnownArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let game = game(&args.position)?;
    let view = KnownView::of(&game, &KnownGames::read(&args.known_games)?);
    Ok(super::print(out, args.table, &view, &view)?)
}
