//! The result of the comparison with the article, and its text form.

use std::fmt;

/// All comparisons with the article, and notes on what cannot be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperReport {
    pub tables: Vec<PaperTable>,
    /// Notes on contradictions, lost parts and our own choices.
    pub notes: Vec<&'static str>,
}

/// The comparisons for one table or topic of the article.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperTable {
    pub name: &'static str,
    pub origin: Origin,
    pub rows: Vec<PaperRow>,
}

/// The origin of the expected numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Printed in the article.
    Printed,
    /// Derived by this project from the printed numbers.
    Derived,
}

/// One comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperRow {
    pub what: String,
    pub finding: PaperFinding,
}

/// The computed value and the expected value.
#[derive(Clone, Debug, PartialEq)]
pub enum PaperFinding {
    /// A number. It agrees if `ours` rounds to `expected` at `decimals` decimals.
    Number { ours: f64, expected: f64, decimals: u8 },
    /// A word. It agrees if both are equal.
    Word { ours: String, expected: &'static str },
}

impl PaperRow {
    /// Creates a row for a number. `expected` is given to `decimals` decimals.
    #[must_use]
    pub fn number(what: impl Into<String>, ours: f64, expected: f64, decimals: u8) -> Self {
        Self { what: what.into(), finding: PaperFinding::Number { ours, expected, decimals } }
    }

    /// Creates a row for a word.
    #[must_use]
    pub fn word(what: impl Into<String>, ours: impl Into<String>, expected: &'static str) -> Self {
        Self { what: what.into(), finding: PaperFinding::Word { ours: ours.into(), expected } }
    }

    /// Returns whether the number is within the tolerance, or the word is equal.
    #[must_use]
    pub fn ok(&self) -> bool {
        match &self.finding {
            PaperFinding::Number { .. } => self.deviation() <= self.tolerance(),
            PaperFinding::Word { ours, expected } => ours == expected,
        }
    }

    /// Returns the absolute difference from the expected number, or 0 for words.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        match self.finding {
            PaperFinding::Number { ours, expected, .. } => (ours - expected).abs(),
            PaperFinding::Word { .. } => 0.0,
        }
    }

    /// Returns half a unit in the last printed decimal, or 0 for words.
    #[must_use]
    pub fn tolerance(&self) -> f64 {
        match self.finding {
            // the 1e-12 allows for float rounding of numbers exactly halfway between two decimals
            PaperFinding::Number { decimals, .. } => 0.5 / 10_f64.powi(i32::from(decimals)) + 1e-12,
            PaperFinding::Word { .. } => 0.0,
        }
    }
}

impl PaperTable {
    /// Returns the largest deviation of the rows.
    #[must_use]
    pub fn largest_deviation(&self) -> f64 {
        self.rows.iter().map(PaperRow::deviation).fold(0.0, f64::max)
    }

    /// Returns the number of rows that agree.
    #[must_use]
    pub fn agreeing(&self) -> usize {
        self.rows.iter().filter(|row| row.ok()).count()
    }
}

impl PaperReport {
    /// Returns whether every row agrees.
    #[must_use]
    pub fn ok(&self) -> bool {
        self.tables.iter().all(|table| table.agreeing() == table.rows.len())
    }
}

impl fmt::Display for PaperReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for table in &self.tables {
            writeln!(f, "{table}")?;
        }
        writeln!(f, "Notes (contradictions, lost parts, our own choices):")?;
        for note in &self.notes {
            writeln!(f, "- {note}")?;
        }
        let rows: usize = self.tables.iter().map(|table| table.rows.len()).sum();
        let agreeing: usize = self.tables.iter().map(PaperTable::agreeing).sum();
        write!(f, "\n{agreeing} of {rows} rows agree")
    }
}

impl fmt::Display for PaperTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = match self.origin {
            Origin::Printed => "article",
            Origin::Derived => "derived",
        };
        writeln!(f, "{}", self.name)?;
        writeln!(f, "  {:44} {:>14} {expected:>14} {:>10}", "", "ours", "deviation")?;
        for row in &self.rows {
            writeln!(f, "  {row}")?;
        }
        let (agreeing, rows) = (self.agreeing(), self.rows.len());
        writeln!(
            f,
            "  {agreeing} of {rows} agree; largest deviation {:.1e}",
            self.largest_deviation()
        )
    }
}

impl fmt::Display for PaperRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:44} ", self.what)?;
        match &self.finding {
            PaperFinding::Number { ours, expected, decimals } => {
                let decimals = usize::from(*decimals);
                // two more decimals than the article show the size of its rounding
                write!(f, "{ours:14.0$} {expected:14.decimals$} ", decimals + 2)?;
                write!(f, "{:10.1e}", self.deviation())?;
            }
            PaperFinding::Word { ours, expected } => {
                write!(f, "{ours:>14} {expected:>14} {:10}", "")?;
            }
        }
        f.write_str(if self.ok() { "" } else { "  differs" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_agree_within_half_a_unit_of_the_last_place() {
        assert!(PaperRow::number("", 1.2349, 1.23, 2).ok());
        assert!(PaperRow::number("", 1.235, 1.23, 2).ok());
        assert!(!PaperRow::number("", 1.2351, 1.23, 2).ok());
        assert!(!PaperRow::number("", f64::NAN, 1.23, 2).ok());
        assert!(PaperRow::word("", "Kh8", "Kh8").ok() && !PaperRow::word("", "Kf8", "Kh8").ok());
    }

    #[test]
    fn the_text_marks_rows_that_differ() {
        let rows =
            vec![PaperRow::number("good", 0.5, 0.5, 1), PaperRow::number("bad", 0.6, 0.5, 1)];
        let table = PaperTable { name: "table 0", origin: Origin::Printed, rows };
        let report = PaperReport { tables: vec![table], notes: vec!["a page is missing"] };
        let text = report.to_string();
        assert!(!report.ok());
        assert_eq!(text.matches("differs").count(), 1);
        assert!(text.contains("1 of 2 agree; largest deviation 1.0e-1"), "{text}");
        assert!(text.contains("- a page is missing") && text.ends_with("1 of 2 rows agree"));
    }
}
