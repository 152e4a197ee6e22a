//! Ctrl-C as a wish to stop, for commands that keep what they have done.

use crate::search::Signals;
use anyhow::Context;
use std::{
    io::{self, Write},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

/// What a shell tells of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// Calls `stop` at the first Ctrl-C, or request to end. The second one ends the program: not all work
/// can be broken off in the middle.
pub(super) fn hear(stop: impl Fn() + Send + 'static) -> anyhow::Result<()> {
    let mut is_heard = false;
    #[allow(clippy::exit, reason = "not all work looks at the wish to stop")]
    let handler = move || {
        if std::mem::replace(&mut is_heard, true) {
            std::process::exit(INTERRUPTED);
        }
        // nobody reads it: no reason not to stop
        let _ = writeln!(io::stderr(), "stopping; once more ends at once, and keeps nothing");
        stop();
    };
    ctrlc::set_handler(handler).context("Ctrl-C cannot be heard")
}

/// A flag that is raised then.
pub(super) fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    hear(move || raised.store(true, Relaxed))?;
    Ok(flag)
}

/// Signals of a search that is told to stop then.
pub(super) fn signals() -> anyhow::Result<Arc<Signals>> {
    let signals = Arc::new(Signals::default());
    let stopper = Arc::clone(&signals);
    hear(move || stopper.stop.store(true, Relaxed))?;
    Ok(signals)
}
