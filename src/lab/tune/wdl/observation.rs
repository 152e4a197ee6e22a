//! Reads positions with scores and results from files, as input for the win/draw/loss fit.

use crate::{
    chess::{game::Game, wdl::fullness},
    lab::tune::{
        TuneError,
        row::{DataRow, RowFormat},
    },
    support::{
        compressed,
        random::{Random, hashed, mixed},
    },
};
use shakmaty::Position;
use std::path::{Path, PathBuf};

/// Positions with a larger absolute score, in centipawns, are skipped. Such games are decided, and
/// the rare exceptions would distort the curve at the scores that matter.
pub const LARGEST_CP: i16 = 1_500;

/// The score of a position, its material, and the result of its game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// Score in pawns, from White's point of view.
    pub pawns: f64,
    /// Share of the initial material still on the board, as [`fullness`] defines it.
    pub fullness: f64,
    /// Half points for White: 0, 1 or 2.
    pub result: u8,
}

/// All observations read, in file order.
#[derive(Clone, Debug, Default)]
pub struct Observations {
    pub training: Vec<Observation>,
    pub held_out: Vec<Observation>,
    /// Number of rows that are invalid or have no score.
    pub bad: usize,
    /// File, line number (from 1) and error of the first such row.
    pub complaint: Option<(PathBuf, usize, String)>,
    /// Number of rows skipped because their score exceeds [`LARGEST_CP`].
    pub decided: usize,
}

impl Observations {
    /// Reads `files` and holds out the share `holdout` of their games. If a file does not name the
    /// games, positions are held out instead. `seed` decides which.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or if the training positions lack wins, draws or
    /// losses.
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

    /// Appends the rows of `file` and returns their number.
    fn add(&mut self, file: &Path, holdout: f64, salt: u64) -> Result<usize, TuneError> {
        let unreadable = |reason: String| TuneError::Unreadable { file: file.into(), reason };
        let bytes = compressed::read(file, compressed::LARGEST_DATA)
            .map_err(|e| unreadable(format!("cannot be read: {e}")))?;
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (_, first) = lines.clone().next().ok_or_else(|| unreadable("is empty".into()))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let (format, header) = RowFormat::detect(&name, first.trim()).map_err(unreadable)?;
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
                    let drawn = hashed(salt, name);
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

/// Returns the observation of a row, or `None` if its score exceeds [`LARGEST_CP`].
fn observed(row: &DataRow<'_>) -> Result<Option<Observation>, String> {
    let cp = row.cp.ok_or("no score (required: column `cp`)")?;
    if cp.unsigned_abs() > LARGEST_CP.unsigned_abs() {
        return Ok(None);
    }
    let chess = Game::from_fen(row.fen, None).map_err(|error| error.to_string())?.chess;
    let (pawns, fullness) = (f64::from(cp) / 100.0, fullness(chess.board()));
    Ok(Some(Observation { pawns, fullness, result: row.result }))
}
