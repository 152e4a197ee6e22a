//! The text of a profile that is another one with other weights, or another relevance.

use super::{Profile, ProfileError, error::one_line, file::weights_toml, unreadable};
use crate::{
    eval::{group::Group, weights::Weights},
    mind::{
        goal::Goal,
        relevance::{GoalRelevance, Ratios, RelevanceTable},
    },
};
use std::path::Path;
use toml::{Table, Value};

/// How the texts written here begin.
const BEGINNINGS: [&str; 2] =
    ["# Weights fitted by `deepfeeling", "# Relevance fitted by `deepfeeling"];

/// Whether a file that starts so was written here, and not by hand.
#[must_use]
pub fn is_fitted(start: &[u8]) -> bool {
    BEGINNINGS.iter().any(|beginning| start.starts_with(beginning.as_bytes()))
}

/// The text of a profile file that differs from `start` by its weights alone: it extends a built-in
/// profile, and repeats one that was read from a file (without its comments, and without what was
/// measured of it).
///
/// # Errors
/// If `start` was read from a file that cannot be read again.
pub fn refitted(start: &Profile, weights: &Weights) -> Result<String, ProfileError> {
    let mut table = table_of(start)?;
    table.remove("weights");
    let source = one_line(&start.source);
    Ok(format!(
        "{} tune`, from those of {source}.\n{table}\n{}",
        BEGINNINGS[0],
        weights_toml(weights)
    ))
}

/// The same where only what the goals make of fear and relief differs.
///
/// # Errors
/// If `start` was read from a file that cannot be read again.
pub fn refelt(start: &Profile, relevance: &RelevanceTable) -> Result<String, ProfileError> {
    let mut table = table_of(start)?;
    let goals = table.entry("goals").or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(goals) = goals {
        for (goal, relevance) in Goal::ALL.into_iter().zip(&relevance.goals) {
            let GoalRelevance::Sides { fear, relief } = relevance else { continue };
            if let Some(entry) = entry_of(goals, goal) {
                entry.insert("fear".into(), percents(fear).into());
                entry.insert("relief".into(), percents(relief).into());
            }
        }
    }
    let source = one_line(&start.source);
    Ok(format!("{} tune --relevance`, from that of {source}.\n{table}", BEGINNINGS[1]))
}

/// What a file says that is like `start`.
fn table_of(start: &Profile) -> Result<Table, ProfileError> {
    let source = start.source.as_str();
    if Profile::BUILTIN.contains(&source) {
        let about: [(&str, Value); 3] = [
            ("name", format!("{} tuned", start.name).into()),
            ("summary", start.summary.as_str().into()),
            ("extends", source.into()),
        ];
        let about: Table = about.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        return Ok(Table::from_iter([("about".to_owned(), Value::Table(about))]));
    }
    let refuse = |reason: String| unreadable(source, one_line(&reason));
    let text = Profile::file_text(Path::new(source))?;
    let mut table: Table = text.parse().map_err(|e: toml::de::Error| refuse(e.to_string()))?;
    if let Some(Value::Table(about)) = table.get_mut("about") {
        // it was measured of the player before
        about.remove("measured");
    }
    Ok(table)
}

/// What the list says of `goal`, a new entry if nothing.
fn entry_of(goals: &mut Vec<Value>, goal: Goal) -> Option<&mut Table> {
    let is_it = |entry: &Value| entry.get("name").and_then(Value::as_str) == Some(goal.name());
    let place = goals.iter().position(is_it).unwrap_or_else(|| {
        goals.push(Value::Table(Table::from_iter([("name".to_owned(), goal.name().into())])));
        goals.len() - 1
    });
    goals.get_mut(place).and_then(Value::as_table_mut)
}

/// The percentages that are not 100, by side and group.
fn percents(ratios: &Ratios) -> Table {
    let mut table = Table::new();
    let mut add = |side: &str, group: Group, ratio: f64| {
        let percent = (ratio * 10_000.0).round() / 100.0;
        if (percent - 100.0).abs() > 1e-9 {
            let side = table.entry(side).or_insert_with(|| Value::Table(Table::new()));
            if let Value::Table(side) = side {
                side.insert(group.name().into(), percent.into());
            }
        }
    };
    for (group, (own, other)) in
        Group::ALL.into_iter().zip(ratios.own.into_iter().zip(ratios.other))
    {
        if group == Group::Material {
            // one balance of both sides (eq. 7)
            add("both", group, own);
        } else {
            add("own", group, own);
            add("other", group, other);
        }
    }
    table
}

#[allow(clippy::indexing_slicing, reason = "a test may fail loudly")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::score::Tapered;
    use std::fs;

    #[test]
    fn all_but_the_weights_stays() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tuned.toml");
        for name in Profile::BUILTIN {
            let start = Profile::builtin(name).unwrap();
            let mut weights = start.weights.clone();
            weights.0[0] = Tapered::new(77, -78);
            fs::write(&path, refitted(&start, &weights).unwrap()).unwrap();
            let tuned = Profile::from_file(&path).unwrap();
            assert_eq!(tuned.mind, start.mind, "{name}");
            assert_eq!(tuned.weights, weights);
            // and once more, from that file
            weights.0[1] = Tapered::new(79, 80);
            fs::write(&path, refitted(&tuned, &weights).unwrap()).unwrap();
            let again = Profile::from_file(&path).unwrap();
            assert_eq!((again.weights, again.name), (weights, tuned.name));
            assert_eq!((again.mind, again.evaluator), (start.mind, start.evaluator));
        }
    }

    #[test]
    fn all_but_the_relevance_stays() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("felt.toml");
        let start = Profile::builtin("default").unwrap();
        let mut relevance = start.mind.relevance.clone();
        let mut fear = Ratios::NEUTRAL;
        fear.own[Group::Material as usize] = 0.93;
        fear.other[Group::Material as usize] = 0.93;
        fear.other[Group::Space as usize] = 1.5;
        relevance.goals[Goal::Castle as usize] = GoalRelevance::sides(fear, Ratios::NEUTRAL);
        fs::write(&path, refelt(&start, &relevance).unwrap()).unwrap();
        let felt = Profile::from_file(&path).unwrap();
        assert_eq!(felt.mind.relevance, relevance);
        assert_eq!((&felt.weights, &felt.mind.ladder), (&start.weights, &start.mind.ladder));
        relevance.goals[Goal::GiveMate as usize] = GoalRelevance::neutral();
        fs::write(&path, refelt(&felt, &relevance).unwrap()).unwrap();
        assert_eq!(Profile::from_file(&path).unwrap().mind.relevance, relevance);
    }

    #[test]
    fn a_profile_that_is_gone_is_refused() {
        let mut start = Profile::builtin("default").unwrap();
        start.source = Path::new("/no/such.toml").display().to_string();
        assert!(refitted(&start, &start.weights).is_err());
    }
}
