//! A whole UCI session. Searches are short, and no line opens or writes a file.
#![no_main]

use deepfeeling::uci;
use libfuzzer_sys::fuzz_target;
use std::io::{self, Cursor};

/// Parts of lines that open files, take much memory, or compute for long on purpose.
const REFUSED: [&str; 8] = ["file", "path", "log", "games", "bench", "perft", "eval", "value 9"];

/// Returns `line` with bounded work, or `None` if it must not be sent.
fn bounded(line: &str) -> Option<String> {
    let lower = line.to_ascii_lowercase();
    let is_large = |word: &str| word.parse::<u64>().is_ok_and(|number| number > 64);
    if REFUSED.iter().any(|part| lower.contains(part)) {
        return None;
    }
    if lower.trim_start().starts_with("setoption") && lower.split_whitespace().any(is_large) {
        return None;
    }
    if lower.trim_start().starts_with("go") {
        return Some(format!("{line} nodes 100 movetime 20\nstop"));
    }
    Some(line.to_owned())
}

fuzz_target!(|text: &str| {
    let lines: Vec<String> = text.lines().filter_map(bounded).collect();
    let input = format!("setoption name Hash value 1\n{}\nstop\nquit\n", lines.join("\n"));
    uci::converse(Cursor::new(input), io::sink()).expect("nothing can fail here");
});
