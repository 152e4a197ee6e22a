//! What a comparison with the article found, and how it reads.

use std::fmt;

/// Ours beside the article's, and what cannot be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub tables: Vec<Table>,
    /// What in the article is contradictory or lost.
    pub notes: Vec<&'static str>,
}

/// Rows that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub name: &'static str,
    pub origin: Origin,
    pub rows: Vec<Row>,
}

/// Whose numbers ours are held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The article prints them.
    Printed,
    /// They follow from what the article prints; this project worked them out.
    Derived,
}

/// One comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub what: String,
    pub finding: Finding,
}

/// Ours and what it should be.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// Agrees if `ours` rounds to `expected` at that many decimals.
    Number { ours: f64, expected: f64, decimals: u8 },
    /// Agrees if the words are the same.
    Word { ours: String, expected: &'static str },
}

impl Row {
    /// A number that should be `expected`, which is given to `decimals`.
    #[must_use]
    pub fn number(what: impl Into<String>, ours: f64, expected: f64, decimals: u8) -> Self {
        Self { what: what.into(), finding: Finding::Number { ours, expected, decimals } }
    }

    /// A word that should be `expected`.
    #[must_use]
    pub fn word(what: impl Into<String>, ours: impl Into<String>, expected: &'static str) -> Self {
        Self { what: what.into(), finding: Finding::Word { ours: ours.into(), expected } }
    }

    /// Whether ours is within the tolerance, or the same word.
    #[must_use]
    pub fn ok(&self) -> bool {
        match &self.finding {
            Finding::Number { .. } => self.deviation() <= self.tolerance(),
            Finding::Word { ours, expected } => ours == expected,
        }
    }

    /// How far ours is from what it should be; 0 for words.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        match self.finding {
            Finding::Number { ours, expected, .. } => (ours - expected).abs(),
            Finding::Word { .. } => 0.0,
        }
    }

    /// Half a unit in the last place given; a printed number need not be nearer. 0 for words.
    #[must_use]
    pub fn tolerance(&self) -> f64 {
        match self.finding {
            // the last part: a number in the middle of two is a little off as a float
            Finding::Number { decimals, .. } => 0.5 / 10_f64.powi(i32::from(decimals)) + 1e-12,
            Finding::Word { .. } => 0.0,
        }
    }
}

impl Table {
    /// The largest deviation of its rows.
    #[must_use]
    pub fn largest_deviation(&self) -> f64 {
        self.rows.iter().map(Row::deviation).fold(0.0, f64::max)
    }

    /// How many rows agree.
    #[must_use]
    pub fn agreeing(&self) -> usize {
        self.rows.iter().filter(|row| row.ok()).count()
    }
}

impl Report {
    /// Whether every row agrees.
    #[must_use]
    pub fn ok(&self) -> bool {
        self.tables.iter().all(|table| table.agreeing() == table.rows.len())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for table in &self.tables {
            writeln!(f, "{table}")?;
        }
        writeln!(f, "Contradictory, lost, or chosen by us:")?;
        for note in &self.notes {
            writeln!(f, "- {note}")?;
        }
        let rows: usize = self.tables.iter().map(|table| table.rows.len()).sum();
        let agreeing: usize = self.tables.iter().map(Table::agreeing).sum();
        write!(f, "\n{agreeing} of {rows} rows agree")
    }
}

impl fmt::Display for Table {
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

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:44} ", self.what)?;
        match &self.finding {
            Finding::Number { ours, expected, decimals } => {
                let decimals = usize::from(*decimals);
                // two more places than the article has show by how much it rounds
                write!(f, "{ours:14.0$} {expected:14.decimals$} ", decimals + 2)?;
                write!(f, "{:10.1e}", self.deviation())?;
            }
            Finding::Word { ours, expected } => write!(f, "{ours:>14} {expected:>14} {:10}", "")?,
        }
        f.write_str(if self.ok() { "" } else { "  differs" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_agree_within_half_a_unit_of_the_last_place() {
        assert!(Row::number("", 1.2349, 1.23, 2).ok());
        assert!(Row::number("", 1.235, 1.23, 2).ok());
        assert!(!Row::number("", 1.2351, 1.23, 2).ok());
        assert!(!Row::number("", f64::NAN, 1.23, 2).ok());
        assert!(Row::word("", "Kh8", "Kh8").ok() && !Row::word("", "Kf8", "Kh8").ok());
    }

    #[test]
    fn a_text_shows_what_differs() {
        let rows = vec![Row::number("good", 0.5, 0.5, 1), Row::number("bad", 0.6, 0.5, 1)];
        let table = Table { name: "table 0", origin: Origin::Printed, rows };
        let report = Report { tables: vec![table], notes: vec!["a page is missing"] };
        let text = report.to_string();
        assert!(!report.ok());
        assert_eq!(text.matches("differs").count(), 1);
        assert!(text.contains("1 of 2 agree; largest deviation 1.0e-1"), "{text}");
        assert!(text.contains("- a page is missing") && text.ends_with("1 of 2 rows agree"));
    }
}
