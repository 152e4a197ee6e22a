//! `map`: a profile's map taken apart, as a table, for Graphviz, or as a picture.

use super::TableArgs;
use crate::story::map::Anatomy;
use anyhow::{Context, ensure};
use clap::Args;
use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

#[derive(Args, Debug)]
pub(super) struct MapArgs {
    /// A built-in profile, or the path of a TOML file
    #[arg(default_value = "default", value_name = "NAME|TOML")]
    profile: String,
    /// Print the map in the language of Graphviz instead
    #[arg(long, conflicts_with = "json")]
    dot: bool,
    /// Draw it into this file, too
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    table: TableArgs,
}

pub(super) fn run(args: &MapArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let anatomy = Anatomy::of(super::profile(&args.profile)?);
    if let Some(path) = &args.svg {
        let name = path.display();
        let replaceable =
            may_be_replaced(path, b"<svg").with_context(|| format!("{name} cannot be written"))?;
        ensure!(
            replaceable,
            "{name} exists and is no SVG picture: choose another name for the map"
        );
        fs::write(path, anatomy.svg() + "\n")
            .with_context(|| format!("{name} cannot be written"))?;
    }
    if args.dot {
        writeln!(out, "{}", anatomy.dot())?;
    } else {
        super::print(out, args.table, &anatomy.as_json(), &anatomy)?;
    }
    Ok(())
}

/// Whether nothing is lost if this file is written: there is none, it is empty, or it begins as
/// `ours` do.
pub(super) fn may_be_replaced(path: &Path, ours: &[u8]) -> io::Result<bool> {
    let Some(metadata) = fs::metadata(path).ok() else { return Ok(true) };
    if !metadata.is_file() || metadata.len() == 0 {
        return Ok(true);
    }
    let mut start = Vec::new();
    File::open(path)?.take(ours.len() as u64).read_to_end(&mut start)?;
    Ok(start == ours)
}
