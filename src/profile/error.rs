//! Why a profile was refused: file, line, key, what was found, what is allowed; always one line.

use std::fmt::Write;

/// The longest piece of a profile that a message repeats, in characters.
const SHOWN: usize = 60;

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

/// Says that `found` is no `kind`, which ones there are, and which was probably meant.
pub(super) fn unknown(kind: &str, found: &str, allowed: &[&str]) -> String {
    let mut text = format!("unknown {kind} `{}` ({kind}s: {})", shown(found), allowed.join(", "));
    if let Some(name) = nearest(found, allowed) {
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
pub(super) fn one_line(text: &str) -> String {
    text.chars().flat_map(plain).collect()
}

/// A control character or a line break as its escape; anything else as it is.
fn plain(c: char) -> impl Iterator<Item = char> {
    let breaks = c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let escaped = breaks.then(|| c.escape_unicode());
    escaped.into_iter().flatten().chain((!breaks).then_some(c))
}

/// The name in `allowed` that takes fewest slips of the pen to write as `found`, if at most every
/// second letter is a slip. Capitals are no slip.
fn nearest<'a>(found: &str, allowed: &[&'a str]) -> Option<&'a str> {
    let found: Vec<char> = found.chars().take(SHOWN).flat_map(char::to_lowercase).collect();
    let near = |name: &&str| {
        let name: Vec<char> = name.chars().collect();
        let slips = slips(&found, &name);
        (2 * slips <= found.len().max(name.len())).then_some(slips)
    };
    allowed
        .iter()
        .filter_map(|&name| near(&name).map(|slips| (slips, name)))
        .min_by_key(|&(slips, _)| slips)
        .map(|(_, name)| name)
}

/// How many letters must be changed, left out, put in or swapped with their neighbour to make one
/// word of the other: Damerau and Levenshtein's distance, restricted to swaps of whole neighbours.
fn slips(from: &[char], to: &[char]) -> usize {
    let mut older: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=to.len()).collect();
    let mut before = None;
    for (i, &a) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        let mut left = i + 1;
        let mut previous = None;
        for (j, (&b, cells)) in to.iter().zip(above.windows(2)).enumerate() {
            let &[corner, over] = cells else { break };
            let mut cell = (corner + usize::from(a != b)).min(over + 1).min(left + 1);
            if previous == Some(a) && before == Some(b) {
                let swapped = j.checked_sub(1).and_then(|j| older.get(j));
                cell = swapped.map_or(cell, |s| cell.min(s + 1));
            }
            row.push(cell);
            left = cell;
            previous = Some(b);
        }
        older = std::mem::replace(&mut above, row);
        before = Some(a);
    }
    above.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(from: &str, to: &str) -> usize {
        slips(&from.chars().collect::<Vec<_>>(), &to.chars().collect::<Vec<_>>())
    }

    #[test]
    fn slips_are_counted_as_a_typist_would() {
        for (from, to, expected) in [
            ("", "", 0),
            ("", "fear", 4),
            ("fear", "", 4),
            ("relief", "relief", 0),
            ("relif", "relief", 1),
            ("releif", "relief", 1),
            ("reliev", "relief", 1),
            ("ab", "ba", 1),
            ("kitten", "sitting", 3),
            ("flee_check", "escape_check", 5),
        ] {
            assert_eq!(distance(from, to), expected, "{from} to {to}");
            assert_eq!(distance(to, from), expected, "{to} to {from}");
        }
    }

    #[test]
    fn the_nearest_name_is_suggested_if_it_is_near() {
        let names = ["material", "mobility", "own_king", "other_king"];
        assert_eq!(nearest("own_knig", &names), Some("own_king"));
        assert_eq!(nearest("Material", &names), Some("material"));
        assert_eq!(nearest("tempo", &names), None);
        assert_eq!(nearest("", &names), None);
        assert_eq!(nearest(&"x".repeat(100_000), &names), None);
    }

    #[test]
    fn a_message_stays_on_one_line() {
        let text = unknown("key", "a\nb\t\u{2028}c", &["ab"]);
        assert_eq!(text, r"unknown key `a\u{a}b\u{9}\u{2028}c` (keys: ab)");
        assert_eq!(shown(&"é".repeat(70)).chars().count(), SHOWN + 1);
    }
}
