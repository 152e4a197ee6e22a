//! The breakdown of a static evaluation by term and by group, and the table that `eval` prints.

use super::{
    danger::{self, Cause, Danger},
    feature::Feature,
    finish,
    group::Group,
    scale, sums,
    tally::Trace,
    trace,
    weights::{Relevance, UNITS_PER_CENTIPAWN, Weights},
};
use crate::chess::score::Tapered;
use shakmaty::{ByColor, Chess, Color, Position};
use std::fmt;

/// One line of the table: a feature that occurs in the position.
#[derive(Clone, Copy, Debug)]
pub struct FeatureRow {
    pub feature: Feature,
    /// How often each side has the feature, summed over all indices of its table.
    pub counts: ByColor<i32>,
    /// The score of these counts from each side's point of view, in 256ths of a centipawn.
    pub values: ByColor<Tapered>,
}

/// A cause of danger to a king that occurs in the position.
#[derive(Clone, Copy, Debug)]
pub struct DangerRow {
    pub cause: Cause,
    /// What it adds to the danger of each side's king.
    pub danger: ByColor<Danger>,
}

/// How opening and ending values become the score of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The game phase, from 0 (kings and pawns) to [`sums::FULL_PHASE`], and more after promotions.
    pub phase: i32,
    /// The share of the ending values that counts, in 64ths; 0 in drawn endings.
    pub scale: i32,
}

impl Frame {
    /// Returns the frame of `position`. The sign of the ending part of `total`, the sum of all
    /// values, decides which side is stronger.
    pub fn of(position: &Chess, total: Tapered) -> Self {
        let scale = scale::for_ending(position, total.eg());
        Self { phase: sums::phase(position.board()), scale }
    }

    /// Returns the shares of opening and ending values in the score, 0 to 1. They follow
    /// [`finish`], without its rounding.
    #[allow(clippy::float_arithmetic)]
    pub fn shares(self) -> [f64; 2] {
        if self.scale == 0 {
            return [0.0; 2];
        }
        let opening = f64::from(self.phase.min(sums::FULL_PHASE)) / f64::from(sums::FULL_PHASE);
        let scale = f64::from(self.scale) / f64::from(scale::FULL_SCALE);
        [opening, scale * (1.0 - opening)]
    }

    /// Converts `value`, in 256ths of a centipawn, to its unrounded share of the score in
    /// centipawns.
    #[allow(clippy::float_arithmetic)]
    pub fn centipawns(self, value: Tapered) -> f64 {
        let [opening, ending] = self.shares();
        let units = f64::from(value.mg()) * opening + f64::from(value.eg()) * ending;
        units / f64::from(UNITS_PER_CENTIPAWN)
    }
}

/// Returns the sums of the values of each group, in the order of [`Group::ALL`]. Values are in 256ths
/// of a centipawn, positive if good for the side they belong to.
pub fn by_group(trace: &Trace, weights: &ByColor<Weights>) -> [ByColor<Tapered>; Group::COUNT] {
    let mut groups = [ByColor::default(); Group::COUNT];
    for feature in Feature::ALL {
        let group: &mut ByColor<Tapered> = &mut groups[feature.spec().group as usize];
        for side in Color::ALL {
            *group.get_mut(side) += value(trace, weights, feature, side);
        }
    }
    groups
}

/// Returns the sum of the values of `feature` for `side`.
fn value(trace: &Trace, weights: &ByColor<Weights>, feature: Feature, side: Color) -> Tapered {
    let range = feature.start()..feature.start() + feature.spec().len;
    let (counts, weights) = (trace.counts(side), &weights.get(side).0);
    range.fold(Tapered::default(), |sum, i| sum + weights[i] * counts[i])
}

/// The breakdown of a static evaluation. Scores are from White's point of view.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The features that occur, in the order of [`Feature::ALL`].
    pub rows: Vec<FeatureRow>,
    /// The causes of danger to the kings that occur, in the order of [`Cause::ALL`].
    pub dangers: Vec<DangerRow>,
    /// The factors of each side's groups, already applied to the values.
    pub relevance: ByColor<Relevance>,
    /// The sum of all values, in 256ths of a centipawn.
    pub total: Tapered,
    /// How the values become the score.
    pub frame: Frame,
    /// The final score, in centipawns.
    pub score: i32,
    /// The final score with all factors at 1, in centipawns.
    pub neutral_score: i32,
}

/// Breaks the evaluation of `position` down by feature.
pub fn explain(position: &Chess, weights: &Weights, relevance: ByColor<Relevance>) -> Explanation {
    let trace = trace(position);
    let bent = ByColor::new_with(|side| weights.under(relevance.get(side)));
    let total = trace.under(&bent);
    let neutral = trace.under(&ByColor { white: weights.clone(), black: weights.clone() });
    let frame = Frame::of(position, total);
    let rows = Feature::ALL
        .into_iter()
        .map(|feature| {
            let range = feature.start()..feature.start() + feature.spec().len;
            let counts = ByColor::new_with(|side| trace.counts(side)[range.clone()].iter().sum());
            let values = ByColor::new_with(|side| value(&trace, &bent, feature, side));
            FeatureRow { feature, counts, values }
        })
        .filter(|row| row.counts.white != 0 || row.counts.black != 0)
        .collect();
    Explanation {
        rows,
        dangers: dangers(&trace),
        relevance,
        total,
        frame,
        score: finish(total, frame.phase, position),
        neutral_score: finish(neutral, frame.phase, position),
    }
}

/// Returns the causes of danger to the kings.
fn dangers(trace: &Trace) -> Vec<DangerRow> {
    let row = |cause| {
        let danger = ByColor::new_with(|side| danger::of_cause(cause, trace.causes(side)));
        DangerRow { cause, danger }
    };
    let occurs = |row: &DangerRow| row.danger.white.count != 0 || row.danger.black.count != 0;
    Cause::ALL.into_iter().map(row).filter(occurs).collect()
}

impl Explanation {
    /// Returns the units of danger to the king of `side`.
    pub fn danger(&self, side: Color) -> i32 {
        self.dangers.iter().map(|row| row.danger.get(side).units).sum()
    }

    /// Returns the sum of the values of `group` for `side`, in 256ths of a centipawn.
    pub fn of_group(&self, group: Group, side: Color) -> Tapered {
        self.rows
            .iter()
            .filter(|row| row.feature.spec().group == group)
            .fold(Tapered::default(), |sum, row| sum + *row.values.get(side))
    }

    /// Returns the factor of `group` for `side`.
    pub fn factor(&self, group: Group, side: Color) -> f64 {
        self.relevance.get(side).0[group as usize].ratio()
    }

    /// Writes the causes of danger to both kings, and the entry of the table that they choose.
    fn write_dangers(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "danger to the king White n   units       Black n   units")?;
        for DangerRow { cause, danger: ByColor { white, black } } in &self.dangers {
            let (name, gap) = (cause.name(), "");
            write!(f, "  {name:<18}{:>6} {:>7}", white.count, white.units)?;
            writeln!(f, "{gap:8}{:>6} {:>7}", black.count, black.units)?;
        }
        let sums = [Color::White, Color::Black].map(|side| self.danger(side));
        let levels = sums.map(danger::level);
        writeln!(f, "= sum{:>29}{:>22}", sums[0], sums[1])?;
        writeln!(f, "= entry of king_danger{:>12}{:>22}\n", levels[0], levels[1])
    }
}

/// Converts 256ths of a centipawn to pawns, for display.
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
            writeln!(f, "  factors: White × {white:.3}, Black × {black:.3}\n")?;
            if group == Group::King {
                self.write_dangers(f)?;
            }
        }
        let (mg, eg) = (pawns(self.total.mg()), pawns(self.total.eg()));
        writeln!(f, "total                opening {mg:+.2}, ending {eg:+.2}")?;
        let full = scale::FULL_SCALE;
        writeln!(f, "phase                {} of {}", self.frame.phase, sums::FULL_PHASE)?;
        writeln!(f, "ending scale         {} of {full}", self.frame.scale)?;
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
