//! The `measure` command: measures the tables of docs/measurements.md and writes the document.

use super::interrupt;
use crate::{
    lab::measure::{Run, Step, Steps, document, table},
    support::{spelling, whole_file},
};
use anyhow::{Context, anyhow, bail, ensure};
use clap::Args;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

/// Measure the tables of docs/measurements.md that have no data file yet, and write the document
///
/// Each table is a step with a CSV file. A step whose file is complete is skipped, so the same
/// command continues an interrupted measurement. To measure a table again, delete its CSV file and
/// the results in the work folder.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  deepfeeling measure --list\n  deepfeeling measure --only census-goals --data ../shared/data"
)]
pub(super) struct MeasureArgs {
    /// List the steps with their state and expected duration
    #[arg(long)]
    list: bool,
    /// Check that the document matches its data files
    #[arg(long, conflicts_with_all = ["list", "only"])]
    check: bool,
    /// Measure only this step; may be repeated
    #[arg(long, value_name = "STEP")]
    only: Vec<String>,
    /// Folder with the template, the steps and the data files. The document is beside it
    #[arg(long, default_value = "docs/measurements", value_name = "FOLDER")]
    docs: PathBuf,
    /// Folder with the games, suites and openings to measure with
    #[arg(long, default_value = "../shared/data", value_name = "FOLDER")]
    data: PathBuf,
    /// Folder for games and results of unfinished steps
    #[arg(long, default_value = "target/measure", value_name = "FOLDER")]
    work: PathBuf,
}

pub(super) fn run(args: &MeasureArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let path = args.docs.with_extension("md");
    if args.check {
        let found = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let expected = made(&args.docs)?;
        ensure!(found == expected, "{}: {}", path.display(), difference(&found, &expected));
        let all = Steps::read(&args.docs).map_err(|reason| anyhow!(reason))?;
        for (path, chart) in charts(args, &all)? {
            let found = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            ensure!(found == chart, "{}: is old; run deepfeeling measure", path.display());
        }
        return Ok(writeln!(out, "{} matches its data files", path.display())?);
    }
    let all = Steps::read(&args.docs).map_err(|reason| anyhow!(reason))?;
    let chosen = chosen(&all, &args.only)?;
    if args.list {
        for step in chosen {
            writeln!(out, "{:<20} {}", step.name, state(args, &all, step)?)?;
        }
        return Ok(());
    }
    let stop = interrupt::flag()?;
    for step in chosen {
        if let Some(reason) = obstacle(args, &all, step)? {
            writeln!(out, "{}: {reason}", step.name)?;
        } else if measure(args, &all, step, &stop)? {
            writeln!(out, "{}: measured", step.name)?;
        } else {
            return Ok(writeln!(out, "interrupted: the same command resumes")?);
        }
    }
    let text = made(&args.docs)?;
    for (path, text) in std::iter::once((path, text)).chain(charts(args, &all)?) {
        if fs::read_to_string(&path).ok().as_ref() != Some(&text) {
            let unwritable = || format!("{}: cannot be written", path.display());
            whole_file::write(&path, text.as_bytes()).with_context(unwritable)?;
            writeln!(out, "{} written", path.display())?;
        }
    }
    Ok(())
}

/// Returns the charts of all measured tables, each with its path.
fn charts(args: &MeasureArgs, all: &Steps) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let folder = args.docs.with_file_name("pictures");
    let measured = all.steps.iter().filter(|step| table(&args.docs, &step.name).is_ok());
    let chart = |step: &Step| {
        let chart = step.chart(&args.docs).map_err(|reason| anyhow!(reason)).transpose()?;
        Some(chart.map(|chart| (folder.join(format!("{}.svg", step.name)), chart)))
    };
    measured.filter_map(chart).collect()
}

fn made(docs: &Path) -> anyhow::Result<String> {
    document(docs).map_err(|reason| anyhow!(reason))
}

/// Describes the first line in which two texts differ.
fn difference(found: &str, expected: &str) -> String {
    let lines = found.lines().zip(expected.lines());
    let same = lines.take_while(|(found, expected)| found == expected).count();
    let line = |text: &str| text.lines().nth(same).unwrap_or("the end").to_owned();
    format!(
        "line {}: found `{}`, expected `{}`; run deepfeeling measure, or edit template.md",
        same + 1,
        line(found),
        line(expected)
    )
}

/// Returns the steps called `only`, or all.
fn chosen<'s>(all: &'s Steps, only: &[String]) -> anyhow::Result<Vec<&'s Step>> {
    if only.is_empty() {
        return Ok(all.steps.iter().collect());
    }
    let named = |name: &String| {
        all.steps.iter().find(|step| step.name == *name).ok_or_else(|| {
            let names: Vec<_> = all.steps.iter().map(|step| step.name.as_str()).collect();
            let near = spelling::nearest(name, names.iter().copied());
            let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
            anyhow!("unknown step `{name}` ({near}steps: {})", names.join(", "))
        })
    };
    only.iter().map(named).collect()
}

/// Returns why `step` is not measured now.
fn obstacle(args: &MeasureArgs, all: &Steps, step: &Step) -> anyhow::Result<Option<String>> {
    if table(&args.docs, &step.name).is_ok() {
        return Ok(Some("done".into()));
    }
    if let Some(needed) = &step.by_hand {
        return Ok(Some(format!("by hand: {needed}")));
    }
    let runs = all.runs_of(step).map_err(|reason| anyhow!(reason))?;
    let missing =
        runs.iter().flat_map(|run| &run.needs).find(|file| !args.data.join(file).exists());
    Ok(missing.map(|file| format!("skipped: {} is missing", args.data.join(file).display())))
}

/// Describes the state of `step` and how long it takes.
fn state(args: &MeasureArgs, all: &Steps, step: &Step) -> anyhow::Result<String> {
    let state = obstacle(args, all, step)?.unwrap_or_else(|| "not measured".into());
    if step.by_hand.is_some() {
        return Ok(state);
    }
    let minutes = all.minutes(step).map_err(|reason| anyhow!(reason))?;
    let hours = f64::from(minutes) / 60.0;
    let duration = if minutes < 100 { format!("{minutes} min") } else { format!("{hours:.0} h") };
    Ok(format!("{state}, takes about {duration}"))
}

/// Measures `wanted` and writes its data file. Returns `false` if it was interrupted.
fn measure(
    args: &MeasureArgs,
    all: &Steps,
    wanted: &Step,
    stop: &AtomicBool,
) -> anyhow::Result<bool> {
    let mut results = BTreeMap::new();
    for run in all.runs_of(wanted).map_err(|reason| anyhow!(reason))? {
        let Some(json) = result(args, run, stop)? else { return Ok(false) };
        results.insert(run.name.clone(), json);
    }
    let table = wanted.table(&results).map_err(|reason| anyhow!(reason))?;
    let path = args.docs.join(format!("{}.csv", wanted.name));
    whole_file::write(&path, table.csv().as_bytes())
        .with_context(|| format!("{}: cannot be written", path.display()))?;
    Ok(true)
}

/// Returns the JSON of `run`, from the work folder or by running the command. Returns `None` if it
/// was interrupted.
fn result(args: &MeasureArgs, run: &Run, stop: &AtomicBool) -> anyhow::Result<Option<Value>> {
    fs::create_dir_all(&args.work).with_context(|| args.work.display().to_string())?;
    let path = args.work.join(format!("{}.json", run.name));
    if let Ok(text) = fs::read(&path) {
        return Ok(Some(
            serde_json::from_slice(&text).with_context(|| path.display().to_string())?,
        ));
    }
    if let Some(profile) = &run.profile {
        let path = args.work.join(format!("{}.toml", run.name));
        fs::write(&path, profile).with_context(|| path.display().to_string())?;
    }
    let data = args.data.canonicalize().unwrap_or_else(|_| args.data.clone());
    let words = run.command.split(' ');
    let words = words.map(|word| word.replace("{data}", &data.display().to_string()));
    let output = Command::new(std::env::current_exe()?)
        .args(words)
        .arg("--json")
        .current_dir(&args.work)
        .stderr(Stdio::inherit())
        .output()?;
    if stop.load(Relaxed) {
        return Ok(None);
    }
    if !output.status.success() {
        bail!("{}: deepfeeling {}: {}", run.name, run.command, output.status);
    }
    let json = serde_json::from_slice(&output.stdout).with_context(|| run.name.clone())?;
    whole_file::write(&path, &output.stdout).with_context(|| path.display().to_string())?;
    Ok(Some(json))
}
