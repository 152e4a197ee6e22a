//! Reads `[known]` of a profile file: how the player judges positions known from games.

use super::{error::ProfileError, reader::TomlTable};
use crate::chess::known::KnownRule;

/// How a player judges positions known from games. Without a file of them it has no effect.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KnownTaste {
    /// How results become a bonus of a move.
    pub rule: KnownRule,
    /// How strongly a known position is felt, from 0 to 1: how desirable it is at most. 0, the
    /// default, turns this off.
    pub memory: f64,
}

/// Reads the table and replaces the keys of `taste` that it sets.
pub(super) fn read(table: TomlTable<'_>, taste: &mut KnownTaste) -> Result<(), ProfileError> {
    let table = table.only("key", &["rule", "memory"])?;
    if let Some(rule) = table.wanted("rule")? {
        let rules = [KnownRule::Score, KnownRule::All].map(|rule| (rule.name(), rule));
        taste.rule = rule.choice("rule", &rules)?;
    }
    if let Some(memory) = table.wanted("memory")? {
        taste.memory = memory.number(0.0..=1.0)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::*;
    use crate::profile::Profile;

    fn read(text: &str) -> Result<Profile, String> {
        Profile::from_text(text, "test.toml").map_err(|error| error.to_string())
    }

    #[test]
    fn both_keys_are_optional_and_change_the_digest() {
        let plain = read("").unwrap();
        assert_eq!(plain.known, KnownTaste::default());
        assert_eq!(Profile::builtin("standard").unwrap().known, KnownTaste::default());
        let wary = read("[known]\nrule = \"all\"\nmemory = 0.5").unwrap();
        assert_eq!(wary.known, KnownTaste { rule: KnownRule::All, memory: 0.5 });
        assert_eq!(read("[known]\nrule = \"score\"").unwrap().digest(), plain.digest());
        for text in ["[known]\nrule = \"all\"", "[known]\nmemory = 0.5"] {
            assert_ne!(read(text).unwrap().digest(), plain.digest());
        }
    }

    #[test]
    fn wrong_values_are_refused_with_the_allowed_ones() {
        let error = read("[known]\nrule = \"al\"").unwrap_err();
        assert!(error.contains("known.rule") && error.contains("score, all"), "{error}");
        let error = read("[known]\nmemory = 1.5").unwrap_err();
        assert!(error.contains("known.memory") && error.contains("from 0 to 1"), "{error}");
        let error = read("[known]\nrules = \"all\"").unwrap_err();
        assert!(error.contains("did you mean `rule`?"), "{error}");
    }
}
