//! A search between its `go` and its `bestmove`, and when its move may be told.

use super::{go::Go, search_thread::End};
use crate::{player::Engine, search::Signals};
use std::sync::atomic::Ordering;

/// What ends a search, if no command does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Limit {
    Nothing,
    Clock,
    /// It counts moves, and ends when all are counted.
    Perft,
    /// A depth, a number of nodes or a mate.
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

/// A search that has begun, until the engine is back.
pub(super) struct Pending {
    limit: Limit,
    pondering: bool,
    stopped: bool,
    /// Its result, kept while the protocol forbids to report it.
    end: Option<End>,
    /// Its result has been reported.
    reported: bool,
    /// The engine, once all threads of the search have ended.
    engine: Option<Box<Engine>>,
}

impl Pending {
    /// The search that `go` asks for; sets `signals` for it.
    pub(super) fn new(go: &Go, signals: &Signals) -> Self {
        signals.stop.store(false, Ordering::Relaxed);
        signals.pondering.store(go.ponder, Ordering::Relaxed);
        Self {
            limit: Limit::of(go),
            pondering: go.ponder,
            stopped: false,
            end: None,
            reported: false,
            engine: None,
        }
    }

    /// Whether nothing but a command ends the search.
    pub(super) fn is_unbounded(&self) -> bool {
        !self.stopped && (self.limit == Limit::Nothing || self.pondering)
    }

    /// Whether the search would go on for a time nobody waits for once the input has ended.
    pub(super) fn ends_with_input(&self) -> bool {
        self.is_unbounded() || self.limit == Limit::Clock
    }

    /// Whether it counts moves and has not ended.
    pub(super) fn is_perft(&self) -> bool {
        self.limit == Limit::Perft && !self.stopped
    }

    /// Ends the search. False if it has ended or was stopped before.
    pub(super) fn stop(&mut self, signals: &Signals) -> bool {
        signals.stop.store(true, Ordering::Relaxed);
        !std::mem::replace(&mut self.stopped, true) && !self.reported
    }

    /// Goes on as an ordinary search: the opponent played the expected move. False if the search
    /// does not wait for that.
    pub(super) fn ponder_hit(&mut self, signals: &Signals) -> bool {
        signals.pondering.store(false, Ordering::Relaxed);
        !self.stopped && !self.reported && std::mem::take(&mut self.pondering)
    }

    /// Keeps the result of the search.
    pub(super) fn finish(&mut self, end: End) {
        self.end = Some(end);
    }

    /// Whether the result has been reported, and only the engine is missing.
    pub(super) fn is_reported(&self) -> bool {
        self.reported
    }

    /// Keeps the engine, which has come back.
    pub(super) fn take_back(&mut self, engine: Box<Engine>) {
        self.engine = Some(engine);
    }

    /// The result of the search, as soon as there is one that may be reported.
    pub(super) fn due(&mut self) -> Option<End> {
        if self.is_unbounded() {
            return None;
        }
        let mut end = self.end.take()?;
        if let End::Searched(_, Some(notes)) = &mut end
            && self.pondering
        {
            notes.miss();
        }
        self.reported = true;
        Some(end)
    }

    /// The engine, if it is back and the result has been reported. It forgets what it felt about a
    /// reply that the opponent did not play.
    pub(super) fn over(mut self) -> Result<Box<Engine>, Self> {
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
    use crate::profile::Profile;

    fn finished(go: &str, signals: &Signals) -> Pending {
        let mut search = Pending::new(&Go::parse(go).unwrap(), signals);
        search.finish(End::Searched(None, None));
        search
    }

    fn engine() -> Box<Engine> {
        let profile = Profile::builtin(Profile::BUILTIN[0]).unwrap();
        Box::new(Engine::new(profile).unwrap())
    }

    #[test]
    fn a_move_is_kept_until_it_may_be_reported() {
        let signals = Signals::default();
        assert!(finished("depth 1", &signals).due().is_some());
        assert!(finished("perft 3 infinite", &signals).due().is_some());
        for go in ["infinite", "ponder depth 1", "ponder infinite"] {
            let mut search = finished(go, &signals);
            assert!(search.due().is_none(), "{go}");
            assert!(search.stop(&signals) && !search.stop(&signals));
            assert!(search.due().is_some(), "{go}");
        }
    }

    #[test]
    fn only_a_bounded_search_is_due_at_ponderhit() {
        let signals = Signals::default();
        let mut search = finished("ponder depth 1", &signals);
        assert!(search.ponder_hit(&signals) && !search.ponder_hit(&signals));
        assert!(search.due().is_some() && !signals.pondering.load(Ordering::Relaxed));
        let mut search = finished("ponder", &signals);
        assert!(search.ponder_hit(&signals) && search.due().is_none());
    }

    #[test]
    fn the_move_does_not_wait_for_the_engine_but_the_next_search_does() {
        let signals = Signals::default();
        let mut search = finished("depth 1", &signals);
        assert!(search.due().is_some() && search.due().is_none());
        assert!(!search.stop(&signals), "that `stop` is for a search that waits");
        let mut search = search.over().err().unwrap();
        search.take_back(engine());
        assert!(search.over().is_ok());
        let mut held = finished("infinite", &signals);
        held.take_back(engine());
        assert!(held.over().is_err(), "its move is not reported yet");
    }
}
