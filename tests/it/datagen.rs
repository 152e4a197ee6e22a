//! Tests of `datagen`: equal seeds give equal files, also after a resume, and `tune` reads them.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use assert_cmd::Command;
use deepfeeling::chess::game::Game;
use predicates::str::contains;
use shakmaty::Position;
use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

fn command(out: &Path, games: u32) -> Command {
    let mut command = Command::cargo_bin("deepfeeling").unwrap();
    command.args(["datagen", "--nodes", "200", "--games", &games.to_string(), "--out"]).arg(out);
    command
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// Plays `games` games and returns the file.
fn played(out: &Path, games: u32, args: &[&str]) -> String {
    command(out, games).args(args).assert().success().stdout(contains(format!("{games} game")));
    fs::read_to_string(out).unwrap()
}

#[test]
fn rows_are_distinct_quiet_positions() {
    let dir = folder();
    let text = played(&dir.path().join("own.csv"), 12, &[]);
    let mut seen = HashSet::new();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("fen,result,cp,game"));
    let mut games = HashSet::new();
    for line in lines {
        let [fen, result, cp, game] = *line.split(',').collect::<Vec<_>>() else {
            panic!("{line}")
        };
        let chess = Game::from_fen(fen, None).unwrap().chess;
        assert!(!chess.is_check() && !chess.legal_moves().is_empty(), "{fen}");
        assert!(["1", "0.5", "0"].contains(&result), "{line}");
        assert!(cp.parse::<i32>().unwrap().abs() <= 1500, "{line}");
        // positions that differ only in their move counters count as equal
        let fields: Vec<_> = fen.split(' ').take(4).collect();
        assert!(seen.insert(fields.join(" ")), "{line}");
        games.insert(game);
    }
    assert!(seen.len() > 100 && games.len() > 6, "{} of {}", seen.len(), games.len());
}

#[test]
fn the_file_depends_only_on_the_seed() {
    let dir = folder();
    let path = |name: &str| dir.path().join(name);
    let whole = played(&path("whole.csv"), 8, &["--seed", "5"]);
    let threads = played(&path("threads.csv"), 8, &["--seed", "5", "--threads", "3"]);
    assert_eq!(whole, threads);
    assert_ne!(whole, played(&path("other.csv"), 8, &["--seed", "6"]));
    // resumed after its end
    let grown = path("grown.csv");
    played(&grown, 3, &["--seed", "5"]);
    assert_eq!(whole, played(&grown, 8, &["--seed", "5"]));
    // resumed after it was truncated
    for cut in [0, 7, whole.len() / 3, whole.len() / 2, whole.len() - 1] {
        let path = path("cut.csv");
        fs::write(&path, &whole[..cut]).unwrap();
        assert_eq!(whole, played(&path, 8, &["--seed", "5"]), "cut at {cut}");
    }
}

#[test]
fn positions_of_searches_are_stored_on_request() {
    let dir = folder();
    let path = |name: &str| dir.path().join(name);
    let whole = played(&path("whole.csv"), 3, &["--searched", "2", "--threads", "3"]);
    assert_eq!(whole, played(&path("same.csv"), 3, &["--searched", "2"]));
    // two positions of each search are more than the quiet ones of the game
    let games = played(&path("games.csv"), 3, &[]);
    assert!(whole.lines().count() > games.lines().count());
    let mixed =
        command(&path("mixed.csv"), 1).args(["--searched", "2", "--emotion", "on"]).assert();
    mixed.code(2).stderr(contains("cannot be used with"));
    command(&path("none.csv"), 1).args(["--searched", "0"]).assert().code(2);
}

#[test]
fn games_start_from_positions_of_the_book() {
    let dir = folder();
    let book = dir.path().join("book.epd.zst");
    let line = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - id \"pawns\";\n";
    fs::write(&book, zstd::encode_all(line.as_bytes(), 3).unwrap()).unwrap();
    let text = played(&dir.path().join("own.csv"), 4, &["--book", book.to_str().unwrap()]);
    let early = text.lines().skip(1).filter(|line| line.contains(",1\n") || line.ends_with(",1"));
    assert!(early.clone().count() > 0);
    assert!(early.clone().all(|line| !line.contains(['n', 'N', 'B'])), "{text}");
}

#[test]
fn files_that_cannot_be_resumed_are_rejected_and_kept() {
    let dir = folder();
    let path = |name: &str| -> PathBuf { dir.path().join(name) };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (content, complaint) in [
        ("fen,result\n".to_string(), "allowed: `fen,result,cp,game`"),
        ("nothing of the kind".to_string(), "found `nothing"),
        (
            format!("fen,result,cp,game\n{start},2,0,1\n"),
            "line 2: expected a row `fen,result,cp,game`",
        ),
        (format!("fen,result,cp,game\n{start},1,0,2\n{start},1,0,1\n"), "not in ascending order"),
    ] {
        let file = path("bad.csv");
        fs::write(&file, &content).unwrap();
        command(&file, 1).assert().code(2).stderr(contains(complaint));
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
    }
    command(&path("own.csv.zst"), 1)
        .assert()
        .code(2)
        .stderr(contains("cannot append to a compressed file"));
    command(&path("no/such/folder.csv"), 1).assert().code(2).stderr(contains("cannot be opened"));
    let won = path("won.epd");
    fs::write(&won, "4k3/8/8/8/8/8/8/QQQQK3 w - -\n").unwrap();
    let mut unbalanced = command(&path("own.csv"), 1);
    unbalanced.args(["--plies", "0", "--book"]).arg(&won);
    unbalanced.assert().code(2).stderr(contains("no balanced opening"));
}

#[test]
fn tune_reads_the_file() {
    let dir = folder();
    let path = dir.path().join("own.csv");
    let rows = played(&path, 30, &[]).lines().count() - 1;
    let mut tune = Command::cargo_bin("deepfeeling").unwrap();
    tune.arg("tune").arg(&path).args(["--epochs", "1", "--mix", "0.5", "--k", "0.004"]);
    tune.assert().success().stderr(contains(format!("positions of {rows} rows\n")));
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_complete_games() {
    use std::{process::Stdio, thread, time::Duration};
    let dir = folder();
    let path = dir.path().join("own.csv");
    let child = std::process::Command::new(env!("CARGO_BIN_EXE_deepfeeling"))
        .args(["datagen", "--nodes", "200", "--games", "1000000", "--out"])
        .arg(&path)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let rows = || fs::read_to_string(&path).unwrap_or_default().lines().count();
    while rows() < 100 {
        thread::sleep(Duration::from_millis(5));
    }
    let kill = ["-INT", &child.id().to_string()];
    assert!(std::process::Command::new("kill").args(kill).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("the same command resumes"));
    let text = fs::read_to_string(&path).unwrap();
    let last: u32 = text.lines().last().unwrap().rsplit(',').next().unwrap().parse().unwrap();
    assert_eq!(text, played(&dir.path().join("again.csv"), last, &[]));
}
