//! The thread on which the engine searches, and what it says meanwhile.

use super::{
    info::{self, Style},
    output::Output,
    session::Event,
};
use crate::{
    engine::{Engine, Listener},
    game::Game,
    mind::appraisal::Appraisal,
    score::Score,
    search::{
        Outcome, Signals,
        limits::Limits,
        report::{Bound, Iteration, Report},
    },
};
use shakmaty::Position;
use std::{
    io::{self, Write},
    sync::{
        Arc,
        atomic::Ordering,
        mpsc::{self, Sender, SyncSender},
    },
    thread,
    time::Duration,
};

/// One search: the engine, lent until [`Event::Done`] brings it back, and what it shall search.
pub(super) struct Job {
    pub(super) engine: Box<Engine>,
    pub(super) game: Game,
    pub(super) limits: Limits,
    pub(super) style: Style,
}

/// Starts the thread; it waits for jobs as long as the sender lives.
pub(super) fn spawn<W: Write + Send + 'static>(
    output: Output<W>,
    signals: Arc<Signals>,
    events: SyncSender<Event>,
) -> io::Result<Sender<Job>> {
    /// Bytes: generous, as a search recurses to its last ply and through quiescence beyond.
    const STACK: usize = 16 << 20;
    let (jobs, orders) = mpsc::channel();
    thread::Builder::new().name("search".into()).stack_size(STACK).spawn(move || {
        for job in orders {
            if events.send(carry_out(job, &output, &signals)).is_err() {
                return;
            }
        }
    })?;
    Ok(jobs)
}

fn carry_out<W: Write>(job: Job, output: &Output<W>, signals: &Signals) -> Event {
    let Job { mut engine, game, limits, style } = job;
    let mut announcer =
        Announcer { output, signals, game: &game, style, iterations: 0, written: Ok(()) };
    let outcome = engine.go(&game, &limits, signals, &mut announcer);
    if announcer.iterations == 0 {
        announcer.iteration(&unreported(outcome.as_ref(), &game));
    }
    Event::Done { engine, outcome: announcer.written.map(|()| outcome) }
}

/// What there is to report of a search that ended before its first iteration did: GUIs and
/// tournament managers expect a score before every move.
fn unreported<'a>(outcome: Option<&'a Outcome>, game: &Game) -> Iteration<'a> {
    let lost = outcome.is_none() && game.chess.is_check();
    let score = if lost { Score::mated_in(0) } else { Score::DRAW };
    Iteration {
        depth: 0,
        seldepth: 0,
        multi_pv: 1,
        score: outcome.map_or(score, |outcome| outcome.score),
        bound: Bound::Exact,
        nodes: outcome.map_or(0, |outcome| outcome.nodes),
        elapsed: Duration::ZERO,
        hashfull: 0,
        pv: outcome.map_or(&[], |outcome| std::slice::from_ref(&outcome.best)),
    }
}

/// Writes what the engine reports; stops it when nobody reads any more.
struct Announcer<'s, W> {
    output: &'s Output<W>,
    signals: &'s Signals,
    game: &'s Game,
    style: Style,
    iterations: usize,
    /// The first failure to write.
    written: io::Result<()>,
}

impl<W: Write> Announcer<'_, W> {
    fn line(&mut self, text: &str) {
        if self.written.is_ok() {
            self.written = self.output.line(text);
        }
        if self.written.is_err() {
            self.signals.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl<W: Write> Report for Announcer<'_, W> {
    fn iteration(&mut self, now: &Iteration<'_>) {
        self.iterations += 1;
        self.line(&info::iteration(now, self.game, self.style));
    }
}

impl<W: Write> Listener for Announcer<'_, W> {
    fn appraised(&mut self, felt: &Appraisal) {
        self.line(&info::appraisal(felt));
    }
}
