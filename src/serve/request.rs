//! Parses the body of a request, a JSON object, and checks each value against its range.

use super::refusal::Refusal;
use hyper::StatusCode;
use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// The body of a request.
#[derive(Clone, Debug, Default)]
pub struct Request(Map<String, Value>);

impl Request {
    /// Parses a body that may only contain these keys.
    ///
    /// # Errors
    /// If it is anything else.
    pub fn parse(bytes: &[u8], keys: &[&str]) -> Result<Self, Refusal> {
        let text = str::from_utf8(bytes).unwrap_or_default();
        let Ok(Value::Object(fields)) = serde_json::from_str(text) else {
            return Err(Refusal::bad("body", text, "a JSON object"));
        };
        if let Some(unknown) = fields.keys().find(|key| !keys.contains(&key.as_str())) {
            let allowed = if keys.is_empty() { "none".to_owned() } else { keys.join(", ") };
            return Err(Refusal::bad("key", unknown, &allowed));
        }
        Ok(Self(fields))
    }

    /// Whether there is a value of `key`.
    pub(super) fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// Returns the string value of `key`, if present. It may have at most `longest` bytes.
    ///
    /// # Errors
    /// If it is anything else.
    pub fn text(&self, key: &str, longest: usize) -> Result<Option<&str>, Refusal> {
        let Some(value) = self.0.get(key) else { return Ok(None) };
        let text = value.as_str().filter(|text| text.len() <= longest);
        let refusal = || refusal(key, value, &format!("a text of at most {longest} bytes"));
        text.map(Some).ok_or_else(refusal)
    }

    /// Returns the integer value of `key`, if present. It must be within `range`.
    ///
    /// # Errors
    /// If it is anything else.
    pub fn count(&self, key: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, Refusal> {
        let Some(value) = self.0.get(key) else { return Ok(None) };
        let (least, most) = (*range.start(), *range.end());
        let refusal = || refusal(key, value, &format!("a whole number from {least} to {most}"));
        value.as_u64().filter(|number| range.contains(number)).map(Some).ok_or_else(refusal)
    }

    /// Returns the truth value of `key`, if present.
    ///
    /// # Errors
    /// If it is anything else.
    pub fn flag(&self, key: &str) -> Result<Option<bool>, Refusal> {
        let Some(value) = self.0.get(key) else { return Ok(None) };
        value.as_bool().map(Some).ok_or_else(|| refusal(key, value, "true, false"))
    }

    /// Returns all values as words such as `king_safety=-1`.
    pub(super) fn words(&self) -> Vec<String> {
        let word = |(key, value): (&String, &Value)| {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            format!("{key}={value}")
        };
        self.0.iter().map(word).collect()
    }
}

fn refusal(key: &str, value: &Value, allowed: &str) -> Refusal {
    Refusal::new(StatusCode::BAD_REQUEST, key, &value.to_string(), allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_show_the_wrong_value_and_what_is_allowed() {
        let parse = |text: &str| Request::parse(text.as_bytes(), &["move", "nodes"]);
        for text in ["", "[]", "{", "\u{0}"] {
            assert!(parse(text).unwrap_err().to_string().ends_with("(allowed: a JSON object)"));
        }
        let unknown = parse(r#"{"mvoe": 1}"#).unwrap_err().to_string();
        assert_eq!(unknown, "key: found `mvoe` (allowed: move, nodes)");
        let request = parse(r#"{"move": 3, "nodes": 0}"#).unwrap();
        let error = request.text("move", 5).unwrap_err().to_string();
        assert_eq!(error, "move: found `3` (allowed: a text of at most 5 bytes)");
        let error = request.count("nodes", 1..=9).unwrap_err().to_string();
        assert_eq!(error, "nodes: found `0` (allowed: a whole number from 1 to 9)");
        assert_eq!(request.count("else", 1..=9), Ok(None));
        let error = request.flag("move").unwrap_err().to_string();
        assert_eq!(error, "move: found `3` (allowed: true, false)");
    }
}
