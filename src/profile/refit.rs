//! Writes profile files with fitted weights, relevance or taste, based on an existing profile.

use super::{HumanTaste, Profile, ProfileError, error::one_line, file::weights_toml, unreadable};
use crate::{
    chess_mind::{Goal, GoalRelevance, Mind, Ratios, RelevanceTable, cue::Cue},
    eval::{group::Group, weights::Weights},
};
use std::path::Path;
use toml::{Table, Value};

/// The first words of the files written here.
const BEGINNINGS: [&str; 4] = [
    "# Weights fitted by `deepfeeling",
    "# Relevance fitted by `deepfeeling",
    "# Taste fitted by `deepfeeling",
    "# Style fitted by `deepfeeling",
];
/// The longest name of a profile, in characters.
const LONGEST_NAME: usize = 40;

/// Returns whether a file with this `start` was written here and not by hand.
#[must_use]
pub fn is_fitted(start: &[u8]) -> bool {
    BEGINNINGS.iter().any(|beginning| start.starts_with(beginning.as_bytes()))
}

/// Returns the text of a profile file that differs from `start` only in its weights, which `command`
/// has fitted.
///
/// If `start` is built in, the new file extends it. If `start` comes from a file, the new file
/// repeats its content without comments, measured figures and signature.
///
/// # Errors
/// If `start` was read from a file that cannot be read again.
pub fn refitted(start: &Profile, weights: &Weights, command: &str) -> Result<String, ProfileError> {
    let mut table = table_of(start)?;
    table.remove("weights");
    let source = one_line(&start.source);
    Ok(format!(
        "{} {command}`, starting from {source}.\n{table}\n{}",
        BEGINNINGS[0],
        weights_toml(weights)
    ))
}

/// Returns the text of a profile file that differs from `start` only in the relevance of its goals.
///
/// # Errors
/// If `start` was read from a file that cannot be read again.
pub fn with_relevance(start: &Profile, relevance: &RelevanceTable) -> Result<String, ProfileError> {
    let mut table = table_of(start)?;
    set_relevance(&mut table, relevance);
    let source = one_line(&start.source);
    Ok(format!("{} tune --relevance`, starting from {source}.\n{table}", BEGINNINGS[1]))
}

/// Returns the text of a profile file that differs from `start` only in the relevance of its goals and in
/// its taste. A comment says what was `measured`.
///
/// # Errors
/// If `start` was read from a file that cannot be read again.
pub fn with_style(start: &Profile, mind: &Mind, measured: &str) -> Result<String, ProfileError> {
    let mut table = table_of(start)?;
    set_relevance(&mut table, &mind.relevance);
    let feeling = table.entry("feeling").or_insert_with(|| Value::Table(Table::new()));
    if let Value::Table(feeling) = feeling {
        feeling.insert("taste".into(), ((mind.channels.taste * 10.0).round() / 10.0).into());
    }
    let (source, measured) = (one_line(&start.source), one_line(measured));
    Ok(format!("{} tune --style`, starting from {source}.\n# {measured}.\n{table}", BEGINNINGS[3]))
}

fn set_relevance(table: &mut Table, relevance: &RelevanceTable) {
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
}

/// Returns the text of a profile file that differs from `start` only in `[human]`, in its name and in
/// its summary. A comment says how well `taste` was found to fit.
///
/// # Errors
/// If `start` was read from a file that cannot be read again.
pub fn with_taste(
    start: &Profile,
    taste: &HumanTaste,
    (name, summary): (&str, &str),
    comment: &str,
) -> Result<String, ProfileError> {
    let mut table = table_of(start)?;
    let about = table.entry("about").or_insert_with(|| Value::Table(Table::new()));
    if let Value::Table(about) = about {
        let name: String = one_line(name).chars().take(LONGEST_NAME).collect();
        about.insert("name".into(), name.into());
        about.insert("summary".into(), summary.into());
    }
    let mut human = Table::new();
    let plain = HumanTaste::default();
    let keep = |table: &mut Table, key: &str, value: f64, usual: f64| {
        if (value - usual).abs() > 1e-9 {
            table.insert(key.into(), value.into());
        }
    };
    keep(&mut human, "sharpness", taste.sharpness, plain.sharpness);
    keep(&mut human, "in_mind", taste.in_mind, plain.in_mind);
    let (mut cues, mut clock) = (Table::new(), Table::new());
    for (name, added) in Cue::names().into_iter().zip(taste.cues) {
        keep(&mut cues, name, added, 0.0);
    }
    keep(&mut clock, "pace", taste.pace, plain.pace);
    human.insert("cues".into(), Value::Table(cues));
    human.insert("clock".into(), Value::Table(clock));
    table.insert("human".into(), Value::Table(human));
    let (source, comment) = (one_line(&start.source), one_line(comment));
    Ok(format!("{} imitate`, starting from {source}.\n# {comment}.\n{table}", BEGINNINGS[2]))
}

/// Returns the content of a profile file equivalent to `start`.
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
        // the figures describe the profile before the change
        about.remove("measured");
        about.remove("signature");
    }
    Ok(table)
}

/// Returns the entry of `goal` in the list. Adds an empty entry if it is missing.
fn entry_of(goals: &mut Vec<Value>, goal: Goal) -> Option<&mut Table> {
    let is_goal = |entry: &Value| entry.get("name").and_then(Value::as_str) == Some(goal.name());
    let place = goals.iter().position(is_goal).unwrap_or_else(|| {
        goals.push(Value::Table(Table::from_iter([("name".to_owned(), goal.name().into())])));
        goals.len() - 1
    });
    goals.get_mut(place).and_then(Value::as_table_mut)
}

/// Returns the percentages other than 100, by side and group.
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
    fn refitted_profiles_change_only_the_weights() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tuned.toml");
        for name in Profile::BUILTIN {
            let start = Profile::builtin(name).unwrap();
            let mut weights = start.weights.clone();
            weights.0[0] = Tapered::new(77, -78);
            fs::write(&path, refitted(&start, &weights, "tune").unwrap()).unwrap();
            let tuned = Profile::from_file(&path).unwrap();
            assert_eq!(tuned.mind, start.mind, "{name}");
            assert_eq!(tuned.weights, weights);
            // and once more, from that file
            weights.0[1] = Tapered::new(79, 80);
            fs::write(&path, refitted(&tuned, &weights, "spsa").unwrap()).unwrap();
            let again = Profile::from_file(&path).unwrap();
            assert_eq!((again.weights, again.name), (weights, tuned.name));
            assert_eq!((again.mind, again.evaluator), (start.mind, start.evaluator));
        }
    }

    #[test]
    fn profiles_with_a_style_change_relevance_and_taste() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("styled.toml");
        let start = Profile::builtin("attacker").unwrap();
        let mut mind = start.mind.clone();
        mind.channels.taste = 31.5;
        let mut fear = Ratios::NEUTRAL;
        fear.other[Group::King as usize] = 2.5;
        mind.relevance.goals[Goal::Castle as usize] = GoalRelevance::sides(fear, Ratios::NEUTRAL);
        let text = with_style(&start, &mind, "Measured in 12 games").unwrap();
        assert!(
            is_fitted(text.as_bytes()) && text.contains("\n# Measured in 12 games.\n"),
            "{text}"
        );
        fs::write(&path, text).unwrap();
        let styled = Profile::from_file(&path).unwrap();
        assert_eq!((styled.mind, styled.weights), (mind, start.weights));
    }

    #[test]
    fn refelt_profiles_change_only_the_relevance() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("felt.toml");
        let start = Profile::builtin("standard").unwrap();
        let mut relevance = start.mind.relevance.clone();
        let mut fear = Ratios::NEUTRAL;
        fear.own[Group::Material as usize] = 0.93;
        fear.other[Group::Material as usize] = 0.93;
        fear.other[Group::Space as usize] = 1.5;
        relevance.goals[Goal::Castle as usize] = GoalRelevance::sides(fear, Ratios::NEUTRAL);
        fs::write(&path, with_relevance(&start, &relevance).unwrap()).unwrap();
        let felt = Profile::from_file(&path).unwrap();
        assert_eq!(felt.mind.relevance, relevance);
        assert_eq!((&felt.weights, &felt.mind.ladder), (&start.weights, &start.mind.ladder));
        relevance.goals[Goal::GiveMate as usize] = GoalRelevance::neutral();
        fs::write(&path, with_relevance(&felt, &relevance).unwrap()).unwrap();
        assert_eq!(Profile::from_file(&path).unwrap().mind.relevance, relevance);
    }

    #[test]
    fn profiles_with_a_taste_change_only_that() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("ann.toml");
        for name in ["standard", "gambler"] {
            let start = Profile::builtin(name).unwrap();
            let mut taste = HumanTaste { sharpness: 1.25, pace: 0.5, ..HumanTaste::default() };
            (taste.cues[Cue::Check as usize], taste.cues[Cue::Undo as usize]) = (0.125, -1.5);
            let about = (&*"long name ".repeat(9), "A summary.");
            let text = with_taste(&start, &taste, about, "one\nline").unwrap();
            assert!(is_fitted(text.as_bytes()) && text.contains("# one\\u{a}line.\n"), "{text}");
            fs::write(&path, text).unwrap();
            let found = Profile::from_file(&path).unwrap();
            assert_eq!((&found.human, &*found.summary), (&taste, "A summary."));
            assert_eq!((&found.weights, &found.mind), (&start.weights, &start.mind), "{name}");
            let again = with_taste(&found, &HumanTaste::default(), ("b", "c"), "d").unwrap();
            fs::write(&path, again).unwrap();
            assert_eq!(Profile::from_file(&path).unwrap().human, HumanTaste::default());
        }
    }

    #[test]
    fn a_missing_source_file_is_an_error() {
        let mut start = Profile::builtin("standard").unwrap();
        start.source = Path::new("/no/such.toml").display().to_string();
        assert!(refitted(&start, &start.weights, "tune").is_err());
    }
}
