//! Why a profile was refused: file, line, key, what was found, what is allowed; always one line.

use crate::support::spelling::nearest;
use std::fmt::Write;

/// The longest piece of a profile that a message repeats, in characters.
const SHOWN: usize = 60;
/// Up to so many names are listed in a message; more would only hide what it says.
const LISTED: usize = 40;

/// Why a profile was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// No built-in profile has this name.
    #[error("{0}")]
    Unknown(String),
    /// The file as a whole cannot be used.
    #[error("{file}: {reason}")]
    Unreadable { file: String, reason: String },
    /// The text breaks the rules of TOML.
    #[error("{file}:{line}: {reason}")]
    NotToml { file: String, line: usize, reason: String },
    /// The text is TOML, but what stands at `key` is not for a profile.
    #[error("{file}:{line}: {key}: {reason}")]
    Refused { file: String, line: usize, key: String, reason: String },
}

/// Says that `found` is no `kind`, which ones there are, and which was probably meant. Where there
/// are many, it only says where they stand: the one long list of names is that of the weights.
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

/// `text` on one line, without control characters, and not too long.
pub(super) fn shown(text: &str) -> String {
    let mut line: String = text.chars().take(SHOWN).flat_map(plain).collect();
    if text.chars().nth(SHOWN).is_some() {
        line.push('…');
    }
    line
}

/// `text` on one line and without control characters, however long.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().flat_map(plain).collect()
}

/// A control character or a line break as its escape; anything else as it is.
fn plain(c: char) -> impl Iterator<Item = char> {
    let breaks = c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let escaped = breaks.then(|| c.escape_unicode());
    escaped.into_iter().flatten().chain((!breaks).then_some(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_names_are_listed_and_many_are_pointed_to() {
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
