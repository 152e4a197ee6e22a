//! Profile errors: one line each, with file, line, key, what was found and what is allowed.

use crate::support::spelling::nearest;
use std::fmt::Write;

/// The longest excerpt of a profile in a message, in characters.
const SHOWN: usize = 60;
/// The largest number of allowed names that a message lists.
const LISTED: usize = 40;

/// An invalid profile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// No built-in profile has this name.
    #[error("{0}")]
    Unknown(String),
    /// The file as a whole cannot be used.
    #[error("{file}: {reason}")]
    Unreadable { file: String, reason: String },
    /// The text is not valid TOML.
    #[error("{file}:{line}: {reason}")]
    NotToml { file: String, line: usize, reason: String },
    /// The text is valid TOML, but the value of `key` is not valid in a profile.
    #[error("{file}:{line}: {key}: {reason}")]
    Refused { file: String, line: usize, key: String, reason: String },
}

/// Returns the message for an unknown name: the allowed names and the nearest one.
///
/// If there are more than 40 names, the message refers to `config/standard.toml` instead. Only the
/// features of `[weights]` are that many.
pub fn unknown(kind: &str, found: &str, allowed: &[&str]) -> String {
    let all = if allowed.len() > LISTED {
        format!("{} {kind}s, listed in config/standard.toml", allowed.len())
    } else {
        format!("{kind}s: {}", allowed.join(", "))
    };
    let mut text = format!("unknown {kind} `{}` ({all})", shown(found));
    if let Some(name) = nearest(found, allowed.iter().copied()) {
        let _ = write!(text, "; did you mean `{name}`?");
    }
    text
}

/// Escapes control characters in `text` and truncates it, so that it fits on one line.
pub(super) fn shown(text: &str) -> String {
    let mut line: String = text.chars().take(SHOWN).flat_map(plain).collect();
    if text.chars().nth(SHOWN).is_some() {
        line.push('…');
    }
    line
}

/// Escapes control characters and line breaks in `text`, without truncating it.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().flat_map(plain).collect()
}

/// Escapes a control character or line break, and leaves any other character unchanged.
fn plain(c: char) -> impl Iterator<Item = char> {
    let breaks = c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let escaped = breaks.then(|| c.escape_unicode());
    escaped.into_iter().flatten().chain((!breaks).then_some(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_of_names_are_replaced_by_a_reference() {
        let names: Vec<String> = (0..=LISTED).map(|i| format!("name_{i}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let text = unknown("key", "nmae_7", &names);
        let hint = "did you mean `name_7`?";
        assert_eq!(
            text,
            format!("unknown key `nmae_7` (41 keys, listed in config/standard.toml); {hint}")
        );
        assert!(unknown("key", "x", &names[1..]).contains("name_39, name_40)"));
    }

    #[test]
    fn a_message_stays_on_one_line() {
        let text = unknown("key", "a\nb\t\u{2028}c", &["ab"]);
        assert_eq!(text, r"unknown key `a\u{a}b\u{9}\u{2028}c` (keys: ab)");
        assert_eq!(shown(&"é".repeat(70)).chars().count(), SHOWN + 1);
    }
}
