//! The games there are, by names that nobody can guess.

use super::{refusal::Refusal, session::Session, temperaments::Temperament};
use crate::random::unforeseen;
use hyper::StatusCode;
use std::sync::{Arc, Mutex, PoisonError};

/// Games at once.
const MOST: usize = 64;

/// The games, the one used last at the end.
#[derive(Debug)]
pub(super) struct Lobby {
    games: Mutex<Vec<(String, Arc<Session>)>>,
    temperaments: Arc<[Temperament]>,
}

impl Lobby {
    pub(super) fn new(temperaments: Arc<[Temperament]>) -> Self {
        Self { games: Mutex::default(), temperaments }
    }

    /// Opens a game and gives it a name. If there are too many, the one goes that nobody looks at
    /// and that was not used for longest.
    pub(super) fn open(&self) -> Result<String, Refusal> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        if games.len() >= MOST {
            let idle = games.iter().position(|(_, game)| !game.is_watched());
            let Some(idle) = idle else {
                let why = format!("{MOST} games are open and looked at (allowed: {MOST})");
                return Err(Refusal::plain(StatusCode::SERVICE_UNAVAILABLE, why));
            };
            games.remove(idle).1.abandon();
        }
        let bits = unforeseen().and_then(|one| Ok((one, unforeseen()?)));
        let (one, other) =
            bits.map_err(|error| Refusal::plain(StatusCode::INTERNAL_SERVER_ERROR, error))?;
        let name = format!("{one:016x}{other:016x}");
        games.push((name.clone(), Arc::new(Session::new(Arc::clone(&self.temperaments)))));
        Ok(name)
    }

    /// The game of this name.
    pub(super) fn find(&self, name: &str) -> Result<Arc<Session>, Refusal> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(at) = games.iter().position(|(known, _)| known == name) else {
            return Err(Refusal::plain(StatusCode::NOT_FOUND, "there is no such game (any more)"));
        };
        let found = games.remove(at);
        let session = Arc::clone(&found.1);
        games.push(found);
        Ok(session)
    }

    /// Stops all searches.
    pub(super) fn close(&self) {
        let games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.iter().for_each(|(_, game)| game.abandon());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_game_that_nobody_looks_at_makes_room() {
        let lobby = Lobby::new(Temperament::all(None).unwrap().into());
        let names: Vec<_> = (0..MOST).map(|_| lobby.open().unwrap()).collect();
        assert_ne!(names[0], names[1]);
        let watched = lobby.find(&names[1]).unwrap().listen();
        lobby.find(&names[0]).unwrap();
        let _ = (2..MOST).map(|i| lobby.find(&names[i])).collect::<Vec<_>>();
        lobby.open().unwrap();
        assert!(lobby.find(&names[0]).is_err() && lobby.find(&names[1]).is_ok());
        let all: Vec<_> = lobby.games.lock().unwrap().iter().map(|g| g.1.listen()).collect();
        let full = lobby.open().unwrap_err();
        assert_eq!(full.status, StatusCode::SERVICE_UNAVAILABLE);
        drop((watched, all));
    }
}
