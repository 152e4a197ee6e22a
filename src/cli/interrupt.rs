//! Ctrl-C as a wish to stop, for commands that keep what they have done.

use anyhow::Context;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
};

/// Calls `stop` at the first Ctrl-C, or request to end.
pub(super) fn hear(stop: impl FnMut() + Send + 'static) -> anyhow::Result<()> {
    ctrlc::set_handler(stop).context("Ctrl-C cannot be heard")
}

/// A flag that [`hear`] raises.
pub(super) fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    hear(move || raised.store(true, Relaxed))?;
    Ok(flag)
}
