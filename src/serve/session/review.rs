//! Reviews a finished game for its player, in a worker.

use super::{Answer, GameSession, state::GameState};
use crate::{
    pgn::Games,
    profile::Profile,
    review::{
        Reviewer, coach,
        report::{ProfileReview, Report},
    },
    search::{Signals, root::limits::Limits},
    serve::refusal::Refusal,
};
use hyper::StatusCode;
use serde::Serialize;
use std::{
    io::Cursor,
    num::NonZeroU64,
    sync::{Arc, MutexGuard, PoisonError, atomic::Ordering::Relaxed},
};

/// The profile that judges the moves. The opponent's own judgement is shown beside it.
const JUDGE: &str = "standard";
/// The largest number of nodes per position, and per game.
const NODES: [u64; 2] = [20_000, 8_000_000];

/// The review of a game and its progress.
#[derive(Debug, Default)]
pub(super) struct GameReview {
    /// The game as PGN.
    pgn: String,
    progress: ReviewProgress,
    signals: Arc<Signals>,
    report: Option<Arc<Report>>,
    stage: Stage,
}

/// The stage of a review.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Unasked,
    Waiting,
    Running,
    Done,
}

/// Number of positions that are reviewed, and of all positions.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(in crate::serve) struct ReviewProgress {
    done: usize,
    all: usize,
    /// Whether the report can be read.
    ready: bool,
}

/// A review to be made by a worker.
#[derive(Debug)]
pub(in crate::serve) struct ReviewTask {
    pgn: String,
    profiles: Vec<Profile>,
    pub signals: Arc<Signals>,
}

impl GameReview {
    /// Stops the review, because the game is closed or has changed.
    pub(super) fn stop(&mut self) {
        self.signals.stop.store(true, Relaxed);
    }
}

impl GameSession {
    pub(super) fn review(&self) -> MutexGuard<'_, GameReview> {
        self.review.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for the review of a finished game. Returns its progress, and whether it needs a worker.
    pub(super) fn ask_review(&self, table: &GameState) -> Result<(Answer, bool), Refusal> {
        if table.end.is_none() || table.plies.is_empty() {
            let why = "You can look back at a game when it is over.";
            return Err(Refusal::plain(StatusCode::CONFLICT, why));
        }
        let pgn = table.pgn(&self.temperaments);
        let mut review = self.review();
        if review.stage == Stage::Unasked || review.pgn != pgn {
            review.stop();
            let all = table.plies.len() * self.judges(table.order.choice).len();
            let progress = ReviewProgress { done: 0, all, ready: false };
            *review = GameReview { pgn, progress, stage: Stage::Waiting, ..GameReview::default() };
        }
        Ok((Answer::Review(review.progress), review.stage == Stage::Waiting))
    }

    /// Returns the profiles that review a game against the profile at index `choice`.
    fn judges(&self, choice: usize) -> Vec<Profile> {
        let opponent = self.temperaments.get(choice);
        let judge = self.temperaments.iter().find(|one| one.id == JUDGE);
        let other = opponent.filter(|one| one.id != JUDGE);
        judge.into_iter().chain(other).map(|one| one.profile.clone()).collect()
    }

    /// Starts the review that the game is waiting for, if any.
    pub(in crate::serve) fn begin_review(&self) -> Option<ReviewTask> {
        let choice = self.table().order.choice;
        let mut review = self.review();
        if review.stage != Stage::Waiting {
            return None;
        }
        review.stage = Stage::Running;
        let profiles = self.judges(choice);
        let (pgn, signals) = (review.pgn.clone(), Arc::clone(&review.signals));
        Some(ReviewTask { pgn, profiles, signals })
    }

    /// Stores the report of a review. Without a report, the review can be asked for again.
    pub(in crate::serve) fn end_review(&self, signals: &Arc<Signals>, report: Option<Report>) {
        let mut review = self.review();
        if !Arc::ptr_eq(&review.signals, signals) {
            return;
        }
        review.stage = if report.is_some() { Stage::Done } else { Stage::Unasked };
        review.progress.ready = report.is_some();
        review.report = report.map(Arc::new);
    }

    /// Returns the report of the review.
    ///
    /// # Errors
    /// If the review is not finished.
    pub(in crate::serve) fn report(&self) -> Result<Arc<Report>, Refusal> {
        let missing = || Refusal::plain(StatusCode::CONFLICT, "The review is not ready yet.");
        self.review().report.clone().ok_or_else(missing)
    }

    fn reviewed_one(&self, signals: &Arc<Signals>) {
        let mut review = self.review();
        if Arc::ptr_eq(&review.signals, signals) {
            review.progress.done += 1;
        }
    }
}

impl ReviewTask {
    /// Reviews the game. Returns `None` if the review is stopped.
    pub(in crate::serve) fn run(&self, session: &GameSession) -> Option<Report> {
        let played = Games::of(Box::new(Cursor::new(self.pgn.clone()))).next()?.ok()?;
        let [most, of_game] = NODES;
        let searches = (played.moves.len() * self.profiles.len()).max(1) as u64;
        let nodes = NonZeroU64::new(most.min(of_game / searches))?;
        let mut reviews = Vec::new();
        for profile in &self.profiles {
            let mut reviewer = Reviewer::new(profile.clone(), Limits::of_nodes(nodes)).ok()?;
            let done = |_| session.reviewed_one(&self.signals);
            reviews.push(reviewer.review_by_ply(&played, &self.signals, done)?);
        }
        let mut both = self.profiles.iter().zip(&reviews);
        let mut next = || both.next().map(|(profile, review)| ProfileReview { profile, review });
        let first = next()?;
        let lessons = coach::lessons_of(first.review, first.profile).ok()?;
        Some(Report::new(first, next(), &lessons, &format!("{nodes} nodes per move")))
    }
}
