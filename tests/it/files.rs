//! Tests of reading and writing files: full disks, devices, pipes, folders and compressed files.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use assert_cmd::Command;
use predicates::prelude::*;
use std::{fs, path::Path};

const BINARY: &str = env!("CARGO_BIN_EXE_deepfeeling");

/// Creates a command that can write at most 512 or 1024 bytes per file (depending on the shell), as
/// on a full disk.
fn limited(arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"", BINARY]).args(arguments);
    command
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_full_disk_keeps_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let [picture, page] = ["map.svg", "deepfeeling.1"].map(|name| folder.path().join(name));
    fs::write(&picture, "<svg old").unwrap();
    fs::write(&page, "old page").unwrap();
    let (folder_name, name) = (folder.path().to_str().unwrap(), picture.to_str().unwrap());
    for (arguments, named) in [
        (["map", "standard", "--svg", name].as_slice(), name),
        (&["man", "--out", folder_name], "/deepfeeling-"),
    ] {
        limited(arguments)
            .assert()
            .code(2)
            .stdout("")
            .stderr(predicate::str::starts_with("error: ").and(predicate::str::contains(named)))
            .stderr(predicate::function(|text: &str| text.lines().count() == 1));
    }
    assert_eq!(fs::read_to_string(&picture).unwrap(), "<svg old");
    assert_eq!(fs::read_to_string(&page).unwrap(), "old page");
    let mut left = names(folder.path());
    left.sort();
    assert_eq!(left, ["deepfeeling.1", "map.svg"]);
}

#[test]
fn a_picture_can_be_written_to_standard_output() {
    let mut command = Command::new(BINARY);
    let message =
        command.args(["map", "standard", "--svg", "/dev/stdout", "--dot"]).assert().success();
    let text = String::from_utf8(message.get_output().stdout.clone()).unwrap();
    assert!(text.contains("</svg>") && text.contains("digraph map {"), "{text}");
}

const GAME: &str = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n\
    1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 1-0\n\n";

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// A command that runs longer than this is considered hung.
const GUARD: std::time::Duration = std::time::Duration::from_secs(100);

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command.args(arguments).timeout(GUARD);
    command
}

/// Expects exit code 2 and one line on standard error that contains all of `parts`.
fn refused(arguments: &[&str], parts: &[&str]) {
    let assert = command(arguments).assert().code(2).stdout("");
    let message = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert_eq!(message.lines().count(), 1, "{arguments:?}: {message}");
    for part in parts {
        assert!(message.contains(part), "{arguments:?}: {message}");
    }
}

fn pipe(folder: &Path) -> String {
    let path = folder.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    text(&path)
}

#[test]
fn devices_and_folders_are_rejected_as_input() {
    let folder = tempfile::tempdir().unwrap();
    let out = text(&folder.path().join("out"));
    for (wrong, kind) in [("/dev/zero", "a device"), (&text(folder.path()), "a folder")] {
        for arguments in [
            &["census", wrong][..],
            &["style", wrong],
            &["humans", wrong],
            &["annotate", wrong],
            &["report", wrong, "-o", &out],
            &["tune", wrong],
            &["wdl", wrong],
            &["epd", wrong],
            &["perft", "1", "--suite", wrong],
            &["duel", "standard", "neutral", "--book", wrong],
            &["datagen", "--out", &out, "--book", wrong],
            &["knobs", "standard", "--positions", wrong],
        ] {
            refused(arguments, &[wrong, kind]);
        }
    }
    assert!(names(folder.path()).is_empty());
}

#[test]
fn special_files_are_rejected_as_resumable_output() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.pgn");
    fs::write(&games, GAME).unwrap();
    let (games, pipe) = (text(&games), pipe(folder.path()));
    for wrong in ["/dev/zero", &pipe, &text(folder.path())] {
        for arguments in [
            &["datagen", "--out", wrong][..],
            &["duel", "standard", "neutral", "--pgn", wrong],
            &["annotate", &games, "-o", wrong],
        ] {
            refused(arguments, &[wrong, "it is not a regular file"]);
        }
    }
    refused(&["map", "--svg", &pipe], &[&pipe, "a named pipe"]);
    refused(&["report", &games, "-o", &pipe], &[&pipe, "a named pipe"]);
}

#[test]
fn games_are_read_from_standard_input() {
    let read = |stdin: Vec<u8>| {
        let mut command = command(&["census", "/dev/stdin", "--json"]);
        let assert = command.write_stdin(stdin).assert().success();
        assert.get_output().stdout.clone()
    };
    let plain = read(GAME.repeat(3).into_bytes());
    assert_eq!(read(zstd::encode_all(GAME.repeat(3).as_bytes(), 3).unwrap()), plain);
}

#[test]
fn an_interrupt_ends_waiting_for_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = pipe(folder.path());
    for arguments in
        [&["census", &pipe][..], &["tune", &pipe], &["annotate", &pipe], &["wdl", &pipe]]
    {
        let mut child = std::process::Command::new(BINARY)
            .args(arguments)
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        // opening the pipe waits until the command has opened it as well
        let writer = fs::OpenOptions::new().write(true).open(&pipe).unwrap();
        let killed = std::process::Command::new("kill").arg(child.id().to_string()).status();
        assert!(killed.unwrap().success());
        assert!(!child.wait().unwrap().success(), "{arguments:?}");
        drop(writer);
    }
}

#[test]
fn an_endgame_table_that_is_a_pipe_is_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = pipe(folder.path());
    fs::rename(&pipe, folder.path().join("KQvK.rtbw")).unwrap();
    let assert = command(&["doctor", "--syzygy", &text(folder.path())]).assert();
    let message = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    assert!(message.contains("KQvK.rtbw: it is not a file"), "{message}");
}

#[test]
fn compressed_files_are_read_by_their_content() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    let [plain, packed] = ["games.pgn", "games.pgn.gz"].map(|name| folder.path().join(name));
    fs::write(&plain, GAME).unwrap();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(GAME.as_bytes()).unwrap();
    fs::write(&packed, encoder.finish().unwrap()).unwrap();
    let annotated = |path: &Path| {
        let assert = command(&["annotate", &text(path), "--depth", "1"]).assert().success();
        assert.get_output().stdout.clone()
    };
    let written = annotated(&plain);
    assert!(String::from_utf8_lossy(&written).contains("[%eval "));
    assert_eq!(annotated(&packed), written);
}

#[test]
fn files_without_pgn_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let [games, out] = ["games.pgn", "out"].map(|name| folder.path().join(name));
    let (path, out) = (text(&games), text(&out));
    let utf16: Vec<u8> = GAME.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [&b"\xff\xfe"[..], &utf16].concat();
    for (content, complaint) in [
        (&b"only some words\n\nand more\n"[..], "found no game"),
        (b"", "found no game"),
        (&utf16, "it is UTF-16 text, allowed: UTF-8"),
        (&marked, "it is UTF-16 text, allowed: UTF-8"),
        (b"PK\x03\x04\x14\0", "it is compressed with zip, allowed: gzip, zstd"),
    ] {
        fs::write(&games, content).unwrap();
        for arguments in [
            &["annotate", &path][..],
            &["annotate", &path, "-o", &out],
            &["census", &path],
            &["style", &path],
            &["humans", &path],
            &["report", &path, "-o", &out],
        ] {
            refused(arguments, &["games.pgn", complaint]);
        }
        assert_eq!(names(folder.path()), ["games.pgn"]);
    }
}

#[test]
fn a_long_file_without_games_is_not_copied() {
    let folder = tempfile::tempdir().unwrap();
    let [games, out] = ["games.pgn", "out"].map(|name| folder.path().join(name));
    fs::File::create(&games).unwrap().set_len(40 << 20).unwrap();
    refused(&["annotate", &text(&games), "-o", &text(&out)], &["games.pgn", "found no game"]);
    assert!(!out.exists());
}

#[test]
fn an_illegal_token_is_reported_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.pgn");
    fs::write(&games, format!("{GAME}1. e4 e5\n2. Qh9 Nc6 3. Nf3 *\n")).unwrap();
    command(&["census", &text(&games)])
        .assert()
        .success()
        .stderr(predicate::str::contains("games.pgn: game 2: line 8: 2. `Qh9` is not a move"));
}
