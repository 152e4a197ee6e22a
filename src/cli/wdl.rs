//! `wdl`: how often a score wins, draws and loses, fitted to games.

use super::TableArgs;
use crate::lab::tune::wdl::{
    fit,
    observation::{LARGEST_CP, Observations},
    report::Report,
};
use clap::Args;
use std::{
    io::{self, Write},
    path::PathBuf,
};

#[derive(Args, Debug)]
pub(super) struct WdlArgs {
    /// Positions with results and scores: CSV (fen,result,cp[,game]), plain, gzip or zstd
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Share of the games, or positions where no game is told, that is held out to judge the model
    #[arg(long, default_value_t = 0.1, value_name = "0..1", value_parser = super::tune::share)]
    holdout: f64,
    /// Decides what is held out
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    #[command(flatten)]
    table: TableArgs,
}

pub(super) fn run(args: &WdlArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let read = Observations::read(&args.files, args.holdout, args.seed)?;
    if let Some((file, line, reason)) = &read.complaint {
        let (file, bad) = (file.display(), read.bad);
        writeln!(io::stderr(), "{bad} rows are left out; the first is {file}:{line}: {reason}")?;
    }
    if read.decided > 0 {
        let decided = read.decided;
        writeln!(io::stderr(), "{decided} positions beyond {LARGEST_CP} centipawns are left out")?;
    }
    let model = fit(&read.training)?;
    let report = Report::new(model, &read.training, &read.held_out);
    super::print(out, args.table, &report.as_json(), &report)?;
    Ok(())
}
