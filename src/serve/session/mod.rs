//! A game of a person against the engine: the actions of the player and the moves of the engine.
//!
//! A worker borrows the engine while it searches. When a move is taken back or a new game begins,
//! the running search is stopped and its engine is discarded. The next search creates a new engine.

mod options;
mod picture;
mod state;

use super::{
    client::Client, events::GameReceivers, line::PageRecord, refusal::Refusal, request::Request,
    temperaments::Temperament,
};
use crate::{
    chess::game::Game,
    explain::{schema, whatif::WhatIfRecord},
    player::{Engine, Options},
    search::{
        SearchResult, Signals,
        root::{limits::Limits, time::Timer},
    },
    uci::feelings::Notes,
};
use hyper::StatusCode;
use options::GameOptions;
use state::{GameEnd, GameState};
use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering::Relaxed},
};
use tokio::sync::watch;

/// The largest number of event streams per game.
const MOST_LISTENERS: usize = 8;

/// A game shared by requests, workers and listeners.
#[derive(Debug)]
pub(super) struct GameSession {
    /// The client that owns the game. Workers share their time fairly among owners.
    pub owner: Client,
    table: Mutex<GameState>,
    state: watch::Sender<Arc<str>>,
    thought: watch::Sender<Arc<str>>,
    temperaments: Arc<[Temperament]>,
    /// Whether the game is already waiting for a worker.
    pub waits: AtomicBool,
}

/// A search to be done by a worker.
#[derive(Debug)]
pub(super) struct SearchTask {
    engine: Option<Engine>,
    temperaments: Arc<[Temperament]>,
    choice: usize,
    strength: u16,
    pub game: Game,
    pub limits: Limits,
    pub signals: Arc<Signals>,
}

impl SearchTask {
    /// Returns the engine for this search, set to the profile and emotion strength of the game.
    pub(super) fn engine(&mut self) -> Option<Engine> {
        /// Size of the transposition table in MiB. It is small, because there are many games with
        /// short searches.
        const HASH: usize = 4;
        let profile = &self.temperaments.get(self.choice)?.profile;
        let options = Options { hash: HASH, emotion_strength: self.strength, ..Options::default() };
        let Some(mut engine) = self.engine.take() else {
            return Engine::new(profile.clone(), options).ok();
        };
        engine.set_options(options).ok()?;
        if engine.profile() != profile {
            engine.set_profile(profile.clone());
        }
        Some(engine)
    }
}

impl GameSession {
    pub(super) fn new(owner: Client, temperaments: Arc<[Temperament]>) -> Self {
        let table = GameState::new(GameOptions::first());
        let session = Self {
            owner,
            table: Mutex::new(table),
            state: watch::Sender::new(Arc::from("")),
            thought: watch::Sender::new(Arc::from("")),
            temperaments,
            waits: AtomicBool::new(false),
        };
        let mut table = session.table();
        table.appraise(&session.temperaments);
        session.publish_state(&mut table);
        drop(table);
        session
    }

    fn table(&self) -> MutexGuard<'_, GameState> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends the state of the game to its listeners.
    fn publish_state(&self, table: &mut GameState) {
        let picture = table.picture(&self.temperaments);
        self.state.send_replace(schema::text(&picture).into());
    }

    /// Sends the current thoughts and emotion of a running search to the listeners.
    pub(super) fn publish_thought(&self, signals: &Signals, notes: &Notes) {
        if !signals.stop.load(Relaxed) {
            self.thought.send_replace(schema::text(&PageRecord::from(notes)).into());
        }
    }

    /// Subscribes to the events of the game.
    ///
    /// # Errors
    /// If the game has too many subscribers.
    pub(super) fn listen(&self) -> Result<GameReceivers, Refusal> {
        if self.state.receiver_count() >= MOST_LISTENERS {
            let why = format!(
                "event streams: found {MOST_LISTENERS} for this game (allowed: {MOST_LISTENERS})"
            );
            return Err(Refusal::plain(StatusCode::TOO_MANY_REQUESTS, why));
        }
        Ok(GameReceivers { state: self.state.subscribe(), thought: self.thought.subscribe() })
    }

    pub(super) fn is_watched(&self) -> bool {
        self.state.receiver_count() > 0
    }

    /// Stops the running search, because the game is closed.
    pub(super) fn abandon(&self) {
        self.table().drop_search();
    }

    /// Performs a player's action. Returns the answer to a what-if question, and `true` if the
    /// engine is to move.
    pub(super) fn act(
        &self,
        action: &str,
        body: &[u8],
    ) -> Result<(Option<WhatIfRecord>, bool), Refusal> {
        let keys: &[&str] = match action {
            "new" => &GameOptions::KEYS,
            "move" => &["move"],
            "temper" => &["profile", "temperament"],
            "whatif" => &["material", "mobility", "king_safety", "king_exposure"],
            _ => &[],
        };
        let request = Request::parse(body, keys)?;
        let mut table = self.table();
        table.watch_clock();
        let done = match action {
            "new" => table.begin(&request, &self.temperaments),
            "move" => table.human_moves(&request),
            "undo" => table.take_back(),
            "resign" => table.resign(),
            "temper" => table.order.feel(&request, &self.temperaments),
            "whatif" => return Ok((Some(table.what_if(&request, &self.temperaments)?), false)),
            "hurry" => {
                table.search.iter().for_each(|signals| signals.stop.store(true, Relaxed));
                Ok(())
            }
            "clock" => Ok(()),
            _ => {
                return Err(Refusal::plain(StatusCode::NOT_FOUND, "action: unknown name"));
            }
        };
        if done.is_ok() {
            table.appraise(&self.temperaments);
        }
        let is_wanted = table.wants_search();
        self.publish_state(&mut table);
        done.map(|()| (None, is_wanted))
    }

    /// Starts the search that the game is waiting for, if any.
    pub(super) fn begin_search(&self) -> Option<SearchTask> {
        let mut table = self.table();
        if !table.wants_search() {
            return None;
        }
        let signals = Arc::new(Signals::default());
        let engine = table.lend(&self.temperaments);
        table.search = Some(Arc::clone(&signals));
        let task = SearchTask {
            engine,
            temperaments: Arc::clone(&self.temperaments),
            choice: table.order.choice,
            strength: table.order.strength,
            game: table.game.clone(),
            limits: table.order.pace.limits(table.clocks),
            signals,
        };
        // the time spent waiting for a worker does not count as thinking time
        table.timer = Timer::stopwatch();
        self.publish_state(&mut table);
        Some(task)
    }

    /// Plays the move found by a search, unless the search has been abandoned.
    pub(super) fn conclude(
        &self,
        signals: &Arc<Signals>,
        engine: Engine,
        notes: &Notes,
        outcome: Option<SearchResult>,
    ) {
        let mut table = self.table();
        if !table.search.as_ref().is_some_and(|search| Arc::ptr_eq(search, signals)) {
            return;
        }
        table.engine = Some(engine);
        table.feeling = Some(PageRecord::from(notes));
        if let Some(outcome) = outcome {
            let feeling = notes.felt().map(|felt| (felt.intensity, felt.goal));
            table.play(outcome.best, Some((outcome.score, outcome.depth)), feeling);
        }
        // cleared last, so that `fail` recognises the search after a panic above
        table.search = None;
        self.publish_state(&mut table);
    }

    /// Ends the game because the engine failed. The next search creates a new engine.
    pub(super) fn fail(&self, signals: &Arc<Signals>) {
        let mut table = self.table();
        if table.search.as_ref().is_some_and(|search| Arc::ptr_eq(search, signals)) {
            table.search = None;
            table.end =
                Some(GameEnd::Broken("The engine failed. Take back a move or begin a new game"));
            self.publish_state(&mut table);
        }
    }

    /// Returns the game as PGN.
    pub(super) fn pgn(&self) -> String {
        self.table().pgn(&self.temperaments)
    }

    /// Returns the text of the profile in use.
    pub(super) fn profile_text(&self) -> String {
        let choice = self.table().order.choice;
        self.temperaments.get(choice).map(|t| t.text.clone()).unwrap_or_default()
    }
}
