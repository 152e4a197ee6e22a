//! The thread that runs searches, perft and bench, and prints their output.

use super::{
    event::{Event, JobEnd},
    info::{self, InfoFormat},
    output::{SharedOutput, one_line},
};
use crate::{
    chess::{game::Game, known::ResultCounts, perft, score::Score},
    chess_mind::Appraisal,
    lab::bench::{self, BenchError},
    player::{Engine, Listener, Options, human::choice::Choice},
    search::{
        SearchResult, Signals,
        root::{
            limits::Limits,
            moment::{Moment, now},
            report::{Bound, Iteration, SearchListener},
        },
    },
    support::threads::STACK_BYTES,
    uci::feelings::Notes,
};
use shakmaty::{Color, Move, Position};
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

/// The work for the search thread. The engine is returned by [`Event::Returned`].
pub(super) struct Job {
    pub(super) engine: Box<Engine>,
    pub(super) game: Game,
    pub(super) kind: JobKind,
    pub(super) style: InfoFormat,
    /// Whether feelings are recorded to a file.
    pub(super) writes: bool,
}

/// The kind of work.
pub(super) enum JobKind {
    Search(Limits),
    /// A perft to this depth.
    Perft(u32),
    /// A bench to this depth.
    Bench(u8),
}

/// Starts the search thread. It runs until the returned sender is dropped.
pub(super) fn spawn<W: Write + Send + 'static>(
    output: SharedOutput<W>,
    signals: Arc<Signals>,
    events: SyncSender<Event>,
) -> io::Result<Sender<Job>> {
    let (jobs, orders) = mpsc::channel();
    thread::Builder::new().name("search".into()).stack_size(STACK_BYTES).spawn(move || {
        for job in orders {
            if events.send(carry_out(job, &output, &signals, &events)).is_err() {
                return;
            }
        }
    })?;
    Ok(jobs)
}

/// Runs a job. Sends the result before the engine returns, so that the move does not wait for the
/// other search threads to end.
fn carry_out<W: Write>(
    job: Job,
    output: &SharedOutput<W>,
    signals: &Signals,
    events: &SyncSender<Event>,
) -> Event {
    let Job { mut engine, game, kind, style, writes } = job;
    let notes = writes.then(|| Box::new(Notes::new(&engine, &game, style.mode)));
    let game = &game;
    let since = match &kind {
        JobKind::Search(limits) => limits.since,
        JobKind::Perft(_) | JobKind::Bench(_) => None,
    };
    let mut announcer = UciListener {
        output,
        signals,
        events,
        game,
        style,
        notes,
        iterations: 0,
        since: since.unwrap_or_else(now),
        due: None,
        written: Ok(()),
    };
    match kind {
        JobKind::Search(limits) => {
            engine.go(game, &limits, signals, &mut announcer);
        }
        JobKind::Perft(depth) => {
            announcer.count(depth);
            announcer.end(JobEnd::Counted);
        }
        JobKind::Bench(depth) => {
            announcer.bench(&engine, depth);
            announcer.end(JobEnd::Counted);
        }
    }
    Event::Returned(engine)
}

/// Creates the report for a search that ended before its first iteration. GUIs and tournament
/// managers expect a score before every move.
fn unreported<'a>(outcome: Option<&'a SearchResult>, game: &Game) -> Iteration<'a> {
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
        tablebase_hits: 0,
        pv: outcome.map_or(&[], |outcome| std::slice::from_ref(&outcome.best)),
    }
}

/// Prints the reports of the engine. Stops the search if the output is closed.
struct UciListener<'s, W> {
    output: &'s SharedOutput<W>,
    signals: &'s Signals,
    events: &'s SyncSender<Event>,
    game: &'s Game,
    style: InfoFormat,
    /// The notes for the feelings file, if there is one.
    notes: Option<Box<Notes>>,
    iterations: usize,
    /// When the search started.
    since: Moment,
    /// When the move may be reported.
    due: Option<Moment>,
    /// The first error in writing the output.
    written: io::Result<()>,
}

impl<W: Write> UciListener<'_, W> {
    fn line(&mut self, text: &str) {
        if self.written.is_ok() {
            self.written = self.output.line(text);
        }
        if self.written.is_err() {
            self.signals.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Sends the result of the job. Ignores the error if the session has ended.
    fn end(&mut self, end: JobEnd) {
        let written = std::mem::replace(&mut self.written, Ok(()));
        let _ = self.events.send(Event::Finished { end, due: self.due, written });
    }

    /// Runs the bench with the profile and options of `player`, and prints it like the command
    /// line. The hash table and history of `player` do not change.
    fn bench(&mut self, player: &Engine, depth: u8) {
        let signals = self.signals;
        let Options { emotion, emotion_strength, params, .. } = player.options().clone();
        let options = Options { emotion, emotion_strength, params, ..Options::default() };
        let engine = Engine::new(player.profile().clone(), options).map_err(BenchError::from);
        let summary = engine.and_then(|mut engine| {
            bench::summary(&mut engine, depth, signals, |number, one| self.line(&one.row(number)))
        });
        match summary {
            Ok(_) if signals.stop.load(Ordering::Relaxed) => {
                self.line("info string bench was stopped");
            }
            Ok(summary) => summary.to_string().lines().for_each(|line| self.line(line)),
            Err(error) => self.line(&format!("info string error: bench: {error}")),
        }
    }

    /// Runs perft and prints it in the format that perft comparison tools expect.
    fn count(&mut self, depth: u32) {
        let (game, signals, mode) = (self.game, self.signals, self.style.mode);
        let total = perft::divide(&game.chess, depth, &signals.stop, |m, nodes| {
            self.line(&format!("{}: {nodes}", info::notation(m, mode)));
        });
        match total {
            Some(nodes) => {
                self.line("");
                self.line(&format!("Nodes searched: {nodes}"));
            }
            None => self.line("info string perft was stopped"),
        }
    }
}

impl<W: Write> SearchListener for UciListener<'_, W> {
    fn iteration(&mut self, now: &Iteration<'_>) {
        self.iterations += 1;
        self.notes.iter_mut().for_each(|notes| notes.iteration(now));
        self.line(&info::iteration(now, self.game, self.style));
    }

    fn root_move(&mut self, depth: u8, m: Move, number: usize) {
        self.line(&info::root_move(depth, m, number, self.style.mode));
    }

    fn finished(&mut self, outcome: Option<&SearchResult>) {
        if self.iterations == 0 {
            self.iteration(&unreported(outcome, self.game));
        }
        let notes = self.notes.take().map(|mut notes| {
            notes.conclude(outcome);
            notes
        });
        self.end(JobEnd::Searched(outcome.cloned(), notes));
    }
}

impl<W: Write> Listener for UciListener<'_, W> {
    fn appraised(&mut self, felt: &Appraisal) {
        self.notes.iter_mut().for_each(|notes| notes.appraised(felt));
        self.line(&info::appraisal(felt));
    }

    fn recalled(&mut self, counts: ResultCounts, side: Color) {
        self.line(&info::known(counts, side));
    }

    fn warned(&mut self, why: &str) {
        self.line(&format!("info string {}", one_line(why)));
    }

    fn attended(&mut self, considered: usize, legal: usize) {
        self.line(&info::attention(considered, legal));
    }

    fn came_to_mind(&mut self, game: &Game, rating: u16, choice: &Choice) {
        self.line(&info::came_to_mind(game, rating, choice));
    }

    fn thinks_for(&mut self, time: Duration) {
        self.due = Some(self.since + time);
    }
}
