//! A request that was refused: with which status, of what, what was found, and what is allowed.

use hyper::StatusCode;
use std::fmt::{self, Display};

/// Told as JSON, `{"error": "…"}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub status: StatusCode,
    why: String,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, what: &str, found: &str, allowed: &str) -> Self {
        Self::plain(status, format_args!("{what}: found {} (allowed: {allowed})", quoted(found)))
    }

    /// With a reason in other words.
    pub(super) fn plain(status: StatusCode, why: impl Display) -> Self {
        Self { status, why: why.to_string() }
    }

    /// Nothing that can be asked for now.
    pub(super) fn bad(what: &str, found: &str, allowed: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, what, found, allowed)
    }
}

impl Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

/// `text` in quotes and at most 60 characters of it, or the word "nothing".
fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    let plain: String = text.chars().filter(|c| !c.is_control()).collect();
    match plain.char_indices().nth(LONGEST) {
        None if plain.is_empty() => "nothing".into(),
        None => format!("`{plain}`"),
        Some((cut, _)) => format!("`{}…`", &plain[..cut]),
    }
}
