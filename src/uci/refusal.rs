//! The error for an invalid argument of a command or option.

/// The error for an invalid argument: where it is, what was found and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: found {} (allowed: {allowed})", quoted(found))]
pub struct InvalidArgument {
    /// The command and argument, e.g. `go depth`.
    pub what: String,
    /// The invalid text. Empty if the argument is missing.
    pub found: String,
    /// The allowed values, in words.
    pub allowed: String,
}

impl InvalidArgument {
    /// Creates the error for the argument `found`.
    pub(super) fn new(what: impl Into<String>, found: &str, allowed: impl Into<String>) -> Self {
        Self { what: what.into(), found: found.into(), allowed: allowed.into() }
    }
}

/// Quotes at most 60 characters of `text`. Returns "nothing" for an empty text.
fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        None if text.is_empty() => "nothing".into(),
        None => format!("`{text}`"),
        Some((cut, _)) => format!("`{}…`", text.get(..cut).unwrap_or_default()),
    }
}
