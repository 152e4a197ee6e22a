//! The answer to the question why another move was not played.

use super::{
    super::{
        Contrast, MoveAnswer, Rival, Why,
        flip::{Flip, Flips, SHOWN},
        names_of,
        turning::{CHANGES, FactorTurning, Turning},
    },
    rows::{change, describe, leading, leads, row, signed},
};
use crate::explain::split::Contribution;
use shakmaty::Move;
use std::fmt;

/// Differences below this value, in centipawns, are summed up in one row.
const SLIGHT: f64 = 0.5;
/// Maximum number of factors with a row of their own in the comparison of two ends.
const LONGEST: usize = 8;

impl Why {
    pub(super) fn asked(&self, f: &mut fmt::Formatter<'_>, asked: &MoveAnswer) -> fmt::Result {
        let (m, chosen) = (self.san(asked.m), self.chosen());
        let Some(Rival { line, contrast, turning, factor }) = &asked.rival else {
            return writeln!(f, "\n{m} is the only legal move.");
        };
        let rival = line.first().map_or_else(String::new, |m| self.san(m));
        if self.felt.first() == Some(asked.m) {
            writeln!(f, "\n{m} is the engine's move. The best alternative:")?;
        } else {
            writeln!(
                f,
                "\nWhy not {m}? The best line that begins with it, searched with feeling:"
            )?;
        }
        writeln!(f, "  {rival:<16} {}", describe(line))?;
        if let Some(contrast) = contrast {
            self.contrast(f, contrast, [&chosen, &rival])?;
            self.flips(f, contrast, [&chosen, &rival])?;
        } else {
            writeln!(f, "  A line ends in mate, so there is no evaluation to compare.")?;
        }
        if let Some(turning) = turning {
            self.turning(f, asked.m, *turning)?;
        }
        factor.map_or(Ok(()), |factor| self.factor(f, factor))
    }

    fn factor(&self, f: &mut fmt::Formatter<'_>, turning: FactorTurning) -> fmt::Result {
        let [least, .., most] = CHANGES;
        write!(f, "Searches with one factor changed, by {least} up to {most}: ")?;
        match turning {
            FactorTurning { found: Some((knob, [from, to], plays)), .. } => {
                let name = knob.name();
                writeln!(f, "{name} {to:.3} (now {from:.3}) plays {}.", self.san(plays))
            }
            FactorTurning { tried: 0, .. } => writeln!(f, "the profile's bounds allow none."),
            FactorTurning { tried, .. } => writeln!(f, "none of {tried} changes the answer."),
        }
    }

    fn turning(&self, f: &mut fmt::Formatter<'_>, asked: Move, turning: Turning) -> fmt::Result {
        let Turning { steps, found } = turning;
        let m = self.san(asked);
        let from = signed(self.feeling.appraisal.intensity, 3);
        write!(f, "\nSearches with another ε (now {from}, steps of 1/{steps}): ")?;
        match found {
            Some((to, m)) => writeln!(f, "ε = {} plays {}.", signed(to, 3), self.san(m)),
            None if self.felt.first() == Some(asked) => writeln!(f, "every one plays {m}."),
            None => writeln!(f, "none plays {m}."),
        }
    }

    fn contrast(
        &self,
        f: &mut fmt::Formatter<'_>,
        contrast: &Contrast,
        names: [&str; 2],
    ) -> fmt::Result {
        writeln!(f, "\nEvaluation {}, with feeling (cp for {})", self.ends(), self.side())?;
        let heads = [names[0], names[1], "diff"].map(str::to_owned);
        writeln!(f, "{}   mainly from", row("", &heads))?;
        let (first, second) = (&contrast.chosen, &contrast.rival);
        let values = |a: f64, b: f64| [a, b, a - b];
        let cells = |a: &Contribution, b: &Contribution| {
            (values(a.value, b.value), leading(leads(a, b), SLIGHT))
        };
        let parts = first.parts.iter().zip(&second.parts).map(|(a, b)| cells(a, b));
        let draw = (values(first.draw.into(), second.draw.into()), String::new());
        let rows = names_of(self.evaluator()).into_iter().zip(parts.chain([draw]));
        let mut rows: Vec<_> = rows.map(|(name, (values, terms))| (name, values, terms)).collect();
        rows.sort_by(|(_, a, _), (_, b, _)| b[2].abs().total_cmp(&a[2].abs()));
        let (mut others, mut rest) = ([0.0; 3], 0);
        for (number, (name, values, terms)) in rows.iter().enumerate() {
            if number < LONGEST && values[2].abs() >= SLIGHT {
                let cells = row(name, &values.map(|value| signed(value, 1)));
                writeln!(f, "{}", format!("{cells}   {terms}").trim_end())?;
            } else {
                others.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
                rest += 1;
            }
        }
        if rest > 0 {
            writeln!(f, "{}", row("all others", &others.map(|value| signed(value, 1))))?;
        }
        let (chosen, rival) = (first.score, second.score);
        let scores = [chosen, rival, chosen - rival].map(|score| format!("{score:+}"));
        writeln!(f, "{}", row("evaluation", &scores))
    }

    fn flips(
        &self,
        f: &mut fmt::Formatter<'_>,
        contrast: &Contrast,
        [chosen, rival]: [&str; 2],
    ) -> fmt::Result {
        let Some(Flips { intensity, factors }) = &contrast.flips else {
            return writeln!(f, "  {rival} evaluates higher there, but the search score decides.");
        };
        writeln!(
            f,
            "\nChanges that make {rival} evaluate higher than {chosen} in these two positions, each on its own"
        )?;
        writeln!(f, "(and the move that a full search with that change plays)")?;
        let change = |flip: &Flip| {
            let choice =
                flip.choice.map_or_else(String::new, |m| format!("; plays {}", self.san(m)));
            change(flip, 3) + &choice
        };
        match intensity {
            Some(flip) => writeln!(f, "  {:<17} {}", "ε", change(flip))?,
            None => writeln!(f, "  {:<17} no value from -1 to 1", "ε")?,
        }
        for (knob, flip) in factors.iter().take(SHOWN) {
            writeln!(f, "  {:<17} {}", knob.name(), change(flip))?;
        }
        let table = &self.feeling.profile.mind.relevance;
        let bounds = match (table.floor, table.ceiling) {
            (Some(floor), Some(ceiling)) => format!("from {floor} to {ceiling}"),
            (Some(floor), None) => format!("of at least {floor}"),
            (None, Some(ceiling)) => format!("of at most {ceiling}"),
            (None, None) => "of any size".to_owned(),
        };
        match factors.len() {
            0 => writeln!(f, "  {:<17} no value {bounds}", "one factor"),
            count if count > SHOWN => {
                let others = if count == SHOWN + 1 { "factor" } else { "factors" };
                writeln!(f, "  and {} more {others} with values {bounds}", count - SHOWN)
            }
            _ => Ok(()),
        }
    }
}
