//! All integration tests in one binary, because linking each of them apart takes long.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod horses;
mod tilt;
