//! What the reader and the search thread report to the session.

use super::search_thread::End;
use crate::{player::Engine, search::root::time::Moment};
use std::io;

/// Something that the session has to act upon.
pub(super) enum Event {
    Line(Line),
    /// A line of more bytes than these was skipped.
    TooLong {
        allowed: usize,
    },
    /// The input has ended.
    EndOfInput,
    /// The result of a job, and whether all its output could be written. The engine follows.
    Finished {
        end: End,
        written: io::Result<()>,
    },
    /// The engine returns from its job: all threads of the search have ended.
    Returned(Box<Engine>),
}

/// A line of input.
pub(super) struct Line {
    pub(super) text: String,
    /// When it was read: a clock that it starts has been running since then.
    pub(super) read: Moment,
}
