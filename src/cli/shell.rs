//! `completions` and `man`: what shells and manuals know of the commands, made from their definitions.

use super::{Cli, bars};
use anyhow::Context;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::{
    io::{self, Write},
    path::PathBuf,
};

#[derive(Args, Debug)]
pub(super) struct CompletionsArgs {
    /// The shell that is to complete commands and options
    shell: Shell,
}

#[derive(Args, Debug)]
pub(super) struct ManArgs {
    /// Write a page for every command into this folder, instead of printing the first one
    #[arg(long, short, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

pub(super) fn completions(args: &CompletionsArgs, out: &mut impl Write) -> io::Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "deepfeeling", &mut text);
    out.write_all(&text)
}

pub(super) fn man(args: &ManArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let Some(folder) = &args.out else {
        return Ok(clap_mangen::Man::new(Cli::command()).render(out)?);
    };
    let name = folder.display();
    clap_mangen::generate_to(Cli::command(), folder)
        .with_context(|| format!("{name} cannot be written to"))?;
    let pages = 1 + Cli::command().get_subcommands().count() as u64;
    writeln!(io::stderr(), "{name}: {} written", bars::count(pages, "manual page"))?;
    Ok(())
}
