//! The `doctor` command: checks this machine and prints setup instructions for other programs.

use super::TableArgs;
use crate::{
    doctor::{
        DoctorFinding, DoctorOptions, DoctorReport,
        setup::{self, ChessProgram},
    },
    player::Options,
};
use anyhow::Context;
use clap::{Args, ValueEnum, builder::PossibleValue};
use serde::Serialize;
use std::{collections::BTreeMap, io::Write, path::PathBuf, process::ExitCode};

#[derive(Args, Debug)]
pub(super) struct DoctorArgs {
    /// Print only the setup instructions for this program
    #[arg(long, value_name = "PROGRAM")]
    host: Option<ChessProgram>,
    /// Hash table size to check, in MiB
    #[arg(long, default_value_t = Options::DEFAULT_HASH, value_name = "MIB")]
    hash: usize,
    #[arg(
        long,
        value_name = "FOLDERS",
        help = "Endgame table folders to check, in the format of the option SyzygyPath"
    )]
    syzygy: Option<String>,
    /// Folder to check for writing, e.g. for logs or feelings files; may be repeated
    #[arg(long, default_value = ".", value_name = "FOLDER")]
    folder: Vec<PathBuf>,
    #[command(flatten)]
    table: TableArgs,
}

impl ValueEnum for ChessProgram {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}

/// The JSON form of all checks and instructions.
#[derive(Debug, Serialize)]
struct DoctorRecord<'a> {
    version: &'static str,
    program: String,
    well: bool,
    findings: &'a [DoctorFinding],
    /// The setup instructions by host name.
    setup: BTreeMap<&'static str, String>,
}

pub(super) fn run(args: &DoctorArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let program = std::env::current_exe().context("cannot determine the path of this program")?;
    if let Some(host) = args.host {
        let text = host.text(&program);
        super::print(out, args.table, &setup::texts(&[host], &program), text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let wishes = DoctorOptions {
        hash: args.hash,
        tables: args.syzygy.clone(),
        folders: args.folder.clone(),
    };
    let report = DoctorReport::new(&wishes);
    let json = DoctorRecord {
        version: env!("CARGO_PKG_VERSION"),
        program: program.display().to_string(),
        well: report.is_good(),
        findings: &report.findings,
        setup: setup::texts(&ChessProgram::ALL, &program),
    };
    let (version, place) = (env!("CARGO_PKG_VERSION"), program.display());
    let setups = ChessProgram::ALL.map(|host| {
        format!("\n\n{}\n  {}", host.name(), host.text(&program).replace('\n', "\n  "))
    });
    let heading = "Setup instructions (--host PROGRAM prints only one)";
    let setups = setups.concat();
    let text = format!("Deep Feeling {version} at {place}\n\n{report}\n\n{heading}{setups}");
    super::print(out, args.table, &json, text)?;
    Ok(if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
