//! A UCI session: executes commands, queues those that must wait, and reports moves.

use super::{
    command::{Task, UciCommand, Urgent},
    event::{Event, InputLine, JobEnd},
    go::Go,
    help::HELP,
    info,
    options::{DEFAULT_PROFILE, ROWS, SessionOptions, human_seed},
    output::{SharedOutput, one_line},
    pending::Pending,
    reader,
    refusal::InvalidArgument,
    search_thread::{self, Job, JobKind},
    task_queue::{TaskQueue, WaitingTask},
};
use crate::{
    chess::game::Game,
    player::{Engine, Options},
    profile::Profile,
    search::{
        Signals,
        root::{
            limits::Limits,
            moment::{Moment, now},
        },
    },
};
use shakmaty::Position;
use std::{
    io::{self, Read, Write},
    sync::{
        Arc,
        atomic::Ordering,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
};

/// The maximum number of queued events. More input waits in the pipe.
const QUEUE: usize = 8;
/// The owner of the engine.
enum State {
    Idle(Box<Engine>),
    Busy(Pending),
}

impl State {
    fn search(&mut self) -> Option<&mut Pending> {
        match self {
            Self::Idle(_) => None,
            Self::Busy(search) => Some(search),
        }
    }
}

/// The state of a session.
struct Session<W> {
    output: SharedOutput<W>,
    jobs: Sender<Job>,
    signals: Arc<Signals>,
    settings: SessionOptions,
    game: Game,
    /// The tasks that wait for the search or for earlier tasks.
    tasks: TaskQueue,
    /// When the last task ended or the last move was reported. The clock of the next search starts
    /// no earlier.
    free_since: Moment,
    debug: bool,
    /// Whether the input has ended or `quit` was received.
    ended: bool,
    /// Whether the last position was refused, so that `game` is not the requested one.
    refused: bool,
}

/// Runs a session until `quit` or the end of `input`.
pub(super) fn serve<W: Write + Send + 'static>(
    input: impl Read + Send + 'static,
    output: W,
) -> io::Result<()> {
    let profile = Profile::builtin(DEFAULT_PROFILE).map_err(io::Error::other)?;
    let options = Options { human_seed: human_seed(0), ..Options::default() };
    let engine = Engine::new(profile, options).map_err(io::Error::other)?;
    let settings = SessionOptions::default();
    let output = SharedOutput::new(output, settings.log());
    let signals = Arc::new(Signals::default());
    let (sender, events) = mpsc::sync_channel(QUEUE);
    let jobs = search_thread::spawn(output.clone(), Arc::clone(&signals), sender.clone())?;
    reader::spawn(input, sender)?;
    let mut session = Session {
        output,
        jobs,
        signals,
        settings,
        game: Game::default(),
        tasks: TaskQueue::default(),
        free_since: now(),
        debug: false,
        ended: false,
        refused: false,
    };
    let result = session.run(Box::new(engine), &events);
    // After an output error a search may still be running.
    session.signals.stop.store(true, Ordering::Relaxed);
    result
}

impl<W: Write> Session<W> {
    fn run(&mut self, engine: Box<Engine>, events: &Receiver<Event>) -> io::Result<()> {
        let mut state = State::Idle(engine);
        loop {
            state = match state {
                State::Idle(engine) => match self.tasks.pop() {
                    Some(task) => self.carry_out(task, engine)?,
                    None if self.ended => return Ok(()),
                    None => self.next_state(events, State::Idle(engine))?,
                },
                State::Busy(mut search) => {
                    if let Some(end) = search.take_result() {
                        self.conclude(end)?;
                    }
                    match search.into_engine() {
                        Ok(engine) => State::Idle(engine),
                        Err(search) => self.next_state(events, State::Busy(search))?,
                    }
                }
            }
        }
    }

    /// Waits for the next event. Returns `None` when a move is due, and stops a perft that exceeds
    /// its grace period after the end of the input.
    fn next_event(&self, events: &Receiver<Event>, state: &mut State) -> io::Result<Option<Event>> {
        let search = state.search().and_then(|search| Some((search.patience(self.ended)?, search)));
        let Some((patience, search)) = search else {
            return events.recv().map(Some).map_err(io::Error::other);
        };
        match events.recv_timeout(patience) {
            Err(RecvTimeoutError::Timeout) if search.is_perft() => search.stop(&self.signals),
            Err(RecvTimeoutError::Timeout) => false,
            event => return event.map(Some).map_err(io::Error::other),
        };
        Ok(None)
    }

    /// Waits for the next event, handles it and returns the new state.
    fn next_state(&mut self, events: &Receiver<Event>, mut state: State) -> io::Result<State> {
        let Some(event) = self.next_event(events, &mut state)? else { return Ok(state) };
        match event {
            Event::Line(_) | Event::TooLong { .. } if self.ended => {}
            Event::Line(line) => self.handle_line(line, &mut state)?,
            Event::TooLong { allowed } => {
                // only a `position` with many moves can be this long
                let found = format!("more than {allowed} bytes");
                let refusal = InvalidArgument::new("line", &found, format!("{allowed} bytes"));
                self.enqueue(Task::Position(Err(refusal)), found.len(), now())?;
            }
            Event::EndOfInput => {
                self.ended = true;
                if let Some(search) = state.search().filter(|search| search.ends_with_input()) {
                    search.stop(&self.signals);
                }
            }
            Event::Finished { end, due, written } => {
                if let Err(error) = written {
                    // the output is closed, but feelings are still recorded
                    self.write_down(&end)?;
                    return Err(error);
                }
                if let Some(search) = state.search() {
                    search.finish(end, due);
                }
            }
            Event::Returned(engine) => match &mut state {
                State::Busy(search) => search.take_back(engine),
                State::Idle(_) => state = State::Idle(engine),
            },
        }
        Ok(state)
    }

    /// Executes urgent commands immediately and queues the others.
    fn handle_line(&mut self, line: InputLine, state: &mut State) -> io::Result<()> {
        let InputLine { text: line, read } = line;
        self.output.log_input(&line);
        let command = match UciCommand::parse(&line) {
            Ok(command) => command,
            Err(refusal) => return self.output.error(refusal),
        };
        match command {
            UciCommand::Blank => Ok(()),
            UciCommand::Unknown(text) => self.report_stray(&format!("unknown command `{text}`")),
            UciCommand::Task(task) => {
                if self.debug && matches!(state, State::Busy(_)) {
                    self.output.note(format_args!("`{line}` waits for the search to end"))?;
                }
                self.enqueue(task, line.len(), read)
            }
            UciCommand::Urgent(urgent) => self.handle_urgent(urgent, state),
        }
    }

    /// Queues a task.
    fn enqueue(&mut self, task: Task, length: usize, read: Moment) -> io::Result<()> {
        match self.tasks.push(task, length, read) {
            Ok(()) => Ok(()),
            Err(refusal) => self.output.error(refusal),
        }
    }

    fn handle_urgent(&mut self, urgent: Urgent, state: &mut State) -> io::Result<()> {
        match urgent {
            Urgent::Uci => self.print_identity()?,
            // Scid attributes the first `bestmove` after `readyok` to the next search
            Urgent::IsReady if state.search().is_some_and(|search| search.is_ending()) => {
                self.enqueue(Task::Ready, 0, now())?;
            }
            Urgent::IsReady => self.output.line("readyok")?,
            Urgent::Debug(on) => self.debug = on,
            Urgent::Help => HELP.lines().try_for_each(|line| self.output.line(line))?,
            Urgent::Stop => {
                if !state.search().is_some_and(|search| search.stop(&self.signals)) {
                    self.update_waiting(|go| go.stopped = true);
                }
            }
            Urgent::PonderHit => {
                if !state.search().is_some_and(|search| search.ponder_hit(&self.signals)) {
                    self.update_waiting(|go| go.ponder = false);
                }
            }
            Urgent::Quit => {
                self.ended = true;
                self.tasks.clear();
                if let Some(search) = state.search() {
                    search.stop(&self.signals);
                }
            }
        }
        Ok(())
    }

    /// Applies a `stop` or `ponderhit` to the last waiting search, because the running one has
    /// already ended. GUIs may send `stop`, `go` and `stop` without waiting for a move.
    fn update_waiting(&mut self, update: impl FnOnce(&mut Go)) {
        let waiting = self.tasks.find_last(|task| match task {
            Task::Go(go) => Some(go),
            Task::Ready
            | Task::NewGame
            | Task::SetOption { .. }
            | Task::Position(_)
            | Task::Extra(_) => None,
        });
        if let Some(go) = waiting {
            update(go);
        }
    }

    fn print_identity(&self) -> io::Result<()> {
        self.output.line(concat!("id name Deep Feeling ", env!("CARGO_PKG_VERSION")))?;
        self.output.line("id author the Deep Feeling authors")?;
        for row in &ROWS {
            self.output.line(row)?;
        }
        #[cfg(feature = "tuning")]
        super::tuning::rows().try_for_each(|row| self.output.line(row))?;
        self.output.line("uciok")
    }

    fn report_stray(&self, what: &str) -> io::Result<()> {
        if self.debug {
            return self.output.note(what);
        }
        // Unexpected lines on stdout can confuse GUIs. A closed stderr is not an error.
        let _ = writeln!(io::stderr(), "{}", one_line(what));
        Ok(())
    }

    fn carry_out(&mut self, task: WaitingTask, mut engine: Box<Engine>) -> io::Result<State> {
        match task.task {
            Task::NewGame => {
                engine.new_game();
                self.settings.feelings().next_game();
            }
            Task::SetOption { name, value } => {
                match self.settings.set(&mut engine, &name, &value) {
                    Ok(Some(note)) => self.output.note(note)?,
                    Ok(None) => {}
                    Err(error) => self.output.error(error)?,
                }
            }
            Task::Position(text) => self.set_up(text)?,
            Task::Ready => self.output.line("readyok")?,
            Task::Extra(extra) if self.refused => self.refuse(extra.word())?,
            Task::Extra(extra) => match extra.carry_out(&mut self.game, &engine) {
                Ok(text) => text.lines().try_for_each(|line| self.output.line(line))?,
                Err(error) => self.output.error(error)?,
            },
            Task::Go(go) => return self.go(&go, task.read, engine),
        }
        self.free_since = now();
        Ok(State::Idle(engine))
    }

    /// Sets the position. If it is invalid, keeps the previous game but refuses to search it,
    /// because the move would belong to another game.
    fn set_up(&mut self, text: Result<String, InvalidArgument>) -> io::Result<()> {
        let mode = self.settings.mode();
        let read = text.map(|text| Game::parse(&text, Some(mode)));
        self.refused = !matches!(read, Ok(Ok(_)));
        match read {
            Ok(Ok(game)) => self.game = game,
            Ok(Err(error)) => self.output.error(error)?,
            Err(refusal) => self.output.error(refusal)?,
        }
        Ok(())
    }

    /// Lends the engine to the search thread. The clock starts when the command was `read`, or when
    /// the previous task ended if that was later.
    fn go(&mut self, go: &Go, read: Moment, engine: Box<Engine>) -> io::Result<State> {
        if !go.ignored.is_empty() {
            self.output.note(format_args!("go: ignored `{}`", go.ignored.join(" ")))?;
        }
        for refusal in &go.refused {
            self.output.error(refusal)?;
        }
        let mut search = Pending::new(go, &self.signals);
        if go.stopped || self.ended && search.ends_with_input() {
            search.stop(&self.signals);
        }
        if self.refused && go.bench.is_none() {
            self.refuse("go")?;
            search.finish(if go.is_search() { JobEnd::Refused } else { JobEnd::Counted }, None);
            search.take_back(engine);
            return Ok(State::Busy(search));
        }
        let kind = match (go.bench, go.perft) {
            (Some(depth), _) => JobKind::Bench(depth),
            (None, Some(depth)) => JobKind::Perft(depth),
            (None, None) => {
                let since = Some(read.max(self.free_since));
                JobKind::Search(Limits { since, ..self.limits(go)? })
            }
        };
        let (style, writes) = (self.settings.style(), self.settings.feelings().is_open());
        let job = Job { engine, game: self.game.clone(), kind, style, writes };
        self.jobs.send(job).map_err(|_| io::Error::other("the search thread has ended"))?;
        // `isready` is answered immediately during a search
        for _ in 0..self.tasks.remove(&Task::Ready) {
            self.output.line("readyok")?;
        }
        Ok(State::Busy(search))
    }

    /// Reports that a command cannot run because there is no valid position.
    fn refuse(&self, command: &str) -> io::Result<()> {
        let why = "there is no position, because the last one was refused";
        self.output.error(format_args!("{command}: {why}"))
    }

    fn limits(&self, go: &Go) -> io::Result<Limits> {
        let (limits, errors) = go.limits(&self.game);
        for error in errors {
            self.output.error(error)?;
        }
        Ok(limits)
    }

    /// Records and prints the result of a search.
    fn conclude(&mut self, end: JobEnd) -> io::Result<()> {
        self.write_down(&end)?;
        let outcome = match end {
            JobEnd::Searched(Some(outcome), _) => Some(outcome),
            JobEnd::Searched(None, _) => {
                let state = if self.game.chess.is_check() { "checkmate" } else { "stalemate" };
                self.output.note(format_args!("no legal move: {state}"))?;
                None
            }
            JobEnd::Refused => None,
            JobEnd::Counted => return Ok(()),
        };
        self.output.line(info::best_move(outcome.as_ref(), self.settings.mode()))?;
        self.free_since = now();
        Ok(())
    }

    /// Appends the record of the search to the feelings file, if it is open. Reports a failure and
    /// continues.
    fn write_down(&self, end: &JobEnd) -> io::Result<()> {
        let JobEnd::Searched(_, Some(notes)) = end else { return Ok(()) };
        match self.settings.feelings().append(notes) {
            Ok(()) => Ok(()),
            Err(why) => self.output.error(format_args!("FeelingsFile was closed: {why}")),
        }
    }
}
