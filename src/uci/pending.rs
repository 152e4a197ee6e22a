//! A search between its `go` and its `bestmove`, and when its move may be told.

use super::{go::Go, search_thread::End};
use crate::{engine::Engine, search::Signals};
use std::sync::atomic::Ordering;

/// A search that has begun and whose move was not told yet.
pub(super) struct Pending {
    infinite: bool,
    pondering: bool,
    stopped: bool,
    /// What came of it, kept while the protocol forbids to tell it.
    done: Option<(Box<Engine>, End)>,
}

impl Pending {
    /// The search that `go` asks for; sets `signals` for it.
    pub(super) fn new(go: &Go, signals: &Signals) -> Self {
        signals.stop.store(false, Ordering::Relaxed);
        signals.pondering.store(go.ponder, Ordering::Relaxed);
        Self { infinite: go.is_infinite(), pondering: go.ponder, stopped: false, done: None }
    }

    /// Whether nothing but a command ends the search.
    pub(super) fn is_unbounded(&self) -> bool {
        !self.stopped && (self.infinite || self.pondering)
    }

    /// Ends the search. False if it was told so before.
    pub(super) fn stop(&mut self, signals: &Signals) -> bool {
        signals.stop.store(true, Ordering::Relaxed);
        !std::mem::replace(&mut self.stopped, true)
    }

    /// Goes on as an ordinary search: the opponent played the expected move. False if the search
    /// does not wait for that.
    pub(super) fn ponder_hit(&mut self, signals: &Signals) -> bool {
        signals.pondering.store(false, Ordering::Relaxed);
        !self.stopped && std::mem::take(&mut self.pondering)
    }

    /// Keeps what came of the search.
    pub(super) fn finish(&mut self, engine: Box<Engine>, end: End) {
        self.done = Some((engine, end));
    }

    /// The engine and what came of the search, once it is over and that may be told. The engine forgets
    /// what it felt about a reply that the opponent did not play; what is written down tells of it.
    pub(super) fn due(mut self) -> Result<(Box<Engine>, End), Self> {
        match self.done.take() {
            Some((mut engine, mut end)) if !self.is_unbounded() => {
                if let End::Searched(_, notes) = &mut end
                    && self.pondering
                {
                    engine.forget_feeling();
                    if let Some(notes) = notes {
                        notes.miss();
                    }
                }
                Ok((engine, end))
            }
            done => Err(Self { done, ..self }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profile;

    fn finished(go: &str, signals: &Signals) -> Pending {
        let mut search = Pending::new(&Go::parse(go).unwrap(), signals);
        let profile = Profile::builtin(Profile::BUILTIN[0]).unwrap();
        search.finish(Box::new(Engine::new(profile).unwrap()), End::Searched(None, None));
        search
    }

    #[test]
    fn a_move_is_kept_until_it_may_be_told() {
        let signals = Signals::default();
        assert!(finished("depth 1", &signals).due().is_ok());
        assert!(finished("perft 3 infinite", &signals).due().is_ok());
        for go in ["infinite", "ponder depth 1", "ponder infinite"] {
            let Err(mut search) = finished(go, &signals).due() else { unreachable!("{go}") };
            assert!(search.stop(&signals) && !search.stop(&signals));
            assert!(search.due().is_ok(), "{go}");
        }
    }

    #[test]
    fn only_a_bounded_search_is_due_at_ponderhit() {
        let signals = Signals::default();
        let mut search = finished("ponder depth 1", &signals);
        assert!(search.ponder_hit(&signals) && !search.ponder_hit(&signals));
        assert!(search.due().is_ok() && !signals.pondering.load(Ordering::Relaxed));
        let mut search = finished("ponder", &signals);
        assert!(search.ponder_hit(&signals) && search.due().is_err());
    }
}
