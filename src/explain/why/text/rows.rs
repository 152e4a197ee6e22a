//! Rows, numbers and lines of the explanation.

use super::super::{flip::Flip, line::BestLine};
use crate::{chess::score::Score, explain::split::Contribution};
use std::fmt::Write as _;

/// Precision of printed numbers, in centipawns.
pub(super) const TENTH: f64 = 0.1;

/// Formats the score, depth and moves of a line.
pub(super) fn describe(line: &BestLine) -> String {
    let end = line.end.over.map_or_else(String::new, |over| format!(" ({})", over.name()));
    format!("{:>10}, depth {:>2}: {}{end}", score(line.score), line.depth, line.san())
}

pub(super) fn score(score: Score) -> String {
    match score.mate_moves() {
        Some(moves) if moves > 0 => format!("mate in {moves}"),
        Some(moves) => format!("mated in {}", -moves),
        None => format!("{:+} cp", score.centipawns()),
    }
}

/// Lists the two terms with the largest differences, if these are at least `least`.
pub(super) fn leading(mut leads: Vec<(&'static str, f64)>, least: f64) -> String {
    leads.sort_by(|(_, a), (_, b)| b.abs().total_cmp(&a.abs()));
    let most = leads.iter().take(2).filter(|(_, lead)| lead.abs() >= least);
    most.map(|(name, lead)| format!("{name} {}", signed(*lead, 1))).collect::<Vec<_>>().join(", ")
}

/// Returns the difference of each term between two ends.
pub(super) fn leads(a: &Contribution, b: &Contribution) -> Vec<(&'static str, f64)> {
    let names = if a.terms.is_empty() { &b.terms } else { &a.terms };
    let lead = |i: usize| a.term(i) - b.term(i);
    names.iter().enumerate().map(|(i, (name, _))| (*name, lead(i))).collect()
}

pub(super) fn change(flip: &Flip, decimals: usize) -> String {
    let Flip { from, tip, to, scores: [first, second], .. } = flip;
    let number = |value: &f64| format!("{value:.decimals$}");
    let (from, to, tip) = (number(from), number(to), number(tip));
    format!("from {from} to {to} (equal at {tip}): {first:+} against {second:+} cp")
}

/// Formats one table row: a name and right-aligned cells.
pub(super) fn row(name: &str, cells: &[String]) -> String {
    let mut row = format!("  {name:<17}");
    for cell in cells {
        // writing to a String cannot fail
        let _ = write!(row, " {cell:>8}");
    }
    row
}

/// Formats a number with its sign. Numbers that round to zero have no sign.
pub(super) fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    if text.trim_start_matches(['+', '-']).chars().all(|c| matches!(c, '0' | '.')) {
        format!("{:.decimals$}", 0.0)
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_round_to_zero_have_no_sign() {
        assert_eq!(
            [0.04, -0.04, 0.06, -1.0].map(|value| signed(value, 1)),
            ["0.0", "0.0", "+0.1", "-1.0"]
        );
    }

    #[test]
    fn the_terms_that_differ_most_are_listed() {
        let part = |terms: [f64; 3]| {
            let terms = ["shield", "danger", "pawns"].into_iter().zip(terms).collect();
            Contribution { terms, ..Contribution::default() }
        };
        let (chosen, rival) = (part([10.0, -3.0, 0.2]), part([4.0, 9.0, 0.0]));
        assert_eq!(leading(leads(&chosen, &rival), 0.5), "danger -12.0, shield +6.0");
        assert_eq!(leading(leads(&chosen, &chosen), 0.5), "");
    }
}
