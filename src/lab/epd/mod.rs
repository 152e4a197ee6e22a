//! EPD suites: positions with a known answer. Reading them, and how the engine does on them.
//! <https://www.chessprogramming.org/Test-Positions>

mod entry;
pub mod record;
pub mod report;
pub mod run;
pub mod summary;

use crate::{profile::error::one_line, support::compressed};
use record::Record;
use std::{io::ErrorKind, path::Path};

/// The most text that is read of one suite, in bytes; a suite is a thousand times smaller.
const LARGEST: u64 = 256 << 20;
/// How many of the lines that are wrong a suite remembers.
const EXAMPLES: usize = 10;
/// The longest complaint about a line, in characters.
const COMPLAINT: usize = 200;

/// The positions of one file, at least one.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The path it came from.
    pub name: String,
    pub records: Vec<Record>,
    /// Lines that ask for nothing that can be scored.
    pub unscored: usize,
    /// Lines that are wrong.
    pub broken: usize,
    /// The first ten of these.
    pub examples: Vec<BrokenLine>,
}

/// A line that was skipped, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {complaint}")]
pub struct BrokenLine {
    /// From 1.
    pub line: usize,
    pub complaint: String,
}

/// A file that is no suite.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SuiteError {
    #[error("{0}: cannot be read: {1}")]
    Unreadable(String, String),
    #[error("{0}: is too large for a suite, allowed: {LARGEST} bytes of text")]
    TooLarge(String),
    #[error("{0}: no position to score ({1}); expected lines such as `{EXAMPLE}`")]
    Empty(String, String),
}

const EXAMPLE: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#; id \"back rank\";";

impl Suite {
    /// Reads the suite at `path`, which may be compressed.
    ///
    /// # Errors
    /// If the file cannot be read, or holds no position that can be scored.
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

    /// Reads the suite in `text`, which messages call `name`. Empty lines and such as begin with
    /// `#` are no part of it.
    ///
    /// # Errors
    /// If it holds no position that can be scored.
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
        match Record::parse(text, line) {
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

    /// How many lines are not among the records, in words.
    pub fn left_out(&self) -> String {
        let (broken, unscored) = (self.broken, self.unscored);
        format!("broken lines: {broken}, lines without bm, am, dm or points: {unscored}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_counts_what_it_leaves_out() {
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
    fn complaints_are_ten_and_short() {
        let text =
            format!("{}6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#;", "x\u{1b}".repeat(999) + "\n");
        let suite = Suite::from_text(&text, "test").unwrap();
        assert!(suite.examples[0].to_string().chars().count() < 2 * COMPLAINT);
        let rubbish = "rubbish\n".repeat(50) + "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8#;";
        let suite = Suite::from_text(&rubbish, "test").unwrap();
        assert_eq!((suite.broken, suite.examples.len()), (50, EXAMPLES));
    }

    #[test]
    fn nothing_to_score_is_refused() {
        let error = Suite::from_text("rubbish", "x.epd").unwrap_err().to_string();
        assert!(error.starts_with("x.epd: no position to score (broken lines: 1, "), "{error}");
        assert!(error.contains("line 1: found 1 of the 4 fields"), "{error}");
    }
}
