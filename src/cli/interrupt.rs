//! Handles Ctrl-C for commands that stop cleanly and keep their results.

use crate::search::Signals;
use anyhow::Context;
use std::{
    io::{self, Write},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

/// The exit code of a program ended by Ctrl-C, as shells report it.
const INTERRUPTED: i32 = 130;

/// Calls `stop` on the first Ctrl-C or termination request. The second one exits the program,
/// because some work cannot be stopped midway.
///
/// # Errors
/// If there is a handler already.
pub fn on_first(stop: impl Fn() + Send + 'static) -> anyhow::Result<()> {
    let mut was_interrupted = false;
    #[allow(clippy::exit, reason = "some work does not check the stop flag")]
    let handler = move || {
        if std::mem::replace(&mut was_interrupted, true) {
            std::process::exit(INTERRUPTED);
        }
        stop();
    };
    ctrlc::set_handler(handler).context("cannot set the Ctrl-C handler")
}

/// Like [`on_first`], and says what a second Ctrl-C does.
pub(super) fn on_interrupt(stop: impl Fn() + Send + 'static) -> anyhow::Result<()> {
    on_first(move || {
        // a closed stderr must not prevent stopping
        let _ = writeln!(
            io::stderr(),
            "stopping; press Ctrl-C again to quit immediately without saving"
        );
        stop();
    })
}

/// Returns a flag that is set on the first Ctrl-C.
pub(super) fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    on_interrupt(move || raised.store(true, Relaxed))?;
    Ok(flag)
}

/// Returns search signals whose `stop` is set on the first Ctrl-C.
pub(super) fn signals() -> anyhow::Result<Arc<Signals>> {
    let signals = Arc::new(Signals::default());
    let stopper = Arc::clone(&signals);
    on_interrupt(move || stopper.stop.store(true, Relaxed))?;
    Ok(signals)
}
