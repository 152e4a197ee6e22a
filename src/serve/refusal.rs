//! The error response to a rejected request: its status, what was found, and what is allowed.

use hyper::StatusCode;
use serde::Serialize;
use std::fmt::{self, Display};

/// An error response, sent as JSON. `error` is a message for programmers. The page turns `key` and
/// `found` into a sentence for the player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refusal {
    #[serde(skip)]
    pub(super) status: StatusCode,
    error: String,
    #[serde(flatten)]
    wrong: Option<Wrong>,
}

/// A value that is not allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Wrong {
    key: String,
    found: String,
}

impl Refusal {
    /// Creates a refusal of the value `found`.
    pub(super) fn new(status: StatusCode, what: &str, found: &str, allowed: &str) -> Self {
        let error = format!("{what}: found {} (allowed: {allowed})", quoted(found));
        Self { status, error, wrong: Some(Wrong { key: what.into(), found: shortened(found) }) }
    }

    /// Creates a refusal with a free-form message.
    pub(super) fn plain(status: StatusCode, why: impl Display) -> Self {
        Self { status, error: why.to_string(), wrong: None }
    }

    /// Creates a refusal with status 400 and a free-form message.
    #[must_use]
    pub fn because(why: impl Display) -> Self {
        Self::plain(StatusCode::BAD_REQUEST, why)
    }

    /// Creates a refusal of a value with status 400: what it is, what was found, what is allowed.
    #[must_use]
    pub fn bad(what: &str, found: &str, allowed: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, what, found, allowed)
    }
}

impl Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.error)
    }
}

/// Returns `text` in quotes, or the word "nothing" if it is empty.
fn quoted(text: &str) -> String {
    let short = shortened(text);
    if short.is_empty() { "nothing".into() } else { format!("`{short}`") }
}

/// Returns at most 60 characters of `text`, without control characters.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut plain: String = text.chars().filter(|c| !c.is_control()).collect();
    if let Some((cut, _)) = plain.char_indices().nth(LONGEST) {
        plain.truncate(cut);
        plain.push('…');
    }
    plain
}
