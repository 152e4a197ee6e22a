//! The commands `profiles`, `check` and `paper`: list profiles, check a profile file, and compare
//! with the article.

use super::TableArgs;
use crate::{
    explain::map::unsettled_perception,
    lab::paper::{
        self,
        report::{Origin, PaperFinding, PaperReport},
    },
    profile::{EvaluatorKind, Profile},
};
use anyhow::bail;
use serde_json::json;
use std::{io::Write, path::Path, process::ExitCode};

/// How the Elo of the built-in profiles was measured. Their files store it in `[about.measured]`.
const ELO_CONDITIONS: &str = "Elo: 900 games against neutral at 3,000 nodes per move. \
    ±: half of the 95 % confidence interval. -: not measured.";

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
        let measured: serde_json::Map<_, _> = profile
            .measured
            .iter()
            .map(|m| (m.name.clone(), json!({"mean": m.mean, "error": m.error})))
            .collect();
        rows.push(json!({
            "profile": name, "title": profile.name, "evaluator": evaluator,
            "summary": profile.summary, "measured": measured,
        }));
    }
    lines.push(format!("\n{ELO_CONDITIONS}"));
    Ok(super::print(out, args, &rows.into(), lines.join("\n"))?)
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
    super::print(out, args, &as_json(&report), &report)?;
    Ok(ExitCode::from(u8::from(!report.ok())))
}

fn as_json(report: &PaperReport) -> serde_json::Value {
    let tables: Vec<_> = report
        .tables
        .iter()
        .map(|table| {
            let rows: Vec<_> = table
                .rows
                .iter()
                .map(|row| {
                    let (ours, expected) = match &row.finding {
                        PaperFinding::Number { ours, expected, .. } => {
                            (json!(ours), json!(expected))
                        }
                        PaperFinding::Word { ours, expected } => (json!(ours), json!(expected)),
                    };
                    json!({
                        "what": row.what, "ours": ours, "expected": expected, "agrees": row.ok(),
                        "deviation": row.deviation(), "tolerance": row.tolerance(),
                    })
                })
                .collect();
            let printed = table.origin == Origin::Printed;
            json!({
                "table": table.name, "printed_by_the_article": printed,
                "largest_deviation": table.largest_deviation(), "rows": rows,
            })
        })
        .collect();
    json!({"agrees": report.ok(), "tables": tables, "notes": report.notes})
}
