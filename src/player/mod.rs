//! The engine: appraises a position, bends the evaluation, and searches with it.

mod attention;
mod bent_evaluation;
mod empathy;
mod end_listener;
mod feeling;
mod hash;
pub mod human;
mod last_felt;
mod launch;
mod listener;
mod options;
mod recall;
mod taste;

pub use empathy::intensity_after;
pub use hash::HashError;
pub use listener::{LastAppraisal, Listener};
pub use options::{LimitStyle, Options, OptionsError};
pub use recall::remembered_feeling;
pub use taste::bonuses as taste_bonuses;

use crate::{
    chess::{game::Game, known::KnownGames, syzygy::Syzygy},
    chess_mind::Appraisal,
    profile::Profile,
    search::{
        SearchResult, Signals,
        memory::history::History,
        root::{lag::Lag, limits::Limits, report::Silent},
    },
};
use bent_evaluation::{BendFactors, KnownEvaluations};
use hash::Hash;
use last_felt::LastFelt;
use std::{num::NonZeroU64, sync::Arc};

/// Middlegame positions in which temperaments like different moves.
#[cfg(test)]
const POSITIONS: [&str; 3] = [
    "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1",
    "r2q1rk1/1bp2ppp/pp1bpn2/3p4/5P2/4PB1P/PPP3P1/RNBQ1RK1 b - - 2 2",
    "4r1k1/1r3ppp/4bn2/4p1P1/4P3/2qBNP2/p1P1QK1P/R1R5 w - - 1 3",
];

/// A chess player with a temperament.
#[derive(Debug)]
pub struct Engine {
    options: Options,
    profile: Profile,
    tablebase: Syzygy,
    /// Positions with the results of their games.
    remembered: Option<Arc<KnownGames>>,
    hash: Hash,
    histories: Vec<History>,
    known: KnownEvaluations,
    /// Number of the evaluation used by the last search.
    last_number: Option<u8>,
    last_felt: LastFelt,
    lag: Lag,
    /// Plays in human style. Created when first needed.
    person: Option<Box<human::Person>>,
    /// The number of games begun.
    games: u64,
}

impl Engine {
    /// Creates an engine that plays `profile` with these options and without endgame tables
    /// and known games.
    ///
    /// # Errors
    /// If an option is out of range, or if the transposition table cannot be allocated.
    pub fn new(profile: Profile, options: Options) -> Result<Self, OptionsError> {
        options.check()?;
        // every size but the default is compared with the free memory
        let mut hash = Hash::new(Options::DEFAULT_HASH)?;
        if options.hash != Options::DEFAULT_HASH {
            hash.resize(options.hash)?;
        }
        Ok(Self {
            options,
            profile,
            tablebase: Syzygy::default(),
            remembered: None,
            hash,
            histories: Vec::new(),
            known: KnownEvaluations::default(),
            last_number: None,
            last_felt: LastFelt::default(),
            lag: Lag::default(),
            person: None,
            games: 0,
        })
    }

    /// The options in use.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Replaces the options. The transposition table is resized and cleared only if its size
    /// changes.
    ///
    /// # Errors
    /// If an option is out of range, or if the transposition table cannot be allocated. All options
    /// then stay as they were, but the table may be empty.
    pub fn set_options(&mut self, options: Options) -> Result<(), OptionsError> {
        options.check()?;
        if options.hash != self.options.hash {
            self.hash.resize(options.hash)?;
        }
        self.options = options;
        Ok(())
    }

    /// Changes some of the options.
    ///
    /// # Errors
    /// Like [`Self::set_options`].
    pub fn change(&mut self, change: impl FnOnce(&mut Options)) -> Result<(), OptionsError> {
        let mut options = self.options.clone();
        change(&mut options);
        self.set_options(options)
    }

    /// Resizes the transposition table to `mib` MiB and clears it, also if that is its size
    /// already. It may be larger than [`Options::HASH`].
    ///
    /// # Errors
    /// If the memory cannot be allocated. The table then keeps its size and may be empty.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), HashError> {
        self.hash.resize(mib)?;
        self.options.hash = mib;
        Ok(())
    }

    /// The profile in use.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Replaces the profile and forgets the last intensities.
    pub fn set_profile(&mut self, profile: Profile) {
        self.profile = profile;
        self.known.retire_all();
        self.last_felt = LastFelt::default();
    }

    /// Replaces the endgame tables.
    pub fn set_tablebase(&mut self, tablebase: Syzygy) {
        self.tablebase = tablebase;
        self.known.retire_all();
    }

    /// Clears everything learned by earlier searches: the transposition table and the histories.
    pub fn clear_hash(&mut self) {
        self.hash.memory.clear();
        self.histories.clear();
    }

    /// Clears everything remembered from the last game.
    pub fn new_game(&mut self) {
        self.clear_hash();
        self.known.clear();
        self.last_number = None;
        self.last_felt = LastFelt::default();
        self.games += 1;
        self.person.iter_mut().for_each(|person| person.new_game());
    }

    /// Appraises the position, bends the weights once, and searches with them. Returns `None` if
    /// there is no legal move.
    pub fn go(
        &mut self,
        game: &Game,
        limits: &Limits,
        signals: &Signals,
        listener: &mut dyn Listener,
    ) -> Option<SearchResult> {
        let (timer, appraisal) = self.prepare(game, limits, signals, listener);
        self.search(game, appraisal.as_ref(), limits, timer, signals, listener)
    }

    /// Like [`Self::go`], but with a given appraisal, whose side need not be to move. This allows
    /// one appraisal to judge a move both before and after it is played.
    pub fn go_as(
        &mut self,
        felt: &Appraisal,
        game: &Game,
        limits: &Limits,
        signals: &Signals,
        listener: &mut dyn Listener,
    ) -> Option<SearchResult> {
        let timer = self.timer(game, limits, signals);
        self.search(game, Some(felt), limits, timer, signals, listener)
    }

    /// Searches `game` for this number of nodes without reporting. Returns `None` if there is no
    /// legal move.
    ///
    /// On one thread, the answer depends only on the game, the options, the profile and what was
    /// searched since [`Self::new_game`].
    pub fn best_at(&mut self, game: &Game, nodes: NonZeroU64) -> Option<SearchResult> {
        self.go(game, &Limits::of_nodes(nodes), &Signals::default(), &mut Silent)
    }

    /// Whether scores found under one of the two appraisals are valid under the other.
    pub fn feels_alike(&self, one: &Appraisal, other: &Appraisal) -> bool {
        let bend = |felt: &Appraisal| BendFactors::of(&self.profile, felt.side, Some(felt));
        bend(one).is_compatible(&bend(other))
    }
}
