//! The CSV file of training positions, which a later run can resume.

use super::{Totals, selfplay::SelfPlayGame};
use crate::{
    chess::game::Game,
    support::record_file::{RecordError, RecordFile, for_each_line},
};
use shakmaty::{EnPassantMode, Position, zobrist::Zobrist64};
use std::{collections::HashSet, ffi::OsStr, fmt::Write as _, fs::File, path::Path};

/// The header line, as expected by `tune`.
const HEADER: &str = "fen,result,cp,game";

/// A CSV file of positions without duplicates.
#[derive(Debug)]
pub struct Store {
    file: RecordFile,
    keys: HashSet<Zobrist64>,
    totals: Totals,
    /// The rows of the last game of an earlier run, until this game was played again.
    again: String,
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
    /// The last game in the file may be incomplete. It is played again, and its rows must then be
    /// the same.
    ///
    /// # Errors
    /// If the file cannot be opened, is compressed, or has another format.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let is_compressed =
            |of: &str| ["gz", "zst"].iter().any(|format| of.eq_ignore_ascii_case(format));
        if path.extension().and_then(OsStr::to_str).is_some_and(is_compressed) {
            let reason = "cannot append to a compressed file; compress it when it is complete";
            return Err(RecordError::new(path, reason));
        }
        let mut scan = Scan::default();
        let mut file = RecordFile::resume(path, |file| scan.read(file))?;
        if file.end() == 0 {
            file.append(format!("{HEADER}\n").as_bytes())?;
        }
        let Scan { keys, totals, text: again, .. } = scan;
        Ok(Self { file, keys, totals, again })
    }

    /// Returns the totals of the file.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Appends a game with a single write. Positions already in the file are skipped.
    ///
    /// # Errors
    /// If the file cannot be written, or if it begins this game with other rows, because it was
    /// made with other options.
    pub fn add(&mut self, number: u64, played: &SelfPlayGame) -> Result<(), RecordError> {
        let result = ["0", "0.5", "1"][usize::from(played.result)];
        let (mut text, mut rows) = (String::new(), Vec::new());
        for kept in &played.positions {
            if self.keys.insert(kept.key) {
                let _ = writeln!(text, "{},{result},{},{number}", kept.fen, kept.cp);
                rows.push(PositionRow { key: kept.key, result: played.result, game: number });
            }
        }
        if !text.starts_with(&self.again) {
            return Err(self.file.refusal(format!(
                "game {number} is not the one that these options give; choose another file, or \
                 repeat the earlier command"
            )));
        }
        self.again.clear();
        self.totals.duplicates += (played.positions.len() - rows.len()) as u64;
        count_game(&mut self.totals, &mut self.keys, &rows);
        self.totals.games = number;
        self.file.append(text.as_bytes())
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<(), RecordError> {
        self.file.finish()
    }
}

/// The content of a file that is resumed.
#[derive(Default)]
struct Scan {
    keys: HashSet<Zobrist64>,
    totals: Totals,
    /// The offset and the rows of the last game read so far. It may be incomplete.
    end: u64,
    last: Vec<PositionRow>,
    text: String,
}

impl Scan {
    /// Counts the games before the last one and returns the offset of the last one.
    fn read(&mut self, file: &File) -> Result<u64, String> {
        let header = |found: &str| format!("line 1: found `{found}`, allowed: `{HEADER}`");
        let rest = for_each_line(file, |line| {
            let wrong = |reason: &str| format!("line {}: {reason}", line.number);
            if line.number == 1 {
                self.end = line.end;
                return if line.text == HEADER { Ok(()) } else { Err(header(line.text)) };
            }
            let row = row(line.text).ok_or_else(|| wrong("expected a row `fen,result,cp,game`"))?;
            let current = self.last.first().map_or(0, |row| row.game);
            if row.game < current {
                return Err(wrong("the game numbers are not in ascending order"));
            }
            if row.game > current {
                count_game(&mut self.totals, &mut self.keys, &self.last);
                self.end = line.start;
                self.last.clear();
                self.text.clear();
            }
            self.last.push(row);
            self.text += line.text;
            self.text.push('\n');
            Ok(())
        })?;
        if self.end == 0 && !HEADER.starts_with(&rest) {
            return Err(header(&rest));
        }
        // earlier games without rows were played too: all their positions were duplicates or not
        // quiet
        self.totals.games = self.last.first().map_or(self.totals.games, |row| row.game - 1);
        Ok(self.end)
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

#[cfg(test)]
mod tests {
    use super::{super::selfplay::KeptPosition, *};
    use std::fs;

    /// Returns games of one, two and three positions, some of them duplicates.
    fn games() -> Vec<SelfPlayGame> {
        let kept = |moves: &str| {
            let game = Game::parse(moves, None).unwrap();
            let key = game.chess.zobrist_hash(EnPassantMode::Legal);
            KeptPosition { fen: game.fen(), key, cp: moves.len() as i32 }
        };
        let [a, b, c, d] =
            ["startpos moves e4", "startpos moves d4", "startpos moves c4 c5", "startpos moves f4"]
                .map(kept);
        let played = |result, positions: &[&KeptPosition]| SelfPlayGame {
            positions: positions.iter().map(|kept| (*kept).clone()).collect(),
            result,
        };
        vec![played(1, &[&a]), played(2, &[&a, &b]), played(0, &[&b, &c, &d])]
    }

    fn play(path: &Path, games: &[SelfPlayGame]) -> Result<Totals, RecordError> {
        let mut store = Store::open(path)?;
        for (number, played) in (1..).zip(games).skip(store.totals().games as usize) {
            store.add(number, played)?;
        }
        let totals = store.totals();
        store.finish()?;
        Ok(totals)
    }

    #[test]
    fn a_file_cut_anywhere_is_resumed_to_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own.csv");
        let totals = play(&path, &games()).unwrap();
        assert_eq!((totals.games, totals.positions, totals.duplicates), (3, 4, 2));
        let whole = fs::read(&path).unwrap();
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let again = play(&path, &games()).unwrap();
            assert!(fs::read(&path).unwrap() == whole, "cut to {length} bytes");
            assert_eq!((again.games, again.positions, again.wins), (3, 4, 1));
        }
    }

    #[test]
    fn a_file_of_other_options_is_refused_and_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own.csv");
        play(&path, &games()).unwrap();
        let whole = fs::read(&path).unwrap();
        let mut other = games();
        other[2].result = 1;
        let error = play(&path, &other).unwrap_err().to_string();
        assert!(error.contains("game 3 is not the one that these options give"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
}
