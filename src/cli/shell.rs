//! The commands `completions` and `man`: generate shell completions and manual pages.

use super::{Cli, bars};
use crate::support::whole_file;
use anyhow::Context;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

#[derive(Args, Debug)]
pub(super) struct CompletionsArgs {
    /// Shell to generate the script for
    shell: Shell,
}

#[derive(Args, Debug)]
pub(super) struct ManArgs {
    /// Write a manual page for every command to this folder instead of printing the main page
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
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let count = pages(&command, folder)?;
    writeln!(io::stderr(), "{}: {} written", folder.display(), bars::count(count, "manual page"))?;
    Ok(())
}

/// Writes the manual pages of `command` and its subcommands. Returns the number of pages.
fn pages(command: &clap::Command, folder: &Path) -> anyhow::Result<u64> {
    let mut count = 1;
    for subcommand in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        count += pages(subcommand, folder)?;
    }
    let man = clap_mangen::Man::new(command.clone());
    let path = folder.join(man.get_filename());
    let mut page = Vec::new();
    man.render(&mut page)?;
    let refusal = || format!("{} cannot be written", path.display());
    whole_file::write(&path, &page).with_context(refusal)?;
    Ok(count)
}
