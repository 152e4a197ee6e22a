//! CSV and EPD rows of training data, and tables of measurements.
#![no_main]

use deepfeeling::lab::{measure::Table, tune::row::RowFormat};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(table) = Table::parse(text) {
        let again = Table::parse(&table.csv()).expect("a written table is valid");
        assert_eq!(again.csv(), table.csv());
        let _ = table.markdown();
    }
    for name in ["data.csv", "data.epd"] {
        let first = text.lines().next().unwrap_or_default();
        let Ok((format, _)) = RowFormat::detect(name, first) else { continue };
        for line in text.lines() {
            let _ = format.row(line);
        }
    }
});
