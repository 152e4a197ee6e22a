//! Compares moves and scores of every built-in profile with the neutral profile.
//!
//! The comparison covers the bench positions.

use super::{MoveChooser, ProfileChoice};
use crate::{
    chess::game::Game,
    lab::bench::{BenchError, POSITIONS},
    profile::Profile,
};
use serde::Serialize;
use std::{fmt, num::NonZeroU64};

/// The choices of one profile in every bench position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileChoices {
    /// The name of a built-in profile, or `(control)`.
    pub profile: &'static str,
    /// The choices, in the order of [`POSITIONS`].
    pub choices: Vec<ProfileChoice>,
}

/// The choices of every built-in profile in every bench position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceMatrix {
    nodes: NonZeroU64,
    neutral: Vec<ProfileChoice>,
    pub rows: Vec<ProfileChoices>,
    /// The neutral profile with a negligible change: the noise that any change adds to a search.
    pub control: ProfileChoices,
}

impl ChoiceMatrix {
    /// Searches every position with every profile, for `nodes` nodes each.
    ///
    /// Each search starts a new game and uses one thread.
    ///
    /// # Errors
    /// If the hash table cannot be allocated.
    ///
    /// # Panics
    /// If a built-in profile is invalid. A test loads them all.
    pub fn of(nodes: NonZeroU64) -> Result<Self, BenchError> {
        let games: Vec<_> =
            POSITIONS.iter().map(|fen| Game::from_fen(fen, None)).collect::<Result<_, _>>()?;
        let builtin = |name| Profile::builtin(name).expect("built-in profiles are valid");
        let choices = |profile: Profile| -> Result<Vec<ProfileChoice>, BenchError> {
            let mut player = MoveChooser::new(profile.clone(), nodes)?;
            Ok(games.iter().filter_map(|game| player.choose(&profile, game)).collect())
        };
        let rows: Result<_, BenchError> = Profile::BUILTIN
            .into_iter()
            .map(|profile| Ok(ProfileChoices { profile, choices: choices(builtin(profile))? }))
            .collect();
        let neutral = builtin("neutral");
        let control =
            ProfileChoices { profile: "(control)", choices: choices(neutral.barely_changed(1))? };
        Ok(Self { nodes, neutral: choices(neutral)?, rows: rows?, control })
    }

    /// Returns the number of positions in which `row` and the neutral profile choose different
    /// moves.
    #[must_use]
    pub fn changed(&self, row: &ProfileChoices) -> usize {
        self.pairs(row).filter(|(choice, neutral)| choice.best != neutral.best).count()
    }

    /// Returns the mean absolute difference from the neutral scores, in centipawns.
    ///
    /// Positions with a decided score on either side are skipped.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a few positions")]
    pub fn shift(&self, row: &ProfileChoices) -> f64 {
        let shifts: Vec<_> =
            self.pairs(row).filter_map(|(choice, neutral)| shift(choice, neutral)).collect();
        let sum: i32 = shifts.iter().map(|shift| shift.abs()).sum();
        f64::from(sum) / shifts.len().max(1) as f64
    }

    fn pairs<'m>(
        &'m self,
        row: &'m ProfileChoices,
    ) -> impl Iterator<Item = (&'m ProfileChoice, &'m ProfileChoice)> {
        row.choices.iter().zip(&self.neutral)
    }

    /// Returns the matrix for JSON, with every cell.
    #[must_use]
    pub fn record(&self) -> MatrixRecord<'_> {
        let row = |row| RowRecord::of(self, row);
        MatrixRecord {
            nodes: self.nodes,
            positions: POSITIONS.len(),
            profiles: self.rows.iter().map(row).collect(),
            control: row(&self.control),
        }
    }
}

/// The JSON form of [`ChoiceMatrix`].
#[derive(Clone, Debug, Serialize)]
pub struct MatrixRecord<'a> {
    nodes: NonZeroU64,
    positions: usize,
    profiles: Vec<RowRecord<'a>>,
    control: RowRecord<'a>,
}

#[derive(Clone, Debug, Serialize)]
struct RowRecord<'a> {
    profile: &'static str,
    changed: usize,
    shift: f64,
    nodes: u64,
    cells: Vec<CellRecord<'a>>,
}

#[derive(Clone, Debug, Serialize)]
struct CellRecord<'a> {
    fen: &'static str,
    best: &'a str,
    score: String,
    nodes: u64,
    changed: bool,
    shift: Option<i32>,
}

impl<'a> RowRecord<'a> {
    fn of(matrix: &'a ChoiceMatrix, row: &'a ProfileChoices) -> Self {
        let cell =
            |(fen, (choice, neutral)): (&&'static str, (&'a ProfileChoice, &'a ProfileChoice))| {
                CellRecord {
                    fen,
                    best: &choice.best,
                    score: choice.score.to_string(),
                    nodes: choice.nodes,
                    changed: choice.best != neutral.best,
                    shift: shift(choice, neutral),
                }
            };
        Self {
            profile: row.profile,
            changed: matrix.changed(row),
            shift: matrix.shift(row),
            nodes: nodes(row),
            cells: POSITIONS.iter().zip(matrix.pairs(row)).map(cell).collect(),
        }
    }
}

/// Returns the score's difference from the neutral one, in centipawns, or `None` if either is
/// decided.
fn shift(choice: &ProfileChoice, neutral: &ProfileChoice) -> Option<i32> {
    let [felt, neutral] = [choice, neutral].map(|choice| choice.score);
    let decided = felt.is_decided() || neutral.is_decided();
    (!decided).then(|| felt.centipawns() - neutral.centipawns())
}

fn nodes(row: &ProfileChoices) -> u64 {
    row.choices.iter().map(|choice| choice.nodes).sum()
}

impl fmt::Display for ChoiceMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} positions, {} nodes each, compared with neutral",
            POSITIONS.len(),
            self.nodes
        )?;
        write!(
            f,
            "{:<12} {:>13} {:>17} {:>9}",
            "profile", "moves changed", "mean |shift| (cp)", "nodes"
        )?;
        for row in self.rows.iter().chain([&self.control]) {
            let (changed, shift) = (self.changed(row), self.shift(row));
            write!(f, "\n{:<12} {changed:>13} {shift:>17.1} {:>9}", row.profile, nodes(row))?;
        }
        writeln!(f, "\n(control): neutral with the tempo bonus raised by 1/256 centipawn")?;
        write!(f, "\nshift of the score (cp) by position; * different move, - decided score\n ")?;
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
