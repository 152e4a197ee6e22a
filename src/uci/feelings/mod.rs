//! Records the feelings and the result of each search as JSON lines in a file.
//!
//! Each search appends one object on one line with a single write. Engines may therefore share a
//! file, and only the last line can be incomplete for a reader.
//! `docs/feelings-file.md` describes its keys. New keys may be added without changing the version.
//! Renaming or removing a key changes it.

mod file;
mod notes;
mod record;

pub use file::{FeelingsFile, json_line};
pub use notes::{Notes, SearchRecord};
pub use record::{FeelingsRecord, FeelingsRecordError};
