//! The state of a long run: a TOML file that is replaced after every step.

use super::whole_file;
use serde::{Serialize, de::DeserializeOwned};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The reason why a state cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    #[error("{}: {reason}; choose another file", file.display())]
    Unusable { file: PathBuf, reason: String },
    #[error("{}: cannot be written: {source}", file.display())]
    Unwritable { file: PathBuf, source: io::Error },
}

/// Reads the state in the file at `path`. Returns `None` if the file does not exist.
///
/// # Errors
/// If the file cannot be read, or has other content.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, StateError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unusable(path, format!("cannot be read: {error}"))),
    };
    let wrong = |_| unusable(path, "is not the state of this kind of tuning run".into());
    toml::from_str(&text).map(Some).map_err(wrong)
}

/// Writes `state` to the file at `path`, after a comment that says what it is.
///
/// # Errors
/// If this fails. The file then keeps its content.
pub fn write(path: &Path, comment: &str, state: &impl Serialize) -> Result<(), StateError> {
    let unwritable = |source| StateError::Unwritable { file: path.into(), source };
    let text = toml::to_string(state).map_err(|error| unwritable(io::Error::other(error)))?;
    whole_file::write(path, format!("# {comment}\n{text}").as_bytes()).map_err(unwritable)
}

/// Creates the error for a file with other content.
pub fn unusable(path: &Path, reason: String) -> StateError {
    StateError::Unusable { file: path.into(), reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    type State = BTreeMap<String, f64>;

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state.toml");
        assert!(read::<State>(&path).unwrap().is_none());
        let state = State::from([("a third".to_owned(), 1.0 / 3.0)]);
        write(&path, "Of a test.", &state).unwrap();
        assert_eq!(read::<State>(&path).unwrap(), Some(state));
        fs::write(&path, "a = \"word\"\n").unwrap();
        let error = read::<State>(&path).unwrap_err().to_string();
        assert!(
            error.ends_with("is not the state of this kind of tuning run; choose another file"),
            "{error}"
        );
    }
}
