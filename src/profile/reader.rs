//! Typed access to parsed TOML, in which every value knows its line and key path for error
//! messages.

use super::error::{ProfileError, one_line, shown, unknown};
use std::ops::RangeInclusive;
use toml::{
    Spanned,
    de::{DeString, DeTable, DeValue},
};

/// The location of a key or value: file, offset in its text, and key path.
#[derive(Clone, Debug)]
struct TomlPlace<'t> {
    file: &'t str,
    text: &'t str,
    offset: usize,
    key: String,
}

impl TomlPlace<'_> {
    fn refuse(&self, reason: impl Into<String>) -> ProfileError {
        ProfileError::Refused {
            file: self.file.into(),
            line: line_at(self.text, self.offset),
            key: self.key.clone(),
            reason: reason.into(),
        }
    }

    /// Returns the place of the value under `key`.
    fn under(&self, key: &str, offset: usize) -> Self {
        let key = shown(key);
        let key = if self.key.is_empty() { key } else { format!("{}.{key}", self.key) };
        Self { offset, key, ..*self }
    }

    /// Returns this place with another key path.
    fn called(&self, key: String) -> Self {
        Self { key, ..*self }
    }
}

/// Returns the line number of an offset in `text`, starting at 1.
fn line_at(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|&b| b == b'\n').count()
}

/// Parses `text` as TOML, for [`TomlTable::top`].
pub(super) fn parse<'t>(file: &str, text: &'t str) -> Result<Spanned<DeTable<'t>>, ProfileError> {
    DeTable::parse(text).map_err(|error| {
        let span = error.span().unwrap_or(text.len()..text.len());
        let line = line_at(text, span.start);
        let found = match text.get(span).map(str::trim) {
            Some(found) if !found.is_empty() => format!(", found `{}`", shown(found)),
            _ => String::new(),
        };
        let reason = format!("not TOML: {}{found}", one_line(error.message()));
        ProfileError::NotToml { file: file.into(), line, reason }
    })
}

/// A TOML table with its place.
#[derive(Clone, Debug)]
pub(super) struct TomlTable<'t> {
    place: TomlPlace<'t>,
    entries: &'t DeTable<'t>,
    /// Whether every key must be present, because the profile extends none.
    complete: bool,
}

impl<'t> TomlTable<'t> {
    /// Creates the root table of a file.
    pub(super) fn top(file: &'t str, text: &'t str, parsed: &'t Spanned<DeTable<'_>>) -> Self {
        let place = TomlPlace { file, text, offset: 0, key: String::new() };
        Self { place, entries: parsed.get_ref(), complete: false }
    }

    /// Returns this table with every [wanted](Self::wanted) key required.
    pub(super) fn completed(self) -> Self {
        Self { complete: true, ..self }
    }

    /// Returns this table with another key path.
    pub(super) fn called(self, key: String) -> Self {
        Self { place: self.place.called(key), ..self }
    }

    /// Returns this table if all its keys are `allowed`. Otherwise rejects its first unknown key.
    pub(super) fn only(self, kind: &str, allowed: &[&str]) -> Result<Self, ProfileError> {
        let stranger = self
            .entries
            .keys()
            .filter(|key| !allowed.contains(&key.get_ref().as_ref()))
            .min_by_key(|key| key.span().start);
        match stranger {
            None => Ok(self),
            Some(key) => {
                let place = self.place.under(key.get_ref(), key.span().start);
                Err(place.refuse(unknown(kind, key.get_ref(), allowed)))
            }
        }
    }

    /// Returns the value of `key`, if present.
    pub(super) fn get(&self, key: &str) -> Option<TomlValue<'t>> {
        let found = self.entries.get(key)?;
        let place = self.place.under(key, found.span().start);
        Some(TomlValue { place, found, complete: self.complete })
    }

    /// Returns all keys and values, in the order of the file.
    pub(super) fn entries(&self) -> Vec<(String, TomlValue<'t>)> {
        let mut keys: Vec<_> = self.entries.keys().collect();
        keys.sort_by_key(|key| key.span().start);
        let entry = |key: &Spanned<DeString<'t>>| {
            let key = key.get_ref().as_ref();
            Some((key.to_owned(), self.get(key)?))
        };
        keys.into_iter().filter_map(entry).collect()
    }

    /// Returns the value of `key`, which is required.
    pub(super) fn need(&self, key: &str) -> Result<TomlValue<'t>, ProfileError> {
        self.get(key).ok_or_else(|| self.missing(key, "is missing"))
    }

    /// Returns the value of `key`, which is required only if the profile extends none.
    pub(super) fn wanted(&self, key: &str) -> Result<Option<TomlValue<'t>>, ProfileError> {
        let found = self.get(key);
        if self.complete && found.is_none() {
            return Err(
                self.missing(key, "is missing, but a profile that extends none needs every key")
            );
        }
        Ok(found)
    }

    /// Reads the table under `key`, which is required only if the profile extends none.
    pub(super) fn section(
        &self,
        key: &str,
        read: impl FnOnce(Self) -> Result<(), ProfileError>,
    ) -> Result<(), ProfileError> {
        match self.wanted(key)? {
            Some(value) => read(value.table()?),
            None => Ok(()),
        }
    }

    /// Returns the error for a missing `key` in this table.
    pub(super) fn missing(&self, key: &str, reason: &str) -> ProfileError {
        self.place.under(key, self.place.offset).refuse(reason)
    }

    pub(super) fn refuse(&self, reason: impl Into<String>) -> ProfileError {
        self.place.refuse(reason)
    }
}

/// A TOML value with its place.
#[derive(Clone, Debug)]
pub(super) struct TomlValue<'t> {
    place: TomlPlace<'t>,
    found: &'t Spanned<DeValue<'t>>,
    complete: bool,
}

impl<'t> TomlValue<'t> {
    pub(super) fn refuse(&self, reason: impl Into<String>) -> ProfileError {
        self.place.refuse(reason)
    }

    /// Returns the error for this value, of which only `allowed` is valid.
    pub(super) fn expect(&self, allowed: &str) -> ProfileError {
        let found = match self.found.get_ref() {
            DeValue::Table(_) => "a table".into(),
            DeValue::Array(array) => format!("an array of {}", array.len()),
            _ => format!("`{}`", shown(self.place.text.get(self.found.span()).unwrap_or("?"))),
        };
        self.refuse(format!("found {found}, allowed: {allowed}"))
    }

    /// Returns this value with another key path.
    pub(super) fn called(self, key: &str) -> Self {
        Self { place: self.place.called(shown(key)), ..self }
    }

    pub(super) fn table(&self) -> Result<TomlTable<'t>, ProfileError> {
        let entries = self.found.get_ref().as_table();
        let entries = entries.ok_or_else(|| self.expect("a table"))?;
        Ok(TomlTable { place: self.place.clone(), entries, complete: self.complete })
    }

    /// Returns the values of an array, each with its own line and the key path of the array.
    pub(super) fn list(&self, allowed: &str) -> Result<Vec<Self>, ProfileError> {
        let array = self.found.get_ref().as_array();
        let array = array.ok_or_else(|| self.expect(allowed))?;
        let at = |found: &'t Spanned<DeValue<'t>>| {
            let place = TomlPlace { offset: found.span().start, ..self.place.clone() };
            Self { place, found, complete: self.complete }
        };
        Ok(array.iter().map(at).collect())
    }

    /// Returns the value as a single line of text with 1 to `longest` characters.
    pub(super) fn line(&self, longest: usize) -> Result<&'t str, ProfileError> {
        let fits = |text: &&str| {
            !text.trim().is_empty()
                && text.chars().nth(longest).is_none()
                && one_line(text) == *text
        };
        let allowed = || self.expect(&format!("a text of 1 to {longest} characters on one line"));
        self.text().filter(fits).ok_or_else(allowed)
    }

    /// Returns the meaning of the name in this value. `allowed` lists all names of this `kind`.
    pub(super) fn choice<T: Copy>(
        &self,
        kind: &str,
        allowed: &[(&str, T)],
    ) -> Result<T, ProfileError> {
        let names: Vec<&str> = allowed.iter().map(|&(name, _)| name).collect();
        let Some(name) = self.text() else {
            return Err(self.expect(&format!("the name of a {kind} ({})", names.join(", "))));
        };
        let meant = allowed.iter().find(|&&(other, _)| other == name);
        meant.map(|&(_, t)| t).ok_or_else(|| self.refuse(unknown(kind, name, &names)))
    }

    pub(super) fn truth(&self) -> Result<bool, ProfileError> {
        self.found.get_ref().as_bool().ok_or_else(|| self.expect("true or false"))
    }

    /// Returns the value as a number within `range`, or `None` for the text `none`.
    pub(super) fn number_or_none(
        &self,
        range: RangeInclusive<f64>,
    ) -> Result<Option<f64>, ProfileError> {
        if self.text() == Some("none") {
            return Ok(None);
        }
        let allowed = format!("{} or \"none\"", numbers(&range));
        self.float(&range).map(Some).ok_or_else(|| self.expect(&allowed))
    }

    /// Returns the value as a number within `range`, integer or float.
    pub(super) fn number(&self, range: RangeInclusive<f64>) -> Result<f64, ProfileError> {
        self.float(&range).ok_or_else(|| self.expect(&numbers(&range)))
    }

    /// Returns the value as a whole number within `range`.
    pub(super) fn whole(&self, range: RangeInclusive<u16>) -> Result<u16, ProfileError> {
        let (least, most) = (*range.start(), *range.end());
        let integer = match self.found.get_ref() {
            DeValue::Integer(i) => u16::from_str_radix(i.as_str(), i.radix()).ok(),
            _ => None,
        };
        let allowed = || self.expect(&format!("a whole number from {least} to {most}"));
        integer.filter(|i| range.contains(i)).ok_or_else(allowed)
    }

    pub(super) fn text(&self) -> Option<&'t str> {
        self.found.get_ref().as_str()
    }

    fn float(&self, range: &RangeInclusive<f64>) -> Option<f64> {
        let float: f64 = match self.found.get_ref() {
            DeValue::Float(f) => f.as_str().parse().ok()?,
            // all ranges fit in 32 bits
            DeValue::Integer(i) => i32::from_str_radix(i.as_str(), i.radix()).ok()?.into(),
            _ => return None,
        };
        // no range contains NaN; adding 0.0 turns -0.0 into 0.0
        range.contains(&float).then_some(float + 0.0)
    }
}

/// Formats a range for messages.
fn numbers(range: &RangeInclusive<f64>) -> String {
    format!("a number from {} to {}", range.start(), range.end())
}
