//! Files become positions: read, perhaps unpacked, sampled, and counted on all cores.

use super::{
    Progress, TuneError,
    dataset::{Label, Part},
    quiet::{self, Quiet, Unfit},
    row::{Format, Row},
    shallow_search::ShallowSearch,
};
use crate::{
    chess::game::Game,
    eval::{TermEvaluator, weights::Weights},
    pgn::{self, BrokenGame, Eval, FIRST_PLY, PlayedGame},
    support::{
        compressed,
        random::{Random, mixed},
    },
};
use rayon::prelude::*;
use shakmaty::{ByColor, Chess, EnPassantMode, Position, zobrist::Zobrist64};
use std::{
    num::NonZeroU64,
    path::{Path, PathBuf},
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
    /// Take the end of the best line of a search of so many nodes, whatever `quiet` says.
    pub nodes: Option<NonZeroU64>,
    /// Rows to take of each file, spread evenly, or the first games of PGN; all without.
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
/// Games that one thread counts in one go: about as many positions.
const GAMES: usize = 8;

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

/// What a chunk of rows, or of games, became.
struct Counted<G> {
    data: G,
    /// The line of each row, from 0, and what became of it.
    fates: Vec<(usize, Fate)>,
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
    let name = source.path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let mut loaded = Loaded { path: source.path.clone(), ..Loaded::default() };
    let mut add = |counted: Vec<Counted<G>>, all: Option<usize>| {
        for Counted { data: part, fates } in counted {
            data.append(part);
            for (line, fate) in fates {
                loaded.note(line, fate);
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
    let refuse = |reason: String| TuneError::Unreadable { file: source.path.clone(), reason };
    let read = compressed::read_until(&source.path, compressed::LARGEST_DATA, stop);
    let bytes = read.map_err(|e| {
        if stop.load(Relaxed) {
            TuneError::Interrupted
        } else {
            refuse(format!("cannot be read: {e}"))
        }
    })?;
    let mut lines: Vec<(usize, &[u8])> = bytes.split(|&b| b == b'\n').enumerate().collect();
    lines.retain(|(_, line)| !line.trim_ascii().is_empty());
    let mut rows = lines.as_slice();
    let Some((_, first)) = rows.first() else { return Err(refuse("is empty".into())) };
    let first = String::from_utf8_lossy(first);
    let (format, header) = Format::detect(name, first.trim()).map_err(refuse)?;
    if header {
        rows = &rows[1..];
    }
    let sample = sampled(rows, counter.choice.limit, counter.salt);
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
    let mut games = games.take(counter.choice.limit.unwrap_or(usize::MAX));
    loop {
        let block: Vec<_> = games.by_ref().take(64 * GAMES).collect();
        if block.is_empty() {
            return Ok(());
        }
        add(block.par_chunks(GAMES).map(|chunk| counter.count_games(chunk)).collect())?;
    }
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

/// What one thread works with.
struct Desk<G> {
    data: G,
    evaluator: TermEvaluator,
    /// None if none is asked for, or there is no memory for it.
    shallow_search: Option<ShallowSearch>,
}

impl<G: Gather, F: Fn() -> G> Counter<'_, F> {
    fn desk(&self) -> Desk<G> {
        Desk {
            data: (self.empty)(),
            evaluator: self.evaluator.clone(),
            shallow_search: self.choice.nodes.and_then(ShallowSearch::new),
        }
    }

    fn count(&self, format: Format, chunk: &[(usize, &[u8])]) -> Counted<G> {
        let mut desk = self.desk();
        let fate = |&(line, bytes): &(usize, &[u8])| {
            let row = str::from_utf8(bytes)
                .map_err(|_| "not UTF-8 text".to_string())
                .and_then(|text| format.row(text.trim()));
            (line, row.map_or_else(Fate::Bad, |row| self.add_row(row, &mut desk)))
        };
        let fates = chunk.iter().map(fate).collect();
        Counted { data: desk.data, fates }
    }

    /// The positions of games that have a result, from [`FIRST_PLY`] on.
    fn count_games(&self, games: &[Result<PlayedGame, BrokenGame>]) -> Counted<G> {
        let mut desk = self.desk();
        let mut fates = Vec::new();
        for game in games {
            match game {
                Ok(game) => self.add_game(game, &mut desk, &mut fates),
                // lines are counted from 0
                Err(broken) => fates.push((broken.number - 1, Fate::Bad(broken.to_string()))),
            }
        }
        Counted { data: desk.data, fates }
    }

    fn add_game(&self, game: &PlayedGame, desk: &mut Desk<G>, fates: &mut Vec<(usize, Fate)>) {
        let Some(result) = game.tags.result else { return };
        let result = match result.winner() {
            Some(winner) => winner.fold_wb(2, 0),
            None => 1,
        };
        let number = game.number.to_string();
        let part = self.part(Some(&number), || 0);
        let mut cp = None;
        for (ply, (chess, played)) in game.walk().enumerate() {
            if ply >= FIRST_PLY {
                let label = Label { result, cp, file: self.number, part };
                fates.push((game.number, self.add(&chess, label, desk)));
            }
            // what is noted after a move is of the next position
            cp = match played.eval {
                Some(Eval::Centipawns(cp)) => i16::try_from(cp).ok(),
                Some(Eval::Mate(_)) | None => None,
            };
        }
    }

    fn add_row(&self, row: Row<'_>, desk: &mut Desk<G>) -> Fate {
        let chess = match Game::from_fen(row.fen, None) {
            Ok(game) => game.chess,
            Err(error) => return Fate::Bad(error.to_string()),
        };
        let part = self.part(row.game, || chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0);
        let label = Label { result: row.result, cp: row.cp, file: self.number, part };
        self.add(&chess, label, desk)
    }

    fn add(&self, chess: &Chess, label: Label, desk: &mut Desk<G>) -> Fate {
        let Desk { data, evaluator, shallow_search } = desk;
        let leaf = match (self.choice.nodes, shallow_search) {
            (Some(_), Some(shallow_search)) => shallow_search.end(chess, evaluator),
            (Some(_), None) => return Fate::Bad("there is no memory for a search".into()),
            (None, _) if G::TAKES_CHECKS && chess.is_check() => quiet::resolved(chess, evaluator),
            (None, _) => quiet::settled(chess, self.choice.quiet, evaluator),
        };
        match leaf {
            Err(unfit) => Fate::Unfit(unfit),
            Ok(leaf) => {
                data.push(chess, &leaf, label);
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
