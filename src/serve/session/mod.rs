//! A game of a person against the engine: what may be done, and what comes of it.
//!
//! The engine is lent to a worker while it searches. A search that nobody waits for any more, because
//! a move was taken back or another game begun, is told to stop and its engine is dropped with it: the
//! next one starts afresh.

mod order;
mod picture;
mod table;

use super::{
    client::Client, events::Channels, line::add_line, refusal::Refusal, request::Request,
    temperaments::Temperament,
};
use crate::{
    chess::game::Game,
    player::Engine,
    search::{
        Outcome, Signals,
        root::{limits::Limits, time::Timer},
    },
    uci::feelings::Notes,
};
use hyper::StatusCode;
use order::Order;
use serde_json::Value;
use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering::Relaxed},
};
use table::{End, Table};
use tokio::sync::watch;

/// Event streams of one game.
const MOST_LISTENERS: usize = 8;

/// A game that requests, workers and listeners share.
#[derive(Debug)]
pub(super) struct Session {
    /// Whose game it is: searches are shared out among owners.
    pub owner: Client,
    table: Mutex<Table>,
    state: watch::Sender<Arc<str>>,
    thought: watch::Sender<Arc<str>>,
    temperaments: Arc<[Temperament]>,
    /// It waits for a worker already.
    pub waits: AtomicBool,
}

/// A search to be done.
#[derive(Debug)]
pub(super) struct Task {
    engine: Option<Engine>,
    temperaments: Arc<[Temperament]>,
    choice: usize,
    strength: u16,
    pub game: Game,
    pub limits: Limits,
    pub signals: Arc<Signals>,
}

impl Task {
    /// The engine to do it with, as the game wants it.
    pub(super) fn engine(&mut self) -> Option<Engine> {
        /// MiB: games are many, and their searches short.
        const HASH: usize = 4;
        let profile = &self.temperaments.get(self.choice)?.profile;
        let mut engine = if let Some(engine) = self.engine.take() {
            engine
        } else {
            let mut engine = Engine::new(profile.clone()).ok()?;
            engine.set_hash(HASH).ok()?;
            engine
        };
        if engine.profile() != profile {
            engine.set_profile(profile.clone());
        }
        engine.emotion_strength = self.strength;
        Some(engine)
    }
}

impl Session {
    pub(super) fn new(owner: Client, temperaments: Arc<[Temperament]>) -> Self {
        let table = Table::new(Order::first());
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
        session.tell(&mut table);
        drop(table);
        session
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets listeners know how things stand.
    fn tell(&self, table: &mut Table) {
        let picture = table.picture(&self.temperaments);
        self.state.send_replace(picture.to_string().into());
    }

    /// Tells what is thought and felt meanwhile.
    pub(super) fn think(&self, signals: &Signals, notes: &Notes) {
        if !signals.stop.load(Relaxed) {
            self.thought.send_replace(told(notes).to_string().into());
        }
    }

    /// Subscribes to the game.
    ///
    /// # Errors
    /// If too many have already.
    pub(super) fn listen(&self) -> Result<Channels, Refusal> {
        if self.state.receiver_count() >= MOST_LISTENERS {
            let why = format!(
                "event streams: found {MOST_LISTENERS} of this game (allowed: {MOST_LISTENERS})"
            );
            return Err(Refusal::plain(StatusCode::TOO_MANY_REQUESTS, why));
        }
        Ok(Channels { state: self.state.subscribe(), thought: self.thought.subscribe() })
    }

    pub(super) fn is_watched(&self) -> bool {
        self.state.receiver_count() > 0
    }

    /// Stops what is searched for nobody.
    pub(super) fn abandon(&self) {
        self.table().drop_search();
    }

    /// Does what is asked for; answers with what there is to tell. `true` if the engine is to move.
    pub(super) fn act(&self, action: &str, body: &[u8]) -> Result<(Value, bool), Refusal> {
        let keys: &[&str] = match action {
            "new" => &Order::KEYS,
            "move" => &["move"],
            "temper" => &["profile", "temperament"],
            "whatif" => &["material", "mobility", "king_safety", "king_exposure"],
            _ => &[],
        };
        let request = Request::parse(body, keys)?;
        let mut table = self.table();
        table.watch_clock();
        let answer = match action {
            "new" => table.begin(&request, &self.temperaments).map(|()| Value::Null),
            "move" => table.human_moves(&request).map(|()| Value::Null),
            "undo" => table.take_back().map(|()| Value::Null),
            "resign" => table.resign().map(|()| Value::Null),
            "temper" => table.order.feel(&request, &self.temperaments).map(|()| Value::Null),
            "whatif" => return Ok((table.what_if(&request, &self.temperaments)?, false)),
            "hurry" => {
                table.search.iter().for_each(|signals| signals.stop.store(true, Relaxed));
                Ok(Value::Null)
            }
            "clock" => Ok(Value::Null),
            _ => {
                return Err(Refusal::plain(
                    StatusCode::NOT_FOUND,
                    "action: found none of this name",
                ));
            }
        };
        if answer.is_ok() {
            table.appraise(&self.temperaments);
        }
        let is_wanted = table.wants_search();
        self.tell(&mut table);
        answer.map(|answer| (answer, is_wanted))
    }

    /// The search that the game waits for, if it does.
    pub(super) fn begin_search(&self) -> Option<Task> {
        let mut table = self.table();
        if !table.wants_search() {
            return None;
        }
        let signals = Arc::new(Signals::default());
        let engine = table.lend(&self.temperaments);
        table.search = Some(Arc::clone(&signals));
        let task = Task {
            engine,
            temperaments: Arc::clone(&self.temperaments),
            choice: table.order.choice,
            strength: table.order.strength,
            game: table.game.clone(),
            limits: table.order.pace.limits(table.clocks),
            signals,
        };
        // waiting for a worker is no thinking
        table.timer = Timer::stopwatch();
        self.tell(&mut table);
        Some(task)
    }

    /// Plays what was found, unless nobody waits for it any more.
    pub(super) fn conclude(
        &self,
        signals: &Arc<Signals>,
        engine: Engine,
        notes: &Notes,
        outcome: Option<Outcome>,
    ) {
        let mut table = self.table();
        if !table.search.as_ref().is_some_and(|search| Arc::ptr_eq(search, signals)) {
            return;
        }
        table.engine = Some(engine);
        table.feeling = told(notes);
        if let Some(outcome) = outcome {
            let feeling = notes.felt().map(|felt| (felt.intensity, felt.goal));
            table.play(outcome.best, Some((outcome.score, outcome.depth)), feeling);
        }
        // last: after a panic above, `fail` still recognizes the search
        table.search = None;
        self.tell(&mut table);
    }

    /// The engine failed: it is gone, and the next one starts afresh.
    pub(super) fn fail(&self, signals: &Arc<Signals>) {
        let mut table = self.table();
        if table.search.as_ref().is_some_and(|search| Arc::ptr_eq(search, signals)) {
            table.search = None;
            table.end =
                Some(End::Broken("The engine failed. Take back a move or begin a new game"));
            self.tell(&mut table);
        }
    }

    /// The game as PGN.
    pub(super) fn pgn(&self) -> String {
        self.table().pgn(&self.temperaments)
    }

    /// The text of the profile in use.
    pub(super) fn profile_text(&self) -> String {
        let choice = self.table().order.choice;
        self.temperaments.get(choice).map(|t| t.text.clone()).unwrap_or_default()
    }
}

/// The record for the page.
fn told(notes: &Notes) -> Value {
    let mut record = Value::Object(notes.record());
    add_line(&mut record);
    record
}
