//! Tests that every factor ("knob") of the shipped profiles changes a move in some position.
//!
//! In that position, setting this factor alone back to 100 % changes the move. Also tests the
//! commands that show it: `knobs` and `bench --temperaments`.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use assert_cmd::Command;
use deepfeeling::{
    chess::game::Game,
    lab::knobs::{
        Knob, MoveChooser,
        mine::{KnobFinding, Witness},
        table,
    },
    profile::Profile,
    support::threads::STACK_BYTES,
};
use predicates::str::contains;
use rayon::prelude::*;
use std::{fmt::Write as _, fs};

/// The command that regenerates `tests/data/knobs.tsv`. The first line of the file names the
/// positions it was made from, but any positions are allowed.
const MINE: &str =
    "cargo run --release -- knobs all --positions <EPD> … --out tests/data/knobs.tsv";

/// Reads the committed findings.
fn findings() -> Vec<KnobFinding> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/knobs.tsv");
    let text = fs::read_to_string(path).unwrap();
    table::read(&text).unwrap_or_else(|e| panic!("{path}: {e}; regenerate it with `{MINE}`"))
}

/// Returns a knob and its setting in the format of the file.
fn setting(finding: &KnobFinding) -> String {
    let line = finding.to_string();
    line.split('\t').take(6).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_file_lists_every_knob_of_the_shipped_profiles() {
    let mut expected = Vec::new();
    for name in Profile::BUILTIN {
        let mind = Profile::builtin(name).unwrap().mind;
        for knob in Knob::all(&mind) {
            let (profile, percent) = (name.to_owned(), knob.percent(&mind));
            expected.push(setting(&KnobFinding {
                profile,
                knob,
                percent,
                witness: Err(String::new()),
            }));
        }
    }
    let findings = findings();
    let mut found: Vec<_> = findings.iter().map(setting).collect();
    expected.sort_unstable();
    found.sort_unstable();
    let gone: Vec<_> = found.iter().filter(|one| !expected.contains(one)).collect();
    let lacking: Vec<_> = expected.iter().filter(|one| !found.contains(one)).collect();
    assert!(
        gone.is_empty() && lacking.is_empty(),
        "tests/data/knobs.tsv does not match the profiles; regenerate it with `{MINE}`\n\
         only in the file: {gone:#?}\nonly in the profiles: {lacking:#?}"
    );
    assert_eq!(found.len(), expected.len(), "a knob is listed twice in tests/data/knobs.tsv");
    let witnessed = findings.iter().filter(|finding| finding.witness.is_ok()).count();
    assert!(witnessed * 100 >= findings.len() * 97, "{witnessed} of {}", findings.len());
    for finding in &findings {
        let Err(reason) = &finding.witness else { continue };
        // all positions with this emotion were tried, or 3000 of them
        let numbers = reason.split(' ').filter_map(|word| word.parse::<u32>().ok());
        let [tried, of] = numbers.collect::<Vec<_>>()[..] else { panic!("{finding}") };
        assert!(tried > 0 && (tried == of || tried == 3000), "{finding}");
    }
}

/// Returns an error message if a finding is wrong.
fn wrong_finding(finding: &KnobFinding, witness: &Witness) -> Option<String> {
    let profile = Profile::builtin(&finding.profile).unwrap();
    let game = Game::from_fen(&witness.fen, None).unwrap();
    let mut player = MoveChooser::new(profile.clone(), witness.nodes).unwrap();
    let mut best = |profile: &Profile| player.choose(profile, &game).unwrap().best;
    let (with, without) = (best(&profile), best(&finding.knob.turned_back(&profile)));
    let by_hairs = [1, -1].map(|units| best(&profile.barely_changed(units)));
    let holds = with == witness.with
        && without == witness.without
        && with != without
        && by_hairs.iter().all(|barely_changed| *barely_changed == with);
    (!holds).then(|| {
        let (knob, fen) = (setting(finding), &witness.fen);
        format!(
            "{knob}: {fen}\n    plays {with}, without {without}, after tiny changes {by_hairs:?}; recorded {} and \
             {}",
            witness.with, witness.without
        )
    })
}

/// Replays one in `step` of the findings and panics if any is wrong.
fn replay(step: usize) {
    let findings = findings();
    let found = findings.iter().filter_map(|one| Some((one, one.witness.as_ref().ok()?)));
    let found: Vec<_> = found.step_by(step).collect();
    // a search needs more stack than a pool thread has by default
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK_BYTES).build().unwrap();
    let wrong: Vec<_> = pool.install(|| {
        found.par_iter().filter_map(|(finding, witness)| wrong_finding(finding, witness)).collect()
    });
    assert!(
        wrong.is_empty(),
        "{} of {} findings are outdated: profiles or search have changed; regenerate them with \
         `{MINE}`\n  {}",
        wrong.len(),
        found.len(),
        wrong.join("\n  ")
    );
}

#[test]
fn a_sample_of_the_found_knobs_changes_the_move() {
    replay(36);
}

#[test]
#[ignore = "a proof that takes a minute"]
fn every_found_knob_changes_the_move() {
    replay(1);
}

fn run(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("deepfeeling").unwrap();
    command.args(args);
    command
}

fn output(args: &[&str]) -> String {
    let output = run(args).assert().success().get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

#[test]
fn findings_do_not_depend_on_the_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    let [epd, profile, out] = ["a.epd", "wild.toml", "out.tsv"].map(|name| dir.path().join(name));
    let mut positions = String::new();
    for fen in deepfeeling::lab::bench::POSITIONS {
        writeln!(positions, "{fen}").unwrap();
    }
    fs::write(&epd, positions).unwrap();
    let text = "[feeling]\nfear = { own = { king = 400 } }\nrelief = { own = { mobility = 400 } }";
    fs::write(&profile, text).unwrap();
    let [epd, profile, out] = [&epd, &profile, &out].map(|path| path.to_str().unwrap());
    let args = ["knobs", profile, "--positions", epd, "--nodes", "2000"];
    let one = output(&args);
    assert_eq!(one, output(&[&args[..], &["--threads", "3"]].concat()));
    let findings = table::read(&one).unwrap();
    // three emotions: full, fear for the king, relief about mobility
    assert_eq!(findings.len(), 3 * 12, "{one}");
    let found = findings.iter().filter(|one| one.witness.is_ok()).count();
    assert!(found > 5, "{one}");
    let json = output(&[&args[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let witnessed = json.as_array().unwrap().iter().filter(|one| one["fen"].is_string()).count();
    assert_eq!((json.as_array().unwrap().len(), witnessed), (36, found));
    let table = output(&[&args[..], &["--out", out]].concat());
    assert!(table.contains("wild.toml"), "{table}");
    assert_eq!(table::read(&fs::read_to_string(out).unwrap()).unwrap(), findings);
    // a profile without emotion has no knobs
    assert_eq!(output(&["knobs", "neutral", "--positions", epd]).lines().count(), 1);
}

#[test]
fn the_matrix_distinguishes_every_temperament_from_neutral() {
    let args = ["bench", "--temperaments", "--nodes", "1000"];
    let text = output(&args);
    assert_eq!(text, output(&args));
    let json: serde_json::Value =
        serde_json::from_str(&output(&[&args[..], &["--json"]].concat())).unwrap();
    let rows = json["profiles"].as_array().unwrap();
    assert_eq!(rows.len(), Profile::BUILTIN.len());
    for (row, name) in rows.iter().zip(Profile::BUILTIN) {
        assert!(text.contains(&format!("\n{name} ")), "{text}");
        let cells = row["cells"].as_array().unwrap();
        let changed = cells.iter().filter(|cell| cell["changed"] == true).count();
        assert_eq!(
            (row["changed"].as_u64(), cells.len()),
            (Some(changed as u64), deepfeeling::lab::bench::POSITIONS.len())
        );
        assert_eq!((changed == 0, row["shift"] == 0.0), (name == "neutral", name == "neutral"));
    }
    // the last lines have a row per position and a column per profile and for the control
    let cells =
        |line: &str| -> Vec<String> { line.split_whitespace().map(str::to_owned).collect() };
    let grid: Vec<_> =
        text.lines().rev().take(deepfeeling::lab::bench::POSITIONS.len()).map(cells).collect();
    for (column, row) in rows.iter().enumerate() {
        let changed = grid.iter().filter(|line| line[column + 1].ends_with('*')).count();
        assert_eq!(row["changed"].as_u64(), Some(changed as u64), "{text}");
    }
    // the control, a tiny change of weights, changes some moves, but fewer than a temperament
    let of = |name: &str| rows.iter().find(|row| row["profile"] == name).unwrap();
    assert_ne!(json["control"]["cells"], of("neutral")["cells"]);
    let shift = |row: &serde_json::Value| row["shift"].as_f64().unwrap();
    assert!(shift(&json["control"]) < shift(of("berserker")), "{text}");
    assert!(text.contains("\n(control) "), "{text}");
}

#[test]
fn invalid_input_is_rejected_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let epd = dir.path().join("a.epd");
    fs::write(&epd, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1\n").unwrap();
    let epd = epd.to_str().unwrap();
    for (args, complaint) in [
        (&["knobs"][..], "--positions"),
        (&["knobs", "standrad", "--positions", epd], "`standard`"),
        (&["knobs", "--positions", "nowhere.epd"], "nowhere.epd: cannot be read"),
        (&["knobs", "--positions", epd, "--nodes", "0"], "--nodes"),
        (&["knobs", "--positions", epd, "--tries", "0"], "--tries"),
        (&["knobs", "--positions", epd, "--out", "/no/such/folder/x"], "/no/such/folder/x"),
        (&["bench", "--nodes", "5"], "--temperaments"),
        (&["bench", "--temperaments", "--depth", "5"], "--depth"),
        (&["bench", "--temperaments", "--profile", "miser"], "--profile"),
    ] {
        let assert = run(args).assert().code(2).stderr(contains(complaint));
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(!error.contains("panicked"), "{error}");
    }
}
