//! Slows down token guessing: each wrong token of a client takes longer to answer than the last.
//!
//! The delay slows down sequential guesses. Parallel guesses are limited by the number of wrong
//! tokens that wait at the same time. Beyond that number, tokens of the client are rejected
//! unchecked, unless it has shown the right one before. Therefore, guesses of others cannot lock
//! out a player behind the same proxy.

use super::client::Client;
use crate::search::root::time::Timer;
use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Delay after the first wrong token. Each further one doubles the delay up to `LONGEST`.
const SHORTEST: Duration = Duration::from_millis(250);
const LONGEST: Duration = Duration::from_secs(8);
/// The largest number of wrong tokens of one client that wait at the same time.
const MOST_WAITING: usize = 16;
/// A client is forgiven after this time without a wrong token.
const MEMORY: Duration = Duration::from_mins(10);
/// The largest number of clients remembered.
const MOST: usize = 1024;

#[derive(Debug)]
struct ClientRecord {
    wrong: u32,
    waiting: usize,
    knows_token: bool,
    last: Timer,
}

impl ClientRecord {
    fn new() -> Self {
        Self { wrong: 0, waiting: 0, knows_token: false, last: Timer::stopwatch() }
    }
}

/// The history of wrong and right tokens per client.
#[derive(Debug, Default)]
pub(super) struct TokenHistory(Mutex<HashMap<Client, ClientRecord>>);

impl TokenHistory {
    fn records(&self) -> MutexGuard<'_, HashMap<Client, ClientRecord>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a token of this client is checked at all.
    pub(super) fn may_show(&self, client: Client) -> bool {
        let may = |record: &ClientRecord| record.knows_token || record.waiting < MOST_WAITING;
        self.records().get(&client).is_none_or(may)
    }

    /// Records that the client has shown the right token.
    pub(super) fn right(&self, client: Client) {
        let mut records = self.records();
        let record = remember(&mut records, client);
        record.knows_token = true;
    }

    /// Records a wrong token and returns the delay of its answer. [`Self::answered`] ends the wait.
    pub(super) fn wrong(&self, client: Client) -> Duration {
        let mut records = self.records();
        let record = remember(&mut records, client);
        if record.last.elapsed() > MEMORY {
            record.wrong = 0;
        }
        record.last = Timer::stopwatch();
        let doubled = 1_u32.checked_shl(record.wrong).unwrap_or(u32::MAX);
        record.wrong = record.wrong.saturating_add(1);
        record.waiting += 1;
        SHORTEST.saturating_mul(doubled).min(LONGEST)
    }

    /// Ends the wait of one wrong token.
    pub(super) fn answered(&self, client: Client) {
        if let Some(record) = self.records().get_mut(&client) {
            record.waiting = record.waiting.saturating_sub(1);
        }
    }
}

/// Returns the record of a client. If there are too many, a new record replaces the one with the
/// oldest wrong token. Clients that know the token are replaced last.
fn remember(records: &mut HashMap<Client, ClientRecord>, client: Client) -> &mut ClientRecord {
    if records.len() >= MOST && !records.contains_key(&client) {
        let age = |record: &ClientRecord| (!record.knows_token, record.last.elapsed());
        let oldest = records.iter().max_by_key(|(_, record)| age(record));
        if let Some(oldest) = oldest.map(|(oldest, _)| *oldest) {
            records.remove(&oldest);
        }
    }
    records.entry(client).or_insert_with(ClientRecord::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: usize) -> Client {
        Client::of([192, 0, (number >> 8) as u8, number as u8].into())
    }

    #[test]
    fn wrong_tokens_of_a_client_are_delayed_up_to_a_limit() {
        let tokens = TokenHistory::default();
        let delays: Vec<_> = (0..70).map(|_| tokens.wrong(client(1)).as_millis()).collect();
        assert_eq!(delays[..7], [250, 500, 1000, 2000, 4000, 8000, 8000]);
        assert!(delays[7..].iter().all(|delay| *delay == 8000));
        assert_eq!(tokens.wrong(client(2)), SHORTEST, "other clients are not slowed down");
    }

    #[test]
    fn beyond_the_limit_only_clients_that_know_the_token_are_checked() {
        let tokens = TokenHistory::default();
        tokens.right(client(1));
        for number in 1..=2 {
            for _ in 0..MOST_WAITING {
                tokens.wrong(client(number));
            }
        }
        assert!(tokens.may_show(client(1)) && tokens.may_show(client(3)));
        assert!(!tokens.may_show(client(2)));
        tokens.answered(client(2));
        assert!(tokens.may_show(client(2)));
    }

    #[test]
    fn memory_is_limited_and_keeps_clients_that_know_the_token() {
        let tokens = TokenHistory::default();
        tokens.right(client(0));
        for number in 1..2 * MOST {
            tokens.wrong(client(number));
        }
        let records = tokens.records();
        assert!(records.len() == MOST && records.contains_key(&client(0)));
    }
}
