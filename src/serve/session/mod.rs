//! A game of a person against the engine: the actions of the player and the moves of the engine.
//!
//! A worker borrows the engine while it searches. When a move is taken back or a new game begins,
//! the running search is stopped and its engine is discarded. The next search creates a new engine.

mod blind;
mod ending;
mod feeling;
mod mind;
mod options;
mod pasted;
mod pause;
mod picture;
mod question;
mod review;
mod state;

pub(super) use mind::MindRecord;

use super::{
    client::Client, events::GameReceivers, line::PageRecord, refusal::Refusal, request::Request,
    temperaments::Temperament,
};
use crate::{
    chess::game::Game,
    chess_mind::Appraisal,
    explain::{schema, whatif::WhatIfRecord},
    player::{Engine, LimitStyle, Options},
    search::{
        SearchResult, Signals,
        root::{limits::Limits, time::Timer},
    },
};
use ending::GameEnd;
use hyper::StatusCode;
use options::GameOptions;
use review::{GameReview, ReviewProgress};
use serde::Serialize;
use state::GameState;
use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
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
    review: Mutex<GameReview>,
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
    level: Option<u16>,
    seed: u64,
    pub game: Game,
    pub limits: Limits,
    pub signals: Arc<Signals>,
}

/// The answer of the engine to a search.
#[derive(Debug)]
pub(super) struct EngineAnswer {
    /// `None` if there is no legal move.
    pub outcome: Option<SearchResult>,
    pub record: PageRecord,
    pub felt: Option<Appraisal>,
    /// What came to mind, in human style.
    pub mind: Option<MindRecord>,
}

/// The answer to an action.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Answer {
    Done(()),
    WhatIf(Box<WhatIfRecord>),
    Review(ReviewProgress),
}

impl SearchTask {
    /// Creates the task to search the current position of a game, with a new engine.
    fn of(
        table: &GameState,
        temperaments: &Arc<[Temperament]>,
        limits: Limits,
        signals: Arc<Signals>,
    ) -> Self {
        let order = &table.order;
        Self {
            engine: None,
            temperaments: Arc::clone(temperaments),
            choice: order.choice,
            strength: order.strength,
            level: order.level,
            seed: order.seed,
            game: table.game.clone(),
            limits,
            signals,
        }
    }

    /// Returns the engine for this search, set to the profile and emotion strength of the game.
    pub(super) fn engine(&mut self) -> Option<Engine> {
        /// Size of the transposition table in MiB. It is small, because there are many games with
        /// short searches.
        const HASH: usize = 4;
        let profile = &self.temperaments.get(self.choice)?.profile;
        let options = Options {
            hash: HASH,
            emotion_strength: self.strength,
            limit_strength: self.level.is_some(),
            limit_style: LimitStyle::Human,
            elo: self.level.unwrap_or(Options::default().elo),
            human_seed: self.seed,
            human_clock: true,
            ..Options::default()
        };
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
            review: Mutex::default(),
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
        table.imagine(&self.temperaments);
        let picture = table.picture(&self.temperaments);
        self.state.send_replace(schema::text(&picture).into());
    }

    /// Sends the current thoughts and emotion of a running search to the listeners.
    pub(super) fn publish_thought(&self, signals: &Signals, record: &PageRecord) {
        if !signals.stop.load(Relaxed) && !self.table().is_blind() {
            self.thought.send_replace(schema::text(record).into());
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

    /// Stops the running search and review, because the game is closed.
    pub(super) fn abandon(&self) {
        self.table().drop_search();
        self.review().stop();
    }

    /// Performs a player's action. Returns the answer, and `true` if a worker is needed.
    pub(super) fn act(&self, action: &str, body: &[u8]) -> Result<(Answer, bool), Refusal> {
        let keys: &[&str] = match action {
            "new" | "import" => &GameOptions::KEYS,
            "compare" => &["ply"],
            "move" => &["move"],
            "guess" => &["profile"],
            "temper" => &["profile", "temperament"],
            "whatif" => &["material", "mobility", "king_safety", "king_exposure"],
            _ => &[],
        };
        let request = Request::parse(body, keys)?;
        let mut table = self.table();
        table.watch_clock();
        if ["temper", "whatif", "compare", "review"].contains(&action) {
            table.check_guessed()?;
        }
        let done = match action {
            "new" => table.begin(&request, &self.temperaments),
            "import" => table.import(&request, &self.temperaments),
            "move" => table.human_moves(&request),
            "undo" => table.take_back(),
            "resign" => table.resign(),
            "draw" => table.offer_draw(),
            "guess" => table.guess(&request, &self.temperaments),
            "temper" => table.order.feel(&request, &self.temperaments),
            "whatif" => {
                let answer = table.what_if(&request, &self.temperaments)?;
                return Ok((Answer::WhatIf(Box::new(answer)), false));
            }
            "review" => return self.ask_review(&table),
            "hint" => return self.ask(&mut table, GameState::ask_hint),
            "compare" => return self.ask(&mut table, |table| table.ask_comparison(&request)),
            "hurry" => {
                table.search.iter().for_each(|signals| signals.stop.store(true, Relaxed));
                table.play_held();
                Ok(())
            }
            "clock" => Ok(()),
            _ => {
                return Err(Refusal::plain(StatusCode::NOT_FOUND, "action: unknown name"));
            }
        };
        let is_changed = ["new", "import", "move", "undo", "temper"].contains(&action);
        if done.is_ok() && is_changed && table.held.is_none() {
            table.appraise(&self.temperaments);
        }
        if done.is_ok() && ["new", "import", "undo"].contains(&action) {
            self.review().stop();
        }
        let is_wanted = table.wants_search();
        self.publish_state(&mut table);
        done.map(|()| (Answer::Done(()), is_wanted))
    }

    /// Asks a question, and returns `true` if a worker must answer it.
    fn ask(
        &self,
        table: &mut GameState,
        ask: impl FnOnce(&mut GameState) -> Result<(), Refusal>,
    ) -> Result<(Answer, bool), Refusal> {
        ask(table)?;
        self.publish_state(table);
        Ok((Answer::Done(()), table.question.is_some()))
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
        let limits = table.order.pace.limits(table.clocks);
        let task = SearchTask::of(&table, &self.temperaments, limits, signals);
        let task = SearchTask { engine, ..task };
        // the time spent waiting for a worker does not count as thinking time
        table.timer = Timer::stopwatch();
        self.publish_state(&mut table);
        Some(task)
    }

    /// Takes the answer of a search, unless the search has been abandoned. Returns the pause after
    /// which [`Self::reveal`] plays the move, or `None` if it is already played.
    pub(super) fn conclude(
        &self,
        signals: &Arc<Signals>,
        engine: Engine,
        answer: EngineAnswer,
    ) -> Option<Duration> {
        let mut table = self.table();
        if !table.is_searching(signals) {
            return None;
        }
        table.engine = Some(engine);
        let pause = table.pause_before(&answer);
        table.held = Some(answer);
        if !pause.is_zero() && !signals.stop.load(Relaxed) {
            return Some(pause);
        }
        table.play_held();
        self.publish_state(&mut table);
        None
    }

    /// Plays the move that a search has found, unless the search has been abandoned.
    pub(super) fn reveal(&self, signals: &Arc<Signals>) {
        let mut table = self.table();
        if table.is_searching(signals) {
            table.play_held();
            self.publish_state(&mut table);
        }
    }

    /// Ends the game because the engine failed. The next search creates a new engine.
    pub(super) fn fail(&self, signals: &Arc<Signals>) {
        let mut table = self.table();
        if table.is_searching(signals) {
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

    /// Returns what the engine felt and thought last, after the first `plies` moves of the game.
    /// Returns `None` while it is hidden.
    pub(super) fn felt_after(&self, plies: &str) -> Option<PageRecord> {
        let table = self.table();
        if table.is_blind() {
            return None;
        }
        table.felt_after(plies.parse().ok()?, &self.temperaments)
    }

    /// Returns the text of the profile in use.
    ///
    /// # Errors
    /// If it is hidden.
    pub(super) fn profile_text(&self) -> Result<String, Refusal> {
        let table = self.table();
        table.check_guessed()?;
        let profile = self.temperaments.get(table.order.choice);
        Ok(profile.map(|t| t.text.clone()).unwrap_or_default())
    }
}
