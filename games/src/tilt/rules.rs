//! The options of the rules of Tilt: what the report leaves open, or says in two ways.

use crate::notation::{NotationError, shown};
use deepfeeling::support::spelling::nearest;
use std::{fmt, str::FromStr};

/// What wins the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// Ten steps that land in the opponent's home: the literal rule of the report. A man who
    /// takes both of its columns counts twice.
    #[default]
    Steps,
    /// Men on all ten cells of the opponent's home: the report's description. Half of all random
    /// games get stuck.
    Cells,
}

/// Where extra men lie, and what they weigh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extras {
    /// Extra men on the board weigh 8, 7, 6 and 5 in the side's own half. The others weigh nothing.
    #[default]
    Moved,
    /// Like `Moved`, but those not yet set weigh as much in the other half, as in the board game.
    Edge,
    /// The sums as the report prints them, 84 to 67 at the start.
    Printed,
}

/// Who moves next at exact balance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Balance {
    /// Gold: the report's rule.
    #[default]
    Gold,
    /// The side that moved last, as in the board game. This is fair to both sides.
    Stay,
}

/// The options of the rules. `Display` writes them as
/// `goal=steps,extras=moved,balance=gold,jumps=false`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TiltRules {
    /// What wins the game.
    pub goal: Goal,
    /// Where extra men lie.
    pub extras: Extras,
    /// Who moves next at exact balance.
    pub balance: Balance,
    /// Whether a man may hop over an adjacent man, forward or diagonally forward, onto the empty
    /// cell behind. The report has no jumps; the board game it varies has them.
    pub jumps: bool,
}

const GOALS: [(&str, Goal); 2] = [("steps", Goal::Steps), ("cells", Goal::Cells)];
const EXTRAS: [(&str, Extras); 3] =
    [("moved", Extras::Moved), ("edge", Extras::Edge), ("printed", Extras::Printed)];
const BALANCES: [(&str, Balance); 2] = [("gold", Balance::Gold), ("stay", Balance::Stay)];
const JUMPS: [(&str, bool); 2] = [("false", false), ("true", true)];

/// Returns the meaning of `value` among `named`.
fn named<T: Copy>(key: &str, value: &str, named: &[(&str, T)]) -> Result<T, NotationError> {
    let allowed: Vec<&str> = named.iter().map(|&(name, _)| name).collect();
    let found = named.iter().find(|&&(name, _)| name == value);
    found.map(|&(_, meaning)| meaning).ok_or_else(|| {
        let near = nearest(value, allowed.iter().copied());
        NotationError::new(format!("rules: {key}"), shown(value), allowed.join(", "))
            .with_nearest(near)
    })
}

/// Returns the name of `meaning`.
fn name<T: Copy + PartialEq>(meaning: T, named: &[(&'static str, T)]) -> &'static str {
    named.iter().find(|(_, other)| *other == meaning).map_or("", |(name, _)| name)
}

impl fmt::Display for TiltRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "goal={},extras={},balance={},jumps={}",
            name(self.goal, &GOALS),
            name(self.extras, &EXTRAS),
            name(self.balance, &BALANCES),
            name(self.jumps, &JUMPS)
        )
    }
}

impl FromStr for TiltRules {
    type Err = NotationError;

    /// Reads options with commas between them. Those not given have their default.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        let mut rules = Self::default();
        for option in text.split(',').filter(|option| !option.is_empty()) {
            let (key, value) = option.split_once('=').unwrap_or((option, ""));
            match key {
                "goal" => rules.goal = named(key, value, &GOALS)?,
                "extras" => rules.extras = named(key, value, &EXTRAS)?,
                "balance" => rules.balance = named(key, value, &BALANCES)?,
                "jumps" => rules.jumps = named(key, value, &JUMPS)?,
                _ => {
                    let keys = ["goal", "extras", "balance", "jumps"];
                    let error = NotationError::new("rules", shown(key), keys.join(", "));
                    return Err(error.with_nearest(nearest(key, keys)));
                }
            }
        }
        Ok(rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_read_back_as_written_and_errors_name_what_is_allowed() {
        let rules = TiltRules {
            goal: Goal::Cells,
            extras: Extras::Printed,
            balance: Balance::Stay,
            jumps: true,
        };
        assert_eq!(rules.to_string().parse(), Ok(rules));
        assert_eq!("".parse(), Ok(TiltRules::default()));
        let error = |text: &str| text.parse::<TiltRules>().unwrap_err().to_string();
        assert_eq!(
            error("goal=step"),
            "rules: goal: found `step`, allowed: steps, cells; did you mean `steps`?"
        );
        assert_eq!(
            error("jump=true"),
            "rules: found `jump`, allowed: goal, extras, balance, jumps; did you mean `jumps`?"
        );
    }
}
