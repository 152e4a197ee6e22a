//! Tests of `measure`: the document matches its data files, and a measurement can be resumed.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use assert_cmd::Command;
use deepfeeling::lab::measure::{Steps, table};
use predicates::str::contains;
use std::{fs, path::Path};

const DOCS: &str = "docs/measurements";

fn measure(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_deepfeeling"));
    command.arg("measure").args(args);
    command
}

#[test]
fn the_document_matches_its_data_files() {
    let matches = contains("docs/measurements.md matches its data files");
    measure(&["--check"]).assert().success().stdout(matches);
}

#[test]
fn every_table_is_a_step() {
    let steps = Steps::read(Path::new(DOCS)).unwrap().steps;
    let files = fs::read_dir(DOCS).unwrap();
    let files = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut files: Vec<_> =
        files.filter_map(|file| file.strip_suffix(".csv").map(str::to_owned)).collect();
    let mut names: Vec<_> = steps.iter().map(|step| step.name.clone()).collect();
    files.sort_unstable();
    names.sort_unstable();
    assert_eq!(files, names);
    for step in &steps {
        let columns = table(Path::new(DOCS), &step.name).unwrap().columns;
        assert!(step.by_hand.is_some() || step.columns == columns, "{}", step.name);
    }
    measure(&["--list"]).assert().success().stdout(contains("census-goals         done, takes"));
}

#[test]
fn steps_without_a_file_are_measured_once() {
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().join("figures");
    fs::create_dir(&docs).unwrap();
    let write = |name: &str, text: &str| fs::write(docs.join(name), text).unwrap();
    write(
        "steps.toml",
        "[[run]]\nname = \"list\"\ncommand = \"profiles\"\nminutes = 1\n\
         profile = \"[feeling]\\ntaste = 20\\n\"\n\
         [[run]]\nname = \"other\"\ncommand = \"census {data}/x.pgn\"\nneeds = [\"x.pgn\"]\n\
         minutes = 200\n\
         [[step]]\nname = \"count\"\ncolumns = [\"profiles\"]\n\
         [[step.row]]\ncells = [\"{list:/#}\"]\n\
         [[step]]\nname = \"census\"\ncolumns = [\"positions\"]\n\
         [[step.row]]\ncells = [\"{other:/positions}\"]\n\
         [[step]]\nname = \"speed\"\nby_hand = \"needs a clock\"\n",
    );
    write("template.md", "# Figures\n\n{{table count}}\n");
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (docs_path, data, work) = (path("figures"), path("data"), path("work"));
    let fixed = ["--docs", &docs_path, "--data", &data, "--work", &work];
    let run = |args: &[&str]| measure(&[&fixed[..], args].concat()).assert();
    run(&["--list"]).success().stdout(contains(
        "x.pgn is missing, takes about 3 h\nspeed                by hand: needs a clock",
    ));
    run(&["--check"]).code(2).stderr(contains("figures.md"));
    run(&[]).success().stdout(contains("count: measured\ncensus: skipped: "));
    let document = fs::read_to_string(path("figures.md")).unwrap();
    assert_eq!(document, "# Figures\n\n| profiles |\n|---|\n| 14 |\n");
    run(&["--check"]).success();
    let profile = fs::read_to_string(Path::new(&work).join("list.toml")).unwrap();
    assert_eq!(profile, "[feeling]\ntaste = 20\n");
    // a complete file is kept, an incomplete one is measured again from the stored result
    write("count.csv", "profiles\n15\n");
    run(&["--only", "count"]).success().stdout(contains("count: done"));
    run(&["--check"]).success();
    write("count.csv", "profiles\n");
    run(&["--only", "count"]).success().stdout(contains("count: measured"));
    assert_eq!(fs::read_to_string(docs.join("count.csv")).unwrap(), "profiles\n14\n");
    fs::write(path("figures.md"), document.replace("14", "11")).unwrap();
    run(&["--check"]).code(2).stderr(contains("line 5: found `| 11 |`, expected `| 14 |`"));
    run(&["--only", "cuont"]).code(2).stderr(contains("did you mean `count`?"));
}
