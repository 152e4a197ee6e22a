//! EPD test suites: reads positions with known answers and scores the engine on them.
//! <https://www.chessprogramming.org/Test-Positions>

mod entry;
pub mod record;
pub mod report;
pub mod run;
pub mod summary;

use crate::{lab::BrokenLine, profile::error::one_line, support::compressed};
use record::EpdRecord;
use std::{io::ErrorKind, path::Path};

/// The maximum size of a suite's text in bytes. Real suites are about a thousand times smaller.
const LARGEST: u64 = 256 << 20;
/// The number of broken lines that a suite keeps as examples.
const EXAMPLES: usize = 10;
/// The maximum length of the complaint about a line, in characters.
const COMPLAINT: usize = 200;

/// The positions of one file. There is at least one.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The path of the file.
    pub name: String,
    pub records: Vec<EpdRecord>,
    /// The number of valid lines without anything to score.
    pub unscored: usize,
    /// The number of broken lines.
    pub broken: usize,
    /// The first ten broken lines.
    pub examples: Vec<BrokenLine>,
}

/// The reason why a file cannot be used as a suite.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SuiteError {
    #[error("{0}: cannot be read: {1}")]
    Unreadable(String, String),
    #[error("{0}: too large for a suite, allowed: {LARGEST} bytes of text")]
    TooLarge(String),
    #[error("{0}: no position to score ({1}); expected lines such as `{EXAMPLE}`")]
    Empty(String, String),
}

const EXAMPLE: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"back rank\";";

impl Suite {
    /// Reads the suite at `path`, which may be compressed.
    ///
    /// # Errors
    /// If the file cannot be read or has no position that can be scored.
    pub fn from_file(path: &Path) -> Result<Self, SuiteError> {
        let name = one_line(&path.display().to_string());
        match compressed::read(path, LARGEST) {
            // the names in old suites are not always UTF-8
            Ok(bytes) => Self::from_text(&String::from_utf8_lossy(&bytes), &name),
            Err(error) if error.kind() == ErrorKind::FileTooLarge => {
                Err(SuiteError::TooLarge(name))
            }
            Err(error) => Err(SuiteError::Unreadable(name, error.to_string())),
        }
    }

    /// Reads a suite from `text`. Messages refer to it as `name`.
    ///
    /// Empty lines and lines that begin with `#` are ignored.
    ///
    /// # Errors
    /// If there is no position that can be scored.
    pub fn from_text(text: &str, name: &str) -> Result<Self, SuiteError> {
        let (name, records, examples) = (name.to_owned(), Vec::new(), Vec::new());
        let mut suite = Self { name, records, unscored: 0, broken: 0, examples };
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                suite.add(line, index + 1);
            }
        }
        if suite.records.is_empty() {
            let first =
                suite.examples.first().map_or_else(String::new, |e| format!("; the first is {e}"));
            let left_out = suite.left_out() + &first;
            return Err(SuiteError::Empty(suite.name, left_out));
        }
        Ok(suite)
    }

    fn add(&mut self, text: &str, line: usize) {
        match EpdRecord::parse(text, line) {
            Ok(Some(record)) => self.records.push(record),
            Ok(None) => self.unscored += 1,
            Err(complaint) => {
                self.broken += 1;
                if self.examples.len() < EXAMPLES {
                    let complaint: String = complaint.chars().take(COMPLAINT).collect();
                    self.examples.push(BrokenLine { line, complaint: one_line(&complaint) });
                }
            }
        }
    }

    /// Returns a description of how many lines were skipped.
    pub fn left_out(&self) -> String {
        let (broken, unscored) = (self.broken, self.unscored);
        format!("broken lines: {broken}, lines without bm, am, dm or points: {unscored}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_counts_skipped_lines() {
        let text = "\u{feff}# comment\r\n\n\
                    6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#;\r\n\
                    6k1/5ppp/8/8/8/8/8/K2R4 w - - id \"nothing asked\";\n\
                    6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd9;\nrubbish\n";
        let suite = Suite::from_text(text, "test").unwrap();
        assert_eq!((suite.records.len(), suite.unscored, suite.broken), (1, 1, 2));
        assert_eq!(suite.records[0].line, 3);
        assert_eq!([5, 6], [suite.examples[0].line, suite.examples[1].line]);
    }

    #[test]
    fn at_most_ten_short_complaints_are_kept() {
        let text =
            format!("{}6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#;", "x\u{1b}".repeat(999) + "\n");
        let suite = Suite::from_text(&text, "test").unwrap();
        assert!(suite.examples[0].to_string().chars().count() < 2 * COMPLAINT);
        let rubbish = "rubbish\n".repeat(50) + "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#;";
        let suite = Suite::from_text(&rubbish, "test").unwrap();
        assert_eq!((suite.broken, suite.examples.len()), (50, EXAMPLES));
    }

    #[test]
    fn a_suite_without_scorable_positions_is_rejected() {
        let error = Suite::from_text("rubbish", "x.epd").unwrap_err().to_string();
        assert!(error.starts_with("x.epd: no position to score (broken lines: 1, "), "{error}");
        assert!(error.contains("line 1: found 1 of the 4 fields"), "{error}");
    }
}
