//! The events that the reader and the search thread send to the session.

use super::feelings::Notes;
use crate::{
    player::Engine,
    search::{SearchResult, root::moment::Moment},
};
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
        /// When the move may be reported. Immediately if absent.
        due: Option<Moment>,
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

/// The result of a job.
pub(super) enum JobEnd {
    /// The outcome, unless there is no legal move, and the notes for the feelings file.
    Searched(Option<SearchResult>, Option<Box<Notes>>),
    /// A perft or bench has printed its output.
    Counted,
    /// Nothing was searched, because the position was refused.
    Refused,
}
