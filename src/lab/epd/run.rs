//! Runs the engine on a suite, with several positions searched in parallel.

use super::record::{AnswerScore, EpdRecord};
use crate::{
    chess::score::Score,
    player::{Engine, Options, OptionsError},
    profile::Profile,
    search::{
        SearchResult, Signals,
        root::{limits::Limits, report::Silent},
    },
    support::threads::{NoThread, numbers_in_order},
};
use shakmaty::Move;
use std::{sync::atomic::Ordering::Relaxed, time::Duration};

/// The engine and the limits for a run.
#[derive(Clone, Debug)]
pub struct EpdOptions {
    pub profile: Profile,
    /// Takes precedence over [`Options::emotion`].
    pub emotions: Emotions,
    /// The options of each engine. The overhead is ignored.
    pub options: Options,
    /// The number of positions searched in parallel, at least 1.
    pub threads: usize,
    pub limits: Limits,
}

/// Whether the engine searches with emotions, without them, or both ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emotions {
    /// Each position is searched once, with emotions.
    On,
    /// Each position is searched once, without emotions.
    Off,
    /// Each position is searched twice, with and without emotions.
    Both,
}

impl Emotions {
    /// Returns the emotion setting of each search of a position, in order.
    pub const fn each(self) -> &'static [bool] {
        match self {
            Self::On => &[true],
            Self::Off => &[false],
            Self::Both => &[true, false],
        }
    }
}

/// The engine's answer to a position, and its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether the engine searched with emotions.
    pub emotion: bool,
    pub best: Move,
    pub score: Score,
    /// The depth of the last completed iteration, in plies.
    pub depth: u8,
    pub nodes: u64,
    pub verdict: AnswerScore,
}

/// The answers to one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpdTrial {
    /// The position's index among the records, from 0.
    pub index: usize,
    /// One answer per entry of [`Emotions::each`], in the same order.
    pub answers: Vec<Answer>,
}

/// The reason why a run could not start.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Engine(#[from] OptionsError),
    #[error(transparent)]
    Thread(#[from] NoThread),
}

/// Searches every record.
///
/// Each search starts with an empty hash table, so that neither the order nor the number of threads
/// changes an answer. `each` receives the trials in the order of the records. If `signals` stop the
/// run, the first unfinished trial and all later ones are dropped.
///
/// # Errors
/// If a hash table cannot be allocated or a thread cannot be started.
pub fn run(
    records: &[&EpdRecord],
    settings: &EpdOptions,
    signals: &Signals,
    mut each: impl FnMut(&EpdTrial),
) -> Result<(), RunError> {
    let threads = settings.threads.clamp(1, records.len().max(1));
    let engines = (0..threads).map(|_| engine(settings)).collect::<Result<Vec<_>, _>>()?;
    numbers_in_order(
        engines,
        0..records.len() as u64,
        &signals.stop,
        |engine, number, stopped| {
            if stopped() {
                return Ok(None);
            }
            let (index, emotions) = (number as usize, settings.emotions.each().iter());
            let answer =
                |emotion: &bool| answer(engine, records[index], *emotion, settings, signals);
            let answers: Option<Vec<_>> = emotions.map(answer).collect::<Result<_, _>>()?;
            Ok(answers.map(|answers| EpdTrial { index, answers }))
        },
        |_, trial| {
            each(trial);
            Ok(false)
        },
    )
}

fn engine(settings: &EpdOptions) -> Result<Engine, OptionsError> {
    // there is no GUI, hence no communication delay
    let options = Options { overhead: Duration::ZERO, ..settings.options.clone() };
    let mut engine = Engine::new(settings.profile.clone(), options)?;
    // the system commits memory only on writing; commit it now, so that the next allocation sees it
    engine.clear_hash();
    Ok(engine)
}

/// Searches one record. Returns `None` if the search was stopped.
fn answer(
    engine: &mut Engine,
    record: &EpdRecord,
    emotion: bool,
    settings: &EpdOptions,
    signals: &Signals,
) -> Result<Option<Answer>, OptionsError> {
    engine.new_game();
    engine.change(|options| options.emotion = emotion)?;
    // the search can end as soon as the required mate is found
    let mate = record.mate().and_then(|moves| u8::try_from(moves).ok());
    let limits = Limits { mate, ..settings.limits.clone() };
    let outcome = engine.go(&record.game, &limits, signals, &mut Silent);
    Ok(outcome.filter(|_| !signals.stop.load(Relaxed)).map(|outcome| {
        let SearchResult { best, score, depth, nodes, .. } = outcome;
        let verdict = record.judge(best, score);
        Answer { emotion, best, score, depth, nodes, verdict }
    }))
}
