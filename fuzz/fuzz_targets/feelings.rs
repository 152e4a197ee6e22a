//! Lines of a feelings file, as `serve --follow` reads them.
#![no_main]

use deepfeeling::uci::feelings::FeelingsRecord;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for line in text.lines() {
        let _ = FeelingsRecord::parse(line);
    }
});
