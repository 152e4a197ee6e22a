//! The `serve` command: serves a web page to play against the engine and watch its feelings.

use super::interrupt;
use crate::{
    profile::Profile,
    serve::{self, ServeOptions},
};
use anyhow::Context;
use clap::Args;
use std::{io::Write, net::IpAddr, path::PathBuf, sync::Arc};
use tokio::sync::Notify;

const EXAMPLE: &str = "\
Example: play against a custom profile, and watch the feelings of an engine in a GUI
  deepfeeling serve --profile my.toml --follow ~/feelings.jsonl
then open http://127.0.0.1:8300/ in a browser. Press Ctrl-C to stop the server.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLE)]
pub(super) struct ServeArgs {
    /// Port to listen on; 0 picks a free port
    #[arg(long, default_value_t = 8300)]
    port: u16,
    /// Address to listen on; addresses other than loopback need --token
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    bind: IpAddr,
    /// Access token that the page asks for, 16 to 256 visible ASCII characters
    #[arg(long)]
    token: Option<String>,
    /// Additional profile to offer besides the built-in ones
    #[arg(long, value_name = "TOML")]
    profile: Option<PathBuf>,
    #[arg(
        long,
        value_name = "FILE",
        help = "Feelings file to follow, written by an engine with the option FeelingsFile"
    )]
    follow: Option<PathBuf>,
    /// Maximum number of parallel searches, over all games
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

pub(super) fn run(args: &ServeArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let named = |path: &PathBuf| {
        let text = Profile::file_text(path)?;
        anyhow::Ok((path.display().to_string(), text))
    };
    let settings = ServeOptions {
        bind: args.bind,
        port: args.port,
        token: args.token.clone(),
        profile: args.profile.as_ref().map(named).transpose()?,
        follow: args.follow.clone(),
        threads: args.threads.into(),
    };
    let stop = Arc::new(Notify::new());
    let stopper = Arc::clone(&stop);
    interrupt::on_interrupt(move || stopper.notify_one())?;
    serve::run(&settings, &stop, |address| {
        writeln!(out, "http://{address}/")?;
        out.flush()
    })
    .context("serve")
}
