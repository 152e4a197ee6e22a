//! The explanation of a move as text, as printed by `deepfeeling why`.

use super::{
    Contrast, Effect, MoveAnswer, Rival, Why,
    flip::{Flip, Flips, SHOWN},
    line::BestLine,
    names_of,
    turning::{CHANGES, FactorTurning, Turning},
};
use crate::{
    chess::score::Score,
    chess_mind::{Condition, Fact, concept_name},
    explain::{schema::verdict, split::Contribution},
    mind::concept::{Activations, Concept},
};
use shakmaty::{Move, san::SanPlus};
use std::fmt::{self, Display, Write as _};

/// Differences below this value, in centipawns, are summed up in one row.
const SLIGHT: f64 = 0.5;
/// Precision of printed numbers, in centipawns.
const TENTH: f64 = 0.1;
/// Maximum number of factors with a row of their own in the comparison of two ends.
const LONGEST: usize = 8;

impl Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let feeling = &self.feeling;
        let (name, side) = (&feeling.profile.name, self.side());
        writeln!(f, "{}\nprofile {name}, {side} to move\n", feeling.game.fen())?;
        self.board(f)?;
        self.goal(f)?;
        self.feeling(f)?;
        if let Some(known) = &self.known {
            known.row(f, self.feeling.profile.known.rule)?;
        }
        self.lines(f)?;
        match &self.effect {
            Some(effect) => self.effect(f, effect)?,
            None => writeln!(f, "  A line ends in mate, so there is no evaluation to compare.")?,
        }
        if let Some(asked) = &self.asked {
            self.asked(f, asked)?;
        }
        Ok(())
    }
}

impl Why {
    fn side(&self) -> &'static str {
        self.feeling.appraisal.side.fold_wb("White", "Black")
    }

    fn san(&self, m: Move) -> String {
        SanPlus::from_move(self.feeling.game.chess.clone(), m).to_string()
    }

    fn chosen(&self) -> String {
        self.felt.first().map_or_else(String::new, |m| self.san(m))
    }

    fn board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Facts")?;
        let (facts, thresholds) =
            (&self.feeling.appraisal.facts, &self.feeling.profile.mind.thresholds);
        for fact in Fact::ALL.into_iter().filter(|fact| facts.holds(*fact)) {
            writeln!(f, "  {:<20} {}", fact.name(), fact.meaning(thresholds))?;
        }
        let others: Vec<_> =
            Fact::ALL.into_iter().filter(|fact| !facts.holds(*fact)).map(Fact::name).collect();
        if !others.is_empty() {
            writeln!(f, "  not: {}", others.join(", "))?;
        }
        Ok(())
    }

    fn goal(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let appraisal = &self.feeling.appraisal;
        match appraisal.goal {
            Some(goal) => writeln!(f, "\nGoal: {}. {}", goal.name(), goal.description())?,
            None => writeln!(f, "\nGoal: none, so all factors are 1")?,
        }
        for rule in appraisal.rules.iter().filter(|rule| !rule.failed.is_empty()) {
            let failed =
                rule.failed.iter().map(|condition| lacking(*condition, &appraisal.perceived));
            let failed = failed.collect::<Vec<_>>().join("; ");
            writeln!(f, "  not {:<17} {failed}", rule.goal.name())?;
        }
        Ok(())
    }

    fn feeling(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let appraisal = &self.feeling.appraisal;
        let intensity = appraisal.intensity;
        let word = Concept::Relief.label(intensity);
        writeln!(f, "\nFeeling: {word}, ε = {} (-1 fear, 1 relief)", signed(intensity, 2))?;
        let concepts = |state: &Activations, perceived| {
            let concepts = Concept::ALL.into_iter().filter(|c| c.is_perceived() == perceived);
            let words = concepts.map(|concept| {
                let value = state[concept as usize];
                format!("{} {} {}", concept_name(concept), signed(value, 2), concept.label(value))
            });
            words.collect::<Vec<_>>().join(", ")
        };
        writeln!(f, "  perceived  {}", concepts(&appraisal.perceived, true))?;
        let settled = concepts(&appraisal.settled, false);
        writeln!(f, "  map        {settled}: {}", verdict(appraisal.settling))?;
        if let Some(steps) = self.feeling.profile.mind.steps {
            let relief = signed(appraisal.settled[Concept::Relief as usize], 3);
            writeln!(
                f,
                "  intensity  {relief}, rounded to steps of 1/{steps}: {}",
                signed(intensity, 3)
            )?;
        }
        let knobs = self.evaluator().factors().into_iter();
        let factors: Vec<_> = knobs
            .map(|knob| (knob.name(), format!("{:.3}", knob.of(&appraisal.ratios))))
            .filter(|(_, ratio)| ratio != "1.000")
            .map(|(name, ratio)| format!("{name} {ratio}"))
            .collect();
        let factors = if factors.is_empty() { "all 1".to_owned() } else { factors.join(", ") };
        writeln!(f, "  factors    {factors}")?;
        self.feeling.effects(f)
    }

    fn lines(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nLines ({} nodes each, scores for {})", self.nodes, self.side())?;
        writeln!(f, "  with feeling     {}", describe(&self.felt))?;
        writeln!(f, "  without feeling  {}", describe(&self.neutral))?;
        let neutral = self.neutral.first().map_or_else(String::new, |m| self.san(m));
        if neutral == self.chosen() {
            writeln!(f, "  The feeling does not change the move: {neutral}.")
        } else {
            writeln!(f, "  The feeling changes the move from {neutral} to {}.", self.chosen())?;
            if self.is_steady != Some(false) {
                return Ok(());
            }
            let cause = "1/256 centipawn more or less for the tempo";
            writeln!(f, "  It is a very close call: {cause} also changes the move without feeling.")
        }
    }

    /// Returns where both lines are evaluated.
    fn ends(&self) -> &'static str {
        if self.feeling.profile.acts_by_taste() {
            "right after both moves"
        } else {
            "at the end of both lines"
        }
    }

    fn effect(&self, f: &mut fmt::Formatter<'_>, effect: &Effect) -> fmt::Result {
        let side = self.side();
        let ends = self.ends();
        writeln!(f, "\nEffect of the feeling {ends} (cp for {side})")?;
        let is_changed = |row: &[f64; 5]| {
            (row[0] - row[1]).abs() >= TENTH / 2.0 || (row[2] - row[3]).abs() >= TENTH / 2.0
        };
        let rows = effect.rows();
        if !rows.iter().any(is_changed) {
            return writeln!(f, "  none");
        }
        writeln!(f, "  {:<17} {:>17} {:>17}", "", "line with feeling", "line without")?;
        let heads = ["felt", "neutral", "felt", "neutral", "effect"];
        writeln!(f, "{}   mainly from", row("", &heads.map(str::to_owned)))?;
        let mut others = [0.0; 5];
        for (i, (name, values)) in names_of(self.evaluator()).iter().zip(&rows).enumerate() {
            if is_changed(values) {
                let cells = row(name, &values.map(|value| signed(value, 1)));
                let terms = leading(effect.terms(i), TENTH / 2.0);
                writeln!(f, "{}", format!("{cells}   {terms}").trim_end())?;
            } else {
                others.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
            }
        }
        writeln!(f, "{}", row("all others", &others.map(|value| signed(value, 1))))?;
        let scores = effect.scores();
        writeln!(f, "{}", row("evaluation", &scores.map(|score| format!("{score:+}"))))?;
        let (felt, plain, shift) = (scores[0] - scores[2], scores[1] - scores[3], scores[4]);
        writeln!(
            f,
            "  Difference between the two positions: {felt:+} cp with feeling, {plain:+} cp without."
        )?;
        if self.felt.first() != self.neutral.first() && shift <= 0 {
            writeln!(
                f,
                "  These two positions do not explain the change of move: it was decided elsewhere in \
                 the search."
            )?;
        }
        Ok(())
    }

    fn asked(&self, f: &mut fmt::Formatter<'_>, asked: &MoveAnswer) -> fmt::Result {
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

/// Describes why a condition of a goal fails.
fn lacking(condition: Condition, perceived: &Activations) -> String {
    match condition {
        Condition::Fact(fact, expected) => format!("{} is {}", fact.name(), !expected),
        Condition::Label(concept, label) => {
            let value = perceived[concept as usize];
            let (is, wanted) = (concept.label(value), concept.labels()[label]);
            format!("{} is {is} ({}), not {wanted}", concept_name(concept), signed(value, 2))
        }
    }
}

/// Formats the score, depth and moves of a line.
fn describe(line: &BestLine) -> String {
    let end = line.end.over.map_or_else(String::new, |over| format!(" ({})", over.name()));
    format!("{:>10}, depth {:>2}: {}{end}", score(line.score), line.depth, line.san())
}

fn score(score: Score) -> String {
    match score.mate_moves() {
        Some(moves) if moves > 0 => format!("mate in {moves}"),
        Some(moves) => format!("mated in {}", -moves),
        None => format!("{:+} cp", score.centipawns()),
    }
}

/// Lists the two terms with the largest differences, if these are at least `least`.
fn leading(mut leads: Vec<(&'static str, f64)>, least: f64) -> String {
    leads.sort_by(|(_, a), (_, b)| b.abs().total_cmp(&a.abs()));
    let most = leads.iter().take(2).filter(|(_, lead)| lead.abs() >= least);
    most.map(|(name, lead)| format!("{name} {}", signed(*lead, 1))).collect::<Vec<_>>().join(", ")
}

/// Returns the difference of each term between two ends.
fn leads(a: &Contribution, b: &Contribution) -> Vec<(&'static str, f64)> {
    let names = if a.terms.is_empty() { &b.terms } else { &a.terms };
    let lead = |i: usize| a.term(i) - b.term(i);
    names.iter().enumerate().map(|(i, (name, _))| (*name, lead(i))).collect()
}

fn change(flip: &Flip, decimals: usize) -> String {
    let Flip { from, tip, to, scores: [first, second], .. } = flip;
    let number = |value: &f64| format!("{value:.decimals$}");
    let (from, to, tip) = (number(from), number(to), number(tip));
    format!("from {from} to {to} (equal at {tip}): {first:+} against {second:+} cp")
}

/// Formats one table row: a name and right-aligned cells.
fn row(name: &str, cells: &[String]) -> String {
    let mut row = format!("  {name:<17}");
    for cell in cells {
        // writing to a String cannot fail
        let _ = write!(row, " {cell:>8}");
    }
    row
}

/// Formats a number with its sign. Numbers that round to zero have no sign.
fn signed(value: f64, decimals: usize) -> String {
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
