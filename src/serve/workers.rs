//! The worker threads that search for all games.

use super::{
    client::Client,
    line::PageRecord,
    queue::FairQueue,
    session::{EngineAnswer, GameSession, MindRecord, SearchTask},
};
use crate::{
    chess::game::Game,
    chess_mind::Appraisal,
    player::{Listener, human::choice::Choice},
    profile::Profile,
    search::{
        Signals,
        root::report::{Iteration, SearchListener},
    },
    support::threads::STACK_BYTES,
    uci::feelings::Notes,
};
use shakmaty::Position;
use std::{
    future::pending,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak, atomic::Ordering::Relaxed},
    thread,
    time::Duration,
};
use tokio::{runtime::Handle, time::timeout};

/// A pool of threads that search when the engine is to move in a game.
#[derive(Debug)]
pub(super) struct Workers(Arc<WorkerQueue>);

/// The function that performs a task. It returns `None` if the engine cannot be created.
type Search = fn(&Arc<GameSession>, SearchTask, &Handle) -> Option<()>;

/// The queue of games that wait for a worker.
#[derive(Debug)]
struct WorkerQueue {
    waiting: Mutex<WaitingGames>,
    /// Wakes the workers when a game is added, a search is done, or the queue is closed.
    news: Condvar,
    /// Waits for the end of pauses.
    runtime: Handle,
}

#[derive(Debug)]
struct WaitingGames {
    games: FairQueue<Client, Weak<GameSession>>,
    is_closed: bool,
}

impl Workers {
    /// Starts the threads, each for one search at a time. With at least two threads, no client can
    /// keep all of them busy. Must be called within the server's runtime.
    pub(super) fn spawn(threads: usize) -> io::Result<Self> {
        Self::spawn_with(threads, search)
    }

    fn spawn_with(threads: usize, search: Search) -> io::Result<Self> {
        let runtime = Handle::try_current().map_err(io::Error::other)?;
        let games = FairQueue::new(threads.saturating_sub(1).max(1));
        let waiting = Mutex::new(WaitingGames { games, is_closed: false });
        let workers = Self(Arc::new(WorkerQueue { waiting, news: Condvar::new(), runtime }));
        for _ in 0..threads {
            let shared = Arc::clone(&workers.0);
            let worker = thread::Builder::new().name("search".into()).stack_size(STACK_BYTES);
            worker.spawn(move || while shared.work(search).is_some() {})?;
        }
        Ok(workers)
    }

    /// Queues a game in which the engine is to move, or which is to be reviewed. A game that is
    /// already waiting is not queued again.
    pub(super) fn call(&self, session: &Arc<GameSession>) {
        if session.waits.swap(true, Relaxed) {
            return;
        }
        let mut waiting = self.0.waiting();
        // remove games that were closed while they waited
        waiting.games.retain(|game| game.strong_count() > 0);
        waiting.games.push(session.owner, Arc::downgrade(session));
        drop(waiting);
        self.0.news.notify_one();
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.0.waiting().is_closed = true;
        self.0.news.notify_all();
    }
}

impl WorkerQueue {
    fn waiting(&self) -> MutexGuard<'_, WaitingGames> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a game and makes its move. Returns `None` when the queue is closed.
    fn work(&self, search: Search) -> Option<()> {
        let (owner, game) = self.next()?;
        if let Some(session) = game.upgrade() {
            work_on(&session, search, &self.runtime);
        }
        self.waiting().games.done(owner);
        // the owner may be below its limit again, so another of its games may start
        self.news.notify_one();
        Some(())
    }

    /// Waits for the next game. Among the games of one owner, watched ones come first.
    fn next(&self) -> Option<(Client, Weak<GameSession>)> {
        let is_watched =
            |game: &Weak<GameSession>| game.upgrade().is_some_and(|one| one.is_watched());
        let mut waiting = self.waiting();
        while !waiting.is_closed {
            if let Some(next) = waiting.games.pop(is_watched) {
                return Some(next);
            }
            waiting = self.news.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }
}

/// Makes the engine's move, or else answers a question, or else reviews the game. If the search
/// panics, only this game ends, with an error for its player.
fn work_on(session: &Arc<GameSession>, search: Search, runtime: &Handle) {
    session.waits.store(false, Relaxed);
    if let Some(task) = session.begin_search() {
        let signals = Arc::clone(&task.signals);
        let run = || search(session, task, runtime);
        if catch_unwind(AssertUnwindSafe(run)).ok().flatten().is_none() {
            session.fail(&signals);
        }
    } else if let Some(task) = session.begin_question() {
        let signals = task.signals();
        let answer = catch_unwind(AssertUnwindSafe(|| task.run())).ok().flatten();
        session.end_question(&signals, answer);
    } else if let Some(task) = session.begin_review() {
        let signals = Arc::clone(&task.signals);
        let report = catch_unwind(AssertUnwindSafe(|| task.run(session))).ok().flatten();
        session.end_review(&signals, report);
    }
}

/// Searches and plays the engine's move, after a pause if it plays like a person. Returns `None` if
/// the engine cannot be created.
fn search(session: &Arc<GameSession>, mut task: SearchTask, runtime: &Handle) -> Option<()> {
    let mut engine = task.engine()?;
    let (game, profile) = (task.game.clone(), engine.profile().clone());
    let notes = Notes::new(&engine, &game, game.chess.castles().mode());
    let signals = &task.signals;
    let mut announcer = StreamListener { session, signals, game, profile, notes, mind: None };
    let outcome = engine.go(&task.game, &task.limits, &task.signals, &mut announcer);
    announcer.notes.conclude(outcome.as_ref());
    let (record, felt) = (announcer.record(), announcer.notes.felt().cloned());
    let answer = EngineAnswer { outcome, record, felt, mind: announcer.mind };
    if let Some(pause) = session.conclude(&task.signals, engine, answer) {
        let (session, signals) = (Arc::downgrade(session), task.signals);
        runtime.spawn(async move {
            let _ = timeout(pause, pending::<()>()).await;
            session.upgrade().iter().for_each(|session| session.reveal(&signals));
        });
    }
    Some(())
}

/// A listener that forwards the reports of the engine to the game's event streams.
struct StreamListener<'s> {
    session: &'s GameSession,
    signals: &'s Signals,
    game: Game,
    profile: Profile,
    notes: Notes,
    mind: Option<MindRecord>,
}

impl StreamListener<'_> {
    fn record(&self) -> PageRecord {
        PageRecord::of(&self.notes, &self.game, &self.profile)
    }
}

impl SearchListener for StreamListener<'_> {
    fn iteration(&mut self, now: &Iteration<'_>) {
        self.notes.iteration(now);
        self.session.publish_thought(self.signals, &self.record());
    }
}

impl Listener for StreamListener<'_> {
    fn appraised(&mut self, felt: &Appraisal) {
        self.notes.appraised(felt);
        self.session.publish_thought(self.signals, &self.record());
    }

    fn came_to_mind(&mut self, game: &Game, _rating: u16, choice: &Choice) {
        self.mind = Some(MindRecord::of(game, choice));
    }

    fn thinks_for(&mut self, time: Duration) {
        if let Some(mind) = &mut self.mind {
            mind.thinks = Some(time);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::temperaments::Temperament;
    use serde_json::{Value, json};

    /// A search that panics if the emotion strength is 13 %.
    fn search_or_panic(
        session: &Arc<GameSession>,
        mut task: SearchTask,
        runtime: &Handle,
    ) -> Option<()> {
        assert!(task.engine()?.options().emotion_strength != 13, "a panic for this test");
        search(session, task, runtime)
    }

    /// Waits for the first state of the game that satisfies `is_it`.
    async fn state(session: &GameSession, is_it: impl Fn(&Value) -> bool) -> Value {
        let mut states = session.listen().unwrap().state;
        let found = states.wait_for(|text| is_it(&serde_json::from_str(text).unwrap()));
        let text = timeout(Duration::from_mins(1), found).await.unwrap().unwrap();
        serde_json::from_str(&text).unwrap()
    }

    #[tokio::test]
    async fn a_panic_ends_one_game_which_can_be_restarted() {
        let temperaments: Arc<[Temperament]> = Temperament::all(None).unwrap().into();
        let owner = Client::of([127, 0, 0, 1].into());
        let games = [(); 2].map(|()| Arc::new(GameSession::new(owner, Arc::clone(&temperaments))));
        let [broken, other] = &games;
        // a single thread, which must survive the panic
        let workers = Workers::spawn_with(1, search_or_panic).unwrap();
        let begin = |session: &Arc<GameSession>, strength: u16| {
            let body = json!({"side": "black", "nodes": 200, "temperament": strength});
            session.act("new", body.to_string().as_bytes()).unwrap();
            workers.call(session);
        };
        begin(broken, 13);
        let ended = state(broken, |state| !state["end"].is_null()).await;
        let reason = ended["end"]["reason"].as_str().unwrap();
        assert!(reason.contains("The engine failed"), "{reason}");
        begin(other, 100);
        state(other, |state| state["moves"].as_array().unwrap().len() == 1).await;
        begin(broken, 100);
        let again = state(broken, |state| state["moves"].as_array().unwrap().len() == 1).await;
        assert!(again["end"].is_null(), "{again}");
    }
}
