//! The engine works through a suite, several positions at once.

use super::record::{Record, Verdict};
use crate::{
    engine::{Engine, HashError, Listener},
    profile::Profile,
    score::Score,
    search::{
        Signals,
        limits::Limits,
        report::{Bound, Iteration, Report},
    },
};
use shakmaty::Move;
use std::{
    collections::BTreeMap,
    io,
    sync::{
        atomic::{AtomicUsize, Ordering::Relaxed},
        mpsc::{self, Receiver, Sender},
    },
    thread,
    time::Duration,
};

/// How every position is searched.
#[derive(Clone, Debug)]
pub struct Settings {
    pub profile: Profile,
    pub emotions: Emotions,
    /// Percent of every factor's distance from 1, 0 to 200.
    pub temperament: u16,
    /// The table of each engine, in MiB.
    pub hash: usize,
    /// Positions at once, at least 1.
    pub threads: usize,
    pub limits: Limits,
}

/// Whether the engine feels; with both, it answers each position twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emotions {
    On,
    Off,
    Both,
}

impl Emotions {
    /// The answers that each position gets: with feeling, without.
    pub const fn each(self) -> &'static [bool] {
        match self {
            Self::On => &[true],
            Self::Off => &[false],
            Self::Both => &[true, false],
        }
    }
}

/// What the engine played, and what that is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether it felt.
    pub emotion: bool,
    pub best: Move,
    pub score: Score,
    /// The last finished iteration, in plies.
    pub depth: u8,
    pub nodes: u64,
    pub verdict: Verdict,
}

/// A position that has been searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// Its place among the records, from 0.
    pub index: usize,
    /// One for each of [`Emotions::each`], in that order.
    pub answers: Vec<Answer>,
}

/// What a run needs and could not have.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Hash(#[from] HashError),
    #[error("a thread cannot be started: {0}")]
    Thread(io::Error),
}

/// Searches every record. Each search starts from an empty table, so that neither the order nor the
/// number of threads changes an answer. `each` hears of the trials in the records' order, as soon
/// as those before are done. When `signals` say stop, positions not finished are left out.
///
/// # Errors
/// If a table or a thread cannot be had.
pub fn run(
    records: &[&Record],
    settings: &Settings,
    signals: &Signals,
    each: impl FnMut(&Trial),
) -> Result<(), RunError> {
    /// Bytes: generous, as a search recurses to its last ply and through quiescence beyond.
    const STACK: usize = 16 << 20;
    let next = &AtomicUsize::new(0);
    let threads = settings.threads.clamp(1, records.len().max(1));
    let engines = (0..threads).map(|_| engine(settings)).collect::<Result<Vec<_>, _>>()?;
    thread::scope(|scope| {
        let (sender, trials) = mpsc::channel();
        for engine in engines {
            let sender = sender.clone();
            let body = move || work(engine, records, next, settings, signals, &sender);
            if let Err(error) = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, body) {
                signals.stop.store(true, Relaxed);
                return Err(RunError::Thread(error));
            }
        }
        drop(sender);
        deliver(&trials, each);
        Ok(())
    })
}

fn engine(settings: &Settings) -> Result<Engine, HashError> {
    let mut engine = Engine::new(settings.profile.clone())?;
    engine.set_hash(settings.hash)?;
    // a table takes its memory only when written to; the next engine must find it taken
    engine.clear_hash();
    engine.temperament = settings.temperament;
    // no move has to be sent anywhere in time
    engine.overhead = Duration::ZERO;
    Ok(engine)
}

/// One thread: takes the next record until there is none.
fn work(
    mut engine: Engine,
    records: &[&Record],
    next: &AtomicUsize,
    settings: &Settings,
    signals: &Signals,
    trials: &Sender<Trial>,
) {
    loop {
        let index = next.fetch_add(1, Relaxed);
        let Some(record) = records.get(index) else { return };
        let each = settings.emotions.each().iter();
        let answers = each.map(|emotion| answer(&mut engine, record, *emotion, settings, signals));
        let Some(answers) = answers.collect() else { return };
        if trials.send(Trial { index, answers }).is_err() {
            return;
        }
    }
}

/// `None` if the search was told to stop.
fn answer(
    engine: &mut Engine,
    record: &Record,
    emotion: bool,
    settings: &Settings,
    signals: &Signals,
) -> Option<Answer> {
    engine.new_game();
    engine.emotion = emotion;
    // once the mate that is asked for is found, nothing is left to search for
    let mate = record.mate().and_then(|moves| u8::try_from(moves).ok());
    let limits = Limits { mate, ..settings.limits.clone() };
    let mut depth = Depth(0);
    let outcome = engine.go(&record.game, &limits, signals, &mut depth)?;
    if signals.stop.load(Relaxed) {
        return None;
    }
    let (best, score, nodes) = (outcome.best, outcome.score, outcome.nodes);
    let verdict = record.judge(best, score);
    Some(Answer { emotion, best, score, depth: depth.0, nodes, verdict })
}

/// Remembers the last finished iteration.
struct Depth(u8);

impl Report for Depth {
    fn iteration(&mut self, now: &Iteration<'_>) {
        if now.bound == Bound::Exact {
            self.0 = now.depth;
        }
    }
}

impl Listener for Depth {}

/// Passes the trials on in the order of the records; after a stop, those beyond a gap too.
fn deliver(trials: &Receiver<Trial>, mut each: impl FnMut(&Trial)) {
    let mut early = BTreeMap::new();
    let mut expected = 0;
    for trial in trials {
        early.insert(trial.index, trial);
        while let Some(trial) = early.remove(&expected) {
            each(&trial);
            expected += 1;
        }
    }
    early.values().for_each(each);
}
