//! Matches between two players: which is the stronger, and by how much.
//!
//! Games come in pairs from one opening with colours changed. A game follows from its number, the
//! seed and, at fixed nodes, nothing else; games are counted and written in the order of their
//! numbers. So the outcome is the same whatever the number of threads, a sequential test ends at the
//! same game, and a duel that was interrupted goes on from its file.

mod bout;
mod entrant;
mod openings;
mod record;
mod statistics;

pub use entrant::Entrant;
pub use statistics::{Decision, Sprt, Tally};

use crate::{
    chess::game::Game,
    lab::{
        bench::{self, BenchError},
        self_play::{
            opening::{Book, Unbalanced},
            written,
        },
    },
    player::{Engine, HashError},
    profile::{Profile, ProfileError},
    search::root::limits::Clock,
    support::threads::{NoThread, numbers_in_order},
};
use bout::Bout;
use openings::Openings;
use record::{Finished, Record, first_is};
use shakmaty::{ByColor, Color};
use std::{num::NonZeroU64, path::PathBuf, sync::atomic::AtomicBool};

/// How long a player may think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// So many nodes for each move.
    Nodes(NonZeroU64),
    /// So much time for the game, and more with each move.
    Clock(Clock),
}

impl Pace {
    fn nodes(self) -> Option<NonZeroU64> {
        if let Self::Nodes(nodes) = self { Some(nodes) } else { None }
    }

    fn clock(self) -> Option<Clock> {
        if let Self::Clock(clock) = self { Some(clock) } else { None }
    }
}

/// What is to be played, and how.
#[derive(Clone, Debug)]
pub struct Settings {
    pub players: [Entrant; 2],
    pub pace: Pace,
    /// Games in all, those of earlier runs included; even.
    pub games: u64,
    /// Where games begin; after random moves from the initial position if none is given.
    pub book: Option<Book>,
    pub seed: u64,
    /// Games go on to their end by the rules, however long the result has been clear.
    pub to_the_end: bool,
    /// Games played at the same time.
    pub threads: usize,
    /// The table of each player, in MiB.
    pub hash: usize,
    /// When to end early.
    pub sprt: Option<Sprt>,
    /// Where the games go.
    pub pgn: Option<PathBuf>,
}

impl Settings {
    /// What the players are called in tables and games: two of one name by `A` and `B`.
    #[must_use]
    pub fn names(&self) -> [String; 2] {
        let [a, b] = self.players.each_ref().map(Entrant::name);
        if a == b { [format!("{a} A"), format!("{b} B")] } else { [a, b] }
    }
}

/// Why nothing is played, or not to the end.
#[derive(Debug, thiserror::Error)]
pub enum DuelError {
    #[error("{}: {reason}", file.display())]
    File { file: PathBuf, reason: String },
    #[error("option `{0}` (allowed: {1})")]
    Option(String, &'static str),
    #[error("option `{0}`: it was given before")]
    Twice(String),
    #[error("`{0}` and `{1}` play alike: at fixed nodes every pair of games would be split")]
    Same(String, String),
    #[error("{0} games: an even number is needed, for each opening is played with both colours")]
    Odd(u64),
    #[error("the book has {openings} openings, {games} games need {}: at fixed nodes the others \
             would be the same games again", games / 2)]
    Book { openings: usize, games: u64 },
    #[error("a test of {0} Elo against {1}: two numbers are needed, the second greater")]
    Sprt(f64, f64),
    #[error(transparent)]
    Profile(#[from] ProfileError),
    #[error(transparent)]
    Hash(#[from] HashError),
    #[error(transparent)]
    Bench(#[from] BenchError),
    #[error(transparent)]
    Unbalanced(#[from] Unbalanced),
    #[error(transparent)]
    Thread(#[from] NoThread),
}

/// What tells one duel from another, for its file.
#[derive(Clone, Debug)]
struct Match {
    names: [String; 2],
    /// What the games depend on: profiles and book as they are, not by name alone; the engine by its
    /// version and by how it plays.
    fingerprint: String,
}

impl Match {
    fn of(settings: &Settings) -> Result<Self, BenchError> {
        let names = settings.names();
        let pace = match settings.pace {
            Pace::Nodes(nodes) => format!("{nodes} nodes"),
            Pace::Clock(Clock { left, increment }) => {
                format!("{}+{} s", left.as_secs_f64(), increment.as_secs_f64())
            }
        };
        let book = settings.book.as_ref().map_or_else(
            || "openings of its own".to_owned(),
            |book| format!("{} openings ({})", book.len(), book.digest()),
        );
        let Settings { seed, hash, .. } = settings;
        let end = if settings.to_the_end { ", to the end" } else { "" };
        let [first, second] = &settings.players;
        let version = env!("CARGO_PKG_VERSION");
        let fingerprint = format!(
            "{} ({}) against {} ({}), {pace}, hash {hash}, {book}, seed {seed}{end}, \
             version {version} ({})",
            names[0],
            first.digest(),
            names[1],
            second.digest(),
            bench::signature()?
        );
        Ok(Self { names, fingerprint: written::escaped(&fingerprint) })
    }
}

/// Plays until all games are over, the test is decided, or `stop` is raised; `each` hears of every
/// game. Games that others are still playing then do not count.
///
/// # Errors
/// If the settings make no sense; if the file is none that can be continued, or cannot be written;
/// if a table or a balanced opening cannot be had.
pub fn run(
    settings: &Settings,
    stop: &AtomicBool,
    mut each: impl FnMut(&Tally),
) -> Result<Tally, DuelError> {
    check(settings)?;
    let (mut file, mut tally) = take_up(settings)?;
    each(&tally);
    let openings = Openings::new(settings.book.as_ref(), settings.seed);
    let tables = (0..settings.threads.max(1)).map(|_| Table::new(settings));
    let tables = tables.collect::<Result<Vec<_>, DuelError>>()?;
    let first = if is_decided(settings, &tally) { settings.games } else { tally.games() };
    numbers_in_order(
        tables,
        first..settings.games,
        stop,
        |table, number, stopped| table.play(&openings, number, settings, &stopped),
        |number, bout| {
            if let Some((record, duel)) = &mut file {
                record.add(duel, number, bout)?;
            }
            Finished::of(bout).count(number, &mut tally);
            each(&tally);
            Ok(is_decided(settings, &tally))
        },
    )?;
    Ok(tally)
}

/// The file of the duel, if there is one, and what its games say.
fn take_up(settings: &Settings) -> Result<(Option<(Record, Match)>, Tally), DuelError> {
    let mut tally = Tally::default();
    let Some(path) = &settings.pgn else { return Ok((None, tally)) };
    let duel = Match::of(settings)?;
    let (record, games) = Record::open(path, &duel)?;
    for game in games {
        game.count(tally.games(), &mut tally);
    }
    Ok((Some((record, duel)), tally))
}

fn check(settings: &Settings) -> Result<(), DuelError> {
    let [first, second] = &settings.players;
    if !settings.games.is_multiple_of(2) {
        return Err(DuelError::Odd(settings.games));
    }
    if let Some(Sprt { elo0, elo1 }) = settings.sprt
        && !(elo0 < elo1 && elo0.is_finite() && elo1.is_finite())
    {
        return Err(DuelError::Sprt(elo0, elo1));
    }
    if let Pace::Nodes(_) = settings.pace {
        if first.plays_like(second) {
            return Err(DuelError::Same(first.name(), second.name()));
        }
        let openings = settings.book.as_ref().map_or(usize::MAX, Book::len);
        if settings.games / 2 > openings as u64 {
            return Err(DuelError::Book { openings, games: settings.games });
        }
    }
    Ok(())
}

fn is_decided(settings: &Settings, tally: &Tally) -> bool {
    settings.sprt.is_some_and(|sprt| sprt.decision(tally) != Decision::Open)
}

/// Both players, and who looks for openings.
struct Table {
    first: Engine,
    second: Engine,
    referee: Engine,
}

impl Table {
    fn new(settings: &Settings) -> Result<Self, DuelError> {
        let [first, second] = &settings.players;
        // always the same one: the same seed gives the same openings whoever plays
        let referee = Engine::new(Profile::builtin("neutral")?)?;
        let (first, second) = (first.engine(settings.hash)?, second.engine(settings.hash)?);
        Ok(Self { first, second, referee })
    }

    fn play(
        &mut self,
        openings: &Openings,
        number: u64,
        settings: &Settings,
        stopped: &impl Fn() -> bool,
    ) -> Result<Option<Bout>, DuelError> {
        let start: Game = openings.of_pair(number / 2, &mut self.referee)?;
        let (first, second) = (&mut self.first, &mut self.second);
        let players = match first_is(number) {
            Color::White => ByColor { white: first, black: second },
            Color::Black => ByColor { white: second, black: first },
        };
        Ok(bout::play(start, players, settings.pace, settings.to_the_end, stopped))
    }
}
