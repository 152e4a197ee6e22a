//! The `map` command: shows the map of a profile as a table, Graphviz source or SVG picture.

use super::{TableArgs, output::OutputFile};
use crate::explain::map::MapAnalysis;
use clap::Args;
use std::{io::Write, path::PathBuf};

#[derive(Args, Debug)]
pub(super) struct MapArgs {
    /// Built-in profile or path of a TOML file
    #[arg(default_value = "standard", value_name = "NAME|TOML")]
    profile: String,
    /// Print Graphviz source (DOT) instead of a table
    #[arg(long, conflicts_with = "json")]
    dot: bool,
    /// Also write an SVG picture to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    table: TableArgs,
}

pub(super) fn run(args: &MapArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let anatomy = MapAnalysis::of(super::profile(&args.profile)?);
    if let Some(path) = &args.svg {
        let picture = OutputFile::new(path, "an SVG picture", |start| start.starts_with(b"<svg"))?;
        picture.write(&(anatomy.svg() + "\n"))?;
    }
    if args.dot {
        writeln!(out, "{}", anatomy.dot())?;
    } else {
        super::print(out, args.table, &anatomy.record(), &anatomy)?;
    }
    Ok(())
}
