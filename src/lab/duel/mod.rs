//! Plays matches between two players and estimates the Elo difference.
//!
//! Games come in pairs from one opening with colours swapped. At fixed nodes, a game depends only
//! on its number and the seed. Games are counted and written in order. The number of threads
//! therefore changes neither the result nor the game at which a sequential test ends. An
//! interrupted duel can be resumed from its file.

mod entrant;
mod game;
mod openings;
mod pair;
mod record;
mod statistics;

pub use entrant::Entrant;
pub(in crate::lab) use pair::{PairPlayer, StyledGame};
pub use statistics::{Decision, MatchScore, Sprt};
pub(in crate::lab) use statistics::{elo_of, score_of};

use crate::{
    chess::{game::Game, known::NoKnownGames},
    lab::{
        bench::{self, BenchError},
        self_play::{
            opening::{Book, Unbalanced},
            written,
        },
    },
    player::{Engine, Options, OptionsError},
    profile::{Profile, ProfileError},
    search::root::limits::Clock,
    support::{
        record_file::RecordError,
        threads::{NoThread, numbers_in_order},
    },
};
use game::DuelGame;
use openings::Openings;
use record::{DuelRecord, Finished, first_is};
use shakmaty::{ByColor, Color};
use std::{
    num::{NonZeroU32, NonZeroU64},
    path::PathBuf,
    sync::atomic::AtomicBool,
};

/// The search limit per move or per game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// A fixed number of nodes per move.
    Nodes(NonZeroU64),
    /// Base time per game and increment per move. With a number, the clock counts nodes instead of
    /// time, at this many per millisecond.
    Clock(Clock, Option<NonZeroU32>),
}

impl TimeControl {
    fn nodes(self) -> Option<NonZeroU64> {
        if let Self::Nodes(nodes) = self { Some(nodes) } else { None }
    }

    fn clock(self) -> Option<Clock> {
        if let Self::Clock(clock, _) = self { Some(clock) } else { None }
    }

    /// Whether equal players play equal games from the same opening.
    fn is_repeatable(self) -> bool {
        self.nodes().is_some() || self.nodes_per_ms().is_some()
    }

    fn nodes_per_ms(self) -> Option<NonZeroU32> {
        if let Self::Clock(_, nodes) = self { nodes } else { None }
    }
}

/// The options of a duel.
#[derive(Clone, Debug)]
pub struct DuelOptions {
    pub players: [Entrant; 2],
    pub pace: TimeControl,
    /// The total number of games, including earlier runs. It must be even.
    pub games: u64,
    /// The opening book. Without one, games start after random moves from the initial position.
    pub book: Option<Book>,
    pub seed: u64,
    /// Plays all games to their end by the rules, without adjudication.
    pub to_the_end: bool,
    /// The number of games played in parallel.
    pub threads: usize,
    /// The hash table size of each player, in MiB.
    pub hash: usize,
    /// The sequential test that may end the duel early.
    pub sprt: Option<Sprt>,
    /// The PGN file for the games.
    pub pgn: Option<PathBuf>,
}

impl DuelOptions {
    /// Returns the names used in tables and games. Equal names get the suffixes A and B.
    #[must_use]
    pub fn names(&self) -> [String; 2] {
        let [a, b] = self.players.each_ref().map(Entrant::name);
        if a == b { [format!("{a} A"), format!("{b} B")] } else { [a, b] }
    }
}

/// The reason why a duel could not start or failed.
#[derive(Debug, thiserror::Error)]
pub enum DuelError {
    #[error(transparent)]
    DuelRecord(#[from] RecordError),
    #[error("unknown or invalid option `{0}` (allowed: {1})")]
    Option(String, &'static str),
    #[error(transparent)]
    Known(#[from] NoKnownGames),
    #[error("option `{0}` is given twice")]
    Twice(String),
    #[error("`{0}` and `{1}` play alike: every pair of games would end even")]
    Same(String, String),
    #[error("{0} games: must be an even number, because each opening is played with both colours")]
    Odd(u64),
    #[error("the book has {openings} openings, but {games} games need {}: repeated openings would \
             give the same games", games / 2)]
    Book { openings: usize, games: u64 },
    #[error("sequential test of {0} against {1} Elo: both must be finite, the second greater")]
    Sprt(f64, f64),
    #[error(transparent)]
    Profile(#[from] ProfileError),
    #[error(transparent)]
    Engine(#[from] OptionsError),
    #[error(transparent)]
    Bench(#[from] BenchError),
    #[error(transparent)]
    Unbalanced(#[from] Unbalanced),
    #[error(transparent)]
    Thread(#[from] NoThread),
}

/// The identity of a duel, stored in its file.
#[derive(Clone, Debug)]
struct Match {
    names: [String; 2],
    /// A description of everything that the games depend on.
    ///
    /// It includes checksums of the profiles and the book, and the engine's version and bench
    /// signature.
    fingerprint: String,
}

impl Match {
    fn of(settings: &DuelOptions) -> Result<Self, BenchError> {
        let names = settings.names();
        let pace = match settings.pace {
            TimeControl::Nodes(nodes) => format!("{nodes} nodes"),
            TimeControl::Clock(Clock { left, increment }, nodes) => {
                let unit = nodes.map(|nodes| format!(", {nodes} nodes/ms")).unwrap_or_default();
                format!("{}+{} s{unit}", left.as_secs_f64(), increment.as_secs_f64())
            }
        };
        let book = settings.book.as_ref().map_or_else(
            || "openings of its own".to_owned(),
            |book| format!("{} openings ({})", book.len(), book.digest()),
        );
        let DuelOptions { seed, hash, .. } = settings;
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

/// Plays until all games are over, the sequential test is decided, or `stop` is set.
///
/// Calls `each` after every game. Unfinished games do not count.
///
/// # Errors
/// If the settings are invalid, if the file cannot be resumed or written, if a hash table cannot be
/// allocated, if a thread cannot be started, or if no balanced opening is found.
pub fn run(
    settings: &DuelOptions,
    stop: &AtomicBool,
    mut each: impl FnMut(&MatchScore),
) -> Result<MatchScore, DuelError> {
    check(settings)?;
    let (mut file, mut tally) = resume(settings)?;
    each(&tally);
    let openings = Openings::new(settings.book.as_ref(), settings.seed);
    let workers = (0..settings.threads.max(1)).map(|_| DuelWorker::new(settings));
    let workers = workers.collect::<Result<Vec<_>, DuelError>>()?;
    let first = if is_decided(settings, &tally) { settings.games } else { tally.games() };
    numbers_in_order(
        workers,
        first..settings.games,
        stop,
        |worker, number, stopped| worker.play(&openings, number, settings, &stopped),
        |number, played| {
            if let Some((record, duel)) = &mut file {
                record.add(duel, number, played)?;
            }
            Finished::of(played).count(number, &mut tally);
            each(&tally);
            Ok(is_decided(settings, &tally))
        },
    )?;
    if let Some((record, _)) = file {
        record.finish()?;
    }
    Ok(tally)
}

/// Opens the file of the duel, if there is one, and counts its games.
fn resume(settings: &DuelOptions) -> Result<(Option<(DuelRecord, Match)>, MatchScore), DuelError> {
    let mut tally = MatchScore::default();
    let Some(path) = &settings.pgn else { return Ok((None, tally)) };
    let duel = Match::of(settings)?;
    let (record, games) = DuelRecord::open(path, &duel)?;
    for game in games {
        game.count(tally.games(), &mut tally);
    }
    Ok((Some((record, duel)), tally))
}

/// Checks the settings.
fn check(settings: &DuelOptions) -> Result<(), DuelError> {
    let [first, second] = &settings.players;
    if !settings.games.is_multiple_of(2) {
        return Err(DuelError::Odd(settings.games));
    }
    if let Some(Sprt { elo0, elo1 }) = settings.sprt
        && !(elo0 < elo1 && elo0.is_finite() && elo1.is_finite())
    {
        return Err(DuelError::Sprt(elo0, elo1));
    }
    let alike = if settings.pace.nodes().is_some() {
        first.plays_like(second)
    } else {
        settings.pace.is_repeatable()
            && first.name() == second.name()
            && first.digest() == second.digest()
    };
    if alike {
        return Err(DuelError::Same(first.name(), second.name()));
    }
    if settings.pace.is_repeatable() {
        let openings = settings.book.as_ref().map_or(usize::MAX, Book::len);
        if settings.games / 2 > openings as u64 {
            return Err(DuelError::Book { openings, games: settings.games });
        }
    }
    Ok(())
}

fn is_decided(settings: &DuelOptions, tally: &MatchScore) -> bool {
    settings.sprt.is_some_and(|sprt| sprt.decision(tally) != Decision::Open)
}

/// The engines of one thread: both players, and the referee that checks openings.
struct DuelWorker {
    first: Engine,
    second: Engine,
    referee: Engine,
}

impl DuelWorker {
    fn new(settings: &DuelOptions) -> Result<Self, DuelError> {
        let [first, second] = &settings.players;
        // a fixed profile, so that openings depend only on the seed, not on the players
        let referee = Engine::new(Profile::builtin("neutral")?, Options::default())?;
        let (first, second) = (first.engine(settings.hash)?, second.engine(settings.hash)?);
        Ok(Self { first, second, referee })
    }

    fn play(
        &mut self,
        openings: &Openings,
        number: u64,
        settings: &DuelOptions,
        stopped: &impl Fn() -> bool,
    ) -> Result<Option<DuelGame>, DuelError> {
        let start: Game = openings.of_pair(number / 2, &mut self.referee)?;
        let (first, second) = (&mut self.first, &mut self.second);
        let players = match first_is(number) {
            Color::White => ByColor { white: first, black: second },
            Color::Black => ByColor { white: second, black: first },
        };
        Ok(game::play(start, players, settings.pace, settings.to_the_end, stopped))
    }
}
