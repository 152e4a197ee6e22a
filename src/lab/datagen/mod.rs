//! Generates training positions for `tune` from self-play games.
//!
//! Quiet positions, or positions that its searches evaluate, are stored with their score and the
//! result of the game. A game depends only on
//! its number and the seed, and games are written in order. Neither the number of threads nor
//! interruptions change the file.

mod searched;
pub mod selfplay;
pub mod store;

use crate::{
    lab::self_play::opening::{Book, Unbalanced},
    player::OptionsError,
    profile::Profile,
    search::memory::pages::OutOfMemory,
    support::{
        record_file::RecordError,
        threads::{NoThread, numbers_in_order},
    },
};
use selfplay::SelfPlayer;
use std::{
    num::{NonZeroU64, NonZeroUsize},
    path::PathBuf,
    sync::atomic::AtomicBool,
};
use store::Store;

/// The options of a data generation run.
#[derive(Clone, Debug)]
pub struct DatagenOptions {
    /// The CSV file to write or to resume.
    pub out: PathBuf,
    /// The total number of games in the file.
    pub games: u64,
    /// Nodes per move.
    pub nodes: NonZeroU64,
    /// Random plies per opening.
    pub plies: u32,
    /// The opening book. Without one, games start from the initial position.
    pub book: Option<Book>,
    /// Whether the engine plays with emotions.
    pub emotion: bool,
    /// Stores up to this number of positions that each search evaluates, instead of the positions
    /// of the games. Searches are then without emotions.
    pub searched: Option<NonZeroUsize>,
    pub threads: usize,
    pub seed: u64,
}

/// The totals so far, including earlier runs. Duplicates of earlier runs are not included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Totals {
    pub games: u64,
    /// Positions written.
    pub positions: u64,
    /// Positions skipped because the file already contains them.
    pub duplicates: u64,
    /// White wins, among the games with at least one position in the file.
    pub wins: u64,
    /// Draws, among the same games.
    pub draws: u64,
    /// White losses, among the same games.
    pub losses: u64,
}

/// The reason why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Engine(#[from] OptionsError),
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    #[error(transparent)]
    Unbalanced(#[from] Unbalanced),
    #[error(transparent)]
    Thread(#[from] NoThread),
}

/// The hash table size of each player in MiB, enough for a few thousand nodes per move.
const HASH: usize = 8;

/// Plays until the file holds all games or `stop` is set. Calls `each` after every game written.
///
/// # Errors
/// If the file cannot be resumed or written, if a hash table cannot be allocated, if a thread
/// cannot be started, or if no balanced opening is found.
pub fn run(
    profile: &Profile,
    settings: &DatagenOptions,
    stop: &AtomicBool,
    mut each: impl FnMut(&Totals),
) -> Result<Totals, DatagenError> {
    let mut store = Store::open(&settings.out)?;
    let done = store.totals();
    each(&done);
    let player = |_| SelfPlayer::new(profile, settings);
    let players = (0..settings.threads.max(1)).map(player).collect::<Result<_, _>>()?;
    numbers_in_order(
        players,
        done.games + 1..settings.games.saturating_add(1),
        stop,
        |player: &mut SelfPlayer<'_>, number, stopped| player.play(number, &stopped),
        |number, played| {
            store.add(number, played)?;
            each(&store.totals());
            Ok::<_, DatagenError>(false)
        },
    )?;
    let totals = store.totals();
    store.finish()?;
    Ok(totals)
}
