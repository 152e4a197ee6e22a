//! The threads that search, for all games together.

use super::session::{Session, Task};
use crate::{
    engine::Listener,
    feelings::Notes,
    mind::appraisal::Appraisal,
    search::{
        STACK_BYTES, Signals,
        report::{Iteration, Report},
    },
};
use shakmaty::CastlingMode;
use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::Ordering::Relaxed,
        mpsc::{self, Receiver, Sender},
    },
    thread,
};

/// Threads that wait for games in which the engine is to move.
#[derive(Debug)]
pub(super) struct Workers(Sender<Weak<Session>>);

/// What a worker does with a task; none if the engine cannot be made.
type Search = fn(&Session, Task) -> Option<()>;

impl Workers {
    /// Starts the threads, each for one search at a time.
    pub(super) fn spawn(threads: usize) -> io::Result<Self> {
        Self::spawn_with(threads, search)
    }

    fn spawn_with(threads: usize, search: Search) -> io::Result<Self> {
        let (games, waiting) = mpsc::channel();
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..threads {
            let waiting = Arc::clone(&waiting);
            let worker = thread::Builder::new().name("search".into()).stack_size(STACK_BYTES);
            worker.spawn(move || while work(&waiting, search).is_some() {})?;
        }
        Ok(Self(games))
    }

    /// The engine is to move in this game: it stands in line once, however often this is said.
    pub(super) fn call(&self, session: &Arc<Session>) {
        if !session.waits.swap(true, Relaxed) {
            // the threads live as long as the sender does
            let _ = self.0.send(Arc::downgrade(session));
        }
    }
}

/// Waits for a game and makes its move; none when there will be no more games. A panic ends that
/// game alone, with an error that its player sees.
fn work(waiting: &Mutex<Receiver<Weak<Session>>>, search: Search) -> Option<()> {
    let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()?;
    // games may be given up while they wait
    let Some(session) = next.upgrade() else { return Some(()) };
    session.waits.store(false, Relaxed);
    let Some(task) = session.begin_search() else { return Some(()) };
    let signals = Arc::clone(&task.signals);
    if catch_unwind(AssertUnwindSafe(|| search(&session, task))).ok().flatten().is_none() {
        session.fail(&signals);
    }
    Some(())
}

/// None if there is no engine to be had.
fn search(session: &Session, mut task: Task) -> Option<()> {
    let mut engine = task.engine()?;
    let notes = Notes::new(&engine, &task.game, CastlingMode::Standard);
    let mut announcer = Announcer { session, signals: &task.signals, notes };
    let outcome = engine.go(&task.game, &task.limits, &task.signals, &mut announcer);
    let mut notes = announcer.notes;
    notes.conclude(outcome.as_ref());
    session.conclude(&task.signals, engine, &notes, outcome);
    Some(())
}

/// Tells the listeners of a game what the engine reports.
struct Announcer<'s> {
    session: &'s Session,
    signals: &'s Signals,
    notes: Notes,
}

impl Report for Announcer<'_> {
    fn iteration(&mut self, now: &Iteration<'_>) {
        self.notes.iteration(now);
        self.session.think(self.signals, &self.notes);
    }
}

impl Listener for Announcer<'_> {
    fn appraised(&mut self, felt: &Appraisal) {
        self.notes.appraised(felt);
        self.session.think(self.signals, &self.notes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::temperaments::Temperament;
    use serde_json::{Value, json};
    use std::time::Duration;
    use tokio::time::timeout;

    /// Only the game whose engine plays at 13 % strength panics.
    fn search_or_panic(session: &Session, mut task: Task) -> Option<()> {
        assert!(task.engine()?.temperament != 13, "a panic for this test");
        search(session, task)
    }

    /// The first state of the game that satisfies `is_it`.
    async fn state(session: &Session, is_it: impl Fn(&Value) -> bool) -> Value {
        let mut states = session.listen().state;
        let found = states.wait_for(|text| is_it(&serde_json::from_str(text).unwrap()));
        let text = timeout(Duration::from_mins(1), found).await.unwrap().unwrap();
        serde_json::from_str(&text).unwrap()
    }

    #[tokio::test]
    async fn a_panic_ends_one_game_which_can_begin_again_while_others_go_on() {
        let temperaments: Arc<[Temperament]> = Temperament::all(None).unwrap().into();
        let games = [(); 2].map(|()| Arc::new(Session::new(Arc::clone(&temperaments))));
        let [broken, other] = &games;
        // one thread: it has to outlive the panic
        let workers = Workers::spawn_with(1, search_or_panic).unwrap();
        let begin = |session: &Arc<Session>, strength: u16| {
            let body = json!({"side": "black", "nodes": 200, "temperament": strength});
            session.act("new", body.to_string().as_bytes()).unwrap();
            workers.call(session);
        };
        begin(broken, 13);
        let ended = state(broken, |state| !state["end"].is_null()).await;
        let reason = ended["end"]["reason"].as_str().unwrap();
        assert!(reason.contains("the engine failed"), "{reason}");
        begin(other, 100);
        state(other, |state| state["moves"].as_array().unwrap().len() == 1).await;
        begin(broken, 100);
        let again = state(broken, |state| state["moves"].as_array().unwrap().len() == 1).await;
        assert!(again["end"].is_null(), "{again}");
    }
}
