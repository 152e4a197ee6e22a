//! The engine: appraises a position, bends the evaluation, and searches with it.

mod bent_evaluation;
mod end_listener;
mod feeling;
mod last_felt;
mod listener;

pub use listener::{LastAppraisal, Listener};

use crate::{
    chess::{evaluator::Evaluator, game::Game, score::Score, syzygy::Syzygy},
    mind::{appraisal::Appraisal, salience::Focus},
    profile::Profile,
    search::{
        self, AttentionBonus, Endgames, Probing, SearchResult, SharedState, Signals,
        memory::{history::History, pages::Memory},
        params::Params,
        root::{
            budget::Budget,
            handicap::{Handicap, Salience, WeakenedEvaluator, Weakening},
            lag::Lag,
            limits::Limits,
            report::SearchListener,
            time::{self, Timer},
        },
    },
};
use bent_evaluation::{BendFactors, BentEvaluation, KnownEvaluations, PlayerOptions};
use end_listener::EndListener;
use last_felt::LastFelt;
use shakmaty::{Chess, Move, Position, Role, Square};
use std::time::Duration;

/// The error returned when the transposition table cannot be allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot allocate {asked} MiB for Hash ({available} MiB free); keeping {kept} MiB")]
pub struct HashError {
    pub asked: usize,
    pub available: usize,
    pub kept: usize,
}

/// A chess player with a temperament.
#[derive(Debug)]
pub struct Engine {
    /// Number of search threads, at least 1.
    pub threads: usize,
    /// Number of lines to search and report, at least 1.
    pub multi_pv: usize,
    /// Time kept back per move for the delay between engine and GUI.
    pub overhead: Duration,
    /// Whether the engine feels. If `false`, no appraisal is made and no weight is bent.
    pub emotion: bool,
    /// The emotion strength, 0 to 200 percent. It scales every factor's distance from 1.
    pub emotion_strength: u16,
    /// Search parameters. They change only during tuning.
    pub params: Params,
    /// How searches use the endgame tables.
    pub probing: Probing,
    tablebase: Syzygy,
    /// Analysis mode: a draw scores 0, whatever the appraisal says.
    pub analysis: bool,
    /// Whether to limit the strength to [`Self::elo`]. The search then uses one thread, regardless
    /// of [`Self::threads`].
    pub limit_strength: bool,
    /// The strength limit in Elo, from [`Handicap::LEAST_ELO`] to [`Handicap::FULL_ELO`].
    pub elo: u16,
    profile: Profile,
    memory: Memory,
    hash: usize,
    histories: Vec<History>,
    known: KnownEvaluations,
    /// Number of the evaluation used by the last search.
    last_number: Option<u8>,
    last_felt: LastFelt,
    lag: Lag,
}

impl Engine {
    /// The default size of the transposition table, in MiB.
    pub const DEFAULT_HASH: usize = 16;

    /// Creates an engine that plays `profile`.
    ///
    /// # Errors
    /// If the default transposition table cannot be allocated.
    pub fn new(profile: Profile) -> Result<Self, HashError> {
        let hash = Self::DEFAULT_HASH;
        let refused = |_| HashError { asked: hash, available: available(), kept: 0 };
        Ok(Self {
            threads: 1,
            multi_pv: 1,
            overhead: Duration::from_millis(10),
            emotion: true,
            emotion_strength: 100,
            params: Params::default(),
            probing: Probing::default(),
            tablebase: Syzygy::default(),
            analysis: false,
            limit_strength: false,
            elo: Handicap::FULL_ELO,
            profile,
            memory: Memory::new(hash).map_err(refused)?,
            hash,
            histories: Vec::new(),
            known: KnownEvaluations::default(),
            last_number: None,
            last_felt: LastFelt::default(),
            lag: Lag::default(),
        })
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

    /// Size of the transposition table in MiB.
    pub fn hash(&self) -> usize {
        self.hash
    }

    /// Resizes the transposition table to `mib` MiB and clears it.
    ///
    /// # Errors
    /// If the memory cannot be allocated. The table then keeps its size and may be empty.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), HashError> {
        let refused = |available| HashError { asked: mib, available, kept: self.hash };
        // the old table is freed before the new one is allocated; its untouched pages already count
        // as free
        let most = available().saturating_add(self.hash);
        if mib > most {
            return Err(refused(most));
        }
        let smallest = Memory::new(1).map_err(|_| refused(most))?;
        drop(std::mem::replace(&mut self.memory, smallest));
        let free = available();
        let fits = mib <= free.max(self.hash);
        if let Some(memory) = fits.then(|| Memory::new(mib).ok()).flatten() {
            (self.memory, self.hash) = (memory, mib);
            return Ok(());
        }
        let refused = refused(free);
        self.memory = Memory::new(self.hash).map_err(|_| refused)?;
        Err(refused)
    }

    /// Clears everything learned by earlier searches: the transposition table and the histories.
    pub fn clear_hash(&mut self) {
        self.memory.clear();
        self.histories.clear();
    }

    /// Clears everything remembered from the last game.
    pub fn new_game(&mut self) {
        self.memory.clear();
        self.histories.clear();
        self.known.clear();
        self.last_number = None;
        self.last_felt = LastFelt::default();
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

    /// Whether scores found under one of the two appraisals are valid under the other.
    pub fn feels_alike(&self, one: &Appraisal, other: &Appraisal) -> bool {
        let bend = |felt: &Appraisal| BendFactors::of(&self.profile, felt.side, Some(felt));
        bend(one).is_compatible(&bend(other))
    }

    /// Starts the clock, appraises the position, and adjusts the thinking time to the appraisal.
    fn prepare(
        &mut self,
        game: &Game,
        limits: &Limits,
        signals: &Signals,
        listener: &mut dyn Listener,
    ) -> (Timer, Option<Appraisal>) {
        let mut timer = self.timer(game, limits, signals);
        let appraisal = self.feel(game, listener);
        timer.stretch(appraisal.as_ref().map_or(0, |felt| felt.effects.time));
        (timer, appraisal)
    }

    fn timer(&mut self, game: &Game, limits: &Limits, signals: &Signals) -> Timer {
        let (side, number) = (game.chess.turn(), game.chess.fullmoves());
        let delay = self.lag.reserve(limits, side, number) + Lag::of_threads(self.threads);
        let budget = Budget::allot(limits, side, number, self.overhead + delay);
        let pondering = signals.pondering.load(std::sync::atomic::Ordering::Relaxed);
        Timer::start_at(limits.since.unwrap_or_else(time::now), budget, pondering)
    }

    fn search(
        &mut self,
        game: &Game,
        appraisal: Option<&Appraisal>,
        limits: &Limits,
        timer: Timer,
        signals: &Signals,
        listener: &mut dyn Listener,
    ) -> Option<SearchResult> {
        let chess = &game.chess;
        let side = appraisal.map_or(chess.turn(), |felt| felt.side);
        let draw = appraisal.map_or(0, |felt| felt.effects.draw);
        let bend = BendFactors::of(&self.profile, side, appraisal);
        let weakening = self.weakening(game, appraisal);
        let narrowed = weakening.as_ref().map(|weakening| weakening.limits(chess, limits));
        let limits = narrowed.as_ref().unwrap_or(limits);
        if weakening.is_some() && !limits.moves.is_empty() {
            listener.attended(limits.moves.len(), chess.legal_moves().len());
        }
        self.begin_search(&bend, weakening.is_some());
        self.memory.make_room(limits.nodes_in_game(chess.turn(), self.threads));
        let mut shared =
            SharedState::new(signals, limits, timer, self.memory.table(), self.multi_pv);
        shared.params.clone_from(&self.params);
        shared.draw = Score::cp(if side == chess.turn() { draw } else { -draw });
        let own = appraisal.filter(|felt| felt.side == chess.turn());
        shared.attention = own.and_then(|felt| attention(chess, felt));
        // a player of limited strength does not know the endgame tables
        let knows = |draw| Endgames::new(&self.tablebase, self.probing, chess, &game.keys, draw);
        shared.endgames = weakening.is_none().then(|| knows(shared.draw));
        let histories = &mut self.histories;
        let tablebase = &self.tablebase;
        let mut ending = EndListener { listener, tablebase, timer: &shared.timer, spent: None };
        let outcome = match &bend.evaluation(&self.profile) {
            BentEvaluation::Terms(evaluator) => {
                run(game, evaluator, weakening, &shared, histories, &mut ending)
            }
            BentEvaluation::Measures(evaluator) => {
                run(game, evaluator, weakening, &shared, histories, &mut ending)
            }
        };
        let (spent, budget) = (ending.spent, shared.timer.budget());
        self.lag.note(limits, chess.turn(), chess.fullmoves(), budget, spent);
        outcome
    }

    /// Prepares table and histories for a search with this evaluation. Scores of a player with
    /// limited strength (`is_limited`) are not shared with other searches.
    fn begin_search(&mut self, bend: &BendFactors, is_limited: bool) {
        let Self { emotion, emotion_strength, probing, .. } = *self;
        let player = PlayerOptions { emotion, emotion_strength, probing };
        let own = (!is_limited).then_some((bend, player));
        let (number, compatible) = self.known.number(own).unwrap_or_else(|| {
            self.memory.clear();
            self.known.clear();
            self.known.number(own).unwrap_or_default()
        });
        self.memory.new_search(number, compatible);
        let threads = if is_limited { 1 } else { self.threads.max(1) };
        self.histories.resize_with(threads, History::default);
        if self.last_number.replace(number).is_none_or(|last| !compatible.has(last)) {
            self.histories.iter_mut().for_each(History::forget_scores);
        }
    }

    /// Returns what a player of limited strength sees. Returns `None` at full strength.
    fn weakening(&self, game: &Game, appraisal: Option<&Appraisal>) -> Option<Weakening<Focus>> {
        let handicap = self.limit_strength.then(|| Handicap::of_elo(self.elo)).flatten()?;
        Some(Weakening {
            handicap,
            salience: Focus::of(&game.chess, appraisal, self.emotion_strength),
        })
    }
}

/// Returns the search bonus of the moves that the active goal draws attention to. Moves to its
/// squares get the full bonus. Moves away from them or attacking them get half.
fn attention(chess: &Chess, felt: &Appraisal) -> Option<AttentionBonus> {
    let most = i16::try_from(felt.effects.attention).ok().filter(|&most| most > 0)?;
    let focus = Focus::of(chess, Some(felt), 100);
    let leaving = |from| if focus.highlights(from) { most / 2 } else { 0 };
    let arriving = |role: Role, to| {
        if focus.highlights(to) {
            most
        } else if focus.is_aimed_at(chess.board(), to, role.of(felt.side)) {
            most / 2
        } else {
            0
        }
    };
    Some(AttentionBonus::new(leaving, arriving))
}

impl Salience for Focus {
    fn of(&self, position: &Chess, last: Option<Square>, m: Move) -> i32 {
        self.salience(position, last, m)
    }
}

fn run<E: Evaluator + Clone + Send>(
    game: &Game,
    evaluator: &E,
    weakening: Option<Weakening<Focus>>,
    shared: &SharedState<'_>,
    histories: &mut [History],
    report: &mut dyn SearchListener,
) -> Option<SearchResult> {
    let (chess, keys) = (&game.chess, &game.keys);
    match weakening {
        None => search::search(chess, keys, evaluator, shared, histories, report),
        Some(weakening) => {
            let limited = WeakenedEvaluator { evaluator: evaluator.clone(), weakening };
            search::search(chess, keys, &limited, shared, histories, report)
        }
    }
}

/// Returns the available memory in MiB, or the largest number if the system does not report it.
fn available() -> usize {
    let meminfo = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<usize>().ok());
    kib.map_or(usize::MAX, |kib| kib / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::root::{limits::Clock, report::Silent};
    use shakmaty::ByColor;

    /// Returns the soft time limit in a position with this material balance. With emotion, fear
    /// extends it by 50 %.
    fn soft(material: i32, emotion: bool) -> Duration {
        let from = if material < 0 { 99_999 } else { -100_000 };
        let text = format!(
            "[perception]\nmaterial = {{ from = {from}, to = {} }}\n[feeling]\ntime = 50\n",
            from + 1
        );
        let mut engine = Engine::new(Profile::from_text(&text, "time.toml").unwrap()).unwrap();
        engine.emotion = emotion;
        let minute = Clock { left: Duration::from_mins(1), increment: Duration::ZERO };
        let limits =
            Limits { clock: Some(ByColor { white: minute, black: minute }), ..Limits::default() };
        let prepared = engine.prepare(&Game::default(), &limits, &Signals::default(), &mut Silent);
        assert_eq!(prepared.1.is_some(), emotion);
        prepared.0.budget().soft.unwrap()
    }

    #[test]
    fn fear_extends_the_thinking_time_and_relief_shortens_it() {
        let usual = soft(-1, false);
        assert_eq!(usual, soft(1, false));
        assert!(soft(-1, true) > usual && usual > soft(1, true));
    }
}
