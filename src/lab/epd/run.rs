//! The engine works through a suite, several positions at once.

use super::record::{Record, Verdict};
use crate::{
    chess::score::Score,
    player::{Engine, HashError},
    profile::Profile,
    search::{
        Outcome, Signals,
        root::{limits::Limits, report::Silent},
    },
    support::threads::{NoThread, numbers_in_order},
};
use shakmaty::Move;
use std::{sync::atomic::Ordering::Relaxed, time::Duration};

/// How every position is searched.
#[derive(Clone, Debug)]
pub struct Settings {
    pub profile: Profile,
    pub emotions: Emotions,
    /// Percent of every factor's distance from 1, 0 to 200.
    pub emotion_strength: u16,
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
    #[error(transparent)]
    Thread(#[from] NoThread),
}

/// Searches every record. Each search starts from an empty table, so that neither the order nor the
/// number of threads changes an answer. `each` hears of the trials in the records' order, as soon
/// as those before are done. When `signals` say stop, what is not finished is left out, and what
/// comes after it.
///
/// # Errors
/// If a table or a thread cannot be had.
pub fn run(
    records: &[&Record],
    settings: &Settings,
    signals: &Signals,
    mut each: impl FnMut(&Trial),
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
            Ok(emotions.map(answer).collect::<Option<_>>().map(|answers| Trial { index, answers }))
        },
        |_, trial| {
            each(trial);
            Ok(false)
        },
    )
}

fn engine(settings: &Settings) -> Result<Engine, HashError> {
    let mut engine = Engine::new(settings.profile.clone())?;
    engine.set_hash(settings.hash)?;
    // a table takes its memory only when written to; the next engine must find it taken
    engine.clear_hash();
    engine.emotion_strength = settings.emotion_strength;
    // no move has to be sent anywhere in time
    engine.overhead = Duration::ZERO;
    Ok(engine)
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
    let outcome = engine.go(&record.game, &limits, signals, &mut Silent)?;
    if signals.stop.load(Relaxed) {
        return None;
    }
    let Outcome { best, score, depth, nodes, .. } = outcome;
    let verdict = record.judge(best, score);
    Some(Answer { emotion, best, score, depth, nodes, verdict })
}
