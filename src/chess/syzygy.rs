//! Finds and probes Syzygy endgame tables. Missing files are ignored. Broken files are skipped with
//! one warning. <https://www.chessprogramming.org/Syzygy_Bases>

use crate::chess::tablebase::{Dtz, Tablebase, Wdl};
use shakmaty::{Board, Chess, Color, Position, Role};
use shakmaty_syzygy::{
    MaybeRounded, Metric, ProbeError, Syzygy as Format, SyzygyError, Tablebase as Files,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    fs::{self, File},
    io::{self, Read},
    mem,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

/// The separator between the directories of a path.
pub const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

/// The tables found in the given directories. Their files are opened on first use.
#[derive(Debug, Default)]
pub struct Syzygy {
    files: Files<Chess>,
    /// WDL tables. Positions with other material are rejected without accessing a file.
    results: BTreeMap<Material, Health>,
    /// DTZ tables.
    distances: BTreeSet<Material>,
    /// Errors since the last call of [`Self::take_faults`].
    faults: Mutex<Vec<String>>,
}

/// Whether the tables of one material combination are broken.
#[derive(Debug, Default)]
struct Health {
    broken_result: AtomicBool,
    broken_distance: AtomicBool,
}

impl Health {
    fn broken(&self, metric: Metric) -> &AtomicBool {
        match metric {
            Metric::Wdl => &self.broken_result,
            Metric::Dtz => &self.broken_distance,
        }
    }
}

/// The error returned when no directory contains a usable table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} (allowed: folders with .rtbw and .rtbz files, separated by `{SEPARATOR}`)")]
pub struct NoTables(String);

impl Syzygy {
    /// Opens the tables in the directories of `path`. An empty path gives no tables.
    ///
    /// # Errors
    /// If `path` is not empty and no directory contains a usable WDL table.
    pub fn open(path: &str) -> Result<Self, NoTables> {
        let mut found = Self::default();
        let mut faults = Vec::new();
        for folder in path.split(SEPARATOR).map(str::trim).filter(|folder| !folder.is_empty()) {
            let faults_before = faults.len();
            match found.add_folder(Path::new(folder), &mut faults) {
                Ok(0) if faults.len() == faults_before => {
                    faults.push(format!("`{folder}`: no tables"));
                }
                Ok(_) => {}
                Err(error) => faults.push(format!("`{folder}`: {error}")),
            }
        }
        if found.results.is_empty() && !faults.is_empty() {
            return Err(NoTables(summary(&faults)));
        }
        if found.results.is_empty() && !found.distances.is_empty() {
            return Err(NoTables("no .rtbw files".into()));
        }
        found.faults = Mutex::new(faults);
        Ok(found)
    }

    /// Adds the tables in a directory and returns how many were added.
    fn add_folder(&mut self, folder: &Path, faults: &mut Vec<String>) -> io::Result<usize> {
        let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
        let mut paths: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
        paths.sort();
        let mut added = 0;
        for path in paths {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            let Some((material, metric)) = parse_name(name) else { continue };
            if let Err(error) = check_magic(&path, metric).and_then(|()| self.files.add_file(&path))
            {
                faults.push(format!("{name}: {error}"));
                continue;
            }
            added += 1;
            match metric {
                Metric::Wdl => {
                    self.results.insert(material, Health::default());
                }
                Metric::Dtz => {
                    self.distances.insert(material);
                }
            }
        }
        Ok(added)
    }

    /// Returns the files and directories skipped since the last call, with reasons, as one line.
    pub fn take_faults(&self) -> Option<String> {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        let faults = mem::take(&mut *faults);
        (!faults.is_empty()).then(|| format!("skipped: {}", summary(&faults)))
    }

    /// Whether there is a table for the material on the board that is not known to be broken.
    fn has(&self, metric: Metric, position: &Chess) -> bool {
        let health = self.results.get(&Material::of(position.board()));
        health.is_some_and(|health| !health.broken(metric).load(Relaxed))
    }

    /// Records a broken file on its first use. Missing files are not errors.
    fn note(&self, error: &SyzygyError) {
        let SyzygyError::ProbeFailed { metric, material, error } = error else { return };
        let name = material.to_string();
        let health = Material::from_name(&name).and_then(|material| self.results.get(&material));
        if health.is_none_or(|health| health.broken(*metric).swap(true, Relaxed)) {
            return;
        }
        let why = match &**error {
            ProbeError::Read { error } => error.to_string(),
            ProbeError::Magic { .. } | ProbeError::CorruptedTable { .. } => BROKEN.into(),
        };
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        faults.push(format!("{name}.{}: {why}", extension(*metric)));
    }
}

impl fmt::Display for Syzygy {
    /// Writes the number of tables.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wdl, dtz, men) = (self.results.len(), self.distances.len(), self.most_men());
        write!(f, "{wdl} WDL and {dtz} DTZ tables, up to {men} men")
    }
}

impl Tablebase for Syzygy {
    fn most_men(&self) -> usize {
        self.results.keys().map(Material::men).max().unwrap_or(0)
    }

    fn wdl(&self, position: &Chess) -> Option<Wdl> {
        if !self.has(Metric::Wdl, position) {
            return None;
        }
        let wdl = self.files.probe_wdl_after_zeroing(position);
        Some(match wdl.inspect_err(|error| self.note(error)).ok()? {
            shakmaty_syzygy::Wdl::Loss => Wdl::Loss,
            shakmaty_syzygy::Wdl::BlessedLoss => Wdl::BlessedLoss,
            shakmaty_syzygy::Wdl::Draw => Wdl::Draw,
            shakmaty_syzygy::Wdl::CursedWin => Wdl::CursedWin,
            shakmaty_syzygy::Wdl::Win => Wdl::Win,
        })
    }

    fn dtz(&self, position: &Chess) -> Option<Dtz> {
        if !self.has(Metric::Dtz, position) {
            return None;
        }
        let dtz = self.files.probe_dtz(position);
        Some(match dtz.inspect_err(|error| self.note(error)).ok()? {
            MaybeRounded::Rounded(dtz) => Dtz { plies: dtz.0, rounded: true },
            MaybeRounded::Precise(dtz) => Dtz::exact(dtz.0),
        })
    }
}

/// The pieces of both sides, regardless of colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Material([PieceCounts; 2]);

/// The number of pieces of each role, from pawn to king.
type PieceCounts = [u8; 6];

impl Material {
    fn new(mut sides: [PieceCounts; 2]) -> Self {
        sides.sort_unstable();
        Self(sides)
    }

    fn of(board: &Board) -> Self {
        let count =
            |color: Color| Role::ALL.map(|role| board.by_piece(role.of(color)).count() as u8);
        Self::new(Color::ALL.map(count))
    }

    /// Parses the material in a file name, such as `KQvKR`. Each side must have one king, and the
    /// total must not exceed the limit of the format.
    fn from_name(name: &str) -> Option<Self> {
        const MOST_MEN: usize = <Chess as Format>::MAX_PIECES;
        let (first, second) = name.split_once('v').filter(|_| name.len() <= MOST_MEN + 1)?;
        let mut sides = [PieceCounts::default(); 2];
        for (side, letters) in sides.iter_mut().zip([first, second]) {
            for letter in letters.chars() {
                let role = Role::ALL.iter().position(|role| role.upper_char() == letter)?;
                side[role] += 1;
            }
        }
        sides.iter().all(|side| side.ends_with(&[1])).then(|| Self::new(sides))
    }

    fn men(&self) -> usize {
        self.0.iter().flatten().copied().map(usize::from).sum()
    }
}

/// The message for a file that cannot be read as a table.
const BROKEN: &str = "not a Syzygy table, or corrupt";

const fn extension(metric: Metric) -> &'static str {
    match metric {
        Metric::Wdl => Chess::TBW.ext,
        Metric::Dtz => Chess::TBZ.ext,
    }
}

/// Returns the material and the kind of a table, parsed from its file name.
fn parse_name(name: &str) -> Option<(Material, Metric)> {
    let (stem, found) = name.rsplit_once('.')?;
    let metric = [Metric::Wdl, Metric::Dtz].into_iter().find(|m| extension(*m) == found)?;
    Some((Material::from_name(stem)?, metric))
}

/// Rejects a file without the magic bytes of its kind of table.
fn check_magic(path: &Path, metric: Metric) -> io::Result<()> {
    let expected = match metric {
        Metric::Wdl => Chess::TBW.magic,
        Metric::Dtz => Chess::TBZ.magic,
    };
    // check the file type first: opening a pipe would block until there is a writer
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let mut found = Vec::new();
    File::open(path)?.take(expected.len() as u64).read_to_end(&mut found)?;
    if found == expected { Ok(()) } else { Err(io::Error::new(io::ErrorKind::InvalidData, BROKEN)) }
}

/// Returns the first few errors and the number of the others.
fn summary(faults: &[String]) -> String {
    const SHOWN: usize = 3;
    let shown = faults.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join("; ");
    match faults.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown}; and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_give_the_material_regardless_of_colour() {
        let position = |fen: &str| {
            let fen: shakmaty::fen::Fen = fen.parse().unwrap();
            fen.into_position::<Chess>(shakmaty::CastlingMode::Standard).unwrap()
        };
        let named = |name| Material::from_name(name).unwrap();
        let rook_and_pawn = position("8/8/8/8/3k4/7r/P7/R3K3 w - - 0 1");
        let swapped = position("r3k3/p7/7R/3K4/8/8/8/8 w - - 0 1");
        for chess in [rook_and_pawn, swapped] {
            assert_eq!(Material::of(chess.board()), named("KRPvKR"));
        }
        assert_eq!(named("KvKRR"), named("KRRvK"));
        assert_ne!(named("KRvKR"), named("KRRvK"));
        assert_eq!(named("KBBBNvKQ").men(), 7);
    }

    #[test]
    fn invalid_table_names_are_rejected() {
        for name in ["", "v", "KQK", "KQvQ", "KKvK", "kqvk", "KXvK", "KQvKvK", "KRBNPvKQQ", "Kvk"] {
            assert_eq!(Material::from_name(name), None, "{name}");
        }
        assert_eq!(Material::from_name(&"Q".repeat(1_000)), None);
        assert!(parse_name("KQvK.rtbw").is_some() && parse_name("KQvK.rtbw.part").is_none());
    }

    #[test]
    fn an_empty_path_gives_no_tables() {
        for path in ["", " ", &SEPARATOR.to_string()] {
            let none = Syzygy::open(path).unwrap();
            assert_eq!((none.most_men(), none.take_faults()), (0, None));
            assert_eq!(none.to_string(), "0 WDL and 0 DTZ tables, up to 0 men");
        }
    }

    #[test]
    fn many_errors_give_a_short_summary() {
        let faults: Vec<_> = (1..=5).map(|number| format!("fault {number}")).collect();
        assert_eq!(summary(&faults), "fault 1; fault 2; fault 3; and 2 more");
        assert_eq!(summary(&faults[..1]), "fault 1");
    }
}
