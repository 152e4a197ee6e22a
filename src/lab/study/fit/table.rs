//! The rows of one regression: covariates, outcome, player and cluster.

/// The name of the constant column.
pub(in super::super) const INTERCEPT: &str = "intercept";

/// The data of a regression. Rows of the same unit are adjacent.
#[derive(Clone, Debug)]
pub(in super::super) struct Table {
    pub names: Vec<&'static str>,
    /// The covariates, row after row.
    cells: Vec<f64>,
    pub outcomes: Vec<f64>,
    /// The player effect that each row shares.
    pub units: Vec<u32>,
    /// The group of rows that may depend on each other. Each unit lies in one cluster.
    pub clusters: Vec<u32>,
}

/// One row of a [`Table`].
#[derive(Clone, Debug)]
pub(in super::super) struct Row {
    pub cells: Vec<f64>,
    pub outcome: f64,
    pub unit: u32,
    pub cluster: u32,
}

impl Table {
    /// Creates a table from rows in any order. Constant columns except the intercept are dropped,
    /// because their coefficients cannot be estimated.
    pub(in super::super) fn new(names: &[&'static str], mut rows: Vec<Row>) -> Self {
        rows.sort_by_key(|row| row.unit);
        let varies = |column: usize| {
            let first = rows.first().map(|row| row.cells[column]);
            rows.iter().any(|row| Some(row.cells[column]) != first)
        };
        let kept: Vec<usize> =
            (0..names.len()).filter(|&at| names[at] == INTERCEPT || varies(at)).collect();
        Self {
            names: kept.iter().map(|&at| names[at]).collect(),
            cells: rows.iter().flat_map(|row| kept.iter().map(|&at| row.cells[at])).collect(),
            outcomes: rows.iter().map(|row| row.outcome).collect(),
            units: rows.iter().map(|row| row.unit).collect(),
            clusters: rows.iter().map(|row| row.cluster).collect(),
        }
    }

    /// Returns the number of rows.
    pub(in super::super) fn len(&self) -> usize {
        self.outcomes.len()
    }

    /// Returns the number of columns.
    pub(in super::super) fn width(&self) -> usize {
        self.names.len()
    }

    /// Returns the covariates of row `at`.
    pub(in super::super) fn row(&self, at: usize) -> &[f64] {
        &self.cells[at * self.width()..(at + 1) * self.width()]
    }

    /// Returns the number of rows with an outcome above 0.
    pub(in super::super) fn events(&self) -> usize {
        self.outcomes.iter().filter(|outcome| **outcome > 0.0).count()
    }

    /// Returns the ranges of rows that share a unit.
    pub(super) fn unit_ranges(&self) -> Vec<std::ops::Range<usize>> {
        let mut ranges = Vec::new();
        let mut start = 0;
        for at in 1..=self.len() {
            if at == self.len() || self.units[at] != self.units[start] {
                ranges.push(start..at);
                start = at;
            }
        }
        ranges
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_grouped_and_constant_columns_dropped() {
        let row = |unit, x| Row { cells: vec![1.0, x, 5.0], outcome: x, unit, cluster: unit };
        let rows = vec![row(2, 0.0), row(1, 1.0), row(2, 3.0)];
        let table = Table::new(&[INTERCEPT, "x", "same"], rows);
        assert_eq!(table.names, [INTERCEPT, "x"]);
        assert_eq!((table.len(), table.events(), table.units[0]), (3, 2, 1));
        assert_eq!(table.row(2), [1.0, 3.0]);
        assert_eq!(table.unit_ranges(), [0..1, 1..3]);
        assert!(Table::new(&["x"], Vec::new()).unit_ranges().is_empty());
    }
}
