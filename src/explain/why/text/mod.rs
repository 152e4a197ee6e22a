//! The explanation of a move as text, as printed by `deepfeeling why`.

mod answer;
mod rows;

use super::{Effect, Why, names_of};
use crate::{
    chess_mind::{Condition, Fact, concept_name},
    explain::{feeling::Feeling, schema::verdict},
    mind::{
        appraisal::emotion_word,
        concept::{Activations, Concept},
    },
    player::intensity_after,
};
use rows::{TENTH, describe, leading, row, signed};
use shakmaty::{Move, san::SanPlus};
use std::fmt::{self, Display};

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
        self.opponent(f)?;
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

    /// Says what the opponent would feel after each move, and whether that is why it is played.
    fn opponent(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Feeling { game, profile, appraisal, .. } = &self.feeling;
        let (Some(felt), Some(neutral)) = (self.felt.first(), self.neutral.first()) else {
            return Ok(());
        };
        let after = |m| intensity_after(&game.chess, profile, m);
        let said = |m, intensity: f64| {
            format!("{} after {}", signed(intensity, 2), self.san(m))
                + " ("
                + emotion_word(intensity)
                + ")"
        };
        let (afraid, before) = (after(felt), after(neutral));
        write!(f, "  the opponent's ε {}", said(felt, afraid))?;
        if felt != neutral {
            write!(f, ", {}", said(neutral, before))?;
        }
        writeln!(f)?;
        let gain = f64::from(appraisal.effects.empathy) * (before - afraid);
        if gain >= 0.5 {
            writeln!(
                f,
                "  It frightens the opponent, which is worth {gain:.0} centipawns to this player."
            )?;
        }
        Ok(())
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
