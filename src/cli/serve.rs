//! `serve`: a page to play against the engine and to see what it feels.

use super::interrupt;
use crate::{
    profile::Profile,
    serve::{self, Settings},
};
use anyhow::Context;
use clap::Args;
use std::{io::Write, net::IpAddr, path::PathBuf, sync::Arc};
use tokio::sync::Notify;

const EXAMPLE: &str = "\
Example: play against a bold temperament, and watch what an engine in a GUI feels
  deepfeeling serve --profile my.toml --follow ~/feelings.jsonl
then open http://127.0.0.1:8300/ in a browser; Ctrl-C ends it.";

#[derive(Args, Debug)]
#[command(after_help = EXAMPLE)]
pub(super) struct ServeArgs {
    /// Where the page is; 0 takes any port that is free
    #[arg(long, default_value_t = 8300)]
    port: u16,
    /// Address to serve at; all but loopback need --token
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    bind: IpAddr,
    /// What visitors must show, 16 to 256 visible ASCII characters; the page asks for it
    #[arg(long)]
    token: Option<String>,
    /// A profile of your own to choose beside the built-in ones
    #[arg(long, value_name = "TOML")]
    profile: Option<PathBuf>,
    #[arg(
        long,
        value_name = "FILE",
        help = "A file that an engine writes by its option FeelingsFile"
    )]
    follow: Option<PathBuf>,
    /// Searches at once, of all games together
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

pub(super) fn run(args: &ServeArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let named = |path: &PathBuf| {
        let text = Profile::file_text(path)?;
        anyhow::Ok((path.display().to_string(), text))
    };
    let settings = Settings {
        bind: args.bind,
        port: args.port,
        token: args.token.clone(),
        profile: args.profile.as_ref().map(named).transpose()?,
        follow: args.follow.clone(),
        threads: args.threads.into(),
    };
    let stop = Arc::new(Notify::new());
    let told = Arc::clone(&stop);
    interrupt::hear(move || told.notify_one())?;
    serve::run(&settings, &stop, |address| {
        writeln!(out, "http://{address}/")?;
        out.flush()
    })
    .context("serve")
}
