//! The events that the reader and the search thread send to the session.

use super::search_thread::JobEnd;
use crate::{player::Engine, search::root::time::Moment};
use std::io;

/// An event that the session handles.
pub(super) enum Event {
    Line(InputLine),
    /// A line longer than `allowed` bytes was skipped.
    TooLong {
        allowed: usize,
    },
    /// The input has ended.
    EndOfInput,
    /// The result of a job, and the first error in writing its output. [`Event::Returned`] follows.
    Finished {
        end: JobEnd,
        written: io::Result<()>,
    },
    /// The engine, returned after all search threads have ended.
    Returned(Box<Engine>),
}

/// A line of input.
pub(super) struct InputLine {
    pub(super) text: String,
    /// When the line was read. A clock started by this line runs from here.
    pub(super) read: Moment,
}
