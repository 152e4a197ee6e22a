//! Tests that the order of UCI options does not matter.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use crate::dialogue::{Dialogue, without_time};
use proptest::{prelude::*, test_runner::RngSeed};
use std::{fs, path::Path};

/// Options with two values each. `{file}` is a profile file.
const CHOICES: [(&str, [&str; 2]); 20] = [
    ("Hash", ["1", "8"]),
    ("MultiPV", ["1", "3"]),
    ("Move Overhead", ["0", "500"]),
    ("Ponder", ["false", "true"]),
    ("UCI_LimitStrength", ["false", "true"]),
    ("UCI_Elo", ["1200", "2400"]),
    ("LimitStyle", ["narrow", "human"]),
    ("HumanSeed", ["1", "7"]),
    ("HumanBook", ["false", "true"]),
    ("UCI_Chess960", ["false", "true"]),
    ("UCI_ShowWDL", ["false", "true"]),
    ("UCI_AnalyseMode", ["false", "true"]),
    ("SyzygyProbeDepth", ["1", "9"]),
    ("Syzygy50MoveRule", ["false", "true"]),
    ("KnownWeight", ["0", "200"]),
    ("KnownLeaves", ["false", "true"]),
    ("Profile", ["gambler", "anxious"]),
    ("ProfileFile", ["<empty>", "{file}"]),
    ("Emotion", ["false", "true"]),
    ("Temperament", ["50", "200"]),
];

const PROFILE: &str = "[about]\nname = \"Own\"\n[feeling]\ntaste = 40\nfear = { own = { king = 300 } }\n\
                       relief = { other = { king = 300 } }\n";

/// Returns what the engine prints about a search of 2,000 nodes after these lines. The lines from
/// `searching` on are sent during a search.
fn search_after(lines: &[String], searching: usize) -> Vec<String> {
    let mut gui = Dialogue::start();
    let (before, during) = lines.split_at(searching);
    gui.send(&before.join("\n"));
    if !during.is_empty() {
        gui.send("position startpos\ngo infinite");
        gui.until("info depth");
        gui.send(&during.join("\n"));
        gui.send("stop");
        gui.until("bestmove");
    }
    gui.send("ucinewgame\nposition startpos moves e2e4 c7c5 g1f3\ngo nodes 2000");
    let found = gui.until("bestmove");
    let about = ["info depth", "info string feeling", "bestmove"];
    let is_about_the_search = |line: &String| about.iter().any(|start| line.starts_with(start));
    without_time(&found.into_iter().filter(is_about_the_search).collect::<Vec<_>>())
}

fn lines(values: &[bool], file: &Path) -> Vec<String> {
    let line = |((name, choices), second): (&(&str, [&str; 2]), &bool)| {
        let value = choices[usize::from(*second)].replace("{file}", file.to_str().unwrap());
        format!("setoption name {name} value {value}")
    };
    CHOICES.iter().zip(values).map(line).collect()
}

fn assert_order_is_irrelevant(cases: u32) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.toml");
    fs::write(&file, PROFILE).unwrap();
    let config = ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(31),
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let values = prop::collection::vec(any::<bool>(), CHOICES.len());
    let order = Just((0..CHOICES.len()).collect::<Vec<_>>()).prop_shuffle();
    proptest!(config, |(values in values, order in order, searching in 0..=CHOICES.len())| {
        let plain = lines(&values, &file);
        let shuffled: Vec<String> = order.iter().map(|&at| plain[at].clone()).collect();
        let expected = search_after(&plain, plain.len());
        prop_assert_eq!(search_after(&shuffled, searching), expected, "{:?}", shuffled);
    });
}

#[test]
fn options_may_come_in_any_order_and_during_a_search() {
    assert_order_is_irrelevant(12);
}

#[test]
#[ignore = "takes a minute"]
fn options_may_come_in_any_order_in_a_thousand_cases() {
    assert_order_is_irrelevant(1000);
}
