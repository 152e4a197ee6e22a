//! Errors of notation: positions, moves, rules and records that cannot be read, on one line each.

use std::fmt;

/// The longest excerpt of what was found, in characters.
const SHOWN: usize = 40;

/// Text that is not valid notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct NotationError {
    /// Where the text is: a part of the notation, such as `score`.
    place: String,
    /// What was found there.
    found: String,
    /// What is allowed there.
    allowed: String,
    /// The allowed name nearest to what was found.
    nearest: Option<String>,
}

impl NotationError {
    /// Creates an error. `found` is a complete phrase: quote text from outside with [`shown`].
    pub fn new(
        place: impl Into<String>,
        found: impl Into<String>,
        allowed: impl Into<String>,
    ) -> Self {
        let (place, found, allowed) = (place.into(), found.into(), allowed.into());
        Self { place, found, allowed, nearest: None }
    }

    /// Adds the suggestion `nearest`, if there is one.
    #[must_use]
    pub fn with_nearest(self, nearest: Option<&str>) -> Self {
        Self { nearest: nearest.map(str::to_owned), ..self }
    }

    /// Puts `outer` in front of the place, such as the line of a file.
    #[must_use]
    pub fn within(self, outer: impl fmt::Display) -> Self {
        Self { place: format!("{outer}: {}", self.place), ..self }
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, found, allowed, nearest } = self;
        write!(f, "{place}: found {found}, allowed: {allowed}")?;
        match nearest {
            Some(nearest) => write!(f, "; did you mean `{nearest}`?"),
            None => Ok(()),
        }
    }
}

/// Quotes text from outside on one line, and shortens it if it is long.
#[must_use]
pub fn shown(text: &str) -> String {
    let start: String = text.chars().take(SHOWN).collect();
    let dots = if text.chars().nth(SHOWN).is_some() { "…" } else { "" };
    format!("`{}{dots}`", start.escape_debug())
}

/// Splits `text` at white space into exactly `N` fields.
///
/// # Errors
/// If there are more or fewer fields. `names` says what they are.
pub fn fields<'t, const N: usize>(
    text: &'t str,
    names: &str,
) -> Result<[&'t str; N], NotationError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let found = fields.len();
    fields.try_into().map_err(|_| {
        let plural = if found == 1 { "" } else { "s" };
        NotationError::new("position", format!("{found} field{plural}"), format!("{N}: {names}"))
    })
}

/// Reads two numbers with a colon between them, each from `least` to `most`.
///
/// # Errors
/// If `text` is anything else.
pub fn pair(text: &str, place: &str, least: i16, most: i16) -> Result<[i16; 2], NotationError> {
    let number =
        |text: &str| text.parse().ok().filter(|number: &i16| (least..=most).contains(number));
    text.split_once(':').and_then(|(a, b)| Some([number(a)?, number(b)?])).ok_or_else(|| {
        let allowed = format!("two numbers from {least} to {most}, such as 3:1");
        NotationError::new(place, shown(text), allowed)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line_with_place_found_and_allowed() {
        let error = NotationError::new("turn", shown("x\ny"), "w or b").with_nearest(Some("w"));
        assert_eq!(
            error.within("line 3").to_string(),
            r"line 3: turn: found `x\ny`, allowed: w or b; did you mean `w`?"
        );
        assert_eq!(shown(&"é".repeat(50)).chars().count(), SHOWN + 3);
    }

    #[test]
    fn pairs_are_two_numbers_in_range() {
        assert_eq!(pair("4:-4", "score", -9, 9), Ok([4, -4]));
        for wrong in ["", "4", "4:", "4:5:6", "4:10", "a:b", "99999:0"] {
            let error = pair(wrong, "score", -9, 9).unwrap_err().to_string();
            assert!(error.starts_with("score: found `"), "{error}");
        }
    }
}
