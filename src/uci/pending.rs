//! Tracks a search between `go` and `bestmove`, and decides when its move may be reported.

use super::{event::JobEnd, go::Go};
use crate::{
    player::Engine,
    search::{
        Signals,
        root::moment::{Moment, now},
    },
};
use std::{sync::atomic::Ordering, time::Duration};

/// How long a perft may continue after the end of the input. This allows a short perft in a shell
/// pipe and stops a long one.
const PERFT_GRACE: Duration = Duration::from_secs(1);

/// What ends a search, apart from commands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Limit {
    Nothing,
    Clock,
    /// A perft. It ends when all moves are counted.
    Perft,
    /// A depth, a node count or a mate distance.
    Work,
}

impl Limit {
    fn of(go: &Go) -> Self {
        if go.perft.is_some() {
            Self::Perft
        } else if go.is_infinite() {
            Self::Nothing
        } else if go.is_timed() {
            Self::Clock
        } else {
            Self::Work
        }
    }
}

/// A search that has started and has not returned the engine yet.
pub(super) struct Pending {
    limit: Limit,
    pondering: bool,
    stopped: bool,
    /// The result, kept until the protocol allows reporting it.
    end: Option<JobEnd>,
    /// When the result may be reported, unless `stop` comes first.
    due: Option<Moment>,
    /// Whether the result has been reported.
    reported: bool,
    /// The engine, once all threads of the search have ended.
    engine: Option<Box<Engine>>,
}

impl Pending {
    /// Creates the state for the search that `go` starts, and resets `signals`.
    pub(super) fn new(go: &Go, signals: &Signals) -> Self {
        signals.stop.store(false, Ordering::Relaxed);
        signals.pondering.store(go.ponder, Ordering::Relaxed);
        Self {
            limit: Limit::of(go),
            pondering: go.ponder,
            stopped: false,
            end: None,
            due: None,
            reported: false,
            engine: None,
        }
    }

    /// Returns whether only a command ends the search.
    pub(super) fn is_unbounded(&self) -> bool {
        !self.stopped && (self.limit == Limit::Nothing || self.pondering)
    }

    /// Returns whether to stop this search at the end of the input.
    pub(super) fn ends_with_input(&self) -> bool {
        self.is_unbounded() || self.limit == Limit::Clock
    }

    /// Returns whether this is a perft that was not stopped.
    pub(super) fn is_perft(&self) -> bool {
        self.limit == Limit::Perft && !self.stopped
    }

    /// Stops the search. Returns false if it was already stopped or reported.
    pub(super) fn stop(&mut self, signals: &Signals) -> bool {
        signals.stop.store(true, Ordering::Relaxed);
        !std::mem::replace(&mut self.stopped, true) && !self.reported
    }

    /// Switches from pondering to a normal search, because the opponent played the expected move.
    /// Returns false if the search is not pondering.
    pub(super) fn ponder_hit(&mut self, signals: &Signals) -> bool {
        signals.pondering.store(false, Ordering::Relaxed);
        !self.stopped && !self.reported && std::mem::take(&mut self.pondering)
    }

    /// Stores the result of the search, to be reported when it is `due`, or immediately.
    pub(super) fn finish(&mut self, end: JobEnd, due: Option<Moment>) {
        (self.end, self.due) = (Some(end), due);
    }

    /// Returns how long to wait for an event: until the result is due, or, after the input has
    /// `ended`, the grace period of a perft. `None` means forever.
    pub(super) fn patience(&self, ended: bool) -> Option<Duration> {
        let waits = self.end.is_some() && !self.stopped && !self.is_unbounded();
        let rest = self.due.filter(|_| waits).map(|due| due.saturating_duration_since(now()));
        rest.or((ended && self.is_perft()).then_some(PERFT_GRACE))
    }

    /// Returns whether the result has been reported, or is about to be because of a `stop`.
    pub(super) fn is_ending(&self) -> bool {
        self.reported || self.stopped
    }

    /// Stores the returned engine.
    pub(super) fn take_back(&mut self, engine: Box<Engine>) {
        self.engine = Some(engine);
    }

    /// Takes the result if it may be reported now.
    pub(super) fn take_result(&mut self) -> Option<JobEnd> {
        let is_early = !self.stopped && self.due.is_some_and(|due| now() < due);
        if is_early || self.is_unbounded() {
            return None;
        }
        let mut end = self.end.take()?;
        if let JobEnd::Searched(_, Some(notes)) = &mut end
            && self.pondering
        {
            notes.miss();
        }
        self.reported = true;
        Some(end)
    }

    /// Returns the engine if it is back and the result has been reported. After a ponder miss, the
    /// engine forgets the feeling about the move that was not played.
    pub(super) fn into_engine(mut self) -> Result<Box<Engine>, Self> {
        match self.engine.take() {
            Some(mut engine) if self.reported => {
                if self.pondering {
                    engine.forget_feeling();
                }
                Ok(engine)
            }
            engine => Err(Self { engine, ..self }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{player::Options, profile::Profile};

    fn finished(go: &str, signals: &Signals) -> Pending {
        let mut search = Pending::new(&Go::parse(go).unwrap(), signals);
        search.finish(JobEnd::Searched(None, None), None);
        search
    }

    fn engine() -> Box<Engine> {
        let profile = Profile::builtin(Profile::BUILTIN[0]).unwrap();
        Box::new(Engine::new(profile, Options::default()).unwrap())
    }

    #[test]
    fn a_move_is_held_back_until_it_may_be_reported() {
        let signals = Signals::default();
        assert!(finished("depth 1", &signals).take_result().is_some());
        assert!(finished("perft 3 infinite", &signals).take_result().is_some());
        for go in ["infinite", "ponder depth 1", "ponder infinite"] {
            let mut search = finished(go, &signals);
            assert!(search.take_result().is_none(), "{go}");
            assert!(search.stop(&signals) && !search.stop(&signals));
            assert!(search.take_result().is_some(), "{go}");
        }
    }

    #[test]
    fn ponderhit_reports_a_finished_search_only_if_it_has_a_limit() {
        let signals = Signals::default();
        let mut search = finished("ponder depth 1", &signals);
        assert!(search.ponder_hit(&signals) && !search.ponder_hit(&signals));
        assert!(search.take_result().is_some() && !signals.pondering.load(Ordering::Relaxed));
        let mut search = finished("ponder", &signals);
        assert!(search.ponder_hit(&signals) && search.take_result().is_none());
    }

    #[test]
    fn a_move_waits_until_it_is_due_or_stopped() {
        let signals = Signals::default();
        let due = |go: &str, seconds| {
            let mut search = Pending::new(&Go::parse(go).unwrap(), &signals);
            assert_eq!(search.patience(false), None, "the search runs");
            let due = now() + Duration::from_secs(seconds);
            search.finish(JobEnd::Searched(None, None), Some(due));
            search
        };
        let mut search = due("wtime 9000", 3600);
        assert!(search.take_result().is_none());
        assert!(search.patience(false) > Some(Duration::from_mins(50)));
        assert!(search.stop(&signals) && search.take_result().is_some());
        assert!(due("wtime 9000", 0).take_result().is_some());
        // thinking while pondering counts
        let mut search = due("ponder wtime 9000", 0);
        assert!(search.take_result().is_none() && search.patience(false).is_none());
        assert!(search.ponder_hit(&signals) && search.take_result().is_some());
        let mut search = due("ponder wtime 9000", 3600);
        assert!(search.ponder_hit(&signals) && search.take_result().is_none());
        assert!(search.patience(false).is_some() && search.stop(&signals));
        assert!(search.take_result().is_some());
    }

    #[test]
    fn the_move_is_reported_before_the_engine_returns() {
        let signals = Signals::default();
        let mut search = finished("depth 1", &signals);
        assert!(search.take_result().is_some() && search.take_result().is_none());
        assert!(!search.stop(&signals), "`stop` applies to a waiting search");
        let mut search = search.into_engine().err().unwrap();
        search.take_back(engine());
        assert!(search.into_engine().is_ok());
        let mut held = finished("infinite", &signals);
        held.take_back(engine());
        assert!(held.into_engine().is_err(), "the move is not reported yet");
    }
}
