//! Reads `[human]` of a profile file: how the player departs from people of its rating in the human
//! style.

use super::{
    error::ProfileError,
    reader::{TomlTable, TomlValue},
};
use crate::chess_mind::cue::Cue;
use strum::EnumCount;

/// The taste of one player in the human style, compared with people of the same rating.
///
/// The default plays like these people.
#[derive(Clone, Debug, PartialEq)]
pub struct HumanTaste {
    /// Factor on the weights of all cues, 0.25 to 4. A player with a high one rarely strays from
    /// its favourite moves.
    pub sharpness: f64,
    /// The share of probability that comes to mind, 0.5 to 1. Less likely moves are never played.
    pub in_mind: f64,
    /// What is added to the fitted weight of each cue, in nats per unit of the cue, -10 to 10. In
    /// the order of [`Cue`].
    pub cues: [f64; Cue::COUNT],
    /// Factor on the thinking time of the human clock, 0.25 to 4.
    pub pace: f64,
}

impl HumanTaste {
    /// The largest absolute value that can be added to the weight of a cue, in nats per unit.
    pub const FARTHEST: f64 = 10.0;
}

impl Default for HumanTaste {
    fn default() -> Self {
        Self { sharpness: 1.0, in_mind: 0.99, cues: [0.0; Cue::COUNT], pace: 1.0 }
    }
}

/// Reads the table and replaces the keys of `taste` that it sets.
pub(super) fn read(table: TomlTable<'_>, taste: &mut HumanTaste) -> Result<(), ProfileError> {
    let table = table.only("key", &["sharpness", "in_mind", "cues", "clock"])?;
    let HumanTaste { sharpness, in_mind, cues, pace } = taste;
    factor(&table, "sharpness", sharpness)?;
    if let Some(value) = table.wanted("in_mind")? {
        *in_mind = value.number(0.5..=1.0)?;
    }
    if let Some(value) = table.wanted("cues")? {
        added(&value, cues)?;
    }
    if let Some(clock) = table.wanted("clock")? {
        factor(&clock.table()?.only("key", &["pace"])?, "pace", pace)?;
    }
    Ok(())
}

/// Reads a factor from a quarter to four times.
fn factor(table: &TomlTable<'_>, key: &str, factor: &mut f64) -> Result<(), ProfileError> {
    if let Some(value) = table.wanted(key)? {
        *factor = value.number(0.25..=4.0)?;
    }
    Ok(())
}

/// Reads `[human.cues]`.
fn added(value: &TomlValue<'_>, cues: &mut [f64; Cue::COUNT]) -> Result<(), ProfileError> {
    let (names, farthest) = (Cue::names(), HumanTaste::FARTHEST);
    let table = value.table()?.only("cue", &names)?;
    for (name, cue) in names.into_iter().zip(cues) {
        if let Some(value) = table.wanted(name)? {
            *cue = value.number(-farthest..=farthest)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail loudly")]
    use super::*;
    use crate::profile::Profile;

    fn taste(text: &str) -> HumanTaste {
        Profile::from_text(text, "test.toml").unwrap().human
    }

    #[test]
    fn keys_that_are_not_given_keep_the_taste_of_the_rating() {
        assert_eq!(taste(""), HumanTaste::default());
        assert_eq!(Profile::builtin("standard").unwrap().human, HumanTaste::default());
        let text = "[human]\nsharpness = 2\nin_mind = 0.5\n[human.cues]\ncheck = -1.25\n\
                    [human.clock]\npace = 0.5";
        let found = taste(text);
        let mut cues = [0.0; Cue::COUNT];
        cues[Cue::Check as usize] = -1.25;
        assert_eq!(found, HumanTaste { sharpness: 2.0, in_mind: 0.5, cues, pace: 0.5 });
    }

    #[test]
    fn a_taste_changes_the_digest() {
        let digest = |text| Profile::from_text(text, "test.toml").unwrap().digest();
        assert_eq!(digest("[human]\nsharpness = 1"), digest(""));
        assert_ne!(digest("[human.cues]\nundo = 0.1"), digest(""));
    }
}
