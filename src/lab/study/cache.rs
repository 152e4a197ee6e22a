//! A file that keeps what small searches found, so that a study can be interrupted and repeated.
//!
//! The first line states the search. Each other line is one game. A line without its end, left by an
//! interruption, is cut off.

use super::scores::Searched;
use crate::support::record_file::{RecordError, RecordFile, for_each_line};
use std::{collections::BTreeMap, fs::File, num::NonZeroU64, path::Path};

/// The searched games, by their key, and the file that keeps them.
#[derive(Debug, Default)]
pub struct Cache {
    known: BTreeMap<String, Searched>,
    file: Option<RecordFile>,
}

impl Cache {
    /// Creates the file at `path`, or resumes it. `nodes` is the number of nodes per position.
    ///
    /// # Errors
    /// If the file cannot be opened, is no cache of a study, or belongs to another search.
    pub fn open(path: &Path, nodes: NonZeroU64) -> Result<Self, RecordError> {
        let header = format!("# deepfeeling study: scores of {nodes} nodes per position\n");
        let mut known = BTreeMap::new();
        let mut file = RecordFile::resume(path, |file| read(file, &header, &mut known))?;
        file.cut()?;
        if file.end() == 0 {
            file.append(header.as_bytes())?;
        }
        Ok(Self { known, file: Some(file) })
    }

    /// Returns what was found in the game with this key.
    pub(super) fn find(&self, key: &str) -> Option<&Searched> {
        self.known.get(key)
    }

    /// Adds what was found in a game, unless the game is known.
    pub(super) fn add(&mut self, key: &str, searched: &Searched) -> Result<(), RecordError> {
        // without a file nobody asks again
        let Some(file) = &mut self.file else { return Ok(()) };
        if self.known.contains_key(key) {
            return Ok(());
        }
        file.append(format!("{}\n", searched.line(key)).as_bytes())?;
        self.known.insert(key.into(), searched.clone());
        Ok(())
    }
}

/// Reads the games of the file. Returns the offset after the last whole line.
fn read(file: &File, header: &str, known: &mut BTreeMap<String, Searched>) -> Result<u64, String> {
    let refused = |found: &str| {
        let found: String = found.trim().chars().take(80).collect();
        format!("begins with `{found}`, expected `{}`; choose another file", header.trim())
    };
    let mut end = 0;
    let rest = for_each_line(file, |line| {
        if line.number == 1 {
            if line.text != header.trim_end() {
                return Err(refused(line.text));
            }
        } else {
            let (key, searched) = Searched::parse(line.text)
                .ok_or_else(|| format!("line {} is not a game of a study", line.number))?;
            known.insert(key, searched);
        }
        end = line.end;
        Ok(())
    })?;
    if end == 0 && !header.starts_with(&rest) {
        return Err(refused(&rest));
    }
    Ok(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn searched(score: i64) -> Searched {
        let line =
            format!("{{\"game\":\"a\",\"scores\":[{score},null],\"difficulties\":[5,null]}}");
        Searched::parse(&line).unwrap().1
    }

    #[test]
    fn an_interrupted_file_is_resumed_without_loss_or_repetition() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cache");
        let nodes = NonZeroU64::new(2000).unwrap();
        let mut cache = Cache::open(&path, nodes).unwrap();
        cache.add("a", &searched(1)).unwrap();
        cache.add("a", &searched(2)).unwrap();
        cache.add("b", &searched(3)).unwrap();
        let whole = fs::read_to_string(&path).unwrap();
        assert_eq!(whole.lines().count(), 3);
        // interrupted anywhere, also within the first line
        for end in 0..whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            let mut cache = Cache::open(&path, nodes).unwrap();
            cache.add("a", &searched(1)).unwrap();
            cache.add("b", &searched(3)).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), whole, "{end}");
        }
        let cache = Cache::open(&path, nodes).unwrap();
        assert_eq!(cache.find("a"), Some(&searched(1)));
        assert_eq!(cache.find("c"), None);
    }

    #[test]
    fn other_files_are_rejected_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cache");
        let open = |nodes| Cache::open(&path, NonZeroU64::new(nodes).unwrap());
        for text in ["something", "something\nelse\n"] {
            fs::write(&path, text).unwrap();
            let error = open(5).unwrap_err().to_string();
            assert!(error.contains("begins with `something`, expected `# deep"), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::remove_file(&path).unwrap();
        open(5).unwrap();
        assert!(open(6).unwrap_err().to_string().contains("choose another file"));
        let mut text = fs::read_to_string(&path).unwrap();
        text += "no game\n";
        fs::write(&path, &text).unwrap();
        assert!(open(5).unwrap_err().to_string().contains("line 2 is not a game of a study"));
    }
}
