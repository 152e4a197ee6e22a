//! Labelled positions of our own: the engine plays itself, and its quiet positions are kept with
//! their scores and the result of the game. What comes out is what `tune` reads.
//!
//! A game follows from its number and the seed alone, and games are written in the order of their
//! numbers: the file is the same whatever the number of threads, and however often the work was
//! interrupted and taken up again.

pub mod selfplay;
pub mod store;

use crate::{
    lab::self_play::opening::{Book, Unbalanced},
    player::{Engine, HashError},
    profile::Profile,
    support::threads::{NoThread, numbers_in_order},
};
use selfplay::Player;
use std::{num::NonZeroU64, path::PathBuf, sync::atomic::AtomicBool};
use store::Store;

/// What is to be played, and how.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The CSV file to write, or to continue.
    pub out: PathBuf,
    /// Games that the file shall hold in all.
    pub games: u64,
    /// Nodes of the search for each move.
    pub nodes: NonZeroU64,
    /// Random plies of each opening.
    pub plies: u32,
    /// Where games begin; at the initial position if none is given.
    pub book: Option<Book>,
    /// Whether the players feel.
    pub emotion: bool,
    pub threads: usize,
    pub seed: u64,
}

/// What is done so far, that of earlier runs included but for duplicates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub games: u64,
    /// Positions written.
    pub positions: u64,
    /// Positions left out because the file has them already.
    pub duplicates: u64,
    /// White's, of the games that are in the file with at least a position.
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

/// Why the work came to an end before its time.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    #[error("{}: {reason}", file.display())]
    File { file: PathBuf, reason: String },
    #[error(transparent)]
    Hash(#[from] HashError),
    #[error(transparent)]
    Unbalanced(#[from] Unbalanced),
    #[error(transparent)]
    Thread(#[from] NoThread),
}

/// The table of each player, in MiB: games of a few thousand nodes a move need no more.
const HASH: usize = 8;
/// Plays until the file holds all games, or `stop` is raised; `each` hears of every game written.
///
/// # Errors
/// If the file is none that can be continued, or cannot be written; if a table cannot be had; if no
/// balanced opening is found.
pub fn run(
    profile: &Profile,
    settings: &Settings,
    stop: &AtomicBool,
    mut each: impl FnMut(&Totals),
) -> Result<Totals, DatagenError> {
    let mut store = Store::open(&settings.out)?;
    let done = store.totals();
    each(&done);
    let engines: Result<Vec<_>, _> =
        (0..settings.threads.max(1)).map(|_| engine(profile, settings)).collect();
    let players = engines?.into_iter().map(|engine| Player::new(engine, settings)).collect();
    numbers_in_order(
        players,
        done.games + 1..settings.games.saturating_add(1),
        stop,
        |player: &mut Player<'_>, number, stopped| player.play(number, &stopped),
        |number, played| {
            store.add(number, played)?;
            each(&store.totals());
            Ok::<_, DatagenError>(false)
        },
    )?;
    Ok(store.totals())
}

fn engine(profile: &Profile, settings: &Settings) -> Result<Engine, HashError> {
    let mut engine = Engine::new(profile.clone())?;
    engine.set_hash(HASH)?;
    engine.emotion = settings.emotion;
    Ok(engine)
}
