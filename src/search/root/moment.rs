//! Reads the monotonic clock. No other file does.

use std::time::Instant;

/// A moment on the monotonic clock.
pub type Moment = Instant;

/// Returns the present moment.
#[expect(clippy::disallowed_methods, reason = "this is the one place that reads the clock")]
pub fn now() -> Moment {
    Instant::now()
}
