//! The CSV file of training positions, which a later run can resume.

use super::{DatagenError, Totals, selfplay::SelfPlayGame};
use crate::{chess::game::Game, support::record_file};
use shakmaty::{EnPassantMode, Position, zobrist::Zobrist64};
use std::{
    collections::HashSet,
    ffi::OsStr,
    fmt::Write as _,
    fs::File,
    io::{self, BufReader, Seek, Write},
    path::{Path, PathBuf},
};

/// The header line, as expected by `tune`.
const HEADER: &str = "fen,result,cp,game";

/// A CSV file of positions without duplicates.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    file: File,
    keys: HashSet<Zobrist64>,
    totals: Totals,
}

/// A row of the file.
struct PositionRow {
    key: Zobrist64,
    result: u8,
    game: u64,
}

impl Store {
    /// Opens or creates the file at `path`.
    ///
    /// The last game in the file may be incomplete. Its rows are removed and it is played again.
    ///
    /// # Errors
    /// If the file cannot be opened, is compressed, or has another format.
    pub fn open(path: &Path) -> Result<Self, DatagenError> {
        let refuse = |reason: String| DatagenError::File { file: path.into(), reason };
        let is_compressed =
            |of: &str| ["gz", "zst"].iter().any(|format| of.eq_ignore_ascii_case(format));
        if path.extension().and_then(OsStr::to_str).is_some_and(is_compressed) {
            let reason = "cannot append to a compressed file; compress it when it is complete";
            return Err(refuse(reason.into()));
        }
        let file =
            record_file::resume(path).map_err(|e| refuse(format!("cannot be opened: {e}")))?;
        let mut store =
            Self { path: path.into(), file, keys: HashSet::new(), totals: Totals::default() };
        store.resume().map_err(|error| refuse(error.to_string()))?;
        Ok(store)
    }

    /// Counts the games in the file and removes the last one.
    fn resume(&mut self) -> io::Result<()> {
        let wrong = |line: usize, reason: &str| io::Error::other(format!("line {line}: {reason}"));
        let mut reader = BufReader::new(&self.file);
        let mut line = String::new();
        record_file::read_line(&mut reader, &mut line)?;
        if !line.ends_with('\n') && HEADER.starts_with(&line) {
            // a new file, or one truncated within the header
            self.file.set_len(0)?;
            self.file.rewind()?;
            return writeln!(self.file, "{HEADER}");
        }
        if line.trim_end() != HEADER {
            return Err(wrong(1, &format!("found `{}`, allowed: `{HEADER}`", line.trim_end())));
        }
        let mut at = line.len() as u64;
        // the offset and the rows of the last game read so far
        let (mut cut, mut last): (u64, Vec<PositionRow>) = (at, Vec::new());
        for number in 2_usize.. {
            let length = record_file::read_line(&mut reader, &mut line)? as u64;
            if !line.ends_with('\n') {
                break;
            }
            let row = row(line.trim_end())
                .ok_or_else(|| wrong(number, "expected a row `fen,result,cp,game`"))?;
            let current = last.first().map_or(0, |row| row.game);
            if row.game < current {
                return Err(wrong(number, "the game numbers are not in ascending order"));
            }
            if row.game > current {
                count_game(&mut self.totals, &mut self.keys, &last);
                (cut, last) = (at, Vec::new());
            }
            at += length;
            last.push(row);
        }
        // earlier games without rows were played too: all their positions were duplicates or not
        // quiet
        self.totals.games = last.first().map_or(self.totals.games, |row| row.game - 1);
        self.file.set_len(cut)?;
        self.file.seek(io::SeekFrom::End(0))?;
        Ok(())
    }

    /// Returns the totals of the file.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Appends a game with a single write. Positions already in the file are skipped.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, number: u64, played: &SelfPlayGame) -> Result<(), DatagenError> {
        let result = ["0", "0.5", "1"][usize::from(played.result)];
        let (mut text, mut rows) = (String::new(), Vec::new());
        for kept in &played.positions {
            if self.keys.insert(kept.key) {
                let _ = writeln!(text, "{},{result},{},{number}", kept.fen, kept.cp);
                rows.push(PositionRow { key: kept.key, result: played.result, game: number });
            }
        }
        self.totals.duplicates += (played.positions.len() - rows.len()) as u64;
        count_game(&mut self.totals, &mut self.keys, &rows);
        self.totals.games = number;
        self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush()).map_err(|error| {
            let reason = format!("cannot be written: {error}");
            DatagenError::File { file: self.path.clone(), reason }
        })
    }
}

/// Adds the rows of one game to the totals and keys.
fn count_game(totals: &mut Totals, keys: &mut HashSet<Zobrist64>, rows: &[PositionRow]) {
    let Some(first) = rows.first() else { return };
    totals.games = first.game;
    totals.positions += rows.len() as u64;
    match first.result {
        2 => totals.wins += 1,
        1 => totals.draws += 1,
        _ => totals.losses += 1,
    }
    keys.extend(rows.iter().map(|row| row.key));
}

/// Parses a row, or returns `None` if it is malformed.
fn row(line: &str) -> Option<PositionRow> {
    let mut fields = line.split(',');
    let chess = Game::from_fen(fields.next()?, None).ok()?.chess;
    let result = match fields.next()? {
        "0" => 0,
        "0.5" => 1,
        "1" => 2,
        _ => return None,
    };
    fields.next()?.parse::<i32>().ok()?;
    let game = fields.next()?.parse().ok().filter(|&game| game > 0)?;
    let row = PositionRow { key: chess.zobrist_hash(EnPassantMode::Legal), result, game };
    fields.next().is_none().then_some(row)
}
