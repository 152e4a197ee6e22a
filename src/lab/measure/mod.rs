//! The measurements of `docs/measurements.md`: which commands make its tables, and their figures.
//!
//! `docs/measurements/steps.toml` lists the commands and the tables made from their JSON. A table is
//! one step: it is skipped if its CSV file is complete. The results of commands are kept too, so an
//! interrupted measurement continues with the first command that has no result.

mod cell;
mod chart;
mod document;
mod labels;
mod style_map;
mod table;

pub use document::{document, table};
pub use table::Table;

use chart::Panel;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};
use style_map::StyleMap;

/// A command whose JSON contains figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The name by which cells refer to the run.
    pub name: String,
    /// The arguments of `deepfeeling`, separated by spaces, without `--json`.
    pub command: String,
    /// The text of a profile for the command. It is written to the file `<name of the run>.toml`.
    pub profile: Option<String>,
    /// Paths of the input files in the data folder.
    pub needs: Vec<String>,
    /// The names of the runs whose files this one reads.
    pub after: Vec<String>,
    /// The expected duration in minutes.
    pub minutes: u32,
}

/// A table and how to measure it.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The name of the table, and of its CSV file without `.csv`.
    pub name: String,
    /// What is needed to measure the table by hand, if no command does.
    pub by_hand: Option<String>,
    /// The names of the columns, if commands measure the table.
    pub columns: Vec<String>,
    /// The rows, as templates of cells.
    rows: Vec<Vec<String>>,
    /// The panels of the chart in `docs/pictures`, or none if the table has no chart.
    panels: Vec<Panel>,
    /// The map of styles in `docs/pictures`, instead of panels.
    map: Option<StyleMap>,
}

/// All runs and steps, in the order of the file.
#[derive(Clone, Debug)]
pub struct Steps {
    runs: Vec<Run>,
    pub steps: Vec<Step>,
}

/// The variables of a list, each with its value.
type Variable<'t> = Option<(&'t str, &'t str)>;

impl Steps {
    /// Reads `steps.toml` in `folder`.
    ///
    /// # Errors
    /// If the file cannot be read or is malformed, or a step needs a run that is not in the file.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let path = folder.join("steps.toml");
        let text = document::read(&path)?;
        Self::parse(&text).map_err(|reason| format!("{}: {reason}", path.display()))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let file: toml::Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
        let lists = file.get("lists").and_then(toml::Value::as_table);
        let (mut runs, mut steps) = (Vec::new(), Vec::new());
        for entry in entries(&file, "run") {
            let name = entry.get("for").and_then(toml::Value::as_str);
            for variable in values(lists, name)? {
                runs.push(run(entry, variable)?);
            }
        }
        for entry in entries(&file, "step") {
            steps.push(step(entry, lists)?);
        }
        let all = Self { runs, steps };
        for step in &all.steps {
            all.runs_of(step)?;
        }
        Ok(all)
    }

    /// Returns the runs that `step` needs, in the order in which they must run.
    ///
    /// # Errors
    /// If a run is not in the file.
    pub fn runs_of(&self, step: &Step) -> Result<Vec<&Run>, String> {
        let cells = step.rows.iter().flatten();
        let mut wanted: BTreeSet<&str> = cells.flat_map(|cell| cell::runs(cell)).collect();
        let known = |name: &str| self.runs.iter().any(|run| run.name == name);
        if let Some(name) = wanted.iter().find(|name| !known(name)) {
            return Err(format!("step `{}`: no run is called `{name}`", step.name));
        }
        // the file lists a run after those that it needs
        for run in self.runs.iter().rev() {
            if wanted.contains(run.name.as_str()) {
                wanted.extend(run.after.iter().map(String::as_str));
            }
        }
        Ok(self.runs.iter().filter(|run| wanted.contains(run.name.as_str())).collect())
    }

    /// Returns the expected duration of all runs of `step`, in minutes.
    ///
    /// # Errors
    /// If a run is not in the file.
    pub fn minutes(&self, step: &Step) -> Result<u32, String> {
        Ok(self.runs_of(step)?.iter().map(|run| run.minutes).sum())
    }
}

impl Step {
    /// Returns the chart of the table in the data file as SVG, or `None` if the step has no chart.
    ///
    /// # Errors
    /// If the data file cannot be read, or lacks a figure.
    pub fn chart(&self, folder: &Path) -> Result<Option<String>, String> {
        if self.panels.is_empty() && self.map.is_none() {
            return Ok(None);
        }
        let table = document::table(folder, &self.name)?;
        let title = self.name.replace('-', " ");
        let chart = match &self.map {
            Some(map) => {
                let before = map.before.as_ref().map(|step| document::table(folder, step));
                map.draw(&title, &table, before.transpose()?.as_ref())
            }
            None => chart::chart(&title, &table, &self.panels),
        };
        chart.map(Some).map_err(|reason| format!("chart `{}`: {reason}", self.name))
    }

    /// Makes the table from the `results` of its runs, by their names.
    ///
    /// # Errors
    /// If a figure is missing.
    pub fn table(&self, results: &BTreeMap<String, Value>) -> Result<Table, String> {
        let fill = |cell: &String| cell::fill(cell, |run| results.get(run));
        let rows = self.rows.iter().map(|row| row.iter().map(fill).collect());
        let rows: Result<_, String> = rows.collect();
        let rows = rows.map_err(|reason| format!("step `{}`: {reason}", self.name))?;
        Ok(Table { columns: self.columns.clone(), rows })
    }
}

/// Returns the tables `[[name]]` of the file.
fn entries<'t>(file: &'t toml::Table, name: &str) -> impl Iterator<Item = &'t toml::Table> {
    let array = file.get(name).and_then(toml::Value::as_array);
    array.into_iter().flatten().filter_map(toml::Value::as_table)
}

/// Returns the variable `name` with each of its values, or no variable once.
fn values<'t>(
    lists: Option<&'t toml::Table>,
    name: Option<&'t str>,
) -> Result<Vec<Variable<'t>>, String> {
    let Some(name) = name else { return Ok(vec![None]) };
    let list = lists.and_then(|lists| lists.get(name)?.as_array());
    let list = list.ok_or_else(|| format!("`for`: no list is called `{name}`"))?;
    Ok(list.iter().filter_map(toml::Value::as_str).map(|value| Some((name, value))).collect())
}

/// Replaces `{name}` by the value of the variable.
fn with(text: &str, variable: Variable<'_>) -> String {
    variable.map_or(text.into(), |(name, value)| text.replace(&format!("{{{name}}}"), value))
}

fn text(entry: &toml::Table, key: &str) -> Result<String, String> {
    let text = entry.get(key).and_then(toml::Value::as_str);
    text.map(str::to_owned).ok_or_else(|| format!("`{key}` is missing, expected text"))
}

/// Returns the texts of an array, or none if there is no such key.
fn texts(entry: &toml::Table, key: &str, variable: Variable<'_>) -> Vec<String> {
    let array = entry.get(key).and_then(toml::Value::as_array).into_iter().flatten();
    array.filter_map(toml::Value::as_str).map(|text| with(text, variable)).collect()
}

fn run(entry: &toml::Table, variable: Variable<'_>) -> Result<Run, String> {
    Ok(Run {
        name: with(&text(entry, "name")?, variable),
        command: with(&text(entry, "command")?, variable),
        profile: entry
            .get("profile")
            .and_then(toml::Value::as_str)
            .map(|text| with(text, variable)),
        needs: texts(entry, "needs", variable),
        after: texts(entry, "after", variable),
        minutes: whole(entry, "minutes")?,
    })
}

fn whole(entry: &toml::Table, key: &str) -> Result<u32, String> {
    let number = entry.get(key).and_then(toml::Value::as_integer);
    let number = number.and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| format!("`{key}` is missing, expected a whole number"))
}

fn style_map(entry: &toml::Table) -> Result<StyleMap, String> {
    Ok(StyleMap {
        elo: text(entry, "elo")?,
        measures: texts(entry, "measures", None),
        reference: text(entry, "reference")?,
        games: whole(entry, "games")?,
        before: entry.get("before").and_then(toml::Value::as_str).map(str::to_owned),
        games_before: entry.get("before").map_or(Ok(0), |_| whole(entry, "games_before"))?,
    })
}

fn step(entry: &toml::Table, lists: Option<&toml::Table>) -> Result<Step, String> {
    let name = text(entry, "name")?;
    let columns = texts(entry, "columns", None);
    let mut rows = Vec::new();
    for row in entries(entry, "row") {
        let list = row.get("for").and_then(toml::Value::as_str);
        for variable in values(lists, list)? {
            rows.push(texts(row, "cells", variable));
        }
    }
    if let Some(row) = rows.iter().find(|row| row.len() != columns.len()) {
        let (found, expected) = (row.len(), columns.len());
        return Err(format!("step `{name}`: found {found} cells, expected {expected}"));
    }
    let by_hand = entry.get("by_hand").and_then(toml::Value::as_str).map(str::to_owned);
    if by_hand.is_none() && rows.is_empty() {
        return Err(format!("step `{name}`: expected `by_hand` or rows"));
    }
    let panels = entries(entry, "panel");
    let panel =
        |entry| Ok(Panel { title: text(entry, "title")?, columns: texts(entry, "columns", None) });
    let panels = panels.map(panel).collect::<Result<_, String>>()?;
    let map = entry.get("map").and_then(toml::Value::as_table).map(style_map).transpose()?;
    Ok(Step { name, by_hand, columns, rows, panels, map })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const STEPS: &str = r#"
        [lists]
        profile = ["calm", "wild"]

        [[run]]
        name = "duel-{profile}"
        for = "profile"
        command = "duel {profile} neutral --pgn {profile}.pgn"
        profile = "name = '{profile}'"
        minutes = 3

        [[run]]
        name = "style"
        command = "style calm.pgn wild.pgn"
        after = ["duel-calm", "duel-wild"]
        minutes = 1

        [[step]]
        name = "elo"
        columns = ["profile", "Elo"]
        [[step.row]]
        for = "profile"
        cells = ["`{profile}`", "{duel-{profile}:/elo:+0}"]

        [[step]]
        name = "style"
        columns = ["checks"]
        [[step.row]]
        cells = ["{style:/checks:1}"]

        [[step]]
        name = "strength"
        by_hand = "needs other engines"
    "#;

    #[test]
    fn steps_name_their_runs_and_make_tables() {
        let all = Steps::parse(STEPS).unwrap();
        let names = |step: usize| -> Vec<_> {
            all.runs_of(&all.steps[step]).unwrap().iter().map(|run| run.name.clone()).collect()
        };
        assert_eq!(names(0), ["duel-calm", "duel-wild"]);
        assert_eq!(names(1), ["duel-calm", "duel-wild", "style"]);
        assert_eq!(all.minutes(&all.steps[1]), Ok(7));
        assert!(names(2).is_empty() && all.steps[2].by_hand.is_some());
        assert_eq!(all.runs[1].command, "duel wild neutral --pgn wild.pgn");
        assert_eq!(all.runs[1].profile.as_deref(), Some("name = 'wild'"));
        let results = [("duel-calm", -3.6), ("duel-wild", 12.2)];
        let results = results.map(|(name, elo)| (name.to_owned(), json!({"elo": elo}))).into();
        let table = all.steps[0].table(&results).unwrap();
        assert_eq!(table.csv(), "profile,Elo\n`calm`,−4\n`wild`,+12\n");
    }

    #[test]
    fn malformed_steps_are_rejected() {
        for (from, to, complaint) in [
            ("duel-{profile}:", "duel:", "step `elo`: no run is called `duel`"),
            ("{style:/checks:1}\"", "1\", \"2\"", "step `style`: found 2 cells, expected 1"),
            ("minutes = 3", "", "`minutes` is missing, expected a whole number"),
            ("for = \"profile\"", "for = \"goal\"", "`for`: no list is called `goal`"),
            ("by_hand =", "hand =", "step `strength`: expected `by_hand` or rows"),
        ] {
            assert_eq!(Steps::parse(&STEPS.replace(from, to)).unwrap_err(), complaint);
        }
    }
}
