//! The table that the `eval` command prints, from a trace: every term of both sides.

use super::{
    feature::Feature,
    finish,
    group::Group,
    scale, sums, trace,
    weights::{Relevance, UNITS_PER_CENTIPAWN, Weights},
};
use crate::chess::score::Tapered;
use shakmaty::{ByColor, Chess, Color, Position};
use std::fmt;

/// A feature that occurs in the position.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub feature: Feature,
    /// How many each side has, over all indices.
    pub counts: ByColor<i32>,
    /// What they come to, each side's point of view, in 256ths of a centipawn.
    pub values: ByColor<Tapered>,
}

/// A static evaluation taken apart. Scores are White's point of view.
#[derive(Clone, Debug)]
pub struct Explanation {
    pub rows: Vec<Row>,
    /// What the mind multiplies each side's groups by; already in the values.
    pub relevance: ByColor<Relevance>,
    pub total: Tapered,
    pub phase: i32,
    /// Of the ending score, in 64ths.
    pub scale: i32,
    /// In centipawns.
    pub score: i32,
    /// The same without any feeling.
    pub neutral_score: i32,
}

/// Takes the evaluation of `position` apart.
pub fn explain(position: &Chess, weights: &Weights, relevance: ByColor<Relevance>) -> Explanation {
    let trace = trace(position);
    let bent = ByColor::new_with(|side| weights.under(relevance.get(side)));
    let total = trace.under(&bent);
    let neutral = trace.under(&ByColor { white: weights.clone(), black: weights.clone() });
    let phase = sums::Sums::of(position.board(), &bent).phase;
    let rows = Feature::ALL
        .into_iter()
        .map(|feature| {
            let range = feature.start()..feature.start() + feature.spec().len;
            let counts = ByColor::new_with(|side| trace.counts(side)[range.clone()].iter().sum());
            let values = ByColor::new_with(|side| {
                range.clone().fold(Tapered::default(), |sum, i| {
                    sum + bent.get(side).0[i] * trace.counts(side)[i]
                })
            });
            Row { feature, counts, values }
        })
        .filter(|row| row.counts.white != 0 || row.counts.black != 0)
        .collect();
    let stronger = if total.eg() >= 0 { Color::White } else { Color::Black };
    Explanation {
        rows,
        relevance,
        total,
        phase,
        scale: scale::scale(position, stronger),
        score: finish(total, phase, position),
        neutral_score: finish(neutral, phase, position),
    }
}

impl Explanation {
    /// What the rows of `group` come to for `side`.
    pub fn of_group(&self, group: Group, side: Color) -> Tapered {
        self.rows
            .iter()
            .filter(|row| row.feature.spec().group == group)
            .fold(Tapered::default(), |sum, row| sum + *row.values.get(side))
    }

    /// What `value` of either side comes to in the score, in centipawns and not rounded: by phase,
    /// and scaled in drawish endings; nothing in drawn ones.
    #[allow(clippy::float_arithmetic)]
    pub fn centipawns(&self, value: Tapered) -> f64 {
        if self.scale == 0 {
            return 0.0;
        }
        let opening = f64::from(self.phase.min(sums::FULL_PHASE)) / f64::from(sums::FULL_PHASE);
        let scale = f64::from(self.scale) / f64::from(scale::FULL_SCALE);
        let units =
            f64::from(value.mg()) * opening + f64::from(value.eg()) * scale * (1.0 - opening);
        units / f64::from(UNITS_PER_CENTIPAWN)
    }

    fn factor(&self, group: Group, side: Color) -> f64 {
        self.relevance.get(side).0[group as usize].ratio()
    }
}

/// 256ths of a centipawn as pawns, for people to read.
#[allow(clippy::float_arithmetic)]
fn pawns(units: i32) -> f64 {
    f64::from(units) / f64::from(UNITS_PER_CENTIPAWN) / 100.0
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<20} {:^21} {:^21} {:^15}", "", "White", "Black", "Balance")?;
        let head = "     n opening  ending";
        writeln!(f, "{:<20}{head}{head} opening  ending", "term (pawns)")?;
        for group in Group::ALL {
            let rows = self.rows.iter().filter(|row| row.feature.spec().group == group);
            for row in rows {
                line(f, row.feature.spec().name, Some(row.counts), row.values)?;
            }
            let values = ByColor::new_with(|side| self.of_group(group, side));
            let (white, black) =
                (self.factor(group, Color::White), self.factor(group, Color::Black));
            line(f, &format!("= {}", group.name()), None, values)?;
            writeln!(f, "  weighed White × {white:.3}, Black × {black:.3}\n")?;
        }
        let (mg, eg) = (pawns(self.total.mg()), pawns(self.total.eg()));
        writeln!(f, "total                opening {mg:+.2}, ending {eg:+.2}")?;
        let full = scale::FULL_SCALE;
        writeln!(f, "phase                {} of {}", self.phase, sums::FULL_PHASE)?;
        writeln!(f, "ending counts        {} of {full}", self.scale)?;
        writeln!(f, "without feeling      {:+} centipawns for White", self.neutral_score)?;
        write!(f, "score                {:+} centipawns for White", self.score)
    }
}

fn line(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    counts: Option<ByColor<i32>>,
    values: ByColor<Tapered>,
) -> fmt::Result {
    write!(f, "{name:<20}")?;
    for side in [Color::White, Color::Black] {
        let count = counts.map_or(String::new(), |counts| counts.get(side).to_string());
        let value = values.get(side);
        write!(f, "{count:>6} {:>7.2} {:>7.2}", pawns(value.mg()), pawns(value.eg()))?;
    }
    let balance = values.white - values.black;
    writeln!(f, " {:>7.2} {:>7.2}", pawns(balance.mg()), pawns(balance.eg()))
}
