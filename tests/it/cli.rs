//! Tests of every subcommand on valid and invalid input: its output, and its exit code 0, 1 or 2.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use assert_cmd::{Command, assert::Assert};
use deepfeeling::{doctor::setup::ChessProgram, eval::group::Group, profile::Profile};
use predicates::prelude::*;
use serde_json::{Value, json as object};
use std::{
    fs,
    io::Write,
    process::{self, Stdio},
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn run(arguments: &[&str]) -> Assert {
    Command::new(env!("CARGO_BIN_EXE_deepfeeling")).args(arguments).assert()
}

/// Returns the output of a successful run.
fn output(arguments: &[&str]) -> String {
    let assert = run(arguments).success().stderr("");
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let text = output(arguments);
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).unwrap()
}

/// Returns the error line of a run that exits with code 2 and prints nothing else.
fn error_line(arguments: &[&str]) -> String {
    let assert = run(arguments).code(2).stdout("");
    let text = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "not one line: {text}");
    assert!(text.starts_with("error: "), "{text}");
    text
}

/// Panics unless the error line contains all of `parts`.
fn assert_error(arguments: &[&str], parts: &[&str]) {
    let text = error_line(arguments);
    for part in parts {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
}

fn file(content: &str, extension: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(extension).tempfile().unwrap();
    file.write_all(content.as_bytes()).unwrap();
    file
}

#[test]
fn help_and_version() {
    let help = output(&["--help"]);
    for command in ["bench", "perft", "eval", "feel", "map", "paper", "check", "profiles", "wdl"] {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
        assert!(output(&[command, "--help"]).contains("Usage: deepfeeling"));
    }
    let version = format!("deepfeeling {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(output(&["-V"]), version);
    let long = output(&["--version"]);
    let lines = long.strip_prefix(&version).expect(&long).lines();
    let names: Vec<&str> = lines.map(|line| line.split_once(": ").unwrap().0).collect();
    assert_eq!(names, ["commit", "system", "processor features used"], "{long}");
}

#[test]
fn every_command_has_an_example_and_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let written = run(&["man", "--out", path]).success().stdout("");
    let closing = String::from_utf8(written.get_output().stderr.clone()).unwrap();
    let pages = fs::read_dir(path).unwrap().count();
    assert_eq!(closing, format!("{path}: {pages} manual pages written\n"));
    let help = output(&["--help"]);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names: Vec<&str> = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(names.len() > 20, "{help}");
    for name in names {
        let own = output(&[name, "--help"]);
        assert!(own.contains(&format!("\n  deepfeeling {name}")), "{own}");
        let page = fs::read_to_string(folder.path().join(format!("deepfeeling-{name}.1"))).unwrap();
        assert!(page.contains(".TH"), "{page}");
        assert!(output(&["completions", "bash"]).contains(name), "{name}");
    }
    assert!(output(&["man"]).contains("deepfeeling\\-bench(1)"));
    assert_error(&["man", "--out", "/no/such/folder"], &["/no/such/folder", "cannot be written"]);
    run(&["completions", "dos"]).code(2).stderr(predicate::str::contains("bash"));
}

/// Returns the `--help` text of every command.
fn helps() -> Vec<(String, String)> {
    let help = output(&["--help"]);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next())
        .filter(|name| *name != "help");
    let all: Vec<_> = names.map(|name| (name.into(), output(&["help", name]))).collect();
    assert!(all.len() > 20, "{help}");
    all
}

#[test]
fn the_output_option_has_the_same_name_everywhere() {
    let helps = helps();
    let with_out: Vec<_> = helps.iter().filter(|(_, help)| help.contains("--out")).collect();
    let names: Vec<_> = with_out.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        ["report", "annotate", "remember", "tune", "datagen", "knobs", "imitate", "man"]
    );
    for (name, help) in with_out {
        assert!(help.contains("-o, --out <") && !help.contains("--output"), "{name}: {help}");
    }
    let folder = tempfile::tempdir().unwrap();
    let (game, page) = (file("1. e4 e5 *\n", ".pgn"), folder.path().join("page.html"));
    let (game, page) = (game.path().to_str().unwrap(), page.to_str().unwrap());
    for name in ["-o", "--out", "--output"] {
        run(&["report", game, "--nodes", "10", name, page]).success();
        fs::remove_file(page).unwrap();
    }
}

#[test]
fn doctor_checks_the_machine_and_prints_setup_instructions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let text = output(&["doctor", "--folder", path]);
    for part in ["processor", "nodes per second", "guardian", path, "\nlichess-bot\n", "cmd="] {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
    let (_, setup) =
        text.split_once("\nSetup instructions (--host PROGRAM prints only one)").unwrap();
    for host in ChessProgram::ALL {
        assert!(setup.contains(&format!("\n\n{}\n  ", host.name())), "{setup}");
    }
    assert!(!text.contains("\nbad "), "{text}");
    let one = output(&["doctor", "--host", "python-chess"]);
    assert!(one.starts_with("import chess") && one.contains("/deepfeeling\")"), "{one}");
    let gui = output(&["doctor", "--host", "cutechess"]);
    assert!(gui.contains("Name: Deep Feeling") && gui.contains("View > Engine Debug"), "{gui}");
    let bot = output(&["doctor", "--host", "lichess-bot"]);
    let (_, profile) = bot.split_once("Profile: \"").unwrap();
    let choice = format!(" var {}", profile.split('"').next().unwrap());
    assert!(include_str!("../data/uci.txt").contains(&choice), "UCI announces no{choice}");
    let report = json(&["doctor", "--folder", path, "--json"]);
    assert_eq!(report["well"], true);
    let bench: Value =
        serde_json::from_str(report["setup"]["openbench"].as_str().unwrap()).unwrap();
    assert_eq!(bench["build"]["path"], "");
    run(&["doctor", "--folder", "/no/such", "--syzygy", path])
        .code(1)
        .stdout(predicate::str::contains("bad   writing"))
        .stdout(predicate::str::contains("bad   endgame tables"));
    run(&["doctor", "--host", "fritz"]).code(2).stderr(predicate::str::contains("cutechess"));
}

#[test]
fn wdl_fits_win_probabilities_to_scores_and_results() {
    let boards = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "3rk3/8/8/8/8/8/8/3RK3"];
    let mut rows = String::from("fen,result,cp\n");
    for board in boards {
        for cp in (-400..=400).step_by(50) {
            for game in 0..10 {
                let result = if 60 * game < cp + 200 {
                    "1"
                } else if 60 * (9 - game) < 200 - cp {
                    "0"
                } else {
                    "0.5"
                };
                rows.extend([format!("{board} w - - 0 {},{result},{cp}\n", game + 1)]);
            }
        }
    }
    let good = file(&rows, ".csv");
    let path = good.path().to_str().unwrap();
    let text = output(&["wdl", path, "--holdout", "0.5"]);
    for part in ["\n100 %  ", "\n0 %  ", "\nsteepness = ", "\nreserve   = "] {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
    assert!(!text.contains("const") && !text.contains('['), "{text}");
    let all = output(&["wdl", path, "--holdout", "0"]);
    let held_out: Vec<_> =
        all.lines().find(|line| line.starts_with("held out")).unwrap().split(' ').collect();
    assert_eq!(held_out.iter().filter(|word| **word == "-").count(), 3, "{all}");
    assert!(text.contains("\nheld out ") && text.contains("expected: win"), "{text}");
    let fitted = json(&["wdl", path, "--holdout", "0", "--json"]);
    let (loss, blind) = (&fitted["loss"][0], &fitted["loss_without_score"][0]);
    assert!(loss.as_f64().unwrap() < 0.7 * blind.as_f64().unwrap(), "{fitted}");
    assert_eq!(fitted["positions"], serde_json::json!([340, 0]));

    let without = file("fen,result\n4k3/8/8/8/8/8/8/4K3 w - - 0 1,1\n", ".csv");
    assert_error(&["wdl", without.path().to_str().unwrap()], &["line 2", "no score"]);
    let turned =
        file(&rows.replace(",1,", ",x,").replace(",0,", ",1,").replace(",x,", ",0,"), ".csv");
    assert_error(&["wdl", turned.path().to_str().unwrap()], &["White's point of view"]);
    assert_error(&["wdl", "/no/such.csv"], &["/no/such.csv", "cannot be read"]);
}

#[test]
fn unknown_commands_are_rejected() {
    for arguments in [&["bnech"][..], &["--depth", "3"], &["eval"], &["check"], &["perft"]] {
        run(arguments).code(2).stdout("").stderr(predicate::str::starts_with("error: "));
    }
    run(&["bnech"]).stderr(predicate::str::contains("bench"));
}

#[test]
fn the_default_command_is_uci() {
    Command::new(env!("CARGO_BIN_EXE_deepfeeling"))
        .write_stdin("uci\nquit\n")
        .assert()
        .success()
        .stdout(predicate::str::contains("\nuciok\n"));
    Command::new(env!("CARGO_BIN_EXE_deepfeeling")).write_stdin("").assert().success().stderr("");
}

#[test]
fn the_bench_prints_a_reproducible_signature() {
    let text = output(&["bench", "--depth", "3"]);
    let number = |prefix: &str| -> u64 {
        let line = text.lines().find_map(|line| line.strip_prefix(prefix));
        line.unwrap_or_else(|| panic!("no `{prefix}` in {text}")).parse().unwrap()
    };
    let (felt, neutral) = (number("Bench: "), number("Bench-neutral: "));
    let last = text.lines().last().unwrap();
    assert!(last.starts_with(&format!("{felt} nodes ")) && last.ends_with(" nps"), "{last}");

    let again = json(&["bench", "--depth", "3", "--json"]);
    assert_eq!(
        (again["nodes"].as_u64(), again["nodes_neutral"].as_u64()),
        (Some(felt), Some(neutral))
    );
    let positions = again["positions"].as_array().unwrap();
    let sum: u64 = positions.iter().map(|position| position["nodes"].as_u64().unwrap()).sum();
    assert_eq!(sum, felt);

    let off = json(&["bench", "--depth", "3", "--emotion", "off", "--json"]);
    assert_eq!(off["nodes"].as_u64(), Some(neutral));
    let old = json(&["bench", "--depth", "1", "--emotion", "false", "--json"]);
    assert_eq!(old["emotion"], false, "the former option values still work");
    let help = output(&["bench", "--help"]);
    assert!(help.contains("--emotion <on|off>") && !help.contains("true"), "{help}");
    let profile = json(&["bench", "--depth", "3", "--profile", "neutral", "--json"]);
    assert_eq!(profile["nodes"].as_u64(), Some(neutral));
}

#[test]
fn the_bench_rejects_invalid_options() {
    for arguments in [
        &["bench", "--depth", "0"][..],
        &["bench", "--depth", "101"],
        &["bench", "--depth", "deep"],
        &["bench", "--emotion", "maybe"],
        &["bench", "extra"],
    ] {
        run(arguments).code(2).stdout("").stderr(predicate::str::starts_with("error: "));
    }
    assert_error(&["bench", "--profile", "neutrl"], &["`neutrl`", "`neutral`"]);
}

#[test]
fn perft_prints_totals_and_counts_per_move() {
    let text = output(&["perft", "4", "startpos"]);
    let (moves, total) = text.split_once("\n\n").unwrap();
    assert!(total.starts_with("197281 nodes "), "{total}");
    let counts: Vec<u64> =
        moves.lines().map(|line| line.split_once(": ").unwrap().1.parse().unwrap()).collect();
    assert_eq!((counts.len(), counts.iter().sum::<u64>()), (20, 197_281));

    let divided = json(&["perft", "4", "--json"]);
    assert_eq!(divided["nodes"], 197_281);
    assert_eq!(divided["divide"]["e2e4"], 13_160);
    let after = json(&["perft", "3", "startpos", "moves", "e2e4", "--json"]);
    assert_eq!(after["nodes"], 13_160);
    let unquoted: Vec<_> = ["perft", "1"].into_iter().chain(START.split(' ')).collect();
    assert!(output(&unquoted).contains("\n20 nodes "));
}

#[test]
fn perft_writes_chess960_castling_as_king_takes_rook() {
    let fen = "1k6/8/8/8/8/8/P1P5/RK4R1 w GA - 0 1";
    let divided = json(&["perft", "1", fen, "--json"]);
    assert_eq!(divided["divide"]["b1a1"], 1);
    assert_eq!(divided["divide"]["b1g1"], 1);
}

#[test]
fn perft_suites_may_be_right_wrong_or_broken() {
    let path = |file: &tempfile::NamedTempFile| file.path().to_str().unwrap().to_owned();
    let right = file(&format!("{START} ;D1 20 ;D2 400 ;D3 8902\n\n{START} ;D9 1\n"), ".epd");
    let text = output(&["perft", "3", "--suite", &path(&right)]);
    assert!(text.starts_with("3 counts, 0 wrong, 9322 nodes "), "{text}");
    assert_eq!(json(&["perft", "2", "--json", "--suite", &path(&right)])["counts"], 2);

    let wrong = file(&format!("{START} ;D1 20 ;D2 401\n"), ".epd");
    run(&["perft", "2", "--suite", &path(&wrong)])
        .code(1)
        .stderr("")
        .stdout(predicate::str::starts_with("line 1: depth 2 gives 400, expected 401\n"));

    for (content, parts) in [
        (format!("{START} ;D1 20 ;D2\n"), ["line 1", "`D2`", "`D4 197281`"]),
        (format!("{START} ;D1 20\n8/8 ;D1 0\n"), ["line 2", "`8/8`", "expected e.g."]),
        (format!("{START} ;D1 many\n"), ["line 1", "`D1 many`", "`D4 197281`"]),
        (format!("{START}\n"), ["no count", "depth 2", "`;D4 197281`"]),
        (String::new(), ["no count", "depth 2", "`;D4 197281`"]),
    ] {
        let broken = file(&content, ".epd");
        let arguments = ["perft", "2", "--suite", &path(&broken)];
        assert_error(&arguments, &parts);
        assert_error(&arguments, &[&path(&broken)]);
    }
    assert_error(&["perft", "2", "--suite", "nowhere.epd"], &["nowhere.epd", "No such file"]);
    let binary = tempfile::NamedTempFile::new().unwrap();
    fs::write(binary.path(), [0xff, 0xfe, 0x00]).unwrap();
    assert_error(&["perft", "2", "--suite", &path(&binary)], &["cannot be read as text"]);
}

#[test]
fn perft_rejects_invalid_options() {
    for arguments in [
        &["perft", "0"][..],
        &["perft", "21"],
        &["perft", "-1"],
        &["perft", "deep"],
        &["perft", "2", "startpos", "--suite", "x.epd"],
    ] {
        run(arguments).code(2).stdout("").stderr(predicate::str::starts_with("error: "));
    }
}

#[test]
fn positions_are_read_in_every_form() {
    for command in ["eval", "feel"] {
        let start = output(&[command, "startpos"]);
        assert!(start.starts_with(START), "{start}");
        assert_eq!(output(&[command, START]), start, "in quotes");
        let unquoted: Vec<_> = [command].into_iter().chain(START.split(' ')).collect();
        assert_eq!(output(&unquoted), start, "without");
        assert_eq!(output(&[command, "startpos", "moves"]), start, "no moves");
        assert_eq!(output(&[command, &format!("{START}\n")]), start, "with a line break");
        let moved = output(&[command, "startpos", "moves", "e2e4", "e7e5"]);
        assert_eq!(output(&[command, &format!("{START} moves e2e4 e7e5")]), moved);
        let fen = moved.lines().next().unwrap();
        assert_eq!(output(&[command, fen]), moved);
        assert_eq!(output(&[command, "startpos", "moves", "1.", "e4", "e7e5!"]), moved, "in SAN");
        let bare = output(&[command, "4k3/P7/8/8/8/8/8/4K3", "moves", "a8=Q+"]);
        assert!(bare.starts_with("Q3k3/8/8/8/8/8/8/4K3 b - - 0 1\n"), "{bare}");
    }
}

#[test]
fn invalid_positions_are_rejected() {
    for command in [&["eval"][..], &["feel"], &["perft", "1"]] {
        let refuse = |words: &[&str], parts: &[&str]| {
            let arguments: Vec<_> = command.iter().chain(words).copied().collect();
            assert_error(&arguments, parts);
        };
        refuse(&["8/8/8 w - -"], &["`8/8/8 w - -`", "expected e.g.", START]);
        refuse(&["starpos"], &["`starpos`", START]);
        refuse(&["two\nlines"], &["`two lines`"]);
        refuse(&["8/8/8/8/8/8/8/K7 w - - 0 1"], &["illegal", "king"]);
        refuse(&["startpos", "moves", "e2e5"], &["`e2e5`", "illegal", START]);
        refuse(&["startpos", "moves", "knight"], &["`knight`", "e2e4"]);
        refuse(&["startpos moves e4 e5 Nf6"], &["ply 3 (move 2, White)", "`Nf6`", "`Nf3`?"]);
        refuse(
            &["r3k2r/8/8/8/8/8/8/R3K2R"],
            &["castling", "`r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1`"],
        );
    }
}

#[test]
fn a_profile_is_a_name_or_a_file() {
    for command in ["eval", "feel"] {
        for name in Profile::BUILTIN {
            let title = Profile::builtin(name).unwrap().name;
            assert!(output(&[command, "startpos", "--profile", name]).contains(&title));
        }
        let own = file("[about]\nname = \"Mine\"\n[feeling]\nfloor = 0.5\n", ".toml");
        let path = own.path().to_str().unwrap();
        assert!(output(&[command, "startpos", "--profile", path]).contains("profile Mine"));
        let refuse = |profile: &str, parts: &[&str]| {
            assert_error(&[command, "startpos", "--profile", profile], parts);
        };
        refuse("guardain", &["`guardain`", "berserker", "did you mean `guardian`"]);
        refuse("nowhere.toml", &["nowhere.toml", "No such file"]);
        let wrong = file("[feeling]\nfloor = 7\n", ".toml");
        let path = wrong.path().to_str().unwrap();
        refuse(path, &[path, ":2: feeling.floor", "7"]);
    }
}

#[test]
fn the_default_profile_is_also_found_by_its_former_name() {
    let under = |name: &str| output(&["feel", "startpos", "--profile", name]);
    assert_eq!(under("default"), under("standard"));
    let own = file("[about]\nname = \"Standard\"\nextends = \"default\"\n", ".toml");
    assert_eq!(under(own.path().to_str().unwrap()), under("standard"));
    for listed in [&["profiles"][..], &["profiles", "--json"], &["doctor"]] {
        let text = output(listed);
        let names: Vec<_> = text.split(|c: char| !c.is_alphanumeric()).collect();
        assert!(names.contains(&"standard"), "{text}");
        let recipe = text.find("test_presets").unwrap_or(text.len());
        assert!(!text[..recipe].contains("default"), "{text}");
    }
    assert_error(
        &["feel", "startpos", "--profile", "nobody"],
        &["`nobody` (profiles: standard, neutral,"],
    );
}

#[test]
fn eval_explains_a_position() {
    let table = output(&["eval", "startpos"]);
    for part in ["piece_value", "= material", "= king", "phase", "score"] {
        assert!(table.contains(part), "no {part} in {table}");
    }
    let parsed = json(&["eval", "startpos", "--json"]);
    assert_eq!(parsed["fen"], START);
    assert!(parsed["score"].is_i64() && parsed["terms"].as_array().unwrap().len() > 10);
    assert_eq!(parsed["groups"].as_array().unwrap().len(), Group::COUNT);
    let attacked = json(&["eval", "6k1/5ppp/8/7Q/8/3B4/8/6K1 w - - 0 1", "--json"]);
    let causes = attacked["king_danger"].as_array().unwrap();
    let check = causes.iter().find(|cause| cause["cause"] == "safe_check").unwrap();
    assert_eq!(check["black"]["count"], 2, "the queen can give check, and so can the bishop");
    assert_eq!(check["white"]["units"], 0);
    let article = json(&["eval", "startpos", "--profile", "paper2012", "--json"]);
    assert_eq!(article["measures"].as_array().unwrap().len(), 4);
    assert!(article["score"].is_f64());
}

#[test]
fn feel_explains_the_steps_from_board_to_factors() {
    let table = output(&["feel", "startpos"]);
    for part in ["Board", "Map", "Goal", "Factors", "king_exposure", "fixed point", "chosen:"] {
        assert!(table.contains(part), "no {part} in {table}");
    }
    let parsed = json(&["feel", "startpos", "--json"]);
    for key in ["measures", "perceived", "facts", "steps", "concepts", "ladder", "factors"] {
        assert!(!parsed[key].is_null(), "no {key} in {parsed}");
    }
    assert_eq!(parsed["side"], "white");
    let felt = parsed["intensity"].as_f64().unwrap();
    assert!((-1.0..=1.0).contains(&felt));
    assert_eq!(json(&["feel", "startpos", "moves", "e2e4", "--json"])["side"], "black");
}

#[test]
fn map_analyses_a_map() {
    let table = output(&["map"]);
    for part in ["Concepts", "drivers: material", "density 0.408", "no loops", "with 1 end: 625"] {
        assert!(table.contains(part), "no {part} in {table}");
    }
    let held = json(&["map", "standard", "--json"]);
    assert_eq!(held["contraction"]["bound"], 0.0);
    assert_eq!(held["ends"]["perceptions_by_number_of_ends"], serde_json::json!({"1": 625}));
    assert_eq!(held["links"].as_array().unwrap().len(), 20);
    let text = output(&["map", "paper2012"]);
    assert!(text.contains("king_exposure at 0") && text.contains("= 1.250\n"), "{text}");
    // the starting states are the same in every run: fear and relief get about half of them each
    let free = json(&["map", "paper2012", "--json"]);
    assert_eq!(free, json(&["map", "paper2012", "--json"]));
    let ends = free["ends"]["most_ends"]["ends"].as_array().unwrap();
    assert_eq!(ends.len(), 2);
    let relief = |i: usize| ends[i]["state"]["relief"].as_f64().unwrap();
    assert!((relief(0).abs() - 0.986_541).abs() < 1e-6 && (relief(0) + relief(1)).abs() < 1e-6);
    assert!(ends[1]["share"].as_f64().unwrap() > 0.45, "{free}");
}

#[test]
fn map_reports_what_is_proved_and_what_is_not() {
    let analysis =
        |content: &str| output(&["map", file(content, ".toml").path().to_str().unwrap()]);
    // the only loops are the self-links of mobility and king safety, of weight 0.5
    let flat = analysis("[map]\nheld = []\nactivation = { function = \"tanh\", slope = 0.5 }\n");
    assert!(flat.contains("= 0.250\n  below 1: exactly one fixed point"), "{flat}");
    assert!(flat.contains("\n   1.0000   0.000000  fixed point (neutral)"), "{flat}");
    let jumping = "[map]\nheld = [\"material\"]\nactivation = { function = \"trivalent\" }\n";
    let round = analysis(&format!(
        "{jumping}link = [{{ from = \"mobility\", to = \"mobility\", weight = \"-high\" }}]\n"
    ));
    assert!(round.contains("returns every 2 steps from material 0"), "{round}");
    assert!(round.contains("no bound: trivalent jumps") && round.contains("starts end in cycles"));
    assert!(round.contains("5 perceptions of the held concepts"), "{round}");
    let hasty = analysis("[map]\nstep_limit = 1\n");
    assert!(hasty.contains("nothing is felt\n  0 starts end in cycles, 10000 do not"), "{hasty}");
}

/// A map with every kind of link and a name that every format must escape.
const AWKWARD: &str = "[about]\nname = 'A <b> & \"c\" \\'\n[map]\nheld = [\"mobility\"]\n\
    activation = { function = \"trivalent\" }\nlink = [\n\
    { from = \"relief\", to = \"arousal\", weight = \"-medium\" },\n\
    { from = \"desirability\", to = \"desirability\", weight = \"-very-low\" },\n]\n";

#[test]
fn maps_are_drawn_for_graphviz() {
    let dot = output(&["map", "standard", "--dot"]);
    assert!(dot.starts_with("digraph map {\n") && dot.ends_with("\n}\n"), "{dot}");
    assert_eq!(dot.matches(" -> ").count(), 20);
    assert_eq!(dot.matches("style=dotted").count(), 7);
    assert_eq!(dot.matches("shape=box").count(), 4);
    let awkward = file(AWKWARD, ".toml");
    let dot = output(&["map", awkward.path().to_str().unwrap(), "--dot"]);
    assert!(dot.contains(r#"label="The map of A <b> & \"c\" \\""#), "{dot}");
    assert!(dot.contains("relief -> arousal [label=\"-0.5\", penwidth=2.25, color=\"#bc4c00\""));
    run(&["map", "--dot", "--json"]).code(2).stdout("");
}

#[test]
fn maps_are_drawn_as_svg() {
    let (awkward, folder) = (file(AWKWARD, ".toml"), tempfile::tempdir().unwrap());
    let path = folder.path().join("map.svg");
    let arguments = ["map", awkward.path().to_str().unwrap(), "--svg", path.to_str().unwrap()];
    let table = output(&arguments);
    assert!(table.contains("trivalent jumps"), "{table}");
    let svg = fs::read_to_string(&path).unwrap();
    assert_well_formed(&svg);
    assert!(
        svg.contains("<title id=\"title\">The map of A &lt;b&gt; &amp; \"c\" \\</title>"),
        "{svg}"
    );
    assert!(svg.contains("prefers-color-scheme: dark") && svg.contains("role=\"img\""));
    assert!(svg.contains("<title>relief lowers arousal by 0.5</title>"));
    assert!(svg.contains("<title>desirability lowers itself by 0.125</title>"));
    assert_eq!(svg.matches("class=\"head\"").count(), 22);
    // an existing picture is replaced, any other file is kept
    output(&arguments);
    assert_eq!(fs::read_to_string(&path).unwrap(), svg);
    let profile = arguments[1];
    assert_error(&["map", "--svg", profile], &[profile, "is not an SVG picture"]);
    assert_eq!(fs::read_to_string(profile).unwrap(), AWKWARD);
    let nowhere = folder.path().join("none/map.svg");
    assert_error(&["map", "--svg", nowhere.to_str().unwrap()], &["none/map.svg", "cannot be"]);
    assert_error(&["map", "--svg", folder.path().to_str().unwrap()], &["cannot be written"]);
}

/// Panics unless all elements of `xml` are closed in order and quotes and ampersands are paired.
fn assert_well_formed(xml: &str) {
    let mut open = Vec::new();
    let mut rest = xml;
    while let Some((text, tag)) = rest.split_once('<') {
        assert!(!text.contains('>') || open.last() == Some(&"style"), "{text}");
        assert!(text.split('&').skip(1).all(|part| part.contains(';')), "{text}");
        let (tag, after) = tag.split_once('>').unwrap();
        assert!(tag.matches('"').count() % 2 == 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap());
        }
        rest = after;
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
}

#[test]
fn maps_are_chosen_by_name_or_file() {
    assert_error(&["map", "guardain"], &["`guardain`", "did you mean `guardian`"]);
    assert_error(&["map", "nowhere.toml"], &["nowhere.toml", "No such file"]);
    let wrong = file("[map]\nrule = \"koskoo\"\n", ".toml");
    let path = wrong.path().to_str().unwrap();
    assert_error(&["map", path], &[path, ":2: map.rule", "modified-kosko"]);
}

#[test]
fn profiles_are_listed() {
    let text = output(&["profiles"]);
    let names: Vec<_> = text.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(names[1..=Profile::BUILTIN.len()], Profile::BUILTIN);
    let [head, note] = [0, names.len() - 1].map(|line| text.lines().nth(line).unwrap());
    assert!(head.contains("Elo vs neutral"), "{head}");
    for part in ["2,000 games against neutral at 10,000 nodes per move", "95 %"] {
        assert!(note.contains(part), "no `{part}` in: {note}");
    }
    // the note holds for every profile with an Elo
    for name in Profile::BUILTIN {
        let config = concat!(env!("CARGO_MANIFEST_DIR"), "/config");
        let source = fs::read_to_string(format!("{config}/{name}.toml")).unwrap();
        let is_measured = source.contains("\nelo = [");
        let conditions = "# Measured in 2,000 games against `neutral` at 10,000 nodes per move";
        assert_eq!(is_measured, source.contains(conditions), "{name}");
    }
    let parsed = json(&["profiles", "--json"]);
    for row in parsed.as_array().unwrap() {
        let profile = Profile::builtin(row["profile"].as_str().unwrap()).unwrap();
        for measured in profile.measured {
            let expected = object!({"mean": measured.mean, "error": measured.error});
            assert_eq!(row["measured"][measured.name], expected);
        }
    }
    let names: Vec<_> =
        parsed.as_array().unwrap().iter().map(|row| row["profile"].as_str().unwrap()).collect();
    assert_eq!(names, Profile::BUILTIN);
}

#[test]
fn check_accepts_valid_and_rejects_invalid_profiles() {
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/config");
    for name in Profile::BUILTIN {
        let text = output(&["check", &format!("{config}/{name}.toml")]);
        assert!(text.contains("is valid"), "{text}");
    }
    let check = |content: &str, parts: &[&str]| {
        let wrong = file(content, ".toml");
        assert_error(&["check", wrong.path().to_str().unwrap()], parts);
    };
    check("[feelings]\n", &[":1: ", "`feelings`", "did you mean `feeling`"]);
    check("[feeling]\nfloor = \n", &[":2: "]);
    check("[[goals]]\nname = \"flee_chek\"\n", &["`flee_chek`", "escape_check"]);
    // the links make the state rotate, so this map never settles
    check(
        "[map]\nactivation = { function = \"trivalent\" }\nheld = []\nlink = [\n\
         { from = \"material\", to = \"mobility\", weight = 1 },\n\
         { from = \"mobility\", to = \"material\", weight = -1 },\n\
         { from = \"mobility\", to = \"mobility\", weight = 0 },\n]\n",
        &["returns every 4 steps", "must settle"],
    );
    assert_error(&["check", "nowhere.toml"], &["nowhere.toml", "No such file"]);
    assert_error(&["check", config], &["is not a file"]);
}

#[test]
fn paper_reproduces_the_article() {
    output(&["paper"]);
}

#[test]
fn a_closed_output_pipe_is_no_error() {
    for arguments in [
        &["perft", "3"][..],
        &["eval", "startpos"],
        &["feel", "startpos", "--json"],
        &["map"],
        &["bench", "--depth", "1"],
        &["profiles"],
        &["paper"],
        &["--help"],
    ] {
        let mut child = process::Command::new(env!("CARGO_BIN_EXE_deepfeeling"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && stderr.is_empty(), "{arguments:?}: {stderr}");
    }
}
