//! Single UCI commands: parsing, and the limits of `go`.
#![no_main]

use deepfeeling::{
    chess::game::Game,
    uci::{command::UciCommand, go::Go},
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for line in text.lines() {
        let _ = UciCommand::parse(line);
        if let Ok(go) = Go::parse(line) {
            let start = Game::parse("startpos", None).expect("it is valid");
            let _ = (go.limits(&start), go.is_timed(), go.is_search(), go.is_infinite());
        }
        let _ = Go::bench(line);
    }
});
