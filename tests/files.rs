//! Files that commands read and write: full disks, devices, pipes, folders and compressed files.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use assert_cmd::Command;
use predicates::prelude::*;
use std::{fs, path::Path};

const BINARY: &str = env!("CARGO_BIN_EXE_deepfeeling");

/// Like a full disk: no file grows beyond 512 or 1024 bytes, depending on the shell.
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
fn a_full_disk_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let [picture, page] = ["map.svg", "deepfeeling.1"].map(|name| folder.path().join(name));
    fs::write(&picture, "<svg old").unwrap();
    fs::write(&page, "old page").unwrap();
    let (folder_name, name) = (folder.path().to_str().unwrap(), picture.to_str().unwrap());
    for (arguments, named) in [
        (["map", "default", "--svg", name].as_slice(), name),
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
fn a_picture_goes_to_standard_output_too() {
    let mut command = Command::new(BINARY);
    let told = command.args(["map", "default", "--svg", "/dev/stdout", "--dot"]).assert().success();
    let text = String::from_utf8(told.get_output().stdout.clone()).unwrap();
    assert!(text.contains("</svg>") && text.contains("digraph map {"), "{text}");
}
