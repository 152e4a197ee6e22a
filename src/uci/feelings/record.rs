//! Reads a line of a feelings file and checks it against the schema.

use serde_json::{Map, Value};

/// The version of the schema.
pub(super) const VERSION: u64 = 2;

/// The maximum length of a line in bytes.
pub(super) const LONGEST: usize = 64 << 10;

/// The record of one search.
#[derive(Clone, Debug, PartialEq)]
pub struct FeelingsRecord(Map<String, Value>);

/// The reason why a line is not a valid record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeelingsRecordError {
    #[error("is not a JSON object of at most {LONGEST} bytes")]
    Form,
    #[error("`v`: found {0} (allowed: {VERSION})")]
    Version(String),
    #[error("`{0}`: found {1} (allowed: {2})")]
    Field(&'static str, String, &'static str),
}

type FieldType = (&'static str, fn(&Value) -> bool);

const TEXT: FieldType = ("text", |value| value.is_string());
const TEXT_OR_NULL: FieldType = ("text or null", |value| value.is_string() || value.is_null());
const COUNT: FieldType = ("a whole number from 0", |value| value.is_u64());
const SHARE: FieldType = ("a number from -1 to 1 or null", |value| {
    value.is_null() || value.as_f64().is_some_and(|number| (-1.0..=1.0).contains(&number))
});
const OBJECT: FieldType = ("an object or null", |value| value.is_object() || value.is_null());
const LINE: FieldType = ("a list of moves", |value| {
    value.as_array().is_some_and(|line| line.iter().all(Value::is_string))
});

const FIELDS: [(&str, FieldType); 19] = [
    ("engine", TEXT),
    ("game", COUNT),
    ("search", COUNT),
    ("fen", TEXT),
    ("side", TEXT),
    ("profile", TEXT),
    ("temperament", COUNT),
    ("goal", TEXT_OR_NULL),
    ("intensity", SHARE),
    ("perceived", OBJECT),
    ("concepts", OBJECT),
    ("settling", TEXT_OR_NULL),
    ("factors", OBJECT),
    ("effects", OBJECT),
    ("move", TEXT_OR_NULL),
    ("score", OBJECT),
    ("depth", COUNT),
    ("nodes", COUNT),
    ("pv", LINE),
];

impl FeelingsRecord {
    /// Parses a line of the file.
    ///
    /// # Errors
    /// If the line is not a record of this version. The error reports what was found and allowed.
    pub fn parse(line: &str) -> Result<Self, FeelingsRecordError> {
        let value = if line.len() > LONGEST { None } else { serde_json::from_str(line).ok() };
        let Some(Value::Object(fields)) = value else { return Err(FeelingsRecordError::Form) };
        let found = |key| fields.get(key).map_or_else(|| "nothing".to_owned(), brief);
        if fields.get("v").and_then(Value::as_u64) != Some(VERSION) {
            return Err(FeelingsRecordError::Version(found("v")));
        }
        for (key, (allowed, is_valid)) in FIELDS {
            if !fields.get(key).is_some_and(is_valid) {
                return Err(FeelingsRecordError::Field(key, found(key), allowed));
            }
        }
        Ok(Self(fields))
    }

    /// Returns the position searched.
    #[must_use]
    pub fn fen(&self) -> &str {
        self.0.get("fen").and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns the best line in UCI notation.
    pub fn pv(&self) -> impl Iterator<Item = &str> {
        self.0.get("pv").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    }

    /// Returns the record as JSON with the best line in SAN as the key `line`.
    #[must_use]
    pub fn with_line(mut self, line: Vec<String>) -> Value {
        self.0.insert("line".into(), line.into());
        Value::Object(self.0)
    }

    /// Returns the identifier of the engine run that wrote the record.
    #[must_use]
    pub fn engine(&self) -> &str {
        self.0.get("engine").and_then(Value::as_str).unwrap_or_default()
    }
}

/// Returns the first 40 characters of a value, in quotes.
fn brief(value: &Value) -> String {
    let text = value.to_string();
    let kept: String = text.chars().take(40).collect();
    if kept.len() < text.len() { format!("`{kept}…`") } else { format!("`{text}`") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::game::Game,
        player::{Engine, Options},
        profile::Profile,
        search::Signals,
        uci::feelings::Notes,
    };
    use serde_json::json;
    use shakmaty::CastlingMode;

    fn line(emotion: bool) -> Map<String, Value> {
        let options = Options { emotion, ..Options::default() };
        let mut engine = Engine::new(Profile::builtin("standard").unwrap(), options).unwrap();
        let game = Game::parse("startpos moves e2e4", None).unwrap();
        let mut notes = Notes::new(&engine, &game, CastlingMode::Standard);
        let limits = crate::search::root::limits::Limits { depth: Some(3), ..Default::default() };
        let outcome = engine.go(&game, &limits, &Signals::default(), &mut notes);
        notes.conclude(outcome.as_ref());
        let Value::Object(mut record) = serde_json::to_value(notes.record()).unwrap() else {
            panic!("no object")
        };
        record.extend([("engine".into(), json!("a")), ("game".into(), json!(1))]);
        record.insert("search".into(), json!(1));
        record
    }

    #[test]
    fn a_written_record_can_be_read() {
        for emotion in [true, false] {
            let record = line(emotion);
            let parsed = FeelingsRecord::parse(&Value::from(record.clone()).to_string()).unwrap();
            assert_eq!(parsed, FeelingsRecord(record.clone()));
            assert_eq!((&record["side"], &record["depth"]), (&json!("black"), &json!(3)));
            assert_eq!(record["pv"][0], record["move"]);
            assert!(record["program"].as_str().unwrap().starts_with("deepfeeling "));
            assert_eq!(record["digest"], Profile::builtin("standard").unwrap().digest());
            assert_eq!(record["goal"].is_null() && record["factors"].is_null(), !emotion);
        }
    }

    #[test]
    fn an_invalid_record_is_refused_with_a_reason() {
        let broken = |key: &str, value: Value| {
            let mut record = line(true);
            record.insert(key.into(), value);
            FeelingsRecord::parse(&Value::from(record).to_string()).unwrap_err().to_string()
        };
        assert_eq!(broken("v", json!(1)), "`v`: found `1` (allowed: 2)");
        assert_eq!(broken("fen", json!(3)), "`fen`: found `3` (allowed: text)");
        let wild = broken("intensity", json!(1.5));
        assert_eq!(wild, "`intensity`: found `1.5` (allowed: a number from -1 to 1 or null)");
        assert!(broken("pv", json!([1])).contains("a list of moves"));
        for text in ["", "[]", "{", "nonsense", &"[".repeat(10_000), &" ".repeat(100_000)] {
            assert_eq!(FeelingsRecord::parse(text), Err(FeelingsRecordError::Form), "{text}");
        }
        assert!(matches!(FeelingsRecord::parse("{}"), Err(FeelingsRecordError::Version(_))));
    }
}
