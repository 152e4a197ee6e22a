//! A comparison of the actual feeling with the feeling under assumptions, as printed by
//! `deepfeeling whatif`.
//!
//! The user gives values to some concepts or facts. These values override the board and the map,
//! and everything that depends on them is recomputed.

use super::schema::{self, AppraisalRecord, ByName, verdict};
use crate::{
    chess::game::Game,
    chess_mind::{Appraisal, Fact, Facts, GivenValues, Goal, concept_name, concept_named},
    eval::group::Group,
    mind::concept::{Activations, Concept},
    profile::{Profile, error::unknown},
};
use serde::Serialize;
use shakmaty::{Color, Position};
use std::fmt;

/// An assumption: a concept or fact with a given value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Intervention {
    /// The value of a concept, -1 to 1.
    Concept(Concept, f64),
    /// Whether a fact holds.
    Fact(Fact, bool),
}

/// An error in the assumptions of a what-if question.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WhatIfError {
    /// The name is neither a concept nor a fact.
    #[error("{0}")]
    Unknown(String),
    /// The value is not allowed for this concept or fact.
    #[error("`{0}`: found value `{1}`, allowed: {2}")]
    Value(String, String, &'static str),
    /// The same concept or fact is given twice.
    #[error("`{0}`: {1} is given twice")]
    Twice(String, &'static str),
    /// No assumption is given.
    #[error("no change given, e.g. king_safety=-1 or endgame=true (concepts and facts: {0})")]
    Nothing(String),
}

/// Returns the names of all concepts and facts.
fn names() -> Vec<&'static str> {
    let facts = Fact::ALL.into_iter().map(Fact::name);
    Concept::ALL.into_iter().map(concept_name).chain(facts).collect()
}

impl Intervention {
    /// Parses assumptions such as `king_safety=-1` and `endgame=true`.
    ///
    /// # Errors
    /// If `words` is empty, if a name is unknown or given twice, or if a value is not allowed.
    pub fn read_all(words: &[&str]) -> Result<Vec<Self>, WhatIfError> {
        if words.is_empty() {
            return Err(WhatIfError::Nothing(names().join(", ")));
        }
        let mut all: Vec<Self> = Vec::new();
        for word in words {
            let next = Self::read(word)?;
            if all.iter().any(|other| other.name() == next.name()) {
                return Err(WhatIfError::Twice((*word).into(), next.name()));
            }
            all.push(next);
        }
        Ok(all)
    }

    fn read(word: &str) -> Result<Self, WhatIfError> {
        let (name, text) = word.split_once('=').unwrap_or((word, ""));
        let wrong = |allowed| WhatIfError::Value(word.into(), text.into(), allowed);
        if let Some(concept) = concept_named(name) {
            let value = text.parse().ok().filter(|value| (-1.0..=1.0).contains(value));
            let value = value.ok_or_else(|| wrong("a number from -1 to 1"))?;
            return Ok(Self::Concept(concept, value));
        }
        let Some(fact) = Fact::from_name(name) else {
            return Err(WhatIfError::Unknown(unknown("name", name, &names())));
        };
        let holds = text.parse().map_err(|_| wrong("true or false"))?;
        Ok(Self::Fact(fact, holds))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Concept(concept, _) => concept_name(concept),
            Self::Fact(fact, _) => fact.name(),
        }
    }

    const fn value(self) -> GivenValue {
        match self {
            Self::Concept(_, value) => GivenValue::Activation(value),
            Self::Fact(_, holds) => GivenValue::Holds(holds),
        }
    }
}

/// A given value: the activation of a concept, or whether a fact holds.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
enum GivenValue {
    Activation(f64),
    Holds(bool),
}

/// The JSON form of [`WhatIf`].
#[derive(Clone, Debug, Serialize)]
pub struct WhatIfRecord {
    fen: String,
    profile: String,
    side: &'static str,
    given: ByName<GivenValue>,
    is: AppraisalRecord,
    would_be: AppraisalRecord,
}

/// The actual feeling and the feeling under assumptions.
#[derive(Clone, Debug)]
pub struct WhatIf {
    game: Game,
    profile: Profile,
    interventions: Vec<Intervention>,
    is: Appraisal,
    would: Appraisal,
}

impl WhatIf {
    /// Compares what the side to move in `game` feels with what it would feel under
    /// `interventions`.
    pub fn of(game: Game, profile: Profile, interventions: Vec<Intervention>) -> Self {
        let side = game.chess.turn();
        Self::of_side(game, profile, side, 100, None, interventions)
    }

    /// Like [`Self::of`], for either side and emotion strength (percent). `last` is the intensity
    /// that `side` felt at its previous move; inertia carries a part of it over.
    pub fn of_side(
        game: Game,
        profile: Profile,
        side: Color,
        temperament: u16,
        last: Option<f64>,
        interventions: Vec<Intervention>,
    ) -> Self {
        let (chess, mind) = (&game.chess, &profile.mind);
        let is = mind.appraise(chess, side, temperament, last);
        let mut given = GivenValues::default();
        for intervention in &interventions {
            match *intervention {
                Intervention::Concept(concept, value) => {
                    given.concepts[concept as usize] = Some(value);
                }
                Intervention::Fact(fact, holds) => given.facts[fact as usize] = Some(holds),
            }
        }
        let would = mind.appraise_given(chess, side, temperament, last, &given);
        Self { game, profile, interventions, is, would }
    }

    /// Returns both feelings for JSON.
    pub fn record(&self) -> WhatIfRecord {
        WhatIfRecord {
            fen: self.game.fen(),
            profile: self.profile.name.clone(),
            side: schema::side(self.is.side),
            given: self.interventions.iter().map(|i| (i.name(), i.value())).collect(),
            is: AppraisalRecord::from(&self.is),
            would_be: AppraisalRecord::from(&self.would),
        }
    }

    /// Prints how the profile would normally treat each given concept.
    fn notes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for intervention in &self.interventions {
            let Intervention::Concept(concept, _) = intervention else { continue };
            let name = concept_name(*concept);
            if let Some(fixed) = self.profile.mind.fixed[*concept as usize] {
                writeln!(
                    f,
                    "  {name}: the profile fixes it at {fixed} in the map, the given value is used instead"
                )?;
            } else if concept.is_perceived() && !self.profile.mind.held[*concept as usize] {
                writeln!(
                    f,
                    "  {name}: the map normally changes it, here it keeps the given value"
                )?;
            }
        }
        Ok(())
    }
}

/// Formats one table row. Values that differ are marked with `*`.
fn row(name: &str, is: &str, would: &str) -> String {
    let mark = if is == would { "" } else { "  *" };
    format!("{name:<18} {is:<26} {would:<20}{mark}").trim_end().to_owned()
}

fn table(f: &mut fmt::Formatter<'_>, name: &str, [is, would]: [&Activations; 2]) -> fmt::Result {
    writeln!(f, "\n{name:<18} {:<26} what if", "now")?;
    for concept in Concept::ALL {
        let felt = |state: &Activations| {
            let value = state[concept as usize];
            // print negative zero without a sign
            let text = format!("{value:>6.3}").replace("-0.000", " 0.000");
            format!("{text} {}", concept.label(value))
        };
        let (is, would) = (felt(is), felt(would));
        writeln!(f, "{}", row(&format!("  {}", concept_name(concept)), &is, &would))?;
    }
    Ok(())
}

/// Prints the facts that hold now or under the assumptions, one per line.
fn facts(f: &mut fmt::Formatter<'_>, [is, would]: [&Facts; 2]) -> fmt::Result {
    writeln!(f, "\nFacts (read from the board unless given)")?;
    for fact in Fact::ALL.into_iter().filter(|fact| is.holds(*fact) || would.holds(*fact)) {
        let [is, would] = [is, would].map(|facts| facts.holds(fact).to_string());
        writeln!(f, "{}", row(&format!("  {}", fact.name()), &is, &would))?;
    }
    Ok(())
}

impl fmt::Display for WhatIf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (is, would) = (&self.is, &self.would);
        let side = is.side.fold_wb("White", "Black");
        writeln!(f, "{}\nprofile {}, feelings of {side}", self.game.fen(), self.profile.name)?;
        facts(f, [&is.facts, &would.facts])?;
        table(f, "Perceived", [&is.perceived, &would.perceived])?;
        self.notes(f)?;
        table(f, "Settled", [&is.settled, &would.settled])?;
        writeln!(f)?;
        writeln!(f, "{}", row("Map", &verdict(is.settling), &verdict(would.settling)))?;
        let felt = |appraisal: &Appraisal| {
            let intensity = appraisal.intensity;
            format!("{intensity:>6.3} {}", Concept::Relief.label(intensity))
        };
        writeln!(f, "{}", row("Intensity", &felt(is), &felt(would)))?;
        let goal = |appraisal: &Appraisal| appraisal.goal.map_or("none", Goal::name);
        writeln!(f, "{}", row("Goal", goal(is), goal(would)))?;
        for (side, [is, would]) in [
            ("own", [&is.ratios.own, &would.ratios.own]),
            ("other", [&is.ratios.other, &would.ratios.other]),
        ] {
            for group in Group::ALL {
                let [is, would] = [is, would].map(|of| format!("{:.3}", of[group as usize]));
                if [&is, &would].iter().any(|text| *text != "1.000") {
                    let name = format!("× {side} {}", group.name());
                    writeln!(f, "{}", row(&name, &is, &would))?;
                }
            }
        }
        let beside = |appraisal: &Appraisal| appraisal.effects.to_string().trim_start().to_owned();
        let (is, would) = (beside(is), beside(would));
        if !is.is_empty() || !would.is_empty() {
            let [is, would] =
                [is, would].map(|text| if text.is_empty() { "none".into() } else { text });
            writeln!(f, "{}", row("Other effects", &is, &would))?;
        }
        write!(f, "* marks a change; factors that are not listed are 1")
    }
}
