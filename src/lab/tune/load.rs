//! Loads training positions from data files and PGN games, plain or compressed.
//!
//! Rows are sampled, made quiet, labelled and collected on all cores, in file order.

use super::{
    Progress, TuneError,
    dataset::{Label, Split},
    quiet::{self, Quiet, Unfit},
    row::{DataRow, RowFormat},
    shallow_search::ShallowSearch,
};
use crate::{
    chess::game::Game,
    eval::{TermEvaluator, weights::Weights},
    pgn::{self, BrokenGame, Eval, FIRST_PLY, PlayedGame},
    support::{
        compressed,
        random::{Random, hashed, mixed},
    },
};
use rayon::prelude::*;
use shakmaty::{ByColor, Chess, EnPassantMode, Position, zobrist::Zobrist64};
use std::{
    num::NonZeroU64,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

/// A file with training or validation positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    pub path: PathBuf,
    /// Weight of each of its positions in the loss, above 0.
    pub weight: f32,
    /// Whether the file is only for validation: its loss is reported, but nothing is fitted to it.
    pub validation: bool,
}

/// How positions are selected from the files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositionFilter {
    pub quiet: Quiet,
    /// Replaces each position by the end of the best line of a search with this many nodes.
    /// Overrides `quiet`.
    pub nodes: Option<NonZeroU64>,
    /// Maximum number of rows per file, spread evenly over it. For PGN: the number of games, from
    /// the first on. `None` means no limit.
    pub limit: Option<usize>,
    /// Share of positions that are held out, from 0 to 1. Positions of one game stay in the same
    /// part if the file names the game.
    pub holdout: f64,
    pub seed: u64,
}

/// Statistics of one file that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    pub path: PathBuf,
    /// Rows read.
    pub rows: usize,
    /// Rows that gave a position.
    pub used: usize,
    /// Rows that are invalid.
    pub bad: usize,
    /// Line number and error of the first invalid rows, at most 10. For PGN, the game number
    /// replaces the line number. Both start at 1.
    pub complaints: Vec<(usize, String)>,
    /// Positions skipped because the side to move is in check.
    pub in_check: usize,
    /// Positions skipped because they are not quiet.
    pub unquiet: usize,
    /// Positions skipped because the game is over or decided.
    pub over: usize,
}

/// Maximum number of errors kept per file.
const COMPLAINTS: usize = 10;
/// Rows per unit of work of a thread.
const CHUNK: usize = 512;
/// Rows between two progress reports.
const BLOCK: usize = 64 * CHUNK;
/// Games per unit of work of a thread: about as many positions as [`CHUNK`].
const GAMES: usize = 8;

/// A collection that positions are loaded into.
pub(super) trait Gather: Send {
    /// Whether positions in check are collected. They are always made quiet, whatever
    /// [`PositionFilter::quiet`] says.
    const TAKES_CHECKS: bool;

    /// Appends a position. `root` is the position of the row, `leaf` the quiet position reached
    /// from it.
    fn push(&mut self, root: &Chess, leaf: &Chess, label: Label);

    /// Appends all positions of `other`.
    fn append(&mut self, other: Self);
}

/// Turns the rows and games of one file into positions.
struct Counter<'g, F> {
    /// Creates an empty collection.
    empty: &'g F,
    evaluator: TermEvaluator,
    filter: PositionFilter,
    /// Index of the file, in reading order.
    file: u16,
    validation: bool,
    /// Hashed with the game or position to decide what is held out.
    salt: u64,
}

/// The positions of a chunk of rows or games.
struct Counted<G> {
    data: G,
    /// The outcome of each row, with its line number from 0.
    outcomes: Vec<(usize, RowOutcome)>,
}

/// The outcome of reading one row.
enum RowOutcome {
    Used,
    Bad(String),
    Unfit(Unfit),
}

/// Reads all `sources` into a collection created by `empty`. Returns it with the number of rows
/// read. Quiet positions are found with an evaluation under `weights`.
pub(super) fn load_all<G: Gather>(
    sources: &[Source],
    filter: PositionFilter,
    weights: &Weights,
    empty: impl Fn() -> G + Sync,
    stop: &AtomicBool,
    progress: &mut dyn Progress,
) -> Result<(G, usize), TuneError> {
    let weights = ByColor { white: weights.clone(), black: weights.clone() };
    let evaluator = TermEvaluator::new(weights);
    let (mut data, mut rows) = (empty(), 0);
    for (file, source) in (0_u16..).zip(sources) {
        let salt = salt(source, filter);
        let counter = Counter {
            empty: &empty,
            evaluator: evaluator.clone(),
            filter,
            file,
            validation: source.validation,
            salt,
        };
        rows += load(source, &counter, &mut data, stop, progress)?.rows;
    }
    Ok((data, rows))
}

/// Returns a hash of the seed and the name of the file.
fn salt(source: &Source, filter: PositionFilter) -> u64 {
    let name = source.path.file_name().unwrap_or_default().to_string_lossy();
    hashed(filter.seed, &name)
}

/// Reads `source` and appends its positions to `data`.
fn load<G: Gather, F: Fn() -> G + Sync>(
    source: &Source,
    counter: &Counter<'_, F>,
    data: &mut G,
    stop: &AtomicBool,
    progress: &mut dyn Progress,
) -> Result<Loaded, TuneError> {
    let name = source.path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let mut loaded = Loaded { path: source.path.clone(), ..Loaded::default() };
    let mut add = |counted: Vec<Counted<G>>, all: Option<usize>| {
        for Counted { data: part, outcomes } in counted {
            data.append(part);
            for (line, outcome) in outcomes {
                loaded.record(line, outcome);
            }
        }
        progress.rows(&source.path, loaded.rows, all.unwrap_or(loaded.rows));
        if stop.load(Relaxed) { Err(TuneError::Interrupted) } else { Ok(()) }
    };
    if Path::new(compressed::plain_name(&name)).extension().is_some_and(|of| of == "pgn") {
        load_games(source, counter, stop, |counted| add(counted, None))?;
    } else {
        load_rows(source, &name, counter, stop, |counted, all| add(counted, Some(all)))?;
    }
    progress.loaded(&loaded);
    Ok(loaded)
}

fn load_rows<G: Gather, F: Fn() -> G + Sync>(
    source: &Source,
    name: &str,
    counter: &Counter<'_, F>,
    stop: &AtomicBool,
    mut add: impl FnMut(Vec<Counted<G>>, usize) -> Result<(), TuneError>,
) -> Result<(), TuneError> {
    let unreadable = |reason: String| TuneError::Unreadable { file: source.path.clone(), reason };
    let read = compressed::read_until(&source.path, compressed::LARGEST_DATA, stop);
    let bytes = read.map_err(|e| {
        if stop.load(Relaxed) {
            TuneError::Interrupted
        } else {
            unreadable(format!("cannot be read: {e}"))
        }
    })?;
    let mut lines: Vec<(usize, &[u8])> = bytes.split(|&b| b == b'\n').enumerate().collect();
    lines.retain(|(_, line)| !line.trim_ascii().is_empty());
    let mut rows = lines.as_slice();
    let Some((_, first)) = rows.first() else { return Err(unreadable("is empty".into())) };
    let first = String::from_utf8_lossy(first);
    let (format, header) = RowFormat::detect(name, first.trim()).map_err(unreadable)?;
    if header {
        rows = &rows[1..];
    }
    let sample = sampled(rows, counter.filter.limit, counter.salt);
    for block in sample.chunks(BLOCK) {
        let chunks = block.par_chunks(CHUNK).map(|chunk| counter.count(format, chunk));
        add(chunks.collect(), sample.len())?;
    }
    Ok(())
}

fn load_games<G: Gather, F: Fn() -> G + Sync>(
    source: &Source,
    counter: &Counter<'_, F>,
    stop: &AtomicBool,
    mut add: impl FnMut(Vec<Counted<G>>) -> Result<(), TuneError>,
) -> Result<(), TuneError> {
    let games = pgn::read(&source.path, stop).map_err(|e| {
        let reason = format!("cannot be read: {e}");
        TuneError::Unreadable { file: source.path.clone(), reason }
    })?;
    let mut games = games.take(counter.filter.limit.unwrap_or(usize::MAX));
    loop {
        let block: Vec<_> = games.by_ref().take(64 * GAMES).collect();
        if block.is_empty() {
            return Ok(());
        }
        add(block.par_chunks(GAMES).map(|chunk| counter.count_games(chunk)).collect())?;
    }
}

/// Returns `limit` rows: a random one from each of `limit` equal stretches of `rows`.
fn sampled<T: Copy>(rows: &[T], limit: Option<usize>, seed: u64) -> Vec<T> {
    let Some(limit) = limit.filter(|&limit| limit < rows.len()) else { return rows.to_vec() };
    let mut random = Random::new(seed);
    let start = |i: usize| (i as u128 * rows.len() as u128 / limit as u128) as usize;
    (0..limit).map(|i| rows[start(i) + random.below(start(i + 1) - start(i))]).collect()
}

impl Loaded {
    fn record(&mut self, line: usize, outcome: RowOutcome) {
        self.rows += 1;
        match outcome {
            RowOutcome::Used => self.used += 1,
            RowOutcome::Unfit(Unfit::Check) => self.in_check += 1,
            RowOutcome::Unfit(Unfit::Unquiet) => self.unquiet += 1,
            RowOutcome::Unfit(Unfit::Over) => self.over += 1,
            RowOutcome::Bad(reason) => {
                self.bad += 1;
                if self.complaints.len() < COMPLAINTS {
                    self.complaints.push((line + 1, reason));
                }
            }
        }
    }
}

/// The state of one unit of work.
struct LoadWorker<G> {
    data: G,
    evaluator: TermEvaluator,
    /// `None` if no search was asked for, or its memory could not be allocated.
    shallow_search: Option<ShallowSearch>,
}

impl<G: Gather, F: Fn() -> G> Counter<'_, F> {
    fn worker(&self) -> LoadWorker<G> {
        LoadWorker {
            data: (self.empty)(),
            evaluator: self.evaluator.clone(),
            shallow_search: self.filter.nodes.and_then(ShallowSearch::new),
        }
    }

    fn count(&self, format: RowFormat, chunk: &[(usize, &[u8])]) -> Counted<G> {
        let mut worker = self.worker();
        let outcome = |&(line, bytes): &(usize, &[u8])| {
            let row = str::from_utf8(bytes)
                .map_err(|_| "not UTF-8 text".to_string())
                .and_then(|text| format.row(text.trim()));
            (line, row.map_or_else(RowOutcome::Bad, |row| self.add_row(row, &mut worker)))
        };
        let outcomes = chunk.iter().map(outcome).collect();
        Counted { data: worker.data, outcomes }
    }

    /// Collects the positions of games that have a result, from [`FIRST_PLY`] on.
    fn count_games(&self, games: &[Result<PlayedGame, BrokenGame>]) -> Counted<G> {
        let mut worker = self.worker();
        let mut outcomes = Vec::new();
        for game in games {
            match game {
                Ok(game) => self.add_game(game, &mut worker, &mut outcomes),
                // line numbers start at 0 here, games at 1
                Err(broken) => {
                    outcomes.push((broken.number - 1, RowOutcome::Bad(broken.to_string())));
                }
            }
        }
        Counted { data: worker.data, outcomes }
    }

    fn add_game(
        &self,
        game: &PlayedGame,
        worker: &mut LoadWorker<G>,
        outcomes: &mut Vec<(usize, RowOutcome)>,
    ) {
        let Some(result) = game.tags.result else { return };
        let result = match result.winner() {
            Some(winner) => winner.fold_wb(2, 0),
            None => 1,
        };
        let number = game.number.to_string();
        let part = self.part(Some(&number), || 0);
        let hash = Some(hashed(self.salt, &number));
        let mut cp = None;
        for (ply, (chess, played)) in game.walk().enumerate() {
            if ply >= FIRST_PLY {
                let label = Label { result, cp, file: self.file, part, game: hash };
                outcomes.push((game.number, self.add(&chess, label, worker)));
            }
            // a comment after a move evaluates the position that the move leads to
            cp = match played.eval {
                Some(Eval::Centipawns(cp)) => i16::try_from(cp).ok(),
                Some(Eval::Mate(_)) | None => None,
            };
        }
    }

    fn add_row(&self, row: DataRow<'_>, worker: &mut LoadWorker<G>) -> RowOutcome {
        let chess = match Game::from_fen(row.fen, None) {
            Ok(game) => game.chess,
            Err(error) => return RowOutcome::Bad(error.to_string()),
        };
        let part = self.part(row.game, || chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0);
        let game = row.game.map(|game| hashed(self.salt, game));
        let label = Label { result: row.result, cp: row.cp, file: self.file, part, game };
        self.add(&chess, label, worker)
    }

    fn add(&self, chess: &Chess, label: Label, worker: &mut LoadWorker<G>) -> RowOutcome {
        let LoadWorker { data, evaluator, shallow_search } = worker;
        let leaf = match (self.filter.nodes, shallow_search) {
            (Some(_), Some(shallow_search)) => shallow_search.end(chess, evaluator),
            (Some(_), None) => {
                return RowOutcome::Bad("cannot allocate memory for the search".into());
            }
            (None, _) if G::TAKES_CHECKS && chess.is_check() => quiet::resolve(chess, evaluator),
            (None, _) => quiet::quiet_position(chess, self.filter.quiet, evaluator),
        };
        match leaf {
            Err(unfit) => RowOutcome::Unfit(unfit),
            Ok(leaf) => {
                data.push(chess, &leaf, label);
                RowOutcome::Used
            }
        }
    }

    /// Returns the part of a position, drawn at random per game, or per position if the game is
    /// unknown. Neighbours from one game in two parts would make the held-out loss too optimistic.
    fn part(&self, game: Option<&str>, key: impl FnOnce() -> u64) -> Split {
        if self.validation {
            return Split::Validation;
        }
        let drawn = game.map_or_else(|| mixed(self.salt ^ key()), |game| hashed(self.salt, game));
        if Random::new(drawn).unit() < self.filter.holdout {
            Split::HeldOut
        } else {
            Split::Training
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_spread_evenly_and_depends_on_the_seed() {
        let rows: Vec<usize> = (0..1000).collect();
        let sample = sampled(&rows, Some(10), 1);
        assert_eq!(sample.len(), 10);
        assert!(sample.iter().enumerate().all(|(i, row)| row / 100 == i), "{sample:?}");
        assert_eq!(sample, sampled(&rows, Some(10), 1));
        assert_ne!(sample, sampled(&rows, Some(10), 2));
        assert_eq!(sampled(&rows, Some(5000), 1), rows);
    }
}
