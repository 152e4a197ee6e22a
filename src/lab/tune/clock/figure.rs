//! Draws think times of people beside drawn ones.
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

use super::sample::ThinkTime;
use crate::{
    lab::svg::{WIDTH, line, svg, text},
    pgn::GameStage,
    player::human::clock::ClockModel,
    support::random::Random,
};
use std::fmt::Write;

/// The first whole second of each bar. The last bar is open.
const BINS: [u32; 12] = [0, 1, 2, 3, 4, 6, 9, 13, 19, 28, 41, 61];
const SEED: u64 = 3;
/// Height of the panel of a stage.
const PANEL: f64 = 150.0;

/// Returns histograms of the `times` of people and of times drawn from `model`, one for each stage
/// of the game. The first moves of games do not count.
#[must_use]
pub fn figure(model: &ClockModel, times: &[&ThinkTime]) -> String {
    let mut random = Random::new(SEED);
    let mut shares = [[[0.0; BINS.len()]; 2]; GameStage::ALL.len()];
    for time in times.iter().filter(|time| !time.is_early) {
        let own = &mut shares[time.stage as usize];
        own[0][bin(time.used)] += 1.0;
        own[1][bin(time.drawn(model, random.unit()))] += 1.0;
    }
    for counts in shares.iter_mut().flatten() {
        let all = counts.iter().sum::<f64>().max(1.0);
        for count in counts.iter_mut() {
            *count /= all;
        }
    }
    let most = shares.iter().flatten().flatten().copied().fold(0.01, f64::max);
    let mut out = String::new();
    text(&mut out, "quiet", [60.0, 18.0], "bars: people, line: HumanClock; share of moves");
    for (panel, stage) in GameStage::ALL.into_iter().enumerate() {
        let bottom = 40.0 + PANEL * (panel as f64 + 1.0) - 30.0;
        histogram(&mut out, stage.name(), &shares[panel], bottom, most);
    }
    let bottom = 40.0 + PANEL * GameStage::ALL.len() as f64;
    text(&mut out, "quiet middle", [WIDTH / 2.0, bottom + 8.0], "seconds for a move");
    svg("Think times of people and of HumanClock", bottom + 20.0, &out)
}

fn bin(seconds: f64) -> usize {
    BINS.iter().rposition(|&first| seconds.round() >= f64::from(first)).unwrap_or(0)
}

/// Draws bars for the first shares and a line for the second ones.
fn histogram(
    out: &mut String,
    name: &str,
    [people, drawn]: &[[f64; BINS.len()]; 2],
    bottom: f64,
    most: f64,
) {
    let (left, right, height) = (60.0, WIDTH - 20.0, PANEL - 40.0);
    let width = (right - left) / BINS.len() as f64;
    let top = |share: f64| bottom - share / most * height;
    let mut points = Vec::new();
    for (bar, first) in BINS.iter().enumerate() {
        let x = left + width * bar as f64;
        let y = top(people[bar]);
        // writing to a String cannot fail
        let _ = writeln!(
            out,
            "<rect class=\"bar\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
            x + 3.0,
            width - 6.0,
            bottom - y
        );
        let middle = x + width / 2.0;
        points.push(format!("{middle:.1},{:.1}", top(drawn[bar])));
        let label = match BINS.get(bar + 1) {
            Some(next) if first + 1 == *next => first.to_string(),
            Some(next) => format!("{first}–{}", next - 1),
            None => format!("{first}+"),
        };
        text(out, "quiet middle", [middle, bottom + 16.0], &label);
    }
    let _ = writeln!(out, "<polyline class=\"ours\" points=\"{}\"/>", points.join(" "));
    line(out, "axis", [left, bottom], [right, bottom]);
    text(out, "right", [right, bottom - height + 8.0], name);
    text(
        out,
        "quiet right",
        [left - 8.0, bottom - height + 8.0],
        &format!("{:.0} %", 100.0 * most),
    );
    text(out, "quiet right", [left - 8.0, bottom], "0 %");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_second_has_a_bar() {
        assert_eq!([0.0, 0.4, 1.0, 5.0, 60.0, 61.0, 1e6].map(bin), [0, 0, 1, 4, 10, 11, 11]);
    }

    #[test]
    fn a_figure_of_nothing_is_valid() {
        let svg = figure(&ClockModel::fitted().unwrap(), &[]);
        assert_eq!(svg.matches("<rect").count(), 3 * BINS.len());
        assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"));
    }
}
