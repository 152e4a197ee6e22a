//! Tables of measurements: CSV files with a header, shown as tables in Markdown.

use csv::{ReaderBuilder, WriterBuilder};

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
        let mut reader =
            ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
        let mut rows: Vec<Vec<String>> = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| error.to_string())?;
            let (found, expected) = (record.len(), rows.first().map_or(record.len(), Vec::len));
            if found != expected {
                let line = record.position().map_or(0, csv::Position::line);
                return Err(format!("line {line}: found {found} cells, expected {expected}"));
            }
            rows.push(record.iter().map(str::to_owned).collect());
        }
        if rows.is_empty() {
            return Err("is empty, expected a header".into());
        }
        let columns = rows.remove(0);
        if rows.is_empty() {
            return Err("has no rows".into());
        }
        Ok(Self { columns, rows })
    }

    /// Returns the table as CSV.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut writer = WriterBuilder::new().from_writer(Vec::new());
        for row in std::iter::once(&self.columns).chain(&self.rows) {
            // writing to memory cannot fail, because all rows have the same length
            let _ = writer.write_record(row);
        }
        let bytes = writer.into_inner().unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
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
    fn line_breaks_of_all_systems_end_a_row() {
        let expected = Table::parse("a,b\n1,2\n").unwrap();
        for text in ["a,b\r\n1,2\r\n", "a,b\r1,2\r", "a,b\n1,2"] {
            assert_eq!(Table::parse(text).unwrap(), expected, "{text:?}");
        }
        let broken = Table { rows: vec![vec!["one\ntwo".into(), "\r".into()]], ..expected };
        assert_eq!(Table::parse(&broken.csv()).unwrap(), broken);
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
