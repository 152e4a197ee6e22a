//! Files become positions: read, perhaps unpacked, sampled, and counted on all cores.

use super::{
    Progress, TuneError,
    dataset::{Label, Part},
    quiet::{self, Quiet, Unfit},
    row::{Format, Row},
};
use crate::{
    eval::{TermEvaluator, weights::Weights},
    game::Game,
    packed,
    random::{Random, mixed},
};
use rayon::prelude::*;
use shakmaty::{ByColor, Chess, EnPassantMode, Position, zobrist::Zobrist64};
use std::{
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

/// A file to read.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    pub path: PathBuf,
    /// How much each of its positions counts, above 0.
    pub weight: f32,
    /// Not for fitting: its loss is only reported.
    pub validation: bool,
}

/// How positions are chosen from the files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    pub quiet: Quiet,
    /// Rows to take of each file, spread evenly; all without.
    pub limit: Option<usize>,
    /// The share of positions that is held out, 0 to 1; a game stays together where the file tells
    /// which it is.
    pub holdout: f64,
    pub seed: u64,
}

/// What became of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    pub path: PathBuf,
    /// Rows looked at.
    pub rows: usize,
    /// Rows that became positions to fit.
    pub used: usize,
    /// Rows that could not be read.
    pub bad: usize,
    /// Line and reason of the first of those.
    pub complaints: Vec<(usize, String)>,
    /// Positions left out: in check, not quiet, without a legal move.
    pub in_check: usize,
    pub unquiet: usize,
    pub over: usize,
}

/// Of how many bad rows the reason is kept.
const COMPLAINTS: usize = 10;
/// Rows that one thread counts in one go, and rows between two reports of progress.
const CHUNK: usize = 512;
const BLOCK: usize = 64 * CHUNK;

/// What positions become.
pub(super) trait Gather: Send {
    /// Whether it takes positions in check; they are resolved, whatever the choice of quiet.
    const TAKES_CHECKS: bool;

    /// Adds `leaf`, the quiet position that `root`, that of the row, comes to.
    fn push(&mut self, root: &Chess, leaf: &Chess, label: Label);

    /// Adds all of `other` at the end.
    fn append(&mut self, other: Self);
}

/// What a row is counted with.
struct Counter<'g, F> {
    /// An empty gathering.
    empty: &'g F,
    evaluator: TermEvaluator,
    choice: Choice,
    /// Of the file, in the order they are read.
    number: u16,
    validation: bool,
    /// Decides, with the game or the position, what is held out.
    salt: u64,
}

/// What became of a row.
enum Fate {
    Used,
    Bad(String),
    Unfit(Unfit),
}

/// Reads all `sources` and gathers their positions, from `empty` on; also the number of rows read.
/// What is quiet is judged by `weights`.
pub(super) fn load_all<G: Gather>(
    sources: &[Source],
    choice: Choice,
    weights: &Weights,
    empty: impl Fn() -> G + Sync,
    stop: &AtomicBool,
    progress: &mut dyn Progress,
) -> Result<(G, usize), TuneError> {
    let weights = ByColor { white: weights.clone(), black: weights.clone() };
    let evaluator = TermEvaluator::new(weights);
    let (mut data, mut rows) = (empty(), 0);
    for (number, source) in (0_u16..).zip(sources) {
        let salt = salt(source, choice);
        let counter = Counter {
            empty: &empty,
            evaluator: evaluator.clone(),
            choice,
            number,
            validation: source.validation,
            salt,
        };
        rows += load(source, &counter, &mut data, stop, progress)?.rows;
    }
    Ok((data, rows))
}

/// Differs by file and seed.
fn salt(source: &Source, choice: Choice) -> u64 {
    let name = source.path.file_name().unwrap_or_default().to_string_lossy();
    name.bytes().fold(choice.seed, |salt, byte| mixed(salt ^ u64::from(byte)))
}

/// Reads `source` and adds its positions to `data`.
fn load<G: Gather, F: Fn() -> G + Sync>(
    source: &Source,
    counter: &Counter<'_, F>,
    data: &mut G,
    stop: &AtomicBool,
    progress: &mut dyn Progress,
) -> Result<Loaded, TuneError> {
    let refuse = |reason: String| TuneError::Unreadable { file: source.path.clone(), reason };
    let bytes = packed::read(&source.path, packed::LARGEST_DATA)
        .map_err(|e| refuse(format!("cannot be read: {e}")))?;
    let name = source.path.file_name().unwrap_or_default().to_string_lossy();
    let mut lines: Vec<(usize, &[u8])> = bytes.split(|&b| b == b'\n').enumerate().collect();
    lines.retain(|(_, line)| !line.trim_ascii().is_empty());
    let mut rows = lines.as_slice();
    let Some((_, first)) = rows.first() else { return Err(refuse("is empty".into())) };
    let first = String::from_utf8_lossy(first);
    let (format, header) = Format::detect(&name, first.trim()).map_err(refuse)?;
    if header {
        rows = &rows[1..];
    }
    let sample = sampled(rows, counter.choice.limit, counter.salt);
    let mut loaded = Loaded { path: source.path.clone(), ..Loaded::default() };
    for block in sample.chunks(BLOCK) {
        if stop.load(Relaxed) {
            return Err(TuneError::Interrupted);
        }
        let parts: Vec<_> =
            block.par_chunks(CHUNK).map(|chunk| counter.count(format, chunk)).collect();
        for (part, fates) in parts {
            data.append(part);
            for (line, fate) in fates {
                loaded.note(line, fate);
            }
        }
        progress.rows(&source.path, loaded.rows, sample.len());
    }
    progress.loaded(&loaded);
    Ok(loaded)
}

/// `limit` of the rows, one from each of as many equal stretches.
fn sampled<T: Copy>(rows: &[T], limit: Option<usize>, seed: u64) -> Vec<T> {
    let Some(limit) = limit.filter(|&limit| limit < rows.len()) else { return rows.to_vec() };
    let mut random = Random::new(seed);
    let start = |i: usize| (i as u128 * rows.len() as u128 / limit as u128) as usize;
    (0..limit).map(|i| rows[start(i) + random.below(start(i + 1) - start(i))]).collect()
}

impl Loaded {
    fn note(&mut self, line: usize, fate: Fate) {
        self.rows += 1;
        match fate {
            Fate::Used => self.used += 1,
            Fate::Unfit(Unfit::Check) => self.in_check += 1,
            Fate::Unfit(Unfit::Unquiet) => self.unquiet += 1,
            Fate::Unfit(Unfit::Over) => self.over += 1,
            Fate::Bad(reason) => {
                self.bad += 1;
                if self.complaints.len() < COMPLAINTS {
                    self.complaints.push((line + 1, reason));
                }
            }
        }
    }
}

impl<G: Gather, F: Fn() -> G> Counter<'_, F> {
    fn count(&self, format: Format, chunk: &[(usize, &[u8])]) -> (G, Vec<(usize, Fate)>) {
        let mut data = (self.empty)();
        let mut evaluator = self.evaluator.clone();
        let fate = |&(line, bytes): &(usize, &[u8])| {
            let row = str::from_utf8(bytes)
                .map_err(|_| "not UTF-8 text".to_string())
                .and_then(|text| format.row(text.trim()));
            (line, row.map_or_else(Fate::Bad, |row| self.add(row, &mut evaluator, &mut data)))
        };
        let fates = chunk.iter().map(fate).collect();
        (data, fates)
    }

    fn add(&self, row: Row<'_>, evaluator: &mut TermEvaluator, data: &mut G) -> Fate {
        let chess = match Game::from_fen(row.fen, None) {
            Ok(game) => game.chess,
            Err(error) => return Fate::Bad(error.to_string()),
        };
        let part = self.part(row.game, || chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0);
        let settled = if G::TAKES_CHECKS && chess.is_check() {
            quiet::resolved(&chess, evaluator)
        } else {
            quiet::settled(&chess, self.choice.quiet, evaluator)
        };
        match settled {
            Err(unfit) => Fate::Unfit(unfit),
            Ok(leaf) => {
                let label = Label { result: row.result, cp: row.cp, file: self.number, part };
                data.push(&chess, &leaf, label);
                Fate::Used
            }
        }
    }

    /// By the game, so that no position is foretold from its neighbours, else by the position.
    fn part(&self, game: Option<&str>, key: impl FnOnce() -> u64) -> Part {
        if self.validation {
            return Part::Validation;
        }
        let drawn = game.map_or_else(
            || mixed(self.salt ^ key()),
            |game| game.bytes().fold(self.salt, |hash, byte| mixed(hash ^ u64::from(byte))),
        );
        if Random::new(drawn).unit() < self.choice.holdout { Part::HeldOut } else { Part::Training }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_spread_evenly_and_follows_the_seed() {
        let rows: Vec<usize> = (0..1000).collect();
        let sample = sampled(&rows, Some(10), 1);
        assert_eq!(sample.len(), 10);
        assert!(sample.iter().enumerate().all(|(i, row)| row / 100 == i), "{sample:?}");
        assert_eq!(sample, sampled(&rows, Some(10), 1));
        assert_ne!(sample, sampled(&rows, Some(10), 2));
        assert_eq!(sampled(&rows, Some(5000), 1), rows);
    }
}
