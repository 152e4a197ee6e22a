//! Draws the figures of a study as SVG: effects, calibration, and the maps with shuffled weights.

use super::{
    findings::{Findings, Line, Rank, STATEMENTS},
    placebo::Bin,
};
use crate::lab::svg::{WIDTH, line, svg, text};
use std::fmt::Write;

/// Height of a row of the effect plot.
const ROW: f64 = 26.0;
/// Ratios of the effect plot beyond these bounds are cut off.
const BOUNDS: (f64, f64) = (0.25, 4.0);
/// Marks on the axis of the effect plot.
const MARKS: [f64; 5] = [0.25, 0.5, 1.0, 2.0, 4.0];
/// Number of bars of the histogram.
const BARS: usize = 30;

/// Returns the plot of all estimates with their intervals, on a logarithmic axis.
pub(super) fn effects(findings: &Findings) -> String {
    let (left, right) = (270.0, WIDTH - 20.0);
    let lines: Vec<(&str, &Line)> = findings
        .regressions
        .iter()
        .zip(STATEMENTS)
        .filter_map(|(tested, (name, _))| Some((name, tested.as_ref().ok()?)))
        .flat_map(|(name, finding)| finding.lines.iter().map(move |line| (name, line)))
        .collect();
    let bottom = 20.0 + ROW * lines.len() as f64;
    let ratio = |ratio: f64| {
        let share = libm::log(ratio / BOUNDS.0) / libm::log(BOUNDS.1 / BOUNDS.0);
        left + share.clamp(0.0, 1.0) * (right - left)
    };
    let mut out = String::new();
    for mark in MARKS {
        let x = ratio(mark);
        line(&mut out, "axis", [x, 8.0], [x, bottom]);
        text(&mut out, "quiet middle", [x, bottom + 16.0], &format!("× {mark}"));
    }
    for (row, (name, estimate)) in lines.into_iter().enumerate() {
        let y = 20.0 + ROW * row as f64;
        text(&mut out, "right", [left - 12.0, y + 4.0], &format!("{name} {}", estimate.label));
        let class = if estimate.label.starts_with("relief") { "relief" } else { "fear" };
        let [middle, low, high] = estimate.estimate.ratios().map(ratio);
        line(&mut out, class, [low, y], [high, y]);
        let _ =
            writeln!(out, "<circle class=\"{class}\" cx=\"{middle:.1}\" cy=\"{y:.1}\" r=\"4\"/>");
    }
    let x = f64::midpoint(left, right);
    text(
        &mut out,
        "quiet middle",
        [x, bottom + 34.0],
        "odds or time at full emotion, with 95 % intervals",
    );
    svg("Effects of relief and fear", bottom + 44.0, &out)
}

/// Returns the calibration curve: predicted against observed shares of blunders.
pub(super) fn calibration(bins: &[Bin]) -> String {
    let (left, right, top, bottom) = (70.0, 390.0, 16.0, 336.0);
    let most = bins.iter().flat_map(|bin| [bin.predicted, bin.observed]).fold(0.01, f64::max);
    let most = (most * 20.0).ceil() / 20.0;
    let place = |bin: &Bin| {
        let [x, y] = [bin.predicted, bin.observed].map(|share| share / most);
        [left + x * (right - left), bottom - y * (bottom - top)]
    };
    let mut out = String::new();
    line(&mut out, "axis", [left, bottom], [right, bottom]);
    line(&mut out, "axis", [left, bottom], [left, top]);
    line(&mut out, "axis", [left, bottom], [right, top]);
    for share in [0.0, 0.5, 1.0] {
        let words = format!("{:.1} %", 100.0 * share * most);
        text(&mut out, "quiet middle", [left + share * (right - left), bottom + 18.0], &words);
        text(&mut out, "quiet right", [left - 8.0, bottom - share * (bottom - top) + 4.0], &words);
    }
    let points: Vec<_> =
        bins.iter().map(|bin| place(bin).map(|at| format!("{at:.1}")).join(",")).collect();
    let _ = writeln!(out, "<polyline class=\"ours\" points=\"{}\"/>", points.join(" "));
    for [x, y] in bins.iter().map(place) {
        let _ = writeln!(out, "<circle class=\"relief\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>");
    }
    text(
        &mut out,
        "quiet",
        [left + 8.0, bottom + 38.0],
        "predicted share of blunders, held-out players",
    );
    text(&mut out, "quiet", [left + 8.0, top + 6.0], "observed share");
    svg("Calibration of the blunder model", bottom + 48.0, &out)
}

/// Returns the histogram of the gains of maps with shuffled weights, with ours marked.
pub(super) fn placebos(rank: &Rank) -> String {
    let (left, right, top, bottom) = (40.0, WIDTH - 40.0, 30.0, 230.0);
    let all = rank.placebos.iter().chain([&rank.gain]);
    let low = all.clone().copied().fold(f64::INFINITY, f64::min);
    let high = all.copied().fold(f64::NEG_INFINITY, f64::max);
    let span = (high - low).max(1e-9);
    let mut counts = [0_usize; BARS];
    for gain in &rank.placebos {
        counts[(((gain - low) / span * BARS as f64) as usize).min(BARS - 1)] += 1;
    }
    let most = counts.iter().copied().max().unwrap_or(0).max(1) as f64;
    let width = (right - left) / BARS as f64;
    let mut out = String::new();
    for (bar, count) in counts.into_iter().enumerate() {
        let height = count as f64 / most * (bottom - top);
        let _ = writeln!(
            out,
            "<rect class=\"bar\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\"/>",
            left + width * bar as f64,
            bottom - height,
            width - 1.0
        );
    }
    line(&mut out, "axis", [left, bottom], [right, bottom]);
    let ours = left + (rank.gain - low) / span * (right - left);
    line(&mut out, "ours", [ours, top - 8.0], [ours, bottom]);
    let class = if ours > f64::midpoint(left, right) { "right" } else { "left" };
    text(&mut out, class, [ours, top - 14.0], &format!("the map: {:+.2} nats", rank.gain));
    text(&mut out, "quiet", [left, bottom + 18.0], &format!("{low:+.1}"));
    text(&mut out, "quiet right", [right, bottom + 18.0], &format!("{high:+.1} nats"));
    let words = format!(
        "gain in held-out likelihood of {} maps with shuffled weights",
        rank.placebos.len()
    );
    text(&mut out, "quiet middle", [WIDTH / 2.0, bottom + 36.0], &words);
    svg("Maps with shuffled weights", bottom + 46.0, &out)
}

#[cfg(test)]
mod tests {
    use super::{super::findings::tests::findings, *};

    #[test]
    fn figures_show_every_estimate_bin_and_map() {
        let findings = findings();
        let effects = effects(&findings);
        assert_eq!(effects.matches("<circle").count(), 3);
        assert!(effects.contains("H1 relief, all controls") && effects.contains("H4 fear"));
        let rank = findings.rank.unwrap();
        assert_eq!(calibration(&rank.calibration).matches("<circle").count(), 10);
        let placebos = placebos(&rank);
        assert!(placebos.contains("the map: +4.00 nats") && placebos.contains("50 maps"));
        for figure in [&effects, &placebos] {
            assert!(figure.starts_with("<svg ") && figure.ends_with("</svg>\n"));
            assert!(!figure.contains("NaN") && !figure.contains("inf"), "{figure}");
        }
    }

    #[test]
    fn figures_of_nothing_are_still_valid() {
        let rank = Rank {
            gain: 0.0,
            parts: Vec::new(),
            placebos: Vec::new(),
            p: 1.0,
            sizes: findings().rank.unwrap().sizes,
            calibration: Vec::new(),
        };
        for figure in [placebos(&rank), calibration(&[])] {
            assert!(!figure.contains("NaN") && !figure.contains("inf"), "{figure}");
        }
    }
}
