//! Positions with scores and results, read from files.

use crate::{
    chess::{game::Game, wdl::fullness},
    lab::tune::{
        TuneError,
        row::{Format, Row},
    },
    support::{
        compressed,
        random::{Random, mixed},
    },
};
use shakmaty::Position;
use std::path::{Path, PathBuf};

/// Scores beyond this many centipawns are left out: such games are over, and the few that are not
/// would bend the curve where it matters.
pub const LARGEST_CP: i16 = 1_500;

/// A position of a game: who was ahead by how much, and how it ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// Pawns, White's point of view.
    pub pawns: f64,
    pub fullness: f64,
    /// In half points for White: 0, 1 or 2.
    pub result: u8,
}

/// What was read, in the order of the files.
#[derive(Clone, Debug, Default)]
pub struct Observations {
    pub training: Vec<Observation>,
    pub held_out: Vec<Observation>,
    /// Rows that could not be read, or have no score.
    pub bad: usize,
    /// File, line and reason of the first of those.
    pub complaint: Option<(PathBuf, usize, String)>,
    /// Rows whose score is too large.
    pub decided: usize,
}

impl Observations {
    /// Reads `files` and holds out a share of their games, or of their positions where a file does
    /// not tell the game; `seed` decides which.
    ///
    /// # Errors
    /// If a file cannot be read, or nothing is left to train on.
    pub fn read(files: &[PathBuf], holdout: f64, seed: u64) -> Result<Self, TuneError> {
        let mut all = Self::default();
        let mut rows = 0;
        for (number, file) in files.iter().enumerate() {
            let salt = mixed(seed ^ mixed(number as u64));
            rows += all.add(file, holdout, salt)?;
        }
        if all.training.is_empty() {
            return Err(match all.complaint {
                Some((file, line, reason)) => {
                    TuneError::Unreadable { file, reason: format!("line {line}: {reason}") }
                }
                None => TuneError::Empty(rows),
            });
        }
        let count = |result| all.training.iter().filter(|seen| seen.result == result).count();
        let [losses, draws, wins] = [0, 1, 2].map(count);
        if wins == 0 || draws == 0 || losses == 0 {
            return Err(TuneError::OneSided { wins, draws, losses });
        }
        Ok(all)
    }

    /// Adds the rows of `file`; how many there are.
    fn add(&mut self, file: &Path, holdout: f64, salt: u64) -> Result<usize, TuneError> {
        let refuse = |reason: String| TuneError::Unreadable { file: file.into(), reason };
        let bytes = compressed::read(file, compressed::LARGEST_DATA)
            .map_err(|e| refuse(format!("cannot be read: {e}")))?;
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (_, first) = lines.clone().next().ok_or_else(|| refuse("is empty".into()))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let (format, header) = Format::detect(&name, first.trim()).map_err(refuse)?;
        if header {
            lines.next();
        }
        let mut rows = 0;
        for (index, line) in lines {
            rows += 1;
            match format.row(line.trim()).and_then(|row| Ok((observed(&row)?, row))) {
                Ok((None, _)) => self.decided += 1,
                Ok((Some(seen), row)) => {
                    let name = row.game.unwrap_or(row.fen);
                    let drawn = name.bytes().fold(salt, |hash, byte| mixed(hash ^ u64::from(byte)));
                    let held_out = Random::new(drawn).unit() < holdout;
                    if held_out { &mut self.held_out } else { &mut self.training }.push(seen);
                }
                Err(reason) => {
                    self.bad += 1;
                    self.complaint.get_or_insert_with(|| (file.into(), index + 1, reason));
                }
            }
        }
        Ok(rows)
    }
}

/// What a row tells; none if the game was decided.
fn observed(row: &Row<'_>) -> Result<Option<Observation>, String> {
    let cp = row.cp.ok_or("no score (needed: the column cp)")?;
    if cp.unsigned_abs() > LARGEST_CP.unsigned_abs() {
        return Ok(None);
    }
    let chess = Game::from_fen(row.fen, None).map_err(|error| error.to_string())?.chess;
    let (pawns, fullness) = (f64::from(cp) / 100.0, fullness(chess.board()));
    Ok(Some(Observation { pawns, fullness, result: row.result }))
}
