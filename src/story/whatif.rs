//! What would be felt if concepts were other than they are: some are given values, which they keep
//! whatever the map says, and everything that follows is worked out anew, beside what is felt.

use super::feeling::{State, concepts, factors, leaning, verdict};
use crate::{
    eval::group::Group,
    game::Game,
    mind::{appraisal::Appraisal, concept::Concept, goal::Goal},
    profile::{Profile, error::unknown},
};
use serde_json::{Map, Value, json};
use shakmaty::{Color, Position};
use std::fmt;

/// A concept and the value that it is given, -1 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Intervention {
    concept: Concept,
    value: f64,
}

/// Why there is nothing to imagine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WhatIfError {
    #[error("{0}")]
    Unknown(String),
    #[error("`{0}`: found value `{1}`, allowed: a number from -1 to 1")]
    Value(String, String),
    #[error("`{0}`: {1} has a value already")]
    Twice(String, &'static str),
    #[error("nothing is changed; say what, e.g. king_safety=-1 (concepts: {0})")]
    Nothing(String),
}

/// The names of all concepts.
fn names() -> Vec<&'static str> {
    Concept::ALL.into_iter().map(Concept::name).collect()
}

impl Intervention {
    /// Reads words such as `king_safety=-1`.
    ///
    /// # Errors
    /// If there are none, or one names no concept, the same one again, or no value from -1 to 1.
    pub fn read_all(words: &[&str]) -> Result<Vec<Self>, WhatIfError> {
        if words.is_empty() {
            return Err(WhatIfError::Nothing(names().join(", ")));
        }
        let mut all: Vec<Self> = Vec::new();
        for word in words {
            let next = Self::read(word)?;
            if all.iter().any(|other| other.concept == next.concept) {
                return Err(WhatIfError::Twice((*word).into(), next.concept.name()));
            }
            all.push(next);
        }
        Ok(all)
    }

    fn read(word: &str) -> Result<Self, WhatIfError> {
        let (name, text) = word.split_once('=').unwrap_or((word, ""));
        let Some(concept) = Concept::from_name(name) else {
            return Err(WhatIfError::Unknown(unknown("concept", name, &names())));
        };
        let value = text.parse().ok().filter(|value| (-1.0..=1.0).contains(value));
        let value = value.ok_or_else(|| WhatIfError::Value(word.into(), text.into()))?;
        Ok(Self { concept, value })
    }
}

/// A feeling as it is, and as it would be.
#[derive(Clone, Debug)]
pub struct WhatIf {
    game: Game,
    profile: Profile,
    interventions: Vec<Intervention>,
    is: Appraisal,
    would: Appraisal,
}

impl WhatIf {
    /// What the side to move in `game` feels, and would feel after `interventions`.
    pub fn of(game: Game, profile: Profile, interventions: Vec<Intervention>) -> Self {
        let side = game.chess.turn();
        Self::of_side(game, profile, side, 100, interventions)
    }

    /// The same of `side`, whoever is to move, with feelings of such a strength, in percent.
    pub fn of_side(
        game: Game,
        profile: Profile,
        side: Color,
        temperament: u16,
        interventions: Vec<Intervention>,
    ) -> Self {
        let (chess, mind) = (&game.chess, &profile.mind);
        let is = mind.appraise(chess, side, temperament, None);
        let mut given = [None; Concept::COUNT];
        for Intervention { concept, value } in &interventions {
            given[*concept as usize] = Some(*value);
        }
        let would = mind.appraise_given(chess, side, temperament, None, &given);
        Self { game, profile, interventions, is, would }
    }

    /// The same for programs.
    pub fn as_json(&self) -> Value {
        let given: Map<_, _> =
            self.interventions.iter().map(|i| (i.concept.name().into(), i.value.into())).collect();
        let appraisal = |appraisal: &Appraisal| {
            json!({
                "perceived": concepts(&appraisal.perceived), "settled": concepts(&appraisal.settled),
                "verdict": verdict(appraisal.settling), "intensity": appraisal.intensity,
                "goal": appraisal.goal.map(Goal::name), "factors": factors(&appraisal.ratios),
                "channels": leaning(appraisal.leaning),
            })
        };
        json!({
            "fen": self.game.fen(), "profile": self.profile.name,
            "side": self.is.side.fold_wb("white", "black"), "given": given,
            "is": appraisal(&self.is), "would_be": appraisal(&self.would),
        })
    }

    /// What the profile does otherwise to the concepts that are given.
    fn notes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Intervention { concept, .. } in &self.interventions {
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

impl fmt::Display for WhatIf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (is, would) = (&self.is, &self.would);
        let side = is.side.fold_wb("White", "Black");
        writeln!(f, "{}\nprofile {}, {side} feels", self.game.fen(), self.profile.name)?;
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
