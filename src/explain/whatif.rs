//! What would be felt if concepts or facts were other than they are: some are given, and keep what
//! they are given whatever board and map say, and everything that follows is worked out anew, beside
//! what is felt.

use super::feeling::{self, State, concepts, factors, leaning, verdict};
use crate::{
    chess::game::Game,
    eval::group::Group,
    mind::{
        Given,
        appraisal::Appraisal,
        concept::Concept,
        fact::{Fact, Facts},
        goal::Goal,
    },
    profile::{Profile, error::unknown},
};
use serde_json::{Map, Value, json};
use shakmaty::{Color, Position};
use std::fmt;

/// What is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Intervention {
    /// The value of a concept, -1 to 1.
    Concept(Concept, f64),
    /// Whether something is so.
    Fact(Fact, bool),
}

/// Why there is nothing to imagine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WhatIfError {
    #[error("{0}")]
    Unknown(String),
    #[error("`{0}`: found value `{1}`, allowed: {2}")]
    Value(String, String, &'static str),
    #[error("`{0}`: {1} has a value already")]
    Twice(String, &'static str),
    #[error(
        "nothing is changed; say what, e.g. king_safety=-1 or endgame=true (concepts and facts: {0})"
    )]
    Nothing(String),
}

/// The names of all concepts and facts.
fn names() -> Vec<&'static str> {
    let facts = Fact::ALL.into_iter().map(Fact::name);
    Concept::ALL.into_iter().map(Concept::name).chain(facts).collect()
}

impl Intervention {
    /// Reads words such as `king_safety=-1` and `endgame=true`.
    ///
    /// # Errors
    /// If there are none, or one names no concept or fact, the same one again, or a value that it
    /// cannot have.
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
        if let Some(concept) = Concept::from_name(name) {
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

    const fn name(self) -> &'static str {
        match self {
            Self::Concept(concept, _) => concept.name(),
            Self::Fact(fact, _) => fact.name(),
        }
    }

    fn value(self) -> Value {
        match self {
            Self::Concept(_, value) => value.into(),
            Self::Fact(_, holds) => holds.into(),
        }
    }
}

/// A feeling as it is, and as it would be.
#[derive(Clone, Debug)]
pub struct WhatIf {
    game: Game,
    profile: Profile,
    interventions: Vec<Intervention>,
    /// As they are, and as they would be.
    facts: [Facts; 2],
    is: Appraisal,
    would: Appraisal,
}

impl WhatIf {
    /// What the side to move in `game` feels, and would feel after `interventions`.
    pub fn of(game: Game, profile: Profile, interventions: Vec<Intervention>) -> Self {
        let side = game.chess.turn();
        Self::of_side(game, profile, side, 100, None, interventions)
    }

    /// Like [`Self::of`], for either side, with an emotion strength in percent and the intensity that
    /// `side` felt last, which inertia carries over.
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
        let mut given = Given::default();
        for intervention in &interventions {
            match *intervention {
                Intervention::Concept(concept, value) => {
                    given.concepts[concept as usize] = Some(value);
                }
                Intervention::Fact(fact, holds) => given.facts[fact as usize] = Some(holds),
            }
        }
        let board = Facts::of(chess, side, &mind.thresholds);
        let facts = [board, board.given(&given.facts)];
        let would = mind.appraise_given(chess, side, temperament, last, &given);
        Self { game, profile, interventions, facts, is, would }
    }

    /// The same for programs.
    pub fn as_json(&self) -> Value {
        let given: Map<_, _> =
            self.interventions.iter().map(|i| (i.name().into(), i.value())).collect();
        let appraisal = |facts: &Facts, appraisal: &Appraisal| {
            json!({
                "facts": feeling::facts(facts),
                "perceived": concepts(&appraisal.perceived), "settled": concepts(&appraisal.settled),
                "verdict": verdict(appraisal.settling), "intensity": appraisal.intensity,
                "goal": appraisal.goal.map(Goal::name), "factors": factors(&appraisal.ratios),
                "channels": leaning(appraisal.leaning),
            })
        };
        json!({
            "fen": self.game.fen(), "profile": self.profile.name,
            "side": self.is.side.fold_wb("white", "black"), "given": given,
            "is": appraisal(&self.facts[0], &self.is),
            "would_be": appraisal(&self.facts[1], &self.would),
        })
    }

    /// What the profile does otherwise to the concepts that are given.
    fn notes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for intervention in &self.interventions {
            let Intervention::Concept(concept, _) = intervention else { continue };
            let name = concept.name();
            if let Some(fixed) = self.profile.mind.fixed[*concept as usize] {
                writeln!(
                    f,
                    "  {name}: the profile fixes it at {fixed} in the map; here it is given"
                )?;
            } else if concept.is_perceived() && !self.profile.mind.held[*concept as usize] {
                writeln!(f, "  {name}: else the map would move it on; here it is held")?;
            }
        }
        Ok(())
    }
}

/// A name and what it is and would be, marked if they differ.
fn row(name: &str, is: &str, would: &str) -> String {
    let mark = if is == would { "" } else { "  *" };
    format!("{name:<18} {is:<26} {would:<20}{mark}").trim_end().to_owned()
}

fn table(f: &mut fmt::Formatter<'_>, name: &str, [is, would]: [&State; 2]) -> fmt::Result {
    writeln!(f, "\n{name:<18} {:<26} would be", "is")?;
    for concept in Concept::ALL {
        let felt = |state: &State| {
            let value = state[concept as usize];
            // a zero without a sign, however it came about
            let text = format!("{value:>6.3}").replace("-0.000", " 0.000");
            format!("{text} {}", concept.label(value))
        };
        let (is, would) = (felt(is), felt(would));
        writeln!(f, "{}", row(&format!("  {}", concept.name()), &is, &would))?;
    }
    Ok(())
}

/// The facts that hold, or would, in lines.
fn facts(f: &mut fmt::Formatter<'_>, [is, would]: &[Facts; 2]) -> fmt::Result {
    writeln!(f, "\nFacts (of the board, but for those that are given)")?;
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
        writeln!(f, "{}\nprofile {}, {side} feels", self.game.fen(), self.profile.name)?;
        facts(f, &self.facts)?;
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
        let beside = |appraisal: &Appraisal| appraisal.leaning.to_string().trim_start().to_owned();
        let (is, would) = (beside(is), beside(would));
        if !is.is_empty() || !would.is_empty() {
            let [is, would] =
                [is, would].map(|text| if text.is_empty() { "nothing".into() } else { text });
            writeln!(f, "{}", row("Beside", &is, &would))?;
        }
        write!(f, "Factors not listed are 1; * marks what changes")
    }
}
