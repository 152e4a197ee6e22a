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

impl Workers {
    /// So many threads, each for one search at a time.
    pub(super) fn spawn(threads: usize) -> io::Result<Self> {
        let (games, waiting) = mpsc::channel();
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..threads {
            let waiting = Arc::clone(&waiting);
            let worker = thread::Builder::new().name("search".into()).stack_size(STACK_BYTES);
            worker.spawn(move || while work(&waiting).is_some() {})?;
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

/// Waits for a game and makes its move; none when there will be no more games.
fn work(waiting: &Mutex<Receiver<Weak<Session>>>) -> Option<()> {
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
