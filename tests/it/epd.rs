//! Tests of EPD suites: parsing, the judging of answers and the output of `epd`.
//!
//! No assertion depends on the clock. The engine must only find mates and a hanging queen.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use assert_cmd::Command;
use deepfeeling::{
    chess::score::Score,
    lab::epd::{
        Suite,
        record::EpdRecord,
        run::{self, Answer, Emotions, EpdOptions, EpdTrial},
        summary::EpdSummary,
    },
    player::Options,
    profile::Profile,
    search::{Signals, root::limits::Limits},
};
use predicates::prelude::*;
use regex_lite::Regex;
use serde_json::Value;
use std::{fs, path::PathBuf, sync::atomic::Ordering};
use tempfile::TempDir;

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - -";
const HANGING_QUEEN: &str = "4k3/8/8/3q4/4P3/8/8/4K3 w - -";
/// Black must step to g8, where the rook mates.
const DOOMED: &str = "7k/8/6K1/8/8/8/8/R7 b - -";
const PROMOTION: &str = "8/P7/8/8/8/8/8/K1k5 w - -";

/// Two positions that any engine solves, one that none can, a broken line and one without a task.
fn small_suite() -> String {
    format!(
        "{BACK_RANK} dm 1; id \"mate, in one\";\n\
         # a comment\n\
         {HANGING_QUEEN} bm exd5; c0 \"exd5=10, Kf2=3\";\n\
         {HANGING_QUEEN} am exd5; id \"wrong on purpose\"; c7 \"Kf2 exd5\"; c8 \"8 2\";\n\
         {HANGING_QUEEN} id \"asks for nothing\";\n\
         {HANGING_QUEEN} bm Nf3;\n"
    )
}

fn record(operations: &str) -> Result<Option<EpdRecord>, String> {
    EpdRecord::parse(operations, 1)
}

/// Returns whether playing `san` with `score` solves `line`, and the points it gets.
fn judge(line: &str, san: &str, score: Score) -> (bool, Option<u32>) {
    let record = record(line).unwrap().unwrap();
    let m = san.parse::<shakmaty::san::SanPlus>().unwrap().san.to_move(&record.game.chess).unwrap();
    let verdict = record.judge(m, score);
    (verdict.solved, verdict.points)
}

#[test]
fn best_moves_and_moves_to_avoid() {
    let solved = |operations: &str, san| {
        judge(&format!("{HANGING_QUEEN} {operations}"), san, Score::DRAW) == (true, None)
    };
    assert!(solved("bm exd5;", "exd5") && !solved("bm exd5;", "e5"));
    assert!(solved("bm e5 exd5!", "exd5") && solved("bm e5, e4d5;", "exd5"));
    assert!(solved("am e5;", "exd5") && !solved("am e5 Kf2;", "Kf2"));
    assert!(solved("bm exd5 e5; am e5;", "exd5") && !solved("bm exd5 e5; am e5;", "e5"));
}

#[test]
fn a_mate_must_be_short_enough_and_for_the_right_side() {
    let solved = |position: &str, mate: i32, san, score| {
        judge(&format!("{position} dm {mate};"), san, score).0
    };
    assert!(solved(BACK_RANK, 1, "Rd8#", Score::mate_in(1)));
    assert!(!solved(BACK_RANK, 1, "Rd8#", Score::mate_in(3)));
    assert!(solved(BACK_RANK, 2, "Ka2", Score::mate_in(3)));
    assert!(!solved(BACK_RANK, 2, "Rd8#", Score::cp(900)));
    assert!(!solved(BACK_RANK, 2, "Ka2", Score::mated_in(2)));
    assert!(solved(DOOMED, -1, "Kg8", Score::mated_in(2)));
    assert!(!solved(DOOMED, -1, "Kg8", Score::mated_in(4)));
    assert!(solved(DOOMED, -3, "Kg8", Score::mated_in(4)));
    assert!(!solved(DOOMED, -1, "Kg8", Score::mate_in(1)));
}

#[test]
fn a_required_mate_overrides_the_best_move() {
    let line = format!("{BACK_RANK} bm Rd8#; dm 1;");
    assert_eq!(judge(&line, "Rd8#", Score::cp(900)), (false, None));
    assert_eq!(judge(&line, "Ka2", Score::mate_in(1)), (true, None));
}

#[test]
fn both_notations_of_points_are_read() {
    for style in [
        r#"c0 "exd5=10, e5=2""#,
        r#"c0 "exd5=10 e5=2";"#,
        r#"c0 "a comment"; c7 "exd5 e5"; c8 "10 2";"#,
        r#"c8 "10 2"; c9 "e4d5 e4e5";"#,
    ] {
        let points = |san| judge(&format!("{HANGING_QUEEN} {style}"), san, Score::DRAW);
        assert_eq!(points("exd5"), (true, Some(10)), "{style}");
        assert_eq!(points("e5"), (false, Some(2)), "{style}");
        assert_eq!(points("Kf2"), (false, Some(0)), "{style}");
    }
    let promotion = |san| judge(&format!("{PROMOTION} c0 \"a8=Q=9, a8=N=1\";"), san, Score::DRAW);
    assert_eq!(promotion("a8=Q"), (true, Some(9)));
    assert_eq!(promotion("a8=N"), (false, Some(1)));
    let best = format!("{HANGING_QUEEN} bm e5; c0 \"exd5=10, e5=2\";");
    assert_eq!(judge(&best, "e5", Score::DRAW), (true, Some(2)));
}

#[test]
fn comments_are_not_read_as_points() {
    for comment in [
        r#"c0 "J. Polgar-Berkes, Budapest 2003""#,
        r#"c0 "diff=10""#,
        r#"c0 "eval = draw, c1 diff=9""#,
        r#"c7 "exd5 e5"; c8 "good bad""#,
        r#"c8 "10 2""#,
        "acd 25; D4 197281",
    ] {
        let read = record(&format!("{HANGING_QUEEN} {comment};"));
        assert!(matches!(read, Ok(None)), "{comment}: {read:?}");
    }
}

#[test]
fn the_solution_is_reported() {
    let expected = |line: String| record(&line).unwrap().map(|record| record.expected()).unwrap();
    assert_eq!(expected(format!("{HANGING_QUEEN} bm e4d5 e5; am Kf2")), "exd5 e5 not Kf2");
    assert_eq!(expected(format!("{BACK_RANK} bm Rd8; dm 1")), "mate 1");
    assert_eq!(expected(format!("{BACK_RANK} c0 \"Rd8=5, Ka2=1\"")), "Rd8#");
}

#[test]
fn broken_lines_are_reported_with_the_reason() {
    for (line, complaint) in [
        ("rubbish".into(), "found 1 of the 4 fields"),
        ("8/8/8/8/8/8/8/8 w - - bm e4;".into(), "is illegal: "),
        ("9/8/8/8/8/8/8/8 w - - bm e4;".into(), "cannot be read"),
        (format!("{BACK_RANK} bm;"), "bm: found no move, expected e.g. `bm Nf3;`"),
        (format!("{BACK_RANK} bm Nf3;"), "bm: `Nf3` is illegal in `6k1/"),
        (format!("{BACK_RANK} am 35%;"), "am: `35%` is not a move, expected e.g. Nf3"),
        (format!("{BACK_RANK} bm Rd8; bm Ka2;"), "operation `bm` appears twice"),
        (format!("{BACK_RANK} dm 0;"), "dm: found `0`, expected the number of moves"),
        (format!("{BACK_RANK} dm 99999999999;"), "dm: found `99999999999`"),
        (format!("{BACK_RANK} id \"open; bm Rd8;"), "a quote is not closed"),
        (format!("{BACK_RANK} c0 \"Rd8=10, Rd9=2\";"), "points: `Rd9` is not a move"),
        (format!("{BACK_RANK} c0 \"Rd8=0\";"), "points: every move has 0 points"),
        (format!("{BACK_RANK} c7 \"Rd8\"; c8 \"10 2\";"), "c8: found 2 points for 1 moves"),
        ("7k/6Q1/5K2/8/8/8/8/8 b - - dm -1;".into(), "the game is over here"),
    ] {
        let error = record(&line).unwrap_err();
        assert!(error.contains(complaint), "{line}: {error}");
        assert!(!error.contains('\n'));
    }
}

fn settings(emotions: Emotions, threads: usize) -> EpdOptions {
    EpdOptions {
        profile: Profile::builtin("standard").unwrap(),
        emotions,
        options: Options { emotion_strength: 200, hash: 1, ..Options::default() },
        threads,
        limits: Limits { depth: Some(5), ..Limits::default() },
    }
}

fn trials(records: &[&EpdRecord], settings: &EpdOptions) -> Vec<Vec<Answer>> {
    let mut trials: Vec<EpdTrial> = Vec::new();
    run::run(records, settings, &Signals::default(), |trial| trials.push(trial.clone())).unwrap();
    assert!(trials.iter().enumerate().all(|(index, trial)| trial.index == index));
    trials.into_iter().map(|trial| trial.answers).collect()
}

/// The bench positions, each with a move to avoid.
fn bench_suite() -> Suite {
    let lines: Vec<String> = deepfeeling::lab::bench::POSITIONS
        .iter()
        .map(|fen| {
            let game = deepfeeling::chess::game::Game::from_fen(fen, None).unwrap();
            let m = shakmaty::Position::legal_moves(&game.chess)[0];
            let mode = shakmaty::Position::castles(&game.chess).mode();
            format!("{fen} am {};", shakmaty::uci::UciMove::from_move(m, mode))
        })
        .collect();
    Suite::from_text(&lines.join("\n"), "bench").unwrap()
}

#[test]
fn answers_do_not_depend_on_order_or_threads() {
    let suite = bench_suite();
    assert_eq!(suite.broken, 0, "{:?}", suite.examples);
    let mut records: Vec<&EpdRecord> = suite.records.iter().collect();
    let one = trials(&records, &settings(Emotions::Both, 1));
    assert_eq!(one, trials(&records, &settings(Emotions::Both, 3)));
    records.reverse();
    let mut reversed = trials(&records, &settings(Emotions::Both, 1));
    reversed.reverse();
    assert_eq!(one, reversed);
    // searching with and without emotion gives the answers of two separate runs
    let felt: Vec<_> = one.iter().map(|answers| vec![answers[0]]).collect();
    let unfelt: Vec<_> = one.iter().map(|answers| vec![answers[1]]).collect();
    reversed = trials(&records, &settings(Emotions::On, 2));
    reversed.reverse();
    assert_eq!(felt, reversed);
    reversed = trials(&records, &settings(Emotions::Off, 2));
    reversed.reverse();
    assert_eq!(unfelt, reversed);
}

#[test]
fn the_neutral_profile_changes_no_choice() {
    let suite = bench_suite();
    let records: Vec<&EpdRecord> = suite.records.iter().collect();
    let neutral = Profile::builtin("neutral").unwrap();
    let settings = EpdOptions { profile: neutral, ..settings(Emotions::Both, 2) };
    let mut summary = EpdSummary::new(Emotions::Both);
    run::run(&records, &settings, &Signals::default(), |trial| {
        summary.add(records[trial.index], trial);
    })
    .unwrap();
    let comparison = summary.comparison.unwrap();
    assert_eq!(comparison.positions, records.len() as u64);
    assert_eq!(comparison.changed + comparison.only_with + comparison.only_without, 0);
    assert_eq!(summary.totals[0].nodes, summary.totals[1].nodes);
}

#[test]
fn the_comparison_counts_changes_in_both_directions() {
    let line = format!("{HANGING_QUEEN} bm exd5; c0 \"exd5=10, e5=4\";");
    let record = record(&line).unwrap().unwrap();
    let answer = |emotion, uci: &str| {
        let uci: shakmaty::uci::UciMove = uci.parse().unwrap();
        let best = uci.to_move(&record.game.chess).unwrap();
        let verdict = record.judge(best, Score::DRAW);
        Answer { emotion, best, score: Score::DRAW, depth: 1, nodes: 7, verdict }
    };
    let mut summary = EpdSummary::new(Emotions::Both);
    for (with, without) in [("e4d5", "e4e5"), ("e4d5", "e4d5"), ("e1f2", "e4d5"), ("e1e2", "e1f2")]
    {
        let answers = vec![answer(true, with), answer(false, without)];
        summary.add(&record, &EpdTrial { index: 0, answers });
    }
    let text = summary.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines,
        [
            "solved 2 of 4 (50.0 %), points 20 of 40 (50.0 %), 28 nodes with emotion",
            "solved 2 of 4 (50.0 %), points 24 of 40 (60.0 %), 28 nodes without emotion",
            "emotion changes 3 of 4 choices: solved only with it 1, only without 1; points gained 6, \
         lost 10",
        ]
    );
}

#[test]
fn a_stop_keeps_finished_answers() {
    // the second search has no limit, so only the stop ends it
    let text = format!("{BACK_RANK} dm 1;\n{HANGING_QUEEN} dm 99;\n{BACK_RANK} dm 1;");
    let suite = Suite::from_text(&text, "test").unwrap();
    let records: Vec<&EpdRecord> = suite.records.iter().collect();
    let settings = EpdOptions { limits: Limits::default(), ..settings(Emotions::On, 1) };
    let signals = Signals::default();
    let mut done = Vec::new();
    run::run(&records, &settings, &signals, |trial| {
        done.push(trial.index);
        signals.stop.store(true, Ordering::Relaxed);
    })
    .unwrap();
    assert_eq!(done, [0]);
}

/// Creates a folder with `suite.epd` and the command that reads it.
fn command(text: &str) -> (TempDir, PathBuf, Command) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("suite.epd");
    fs::write(&path, text).unwrap();
    let mut command = Command::cargo_bin("deepfeeling").unwrap();
    command.current_dir(folder.path()).arg("epd").arg("suite.epd").args(["--depth", "4"]);
    (folder, path, command)
}

fn stdout(command: &mut Command) -> String {
    String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
}

#[test]
fn the_table_lists_each_position_and_the_totals() {
    let (_folder, _, mut command) = command(&small_suite());
    let has_line = |line: &str| {
        let line = Regex::new(&format!("(?m)^{line}")).unwrap();
        predicate::function(move |text: &str| line.is_match(text))
    };
    command
        .assert()
        .success()
        .stdout(has_line(" +1 solved +Rd8# +expected mate 1 .* mate 1 "))
        .stdout(has_line(" +2 solved +10/10 exd5 "))
        .stdout(has_line(" +3 failed +2/8 exd5 +expected not exd5 "))
        .stdout(predicate::str::contains(
            "total: solved 2 of 3 (66.7 %), points 12 of 18 (66.7 %), ",
        ))
        .stderr(predicate::str::contains("suite.epd: line 6: bm: `Nf3` is illegal"))
        .stderr(predicate::str::contains(
            "skipped: broken lines: 1, lines without bm, am, dm or points: 1",
        ));
}

#[test]
fn failed_and_quiet_list_fewer_lines() {
    let (_folder, _, mut command) = command(&small_suite());
    let failed = stdout(command.arg("--failed"));
    assert!(failed.contains("wrong on purpose") && !failed.contains("mate, in one"), "{failed}");
    assert!(failed.contains("total: solved 2 of 3"), "{failed}");
    let (_folder, _, mut command) = self::command(&small_suite());
    let quiet = stdout(command.arg("--quiet"));
    assert!(quiet.lines().all(|line| line.starts_with("total: ")), "{quiet}");
}

#[test]
fn json_holds_everything() {
    let (_folder, _, mut command) = command(&small_suite());
    let json: Value =
        serde_json::from_str(&stdout(command.args(["--json", "--emotion", "both"]))).unwrap();
    let positions = json["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 3);
    assert_eq!(positions[0]["id"], "mate, in one");
    assert_eq!(positions[0]["line"], 1);
    assert_eq!(positions[0]["answers"][0]["score"]["mate"], 1);
    assert_eq!(positions[1]["id"], Value::Null);
    assert_eq!(positions[1]["max_points"], 10);
    for answer in positions[2]["answers"].as_array().unwrap() {
        assert_eq!(answer["solved"], false);
        assert_eq!(answer["uci"], "e4d5");
        assert_eq!(answer["points"], 2);
    }
    assert_eq!(json["suites"][0]["broken"], 1);
    assert_eq!(json["suites"][0]["first_broken"][0]["line"], 6);
    assert_eq!(json["suites"][0]["unscored"], 1);
    assert_eq!(json["limits"]["depth"], 4);
    assert_eq!(json["limits"]["nodes"], Value::Null);
    assert_eq!(json["interrupted"], false);
    let totals = json["total"]["totals"].as_array().unwrap();
    assert_eq!([&totals[0]["emotion"], &totals[1]["emotion"]], [true, false]);
    assert!(totals.iter().all(|total| total["solved"] == 2 && total["points"] == 12));
    assert_eq!(json["total"]["comparison"]["positions"], 3);
}

/// Splits a CSV line into its fields.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().unwrap().push(c),
        }
    }
    fields
}

#[test]
fn csv_output_parses_and_is_repeatable() {
    let csv = || {
        let (_folder, _, mut command) = command(&small_suite());
        command.arg("--csv").assert().stderr(predicate::str::contains("total: solved 2 of 3"));
        stdout(&mut command)
    };
    let text = csv();
    assert_eq!(text, csv());
    let rows: Vec<Vec<String>> = text.lines().map(fields).collect();
    assert_eq!(rows.len(), 4);
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{text}");
    let cell = |row: usize, name: &str| {
        rows[row][rows[0].iter().position(|other| other == name).unwrap()].as_str()
    };
    assert_eq!(cell(1, "id"), "mate, in one");
    assert_eq!((cell(1, "mate"), cell(1, "cp"), cell(1, "points")), ("1", "", ""));
    assert_eq!((cell(2, "move"), cell(2, "points"), cell(2, "max_points")), ("exd5", "10", "10"));
    assert_eq!((cell(3, "solved"), cell(3, "line"), cell(3, "emotion")), ("false", "4", "on"));
}

#[test]
fn compressed_suites_are_read_and_several_are_totalled() {
    let (folder, path, mut command) = command(&small_suite());
    let packed = zstd::encode_all(fs::read(&path).unwrap().as_slice(), 3).unwrap();
    fs::write(folder.path().join("packed.epd.zst"), packed).unwrap();
    let text = stdout(command.args(["packed.epd.zst", "--threads", "2", "--emotion", "off"]));
    assert!(text.contains("\npacked.epd.zst: solved 2 of 3"), "{text}");
    assert!(text.contains("\nsuite.epd: solved 2 of 3"), "{text}");
    assert!(text.contains("\ntotal: solved 4 of 6"), "{text}");
}

#[test]
fn files_without_a_suite_are_rejected() {
    let refused = |text: &str, arguments: &[&str], complaint: &str| {
        let (_folder, _, mut command) = command(text);
        let (code, complaint) = (predicate::eq(2), predicate::str::contains(complaint));
        command.args(arguments).assert().code(code).stderr(complaint).stdout("");
    };
    refused("", &[], "error: suite.epd: no position to score (broken lines: 0, ");
    refused("rubbish", &[], "; the first is line 1: found 1 of the 4 fields");
    refused(&small_suite(), &["missing.epd"], "error: missing.epd: cannot be read: ");
    refused(&small_suite(), &["."], "error: .: cannot be read: ");
    refused(&small_suite(), &["--nodes", "9"], "cannot be used with");
    refused(&small_suite(), &["--profile", "nobody"], "unknown profile `nobody`");
    refused("\u{28}", &[], "no position to score");
}

#[test]
fn limits_out_of_range_are_rejected() {
    for arguments in [
        ["--nodes", "0"],
        ["--time", "0"],
        ["--time", "nan"],
        ["--time", "1e99"],
        ["--threads", "0"],
        ["--hash", "0"],
        ["--temperament", "201"],
        ["--emotion", "maybe"],
    ] {
        let mut command = Command::cargo_bin("deepfeeling").unwrap();
        command.args(["epd", "suite.epd"]).args(arguments).assert().code(2);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_summary() {
    use std::{
        io::{BufRead, BufReader},
        process::{Command, Stdio},
    };
    // a day for the second position, so only the interrupt ends it
    let text = format!("{BACK_RANK} dm 1;\n{HANGING_QUEEN} dm 99;\n");
    let (folder, _, _) = command(&text);
    let mut child = Command::new(env!("CARGO_BIN_EXE_deepfeeling"))
        .current_dir(folder.path())
        .args(["epd", "suite.epd", "--time", "86400"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.next().unwrap().contains("solved"));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let rest: Vec<String> = lines.collect();
    assert!(child.wait().unwrap().success());
    assert!(rest[0].starts_with("total: solved 1 of 1 (100.0 %)"), "{rest:?}");
    assert_eq!(rest.last().unwrap(), "interrupted after 1 of 2 positions");
}
