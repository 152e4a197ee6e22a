//! Charts of measurements: a column of a table against its first column, as SVG.
#![allow(clippy::cast_precision_loss, reason = "a figure has few panels")]

use super::table::Table;
use crate::lab::svg::{WIDTH, line, svg, text};
use std::fmt::Write as _;

/// One panel: some columns of a table on a common scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Panel {
    pub(super) title: String,
    /// The columns, at most two.
    pub(super) columns: Vec<String>,
}

/// A figure of a cell with half of its interval.
pub(super) type Figure = (f64, f64);

/// Height of a panel in pixels, with its title and the space below.
const HEIGHT: f64 = 190.0;
/// The area of the points: left, right, top and bottom.
const LEFT: f64 = 70.0;
const RIGHT: f64 = WIDTH - 110.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 150.0;
/// The classes of the first and second column.
const CLASSES: [&str; 2] = ["relief", "fear"];

/// Draws the `panels` of `table`, one below the other. The first column is the horizontal axis.
///
/// # Errors
/// If a column is missing or a cell is not a figure such as `12`, `−3.5 %` or `7 ± 2`.
pub(super) fn chart(title: &str, table: &Table, panels: &[Panel]) -> Result<String, String> {
    let mut content = String::new();
    let across = column(table, &table.columns[0])?;
    let across: Vec<f64> = across.iter().map(|(x, _)| *x).collect();
    for (number, panel) in panels.iter().enumerate() {
        let _ = writeln!(content, "<g transform=\"translate(0 {})\">", number as f64 * HEIGHT);
        draw(&mut content, table, &across, panel)?;
        content += "</g>\n";
    }
    Ok(svg(title, panels.len() as f64 * HEIGHT, &content))
}

fn draw(out: &mut String, table: &Table, across: &[f64], panel: &Panel) -> Result<(), String> {
    let columns = panel.columns.iter().map(|name| column(table, name));
    let columns: Vec<Vec<Figure>> = columns.collect::<Result<_, _>>()?;
    let ends = columns.iter().flatten().flat_map(|(y, half)| [y - half, y + half]);
    let (low, high) = ends.fold((f64::MAX, f64::MIN), |(low, high), y| (low.min(y), high.max(y)));
    let place = |value: f64, [from, to]: [f64; 2], [low, high]: [f64; 2]| {
        from + (to - from) * (value - low) / (high - low).max(f64::EPSILON)
    };
    let x = |value: f64| place(value, [LEFT, RIGHT], [across[0], across[across.len() - 1]]);
    let y = |value: f64| place(value, [BOTTOM, TOP], [low, high]);
    text(out, "", [LEFT, 18.0], &panel.title);
    for value in [low, high] {
        line(out, "axis", [LEFT, y(value)], [RIGHT, y(value)]);
        text(out, "quiet right", [LEFT - 8.0, y(value) + 4.0], &label(value, high - low));
    }
    for value in across {
        text(out, "quiet middle", [x(*value), BOTTOM + 20.0], &label(*value, f64::MAX));
    }
    for ((name, figures), class) in panel.columns.iter().zip(&columns).zip(CLASSES) {
        let points: Vec<_> = across.iter().map(|value| x(*value)).zip(figures).collect();
        for pair in points.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|(x, (value, _))| [x, y(*value)]);
            line(out, class, from, to);
        }
        for (x, (value, half)) in &points {
            line(out, class, [*x, y(value - half)], [*x, y(value + half)]);
        }
        if let Some((x, (value, _))) = points.last() {
            text(out, "quiet", [x + 8.0, y(*value) + 4.0], name);
        }
    }
    Ok(())
}

/// Returns the figures of a column.
pub(super) fn column(table: &Table, name: &str) -> Result<Vec<Figure>, String> {
    let index = table.columns.iter().position(|column| column == name);
    let index = index.ok_or_else(|| format!("no column is called `{name}`"))?;
    let cells = table.rows.iter().map(|row| row[index].as_str());
    cells.map(|cell| figure(cell).ok_or_else(|| format!("`{cell}` is not a figure"))).collect()
}

/// Reads a cell such as `1000`, `−3.5 %` or `7 ± 2`.
fn figure(cell: &str) -> Option<Figure> {
    let number = |text: &str| {
        let text = text.trim_end_matches('%').trim().replace('−', "-").replace(',', "");
        text.parse().ok()
    };
    match cell.split_once('±') {
        Some((value, half)) => Some((number(value)?, number(half)?)),
        None => Some((number(cell)?, 0.0)),
    }
}

/// Returns `value` with as many digits as a scale of this `width` needs.
fn label(value: f64, width: f64) -> String {
    let digits = if width < 1.0 { 2 } else { usize::from(width < 20.0) };
    format!("{value:.digits$}").replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(columns: &[&str]) -> Vec<Panel> {
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        vec![Panel { title: "Elo & error".into(), columns }]
    }

    #[test]
    fn figures_are_read_from_cells() {
        for (cell, expected) in [
            ("1,000", Some((1000.0, 0.0))),
            ("−3.5 %", Some((-3.5, 0.0))),
            ("+7 ± 2", Some((7.0, 2.0))),
            ("–", None),
        ] {
            assert_eq!(figure(cell), expected, "{cell}");
        }
    }

    #[test]
    fn points_lie_between_the_ends_of_the_scale() {
        let table = Table::parse("level,Elo\n1000,10 ± 5\n1200,20 ± 5\n").unwrap();
        let chart = chart("Levels", &table, &panel(&["Elo"])).unwrap();
        // 10 and 20 on a scale from 5 to 25: a quarter and three quarters of the height
        let joined = "x1=\"70.0\" y1=\"121.0\" x2=\"530.0\" y2=\"63.0\"";
        assert!(chart.contains(joined) && chart.contains("Elo &amp; error"), "{chart}");
    }

    #[test]
    fn missing_columns_and_words_are_rejected() {
        let table = Table::parse("level,Elo\n1000,none\n1200,20\n").unwrap();
        let error = |column| chart("Levels", &table, &panel(&[column])).unwrap_err();
        assert_eq!(error("Elo"), "`none` is not a figure");
        assert_eq!(error("rating"), "no column is called `rating`");
    }
}
