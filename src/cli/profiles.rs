//! The commands `profiles`, `check` and `paper`: list profiles, check a profile file, and compare
//! with the article.

use super::TableArgs;
use crate::{
    explain::map::unsettled_perception,
    lab::paper::{
        self,
        report::{Origin, PaperFinding, PaperReport, PaperRow, PaperTable},
    },
    profile::{EvaluatorKind, Profile},
};
use anyhow::bail;
use serde::Serialize;
use std::{collections::BTreeMap, io::Write, path::Path, process::ExitCode};

/// How the Elo of the built-in profiles was measured. Their files store it in `[about.measured]`.
const ELO_CONDITIONS: &str = "Elo: 2,000 games against neutral at 10,000 nodes per move. \
    ±: half of the 95 % confidence interval. -: not measured.";

/// The JSON form of a built-in profile.
#[derive(Debug, Serialize)]
struct ProfileRecord {
    profile: &'static str,
    title: String,
    evaluator: &'static str,
    summary: String,
    signature: Vec<String>,
    measured: BTreeMap<String, MeasuredRecord>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct MeasuredRecord {
    mean: f64,
    error: f64,
}

pub(super) fn list(args: TableArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let mut rows = Vec::new();
    let mut lines = vec![format!(
        "{:<10} {:<9} {:<14}  {}",
        "profile", "evaluator", "Elo vs neutral", "summary"
    )];
    for name in Profile::BUILTIN {
        let profile = Profile::builtin(name)?;
        let evaluator = match profile.evaluator {
            EvaluatorKind::Terms => "terms",
            EvaluatorKind::Measures => "measures",
        };
        let elo = profile.measured.iter().find(|measured| measured.name == "elo");
        let elo =
            elo.map_or_else(|| "-".into(), |elo| format!("{:+.0} ± {:.0}", elo.mean, elo.error));
        lines.push(format!("{name:<10} {evaluator:<9} {elo:<14}  {}", profile.summary));
        rows.push(ProfileRecord {
            profile: name,
            title: profile.name,
            evaluator,
            summary: profile.summary,
            signature: profile.signature.iter().map(ToString::to_string).collect(),
            measured: profile
                .measured
                .into_iter()
                .map(|m| (m.name, MeasuredRecord { mean: m.mean, error: m.error }))
                .collect(),
        });
    }
    lines.push(format!("\n{ELO_CONDITIONS}"));
    Ok(super::print(out, args, &rows, lines.join("\n"))?)
}

/// Checks a profile. It is valid if it loads and its map settles for every position.
pub(super) fn check(path: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    let profile = Profile::from_file(path)?;
    if let Some(how) = unsettled_perception(&profile.mind) {
        bail!("{}: map: {how}; it must settle from every start", path.display());
    }
    writeln!(out, "{}: profile `{}` is valid, and its map settles", path.display(), profile.name)?;
    Ok(())
}

/// Compares with the numbers of the article. Returns exit code 1 if a number differs.
pub(super) fn paper(args: TableArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let report = paper::run(&Profile::builtin("paper2012")?.mind);
    super::print(out, args, &ReportRecord::of(&report), &report)?;
    Ok(ExitCode::from(u8::from(!report.ok())))
}

/// The JSON form of the comparison with the article.
#[derive(Debug, Serialize)]
struct ReportRecord<'a> {
    agrees: bool,
    tables: Vec<TableRecord<'a>>,
    notes: &'a [&'static str],
}

#[derive(Debug, Serialize)]
struct TableRecord<'a> {
    table: &'static str,
    printed_by_the_article: bool,
    largest_deviation: f64,
    rows: Vec<RowRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct RowRecord<'a> {
    what: &'a str,
    ours: ValueRecord<'a>,
    expected: ValueRecord<'a>,
    agrees: bool,
    deviation: f64,
    tolerance: f64,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum ValueRecord<'a> {
    Number(f64),
    Word(&'a str),
}

impl<'a> ReportRecord<'a> {
    fn of(report: &'a PaperReport) -> Self {
        let row = |row: &'a PaperRow| {
            let (ours, expected) = match &row.finding {
                PaperFinding::Number { ours, expected, .. } => {
                    (ValueRecord::Number(*ours), ValueRecord::Number(*expected))
                }
                PaperFinding::Word { ours, expected } => {
                    (ValueRecord::Word(ours), ValueRecord::Word(expected))
                }
            };
            let (deviation, tolerance) = (row.deviation(), row.tolerance());
            RowRecord { what: &row.what, ours, expected, agrees: row.ok(), deviation, tolerance }
        };
        let table = |table: &'a PaperTable| TableRecord {
            table: table.name,
            printed_by_the_article: table.origin == Origin::Printed,
            largest_deviation: table.largest_deviation(),
            rows: table.rows.iter().map(row).collect(),
        };
        let tables = report.tables.iter().map(table).collect();
        Self { agrees: report.ok(), tables, notes: &report.notes }
    }
}
