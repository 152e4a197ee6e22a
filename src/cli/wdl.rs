//! The `wdl` command: fits the win, draw and loss model to scores and results.

use super::TableArgs;
use crate::lab::tune::wdl::{
    fit,
    observation::{LARGEST_CP, Observations},
    report::WdlReport,
};
use clap::Args;
use std::{
    io::{self, Write},
    path::PathBuf,
};

#[derive(Args, Debug)]
pub(super) struct WdlArgs {
    /// Positions with results and scores as CSV (fen,result,cp[,game]), plain, gzip or zstd
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Share of games held out to test the model; of positions, if rows have no game
    #[arg(long, default_value_t = 0.1, value_name = "0..1", value_parser = super::tune::share)]
    holdout: f64,
    /// Random seed for the holdout
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    #[command(flatten)]
    table: TableArgs,
}

pub(super) fn run(args: &WdlArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let read = Observations::read(&args.files, args.holdout, args.seed)?;
    if let Some((file, line, reason)) = &read.complaint {
        let (file, bad) = (file.display(), read.bad);
        writeln!(io::stderr(), "{bad} invalid rows skipped; the first is {file}:{line}: {reason}")?;
    }
    if read.decided > 0 {
        let decided = read.decided;
        writeln!(io::stderr(), "{decided} positions beyond {LARGEST_CP} centipawns skipped")?;
    }
    let model = fit(&read.training)?;
    let report = WdlReport::new(model, &read.training, &read.held_out);
    super::print(out, args.table, &report, &report)?;
    Ok(())
}
