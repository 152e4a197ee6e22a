//! Manages the open games, which have unguessable names.
//!
//! A client may have at most a quarter of all games. When the limit is reached, the client with the
//! most games loses one. A player's only game is never closed for others.

use super::{client::Client, refusal::Refusal, session::GameSession, temperaments::Temperament};
use crate::support::random::unforeseen;
use hyper::StatusCode;
use std::sync::{Arc, Mutex, PoisonError};

/// The largest number of open games.
const MOST: usize = 64;
/// The largest number of open games per client.
const MOST_PER_CLIENT: usize = MOST / 4;

#[derive(Debug)]
struct OpenGame {
    name: String,
    owner: Client,
    game: Arc<GameSession>,
}

/// The open games, least recently used first.
#[derive(Debug)]
pub(super) struct Lobby {
    games: Mutex<Vec<OpenGame>>,
    temperaments: Arc<[Temperament]>,
}

impl Lobby {
    pub(super) fn new(temperaments: Arc<[Temperament]>) -> Self {
        Self { games: Mutex::default(), temperaments }
    }

    /// Opens a game for `owner` and returns its name. If there are too many games, another one is
    /// closed.
    pub(super) fn open(&self, owner: Client) -> Result<String, Refusal> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = game_to_close(owner, &games)? {
            games.remove(at).game.abandon();
        }
        let bits = unforeseen().and_then(|one| Ok((one, unforeseen()?)));
        let (one, other) =
            bits.map_err(|error| Refusal::plain(StatusCode::INTERNAL_SERVER_ERROR, error))?;
        let name = format!("{one:016x}{other:016x}");
        let game = Arc::new(GameSession::new(owner, Arc::clone(&self.temperaments)));
        games.push(OpenGame { name: name.clone(), owner, game });
        Ok(name)
    }

    /// Returns the game with this name.
    pub(super) fn find(&self, name: &str) -> Result<Arc<GameSession>, Refusal> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(at) = games.iter().position(|known| known.name == name) else {
            return Err(Refusal::plain(
                StatusCode::NOT_FOUND,
                "this game does not exist or has been closed",
            ));
        };
        let found = games.remove(at);
        let session = Arc::clone(&found.game);
        games.push(found);
        Ok(session)
    }

    /// Stops all searches.
    pub(super) fn close(&self) {
        let games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.iter().for_each(|open| open.game.abandon());
    }
}

/// Returns the index of the game to close when `owner` opens a new one, or `None` if there is room.
///
/// The game belongs to the client with the most games, or to `owner` if no other client has more.
/// It is the least recently used one that nobody watches. If all games of another client are
/// watched, its least recently used one is closed.
///
/// # Errors
/// If `owner` has reached its limit and all its games are being watched.
fn game_to_close(owner: Client, games: &[OpenGame]) -> Result<Option<usize>, Refusal> {
    let count = |client| games.iter().filter(|open| open.owner == client).count();
    let idle = |client| games.iter().position(|one| one.owner == client && !one.game.is_watched());
    let own = count(owner);
    if own < MOST_PER_CLIENT && games.len() < MOST {
        return Ok(None);
    }
    let greediest = games.iter().map(|open| open.owner).max_by_key(|client| count(*client));
    let taken_from = greediest.filter(|client| own < MOST_PER_CLIENT && count(*client) > own);
    let oldest = || games.iter().position(|open| Some(open.owner) == taken_from);
    let at = idle(taken_from.unwrap_or(owner)).or_else(oldest);
    at.map(Some).ok_or_else(|| {
        let why = format!(
            "games: found {own} open and watched from your address (allowed: {MOST_PER_CLIENT})"
        );
        Refusal::plain(StatusCode::TOO_MANY_REQUESTS, why)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(last: u8) -> Client {
        Client::of([192, 0, 2, last].into())
    }

    fn lobby() -> Lobby {
        Lobby::new(Temperament::all(None).unwrap().into())
    }

    fn open(lobby: &Lobby, owner: u8, count: usize) -> Vec<String> {
        (0..count).map(|_| lobby.open(client(owner)).unwrap()).collect()
    }

    #[test]
    fn a_client_at_its_limit_loses_its_oldest_unwatched_game() {
        let lobby = lobby();
        let names = open(&lobby, 1, MOST_PER_CLIENT);
        assert_ne!(names[0], names[1]);
        let watched = lobby.find(&names[1]).unwrap().listen().unwrap();
        for name in &names {
            lobby.find(name).unwrap();
        }
        open(&lobby, 1, 1);
        assert!(lobby.find(&names[0]).is_err() && lobby.find(&names[1]).is_ok());
        let listen = |open: &OpenGame| open.game.listen().unwrap();
        let all: Vec<_> = lobby.games.lock().unwrap().iter().map(listen).collect();
        let full = lobby.open(client(1)).unwrap_err();
        assert_eq!(full.status, StatusCode::TOO_MANY_REQUESTS);
        assert!(lobby.open(client(2)).is_ok());
        drop((watched, all));
    }

    #[test]
    fn the_only_game_of_a_player_is_never_closed_for_others() {
        let lobby = lobby();
        let idle = open(&lobby, 1, 1);
        let mut watched = Vec::new();
        for owner in 2..6 {
            for name in open(&lobby, owner, MOST_PER_CLIENT) {
                watched.extend(lobby.find(&name).map(|game| game.listen()));
            }
        }
        assert_eq!(lobby.games.lock().unwrap().len(), MOST);
        let newcomer = open(&lobby, 7, 1);
        assert!(lobby.find(&idle[0]).is_ok() && lobby.find(&newcomer[0]).is_ok());
        assert_eq!(lobby.games.lock().unwrap().len(), MOST);
    }
}
