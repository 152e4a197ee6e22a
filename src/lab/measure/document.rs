//! The document of measurements: a template with tables from data files.

use super::table::Table;
use std::{collections::BTreeSet, path::Path};

/// Returns the text of the document made from `template.md` and the CSV files in `folder`.
///
/// A line `{{table NAME}}` stands for the table in `NAME.csv`.
///
/// # Errors
/// If a file cannot be read, is incomplete, or is not in the template.
pub fn document(folder: &Path) -> Result<String, String> {
    let template = read(&folder.join("template.md"))?;
    let mut used = BTreeSet::new();
    let mut text = String::with_capacity(2 * template.len());
    for line in template.lines() {
        let name = line.strip_prefix("{{table ").and_then(|rest| rest.strip_suffix("}}"));
        match name {
            Some(name) => {
                text += &table(folder, name)?.markdown();
                used.insert(format!("{name}.csv"));
            }
            None => text += line,
        }
        text.push('\n');
    }
    let unreadable = |error| format!("{}: cannot be read: {error}", folder.display());
    for entry in folder.read_dir().map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.extension().is_some_and(|end| end == "csv") && !used.contains(&name) {
            return Err(format!("{name} is not in template.md"));
        }
    }
    Ok(text)
}

/// Reads the table in `NAME.csv`.
///
/// # Errors
/// If the file cannot be read or is incomplete.
pub fn table(folder: &Path, name: &str) -> Result<Table, String> {
    let path = folder.join(format!("{name}.csv"));
    Table::parse(&read(&path)?).map_err(|reason| format!("{}: {reason}", path.display()))
}

pub(super) fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: cannot be read: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn tables_replace_their_lines() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("template.md", "# Speed\n\n{{table speed}}\n\nEnd.\n");
        assert!(document(folder.path()).unwrap_err().contains("speed.csv: cannot be read"));
        write("speed.csv", "a,b\n1,2\n");
        let expected = "# Speed\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd.\n";
        assert_eq!(document(folder.path()).as_deref(), Ok(expected));
        write("other.csv", "a\n1\n");
        assert_eq!(document(folder.path()), Err("other.csv is not in template.md".into()));
        write("speed.csv", "a,b\n1\n");
        assert!(document(folder.path()).unwrap_err().contains("speed.csv: line 2: found 1 cells"));
    }
}
