//! A chart of players: the distance of their style from a reference player, against Elo.
//!
//! The distance is the root mean square of the differences between means, each in standard deviations between
//! games, after Cohen's d. The expected contribution of noise is subtracted.
#![allow(clippy::cast_precision_loss, reason = "a table has few columns")]

use super::{
    chart::{Figure, column},
    labels::Labels,
    table::Table,
};
use crate::lab::svg::{WIDTH, line, point, svg, text};
use std::f64::consts::SQRT_2;

/// Which columns and rows of a table of styles to draw.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StyleMap {
    /// The column of Elo with 95 % intervals.
    pub(super) elo: String,
    /// The columns of measures with 99 % intervals.
    pub(super) measures: Vec<String>,
    /// The first cell of the row from which distances are measured.
    pub(super) reference: String,
    /// The number of games of each other row.
    pub(super) games: u32,
    /// The step with the same table for earlier versions of the players, if they are drawn too.
    pub(super) before: Option<String>,
    /// The number of games of each other row of that table.
    pub(super) games_before: u32,
}

/// A value with both ends of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Interval {
    value: f64,
    low: f64,
    high: f64,
}

/// Half the width of a 95 % and of a 99 % interval, in standard errors.
const HALF_95: f64 = 1.960;
const HALF_99: f64 = 2.576;

/// The height of the chart in pixels, and the area of the points: left, right, top and bottom.
const HEIGHT: f64 = 640.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = WIDTH - 90.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = HEIGHT - 60.0;
/// The distance between two lines of the grid: style, and Elo.
const STYLE_GRID: f64 = 0.05;
const ELO_GRID: f64 = 50.0;

impl StyleMap {
    /// Draws the chart of `table`, and of the same players in the table `before`.
    ///
    /// # Errors
    /// If a column or the reference is missing, or a cell is not a figure.
    pub(super) fn draw(
        &self,
        title: &str,
        table: &Table,
        before: Option<&Table>,
    ) -> Result<String, String> {
        let names: Vec<&str> = table.rows.iter().map(|row| row[0].trim_matches('`')).collect();
        let elo = column(table, &self.elo)?;
        let distances = self.distances(table, self.games)?;
        let earlier = before.map_or_else(|| Ok(Vec::new()), |before| self.moves(table, before))?;
        let far = earlier.iter().map(|(_, [distance, _])| *distance);
        let widest = [0.0, top(distances.iter().map(|one| one.high).chain(far), STYLE_GRID)];
        let across = place(widest, [LEFT, RIGHT]);
        let low = earlier.iter().map(|(_, [_, elo])| -elo);
        let lowest = elo.iter().map(|(value, half)| half - value).chain(low);
        let down = place([ELO_GRID, -top(lowest, ELO_GRID)], [TOP, BOTTOM]);
        let mut out = String::new();
        grid(&mut out, &across, &down);
        let mut labels = Labels::default();
        for (row, [distance, value]) in earlier {
            let [from, to] = [[distance, value], [distances[row].value, elo[row].0]]
                .map(|[distance, elo]| [across.at(distance), down.at(elo)]);
            line(&mut out, "before", from, to);
            point(&mut out, "bar", from);
        }
        for (distance, (value, half)) in distances.iter().zip(&elo) {
            let (x, y) = (across.at(distance.value), down.at(*value));
            line(
                &mut out,
                "quiet-line",
                [across.at(distance.low), y],
                [across.at(distance.high), y],
            );
            line(&mut out, "quiet-line", [x, down.at(value - half)], [x, down.at(value + half)]);
            labels.cover([x - 5.0, x + 5.0, y - 5.0, y + 5.0]);
        }
        for ((name, distance), (value, _)) in names.iter().zip(&distances).zip(&elo) {
            let at = [across.at(distance.value), down.at(*value)];
            point(&mut out, "relief", at);
            labels.write(&mut out, at, name);
        }
        Ok(svg(title, HEIGHT, &out))
    }

    /// Returns where the players of `table` were in the table `before`, as distance and Elo, with the
    /// number of their row. The reference stays where it is.
    fn moves(&self, table: &Table, before: &Table) -> Result<Vec<(usize, [f64; 2])>, String> {
        let elo = column(before, &self.elo)?;
        let distances = self.distances(before, self.games_before)?;
        let all = before.rows.iter().zip(distances).zip(elo);
        let moved = all.filter(|((row, _), _)| row[0] != self.reference);
        let places = moved.filter_map(|((row, distance), (value, _))| {
            let now = table.rows.iter().position(|now| now[0] == row[0])?;
            Some((now, [distance.value, value]))
        });
        Ok(places.collect())
    }

    /// Returns the distance of each row from the reference, in a table of rows with `games` games.
    fn distances(&self, table: &Table, games: u32) -> Result<Vec<Interval>, String> {
        let reference = table.rows.iter().position(|row| row[0] == self.reference);
        let reference =
            reference.ok_or_else(|| format!("no row is called `{}`", self.reference))?;
        let columns: Vec<Vec<Figure>> =
            self.measures.iter().map(|name| column(table, name)).collect::<Result<_, _>>()?;
        let root = f64::from(games).sqrt();
        let distance = |row: usize| {
            if row == reference {
                return Interval { value: 0.0, low: 0.0, high: 0.0 };
            }
            let differences = columns.iter().map(|column| {
                let ((mean, half), (origin, its_half)) = (column[row], column[reference]);
                let deviation = half / HALF_99 * root;
                ((mean - origin) / deviation, half.hypot(its_half) / HALF_99 / deviation)
            });
            root_mean_square(&differences.collect::<Vec<_>>())
        };
        Ok((0..table.rows.len()).map(distance).collect())
    }
}

/// Returns the root mean square of `values`, given with their standard errors, without the part that
/// errors alone would cause.
fn root_mean_square(values: &[(f64, f64)]) -> Interval {
    let count = values.len().max(1) as f64;
    let square =
        values.iter().map(|(value, error)| value.powi(2) - error.powi(2)).sum::<f64>() / count;
    let variance =
        |(value, error): &(f64, f64)| (2.0 * value * error).hypot(SQRT_2 * error.powi(2)).powi(2);
    let half = HALF_95 * values.iter().map(variance).sum::<f64>().sqrt() / count;
    let root = |square: f64| square.max(0.0).sqrt();
    Interval { value: root(square), low: root(square - half), high: root(square + half) }
}

/// Returns the largest of `values`, rounded up to the next line of the grid.
fn top(values: impl Iterator<Item = f64>, grid: f64) -> f64 {
    (values.fold(0.0, f64::max) / grid).ceil() * grid
}

/// A scale that places values between two pixels.
struct Scale {
    ends: [f64; 2],
    pixels: [f64; 2],
}

fn place(ends: [f64; 2], pixels: [f64; 2]) -> Scale {
    Scale { ends, pixels }
}

impl Scale {
    fn at(&self, value: f64) -> f64 {
        let [from, to] = self.ends;
        self.pixels[0] + (self.pixels[1] - self.pixels[0]) * (value - from) / (to - from)
    }

    /// Returns the values of the grid lines.
    fn lines(&self, grid: f64) -> impl Iterator<Item = f64> {
        let [from, to] = self.ends;
        let (low, high) =
            ((from.min(to) / grid).round() as i32, (from.max(to) / grid).round() as i32);
        (low..=high).map(move |number| f64::from(number) * grid)
    }
}

fn grid(out: &mut String, across: &Scale, down: &Scale) {
    for value in down.lines(ELO_GRID) {
        let y = down.at(value);
        line(out, "axis", [LEFT, y], [RIGHT, y]);
        text(
            out,
            "quiet right",
            [LEFT - 8.0, y + 4.0],
            &format!("{value:+.0}").replace('-', "−").replace("+0", "0"),
        );
    }
    for value in across.lines(STYLE_GRID) {
        text(out, "quiet middle", [across.at(value), BOTTOM + 20.0], &format!("{value:.2}"));
    }
    text(out, "", [LEFT, 24.0], "Elo against neutral");
    let below = "Distance of the playing style from neutral, in standard deviations between games";
    text(out, "middle", [f64::midpoint(LEFT, RIGHT), HEIGHT - 16.0], below);
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLES: &str =
        "player,Elo,checks,draws\n`calm`,0,10 ± 1,20 ± 2\n`wild`,−40 ± 20,13 ± 1,20 ± 2\n";

    fn map() -> StyleMap {
        let text = str::to_owned;
        StyleMap {
            elo: text("Elo"),
            measures: vec![text("checks"), text("draws")],
            reference: text("`calm`"),
            games: 100,
            before: None,
            games_before: 100,
        }
    }

    #[test]
    fn distances_are_in_standard_deviations() {
        let table = Table::parse(STYLES).unwrap();
        let [calm, wild] = map().distances(&table, 100).unwrap()[..] else { panic!("two rows") };
        assert_eq!(calm, Interval { value: 0.0, low: 0.0, high: 0.0 });
        // checks: 3 of 10 / 2.576 apart, with an error of a tenth of √2; draws: only the error
        let (checks, error) = (0.3 * HALF_99, 0.1 * SQRT_2);
        let expected = ((checks.powi(2) - 2.0 * error.powi(2)) / 2.0).sqrt();
        assert!((wild.value - expected).abs() < 1e-9, "{wild:?}");
        assert!(0.0 < wild.low && wild.low < wild.value && wild.value < wild.high, "{wild:?}");
    }

    #[test]
    fn noise_alone_is_no_distance() {
        let Interval { value, low, high } =
            root_mean_square(&[(0.9, 1.0), (-1.0, 1.0), (0.8, 1.0)]);
        assert!((value, low) == (0.0, 0.0) && high > 0.5, "{value} {low} {high}");
    }

    #[test]
    fn labels_of_equal_points_do_not_cover_each_other() {
        let table = Table::parse(&STYLES.replace("−40 ± 20,13 ± 1", "0,10 ± 1")).unwrap();
        let chart = map().draw("styles", &table, None).unwrap();
        let place = |name: &str| {
            chart.lines().find(|line| line.ends_with(&format!(">{name}</text>"))).unwrap()
        };
        let attributes = |name| place(name).split('>').next().unwrap();
        assert_ne!(attributes("calm"), attributes("wild"));
    }

    #[test]
    fn earlier_versions_are_joined_to_the_present_ones() {
        let [now, before] = ["13 ± 1", "16 ± 1"]
            .map(|checks| Table::parse(&STYLES.replace("13 ± 1", checks)).unwrap());
        let chart = |before| map().draw("styles", &now, before).unwrap();
        let count = |chart: &str, class| chart.matches(&format!("class=\"{class}\"")).count();
        let (one, both) = (chart(None), chart(Some(&before)));
        assert_eq!((count(&one, "before"), count(&both, "before")), (0, 1));
        assert_eq!((count(&one, "bar"), count(&both, "bar")), (0, 1));
        let [now, before] =
            [&now, &before].map(|table| map().distances(table, 100).unwrap()[1].value);
        assert!(now < before, "{now} {before}");
    }

    #[test]
    fn missing_rows_and_columns_are_rejected() {
        let table = Table::parse(STYLES).unwrap();
        let error = |map: StyleMap| map.draw("styles", &table, None).unwrap_err();
        assert_eq!(
            error(StyleMap { reference: "calm".into(), ..map() }),
            "no row is called `calm`"
        );
        assert_eq!(
            error(StyleMap { elo: "rating".into(), ..map() }),
            "no column is called `rating`"
        );
    }
}
