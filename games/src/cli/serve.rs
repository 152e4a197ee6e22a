//! The `serve` command: serves a page to play the games in a browser.

use crate::serve;
use anyhow::Context;
use clap::Args;
use deepfeeling::cli::interrupt::on_first;
use std::{io::Write, sync::Arc};
use tokio::sync::Notify;

/// Serve a web page on which to play the games, and print its address
///
/// Only this machine can reach the page. Press Ctrl-C to stop the server.
#[derive(Args, Debug)]
pub(super) struct ServeArgs {
    /// Port to listen on; 0 picks a free port
    #[arg(long, default_value_t = 8301, value_name = "N")]
    port: u16,
}

pub(super) fn run(args: &ServeArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let stop = Arc::new(Notify::new());
    let stopper = Arc::clone(&stop);
    on_first(move || stopper.notify_one())?;
    let ready = |address| {
        writeln!(out, "http://{address}/")?;
        out.flush()
    };
    serve::run(args.port, &stop, ready).context("serve")
}
