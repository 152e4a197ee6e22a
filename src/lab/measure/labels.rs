//! Labels of points in a chart, placed so that none covers another label or point.
#![allow(clippy::cast_precision_loss, reason = "a label has few characters")]

use crate::lab::svg::{line, text};

/// The size of a label in pixels: of a character, and of a line.
const LETTER: f64 = 7.0;
const LINE: f64 = 13.0;

/// An area in pixels: left, right, top and bottom.
type Area = [f64; 4];

/// Places labels one by one.
#[derive(Default)]
pub(super) struct Labels {
    taken: Vec<Area>,
}

impl Labels {
    /// Keeps labels out of `area`.
    pub(super) fn cover(&mut self, area: Area) {
        self.taken.push(area);
    }

    /// Writes `name` at a free place near the point at `x` and `y`. If it is not right beside the
    /// point, a line joins them.
    pub(super) fn write(&mut self, out: &mut String, [x, y]: [f64; 2], name: &str) {
        let width = name.len() as f64 * LETTER;
        let beside = [[x + 9.0, y - 5.0], [x - 9.0 - width, y - 5.0], [x + 9.0, y + 14.0]];
        let beyond = [1.0, 2.0, 3.0].into_iter().flat_map(|lines| {
            let [above, below] = [y - 5.0 - lines * LINE, y + 14.0 + (lines - 1.0) * LINE];
            [[x - 9.0 - width, below], [x + 9.0, above], [x - 9.0 - width, above], [x + 9.0, below]]
        });
        let area = |[left, base]: [f64; 2]| [left, left + width, base - LINE + 2.0, base + 2.0];
        let is_free =
            |place: &[f64; 2]| !self.taken.iter().any(|taken| overlap(taken, &area(*place)));
        let place = beside.into_iter().chain(beyond).find(is_free).unwrap_or(beside[0]);
        let covered @ [left, right, top, bottom] = area(place);
        self.cover(covered);
        if !beside.contains(&place) {
            line(out, "quiet-line", [x.clamp(left, right), y.clamp(top, bottom)], [x, y]);
        }
        text(out, "", place, name);
    }
}

fn overlap(a: &Area, b: &Area) -> bool {
    a[0] < b[1] && b[0] < a[1] && a[2] < b[3] && b[2] < a[3]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_join_distant_labels_to_their_points() {
        let names = ["one", "two", "three", "four", "five"];
        let (mut labels, mut out) = (Labels::default(), String::new());
        labels.cover([95.0, 105.0, 95.0, 105.0]);
        for name in names {
            labels.write(&mut out, [100.0, 100.0], name);
        }
        let lines: Vec<&str> = out.lines().collect();
        let joined = |name: &str| {
            let label = lines.iter().position(|line| line.contains(&format!(">{name}<"))).unwrap();
            label > 0
                && lines[label - 1].starts_with("<line")
                && lines[label - 1].ends_with("y2=\"100.0\"/>")
        };
        let expected = [false, false, false, true, true];
        assert_eq!(names.map(joined), expected, "{lines:#?}");
    }
}
