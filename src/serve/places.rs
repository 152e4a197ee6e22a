//! Limits the open connections and decides which one to close when there are too many.
//!
//! A client may hold at most a quarter of all connections. When all are taken, the client with the
//! most connections loses one to a client with fewer. A client without connections therefore always
//! finds room.

use super::{client::Client, refusal::Refusal};
use hyper::StatusCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// The largest number of connections.
const MOST: usize = 256;
/// The largest number of connections per client.
const MOST_PER_CLIENT: usize = MOST / 4;
/// The largest number of event streams per client. The remaining connections are reserved for
/// requests.
const STREAMS_PER_CLIENT: usize = MOST_PER_CLIENT / 2;

/// The stage of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConnectionStage {
    /// The request is incomplete or has a wrong token.
    Arriving,
    Answering,
    Streaming,
}

#[derive(Debug)]
struct Connection {
    number: u64,
    client: Client,
    stage: ConnectionStage,
    /// Dropping it closes the connection.
    _closer: oneshot::Sender<()>,
}

#[derive(Debug, Default)]
struct OpenConnections {
    /// The open connections, oldest first.
    connections: Vec<Connection>,
    next: u64,
}

/// Whether there is room for a new connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Room {
    Free,
    /// There is room if the connection at this index is closed.
    InsteadOf(usize),
    Full,
}

/// All open connections.
#[derive(Debug, Default)]
pub(super) struct Places(Mutex<OpenConnections>);

/// A guard for the place of one connection. Dropping it frees the place.
#[derive(Debug)]
pub(super) struct Place {
    places: Arc<Places>,
    number: u64,
    pub client: Client,
}

impl Places {
    fn open(&self) -> MutexGuard<'_, OpenConnections> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place for a new connection, or returns `None` if there is no room. The receiver is
    /// woken when the connection must be closed to make room for another one.
    pub(super) fn take(self: &Arc<Self>, client: Client) -> Option<(Place, oneshot::Receiver<()>)> {
        let mut open = self.open();
        match open.room_for(client) {
            Room::Free => {}
            Room::InsteadOf(at) => drop(open.connections.remove(at)),
            Room::Full => return None,
        }
        let number = open.next;
        open.next += 1;
        let (closer, is_closed) = oneshot::channel();
        let stage = ConnectionStage::Arriving;
        open.connections.push(Connection { number, client, stage, _closer: closer });
        Some((Place { places: Arc::clone(self), number, client }, is_closed))
    }
}

impl OpenConnections {
    fn count(&self, client: Client) -> usize {
        self.connections.iter().filter(|one| one.client == client).count()
    }

    fn room_for(&self, client: Client) -> Room {
        let own = self.count(client);
        if own >= MOST_PER_CLIENT {
            return self.oldest_arriving(client).map_or(Room::Full, Room::InsteadOf);
        }
        if self.connections.len() < MOST {
            return Room::Free;
        }
        let greediest = self.connections.iter().map(|one| one.client);
        let greediest = greediest.max_by_key(|one| self.count(*one));
        let Some(greediest) = greediest.filter(|one| self.count(*one) > own) else {
            return Room::Full;
        };
        let oldest = || self.connections.iter().position(|one| one.client == greediest);
        self.oldest_arriving(greediest).or_else(oldest).map_or(Room::Full, Room::InsteadOf)
    }

    fn oldest_arriving(&self, client: Client) -> Option<usize> {
        let is_it =
            |one: &Connection| one.client == client && one.stage == ConnectionStage::Arriving;
        self.connections.iter().position(is_it)
    }
}

impl Place {
    /// Marks the request as complete. It is then no longer closed for a newer request of the same
    /// client.
    pub(super) fn arrived(&self) {
        self.enter(&mut self.places.open(), ConnectionStage::Answering);
    }

    /// Marks the connection as an event stream.
    ///
    /// # Errors
    /// If the client has reached its limit of event streams.
    pub(super) fn stream(&self) -> Result<(), Refusal> {
        let mut open = self.places.open();
        let is_stream = |one: &&Connection| {
            one.client == self.client && one.stage == ConnectionStage::Streaming
        };
        if open.connections.iter().filter(is_stream).count() >= STREAMS_PER_CLIENT {
            let why = format!(
                "event streams: found {STREAMS_PER_CLIENT} from your address \
                 (allowed: {STREAMS_PER_CLIENT})"
            );
            return Err(Refusal::plain(StatusCode::TOO_MANY_REQUESTS, why));
        }
        self.enter(&mut open, ConnectionStage::Streaming);
        Ok(())
    }

    fn enter(&self, open: &mut OpenConnections, stage: ConnectionStage) {
        if let Some(own) = open.connections.iter_mut().find(|one| one.number == self.number) {
            own.stage = stage;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.open().connections.retain(|one| one.number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Held = (Place, oneshot::Receiver<()>);

    fn client(last: u8) -> Client {
        Client::of([192, 0, 2, last].into())
    }

    fn hold(places: &Arc<Places>, last: u8, count: usize) -> Vec<Held> {
        (0..count).map(|_| places.take(client(last)).unwrap()).collect()
    }

    fn closed(held: &mut [Held]) -> usize {
        let is_closed = |(_, closed): &mut Held| {
            matches!(closed.try_recv(), Err(oneshot::error::TryRecvError::Closed))
        };
        held.iter_mut().map(is_closed).filter(|is_closed| *is_closed).count()
    }

    #[test]
    fn a_client_at_its_limit_replaces_its_oldest_incomplete_request() {
        let places = Arc::default();
        let mut held = hold(&places, 1, MOST_PER_CLIENT);
        held[0].0.arrived();
        let newest = places.take(client(1)).unwrap();
        assert_eq!((closed(&mut held[..1]), closed(&mut held[1..2]), closed(&mut held)), (0, 1, 1));
        newest.0.arrived();
        for (place, _) in &held {
            place.arrived();
        }
        assert!(places.take(client(1)).is_none(), "all requests are being answered");
        held.pop();
        assert!(places.take(client(1)).is_some(), "a place is free again");
    }

    #[test]
    fn a_new_client_always_finds_room() {
        let places = Arc::default();
        let mut greedy = hold(&places, 1, MOST_PER_CLIENT);
        for (place, _) in &greedy {
            place.arrived();
        }
        let mut others: Vec<_> = (2..=8).flat_map(|last| hold(&places, last, 27)).collect();
        let mut last = hold(&places, 9, MOST - MOST_PER_CLIENT - others.len());
        assert_eq!(places.open().connections.len(), MOST);
        let mut newcomers: Vec<_> = (10..40).flat_map(|last| hold(&places, last, 1)).collect();
        assert_eq!(closed(&mut greedy), newcomers.len());
        assert_eq!(closed(&mut others) + closed(&mut last) + closed(&mut newcomers), 0);
        assert_eq!(places.open().connections.len(), MOST);
    }

    #[test]
    fn event_streams_leave_connections_for_requests() {
        let places = Arc::default();
        let held = hold(&places, 1, MOST_PER_CLIENT);
        let streams = held.iter().filter(|(place, _)| place.stream().is_ok()).count();
        assert_eq!(streams, STREAMS_PER_CLIENT);
        assert!(places.take(client(1)).is_some());
    }
}
