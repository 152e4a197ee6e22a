//! Tables of measurements: CSV files with a header, shown as tables in Markdown.

use std::fmt::Write as _;

/// A table. Every cell is Markdown text in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Parses a CSV file. A cell in quotes may contain commas, and `""` for a quote.
    ///
    /// # Errors
    /// If a line has not as many cells as the header, or there is no line after the header.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines().map(cells);
        let columns = lines.next().ok_or("is empty, expected a header")?;
        let rows: Vec<_> = lines.collect();
        for (number, row) in (2..).zip(&rows) {
            if row.len() != columns.len() {
                let (found, expected) = (row.len(), columns.len());
                return Err(format!("line {number}: found {found} cells, expected {expected}"));
            }
        }
        if rows.is_empty() {
            return Err("has no rows".into());
        }
        Ok(Self { columns, rows })
    }

    /// Returns the table as CSV.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = String::new();
        for row in std::iter::once(&self.columns).chain(&self.rows) {
            let cells: Vec<_> = row.iter().map(|cell| quoted(cell)).collect();
            let _ = writeln!(text, "{}", cells.join(","));
        }
        text
    }

    /// Returns the table as Markdown, without a line break at the end.
    #[must_use]
    pub fn markdown(&self) -> String {
        let line = |row: &Vec<String>| {
            row.iter().fold(String::from("|"), |line, cell| match cell.as_str() {
                "" => line + " |",
                cell => line + &format!(" {cell} |"),
            })
        };
        let rule = format!("|{}", "---|".repeat(self.columns.len()));
        let rows = self.rows.iter().map(line);
        [line(&self.columns), rule].into_iter().chain(rows).collect::<Vec<_>>().join("\n")
    }
}

/// Splits a line of CSV.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cells.last_mut().into_iter().for_each(|cell| cell.push('"'));
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            c => cells.last_mut().into_iter().for_each(|cell| cell.push(c)),
        }
    }
    cells
}

/// Returns `cell` in quotes if CSV needs them.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"']) {
        return format!("\"{}\"", cell.replace('"', "\"\""));
    }
    cell.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_written_as_it_was_read() {
        let text = "goal,\"games, all\",\"a \"\"b\"\"\"\n`castle`,\"1,200\",\n";
        let table = Table::parse(text).unwrap();
        assert_eq!(table.columns, ["goal", "games, all", "a \"b\""]);
        assert_eq!(table.csv(), text);
        let markdown = "| goal | games, all | a \"b\" |\n|---|---|---|\n| `castle` | 1,200 | |";
        assert_eq!(table.markdown(), markdown);
    }

    #[test]
    fn incomplete_files_are_rejected() {
        for (text, complaint) in [
            ("", "is empty, expected a header"),
            ("a,b\n", "has no rows"),
            ("a,b\n1,2\n3", "line 3: found 1 cells, expected 2"),
        ] {
            assert_eq!(Table::parse(text).unwrap_err(), complaint);
        }
    }
}
