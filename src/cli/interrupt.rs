//! Ctrl-C as a wish to stop, for commands that keep what they have done.

use anyhow::Context;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::Relaxed},
};

/// A flag that the first Ctrl-C, or a request to end, raises.
pub(super) fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    ctrlc::set_handler(move || raised.store(true, Relaxed)).context("Ctrl-C cannot be heard")?;
    Ok(flag)
}
