//! What each temperament changes on the positions of the bench, beside the neutral profile.

use super::{Choice, Player};
use crate::{
    chess::game::Game,
    lab::bench::{BenchError, POSITIONS},
    profile::Profile,
};
use serde_json::{Value, json};
use std::{fmt, num::NonZeroU64};

/// A profile on every position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// A built-in one, or `(control)`.
    pub profile: &'static str,
    /// In the order of the positions.
    pub choices: Vec<Choice>,
}

/// Every built-in profile on every position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    nodes: NonZeroU64,
    neutral: Vec<Choice>,
    pub rows: Vec<Row>,
    /// The neutral profile but for a hair's breadth: what a change that means nothing does to a
    /// search.
    pub control: Row,
}

impl Matrix {
    /// Searches `nodes` nodes for each profile and position, each in a new game on one thread.
    ///
    /// # Errors
    /// If the table cannot be had.
    ///
    /// # Panics
    /// If a built-in profile is broken; a test loads them all.
    pub fn of(nodes: NonZeroU64) -> Result<Self, BenchError> {
        let games: Vec<_> =
            POSITIONS.iter().map(|fen| Game::from_fen(fen, None)).collect::<Result<_, _>>()?;
        let builtin = |name| Profile::builtin(name).expect("built-in profiles are whole");
        let choices = |profile: Profile| -> Result<Vec<Choice>, BenchError> {
            let mut player = Player::new(profile.clone(), nodes)?;
            Ok(games.iter().filter_map(|game| player.choose(&profile, game)).collect())
        };
        let rows: Result<_, BenchError> = Profile::BUILTIN
            .into_iter()
            .map(|profile| Ok(Row { profile, choices: choices(builtin(profile))? }))
            .collect();
        let neutral = builtin("neutral");
        let control = Row { profile: "(control)", choices: choices(neutral.barely_changed(1))? };
        Ok(Self { nodes, neutral: choices(neutral)?, rows: rows?, control })
    }

    /// In how many positions `row` has another move than the neutral profile.
    #[must_use]
    pub fn changed(&self, row: &Row) -> usize {
        self.pairs(row).filter(|(choice, neutral)| choice.best != neutral.best).count()
    }

    /// The mean distance of the scores from neutral ones, in centipawns, where neither is decided.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a few positions")]
    pub fn shift(&self, row: &Row) -> f64 {
        let shifts: Vec<_> =
            self.pairs(row).filter_map(|(choice, neutral)| shift(choice, neutral)).collect();
        let sum: i32 = shifts.iter().map(|shift| shift.abs()).sum();
        f64::from(sum) / shifts.len().max(1) as f64
    }

    fn pairs<'m>(&'m self, row: &'m Row) -> impl Iterator<Item = (&'m Choice, &'m Choice)> {
        row.choices.iter().zip(&self.neutral)
    }

    /// The same for programs, with every cell.
    #[must_use]
    pub fn as_json(&self) -> Value {
        let cell = |(fen, (choice, neutral)): (&&str, (&Choice, &Choice))| {
            json!({
                "fen": fen, "best": choice.best, "score": choice.score.to_string(),
                "nodes": choice.nodes, "changed": choice.best != neutral.best,
                "shift": shift(choice, neutral),
            })
        };
        let row = |row: &Row| {
            let cells: Vec<_> = POSITIONS.iter().zip(self.pairs(row)).map(cell).collect();
            json!({
                "profile": row.profile, "changed": self.changed(row), "shift": self.shift(row),
                "nodes": nodes(row), "cells": cells,
            })
        };
        json!({
            "nodes": self.nodes, "positions": POSITIONS.len(),
            "profiles": self.rows.iter().map(row).collect::<Vec<_>>(), "control": row(&self.control),
        })
    }
}

/// From the neutral score, in centipawns; none where one is decided.
fn shift(choice: &Choice, neutral: &Choice) -> Option<i32> {
    let [felt, neutral] = [choice, neutral].map(|choice| choice.score);
    let decided = felt.is_decided() || neutral.is_decided();
    (!decided).then(|| felt.centipawns() - neutral.centipawns())
}

fn nodes(row: &Row) -> u64 {
    row.choices.iter().map(|choice| choice.nodes).sum()
}

impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} positions, {} nodes each, beside neutral", POSITIONS.len(), self.nodes)?;
        write!(
            f,
            "{:<12} {:>13} {:>17} {:>9}",
            "profile", "moves changed", "mean |shift| (cp)", "nodes"
        )?;
        for row in self.rows.iter().chain([&self.control]) {
            let (changed, shift) = (self.changed(row), self.shift(row));
            write!(f, "\n{:<12} {changed:>13} {shift:>17.1} {:>9}", row.profile, nodes(row))?;
        }
        writeln!(f, "\n(control): neutral, but the right to move is worth 1/256 centipawn more")?;
        write!(
            f,
            "\nshift of the score (cp) by position; * another move, - a score that is decided\n "
        )?;
        for row in self.rows.iter().chain([&self.control]) {
            write!(f, " {:>9}", row.profile)?;
        }
        for (number, neutral) in self.neutral.iter().enumerate() {
            write!(f, "\n{:>2}", number + 1)?;
            for row in self.rows.iter().chain([&self.control]) {
                let Some(choice) = row.choices.get(number) else { continue };
                let shift = shift(choice, neutral).map_or("-".into(), |shift| shift.to_string());
                let mark = if choice.best == neutral.best { ' ' } else { '*' };
                write!(f, "{shift:>9}{mark}")?;
            }
        }
        Ok(())
    }
}
