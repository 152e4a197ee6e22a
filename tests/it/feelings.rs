//! Tests of the UCI option `FeelingsFile` in scripted dialogues with the binary.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::dialogue::{Dialogue, count};
use assert_cmd::Command;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

fn records(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'), "{text}");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Starts an engine that writes its feelings to a file in a temporary folder.
fn followed() -> (TempDir, PathBuf, Dialogue) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("feelings.jsonl");
    let mut gui = Dialogue::start();
    gui.send(&format!("setoption name FeelingsFile value {}", path.display()));
    (dir, path, gui)
}

#[test]
fn each_search_writes_a_line_with_its_game_and_number() {
    let (_dir, path, mut gui) = followed();
    // the order of options does not matter: the file is set before the profile
    gui.send("setoption name Profile value anxious\nposition startpos moves e2e4");
    let lines = gui.search("go depth 4");
    gui.send("ucinewgame\nposition startpos");
    gui.search("go depth 3");
    gui.send("setoption name Emotion value false");
    gui.search("go depth 2");
    gui.send("quit");
    assert!(gui.end().1.success());
    let all = records(&path);
    let numbers: Vec<_> = all.iter().map(|r| (r["game"].as_u64(), r["search"].as_u64())).collect();
    assert_eq!(numbers, [(Some(1), Some(1)), (Some(2), Some(2)), (Some(2), Some(3))]);
    let first = &all[0];
    assert_eq!(
        (&first["v"], &first["depth"], &first["side"]),
        (&2.into(), &4.into(), &"black".into())
    );
    assert_eq!(first["engine"], all[2]["engine"]);
    let best = format!("bestmove {}", first["move"].as_str().unwrap());
    assert!(lines.last().unwrap().starts_with(&best), "{best} {lines:?}");
    let feeling = lines.iter().find(|line| line.starts_with("info string feeling")).unwrap();
    let goal = first["goal"].as_str().unwrap_or("none");
    assert!(feeling.contains(&format!("goal {goal}")), "{feeling}");
    assert!(all[2]["goal"].is_null() && all[2]["intensity"].is_null());
}

#[test]
fn the_file_and_feel_describe_an_appraisal_alike() {
    let (_dir, path, mut gui) = followed();
    gui.send("setoption name Profile value anxious\nposition startpos moves e2e4");
    gui.search("go depth 1");
    gui.send("setoption name Emotion value false");
    gui.search("go depth 1");
    gui.send("quit");
    assert!(gui.end().1.success());
    let [felt, off] = &records(&path)[..] else { panic!("two searches") };
    let mut feel = Command::cargo_bin("deepfeeling").unwrap();
    let feel = feel.args(["feel", "startpos", "moves", "e2e4", "--profile", "anxious", "--json"]);
    let feel: Value = serde_json::from_slice(&feel.output().unwrap().stdout).unwrap();
    let mut shared = 0;
    for (key, value) in feel.as_object().unwrap() {
        if let Some(written) = felt.get(key) {
            assert_eq!(written, value, "{key}");
            shared += usize::from(off[key].is_null());
        }
    }
    assert_eq!(shared, 12, "keys that are null without emotion");
}

#[test]
fn only_games_with_a_search_are_numbered() {
    let (_dir, path, mut gui) = followed();
    for _ in 0..3 {
        // GUIs also send `ucinewgame` before the first game, and some send it twice
        gui.send("ucinewgame\nucinewgame\nposition startpos");
        gui.search("go depth 1");
    }
    gui.send("quit");
    assert!(gui.end().1.success());
    let games: Vec<_> = records(&path).iter().map(|record| record["game"].as_u64()).collect();
    assert_eq!(games, [Some(1), Some(2), Some(3)]);
}

#[test]
fn a_record_after_an_incomplete_line_begins_on_a_new_line() {
    let (_dir, path, mut gui) = followed();
    gui.search("go depth 1");
    gui.ask("setoption name FeelingsFile value <empty>");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, &text[..text.len() / 2]).unwrap();
    gui.send(&format!("setoption name FeelingsFile value {}", path.display()));
    gui.search("go depth 1");
    gui.send("quit");
    assert!(gui.end().1.success());
    let text = fs::read_to_string(&path).unwrap();
    let whole: Vec<_> =
        text.lines().map(|line| serde_json::from_str::<Value>(line).is_ok()).collect();
    assert_eq!(whole, [false, true], "{text}");
}

#[test]
fn a_failed_ponder_search_is_marked() {
    let (_dir, path, mut gui) = followed();
    for go in ["go ponder depth 1\nstop", "go ponder depth 1\nponderhit", "go infinite\nstop"] {
        gui.search(go);
    }
    gui.send("quit");
    assert!(gui.end().1.success());
    let missed: Vec<_> = records(&path).iter().map(|record| record["missed"].as_bool()).collect();
    assert_eq!(missed, [Some(true), Some(false), Some(false)]);
}

#[test]
fn a_position_without_a_legal_move_also_writes_a_line() {
    let (_dir, path, mut gui) = followed();
    gui.send("position fen 7k/6Q1/5K2/8/8/8/8/8 b - - 0 1");
    gui.search("go depth 2");
    gui.send("setoption name FeelingsFile value <empty>");
    gui.search("go depth 2");
    gui.send("quit");
    assert!(gui.end().1.success());
    let all = records(&path);
    assert_eq!(all.len(), 1);
    assert!(all[0]["move"].is_null() && all[0]["pv"].as_array().unwrap().is_empty());
}

#[test]
fn a_write_error_is_reported_once_and_play_continues() {
    let dir = tempfile::tempdir().unwrap();
    let none = dir.path().join("no/such/folder/file");
    for path in [dir.path(), none.as_path(), Path::new("/dev/full")] {
        let mut gui = Dialogue::start();
        let lines = gui.ask(&format!("setoption name FeelingsFile value {}", path.display()));
        assert_eq!(count(&lines, "info string error: FeelingsFile `"), 1, "{lines:?}");
        for _ in 0..2 {
            let lines = gui.search("go depth 2");
            assert_eq!(count(&lines, "info string error"), 0, "{lines:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_without_a_reader_does_not_block() {
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut gui = Dialogue::start();
    let lines = gui.ask(&format!("setoption name FeelingsFile value {}", pipe.display()));
    assert_eq!(count(&lines, "info string error: FeelingsFile `"), 1, "{lines:?}");
    gui.search("go depth 2");
}
