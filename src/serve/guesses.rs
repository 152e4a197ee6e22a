//! Wrong tokens: the more an address shows, the longer each answer takes.
//!
//! The delay slows one guess after another; the number of wrong tokens that wait at once limits guesses
//! in parallel. Beyond that number, a token is not looked at unless its address has shown the right
//! one before, so that the guesses of others never lock out a player behind the same proxy.

use super::client::Client;
use crate::search::root::time::Timer;
use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// How long the first wrong token takes; each further one takes twice as long.
const SHORTEST: Duration = Duration::from_millis(250);
const LONGEST: Duration = Duration::from_secs(8);
/// Wrong tokens of one client that wait at once.
const AT_ONCE: usize = 16;
/// A client that shows no wrong token for so long is forgiven.
const MEMORY: Duration = Duration::from_mins(10);
/// Clients that are remembered.
const MOST: usize = 1024;

#[derive(Debug)]
struct Record {
    wrong: u32,
    waiting: usize,
    has_shown_the_right_one: bool,
    last: Timer,
}

impl Record {
    fn new() -> Self {
        Self { wrong: 0, waiting: 0, has_shown_the_right_one: false, last: Timer::stopwatch() }
    }
}

/// The tokens that clients have shown.
#[derive(Debug, Default)]
pub(super) struct Guesses(Mutex<HashMap<Client, Record>>);

impl Guesses {
    fn records(&self) -> MutexGuard<'_, HashMap<Client, Record>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a token of this client is looked at.
    pub(super) fn may_show(&self, client: Client) -> bool {
        let may = |record: &Record| record.has_shown_the_right_one || record.waiting < AT_ONCE;
        self.records().get(&client).is_none_or(may)
    }

    /// Remembers that the client knows the token.
    pub(super) fn right(&self, client: Client) {
        let mut records = self.records();
        let record = remember(&mut records, client);
        record.has_shown_the_right_one = true;
    }

    /// Returns how long the answer to a wrong token has to wait. [`Self::answered`] ends the wait.
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

    pub(super) fn answered(&self, client: Client) {
        if let Some(record) = self.records().get_mut(&client) {
            record.waiting = record.waiting.saturating_sub(1);
        }
    }
}

/// The record of a client. A new one replaces that of the client that was wrong longest ago; of
/// those that know the token only if there are no others.
fn remember(records: &mut HashMap<Client, Record>, client: Client) -> &mut Record {
    if records.len() >= MOST && !records.contains_key(&client) {
        let age = |record: &Record| (!record.has_shown_the_right_one, record.last.elapsed());
        let oldest = records.iter().max_by_key(|(_, record)| age(record));
        if let Some(oldest) = oldest.map(|(oldest, _)| *oldest) {
            records.remove(&oldest);
        }
    }
    records.entry(client).or_insert_with(Record::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: usize) -> Client {
        Client::of([192, 0, (number >> 8) as u8, number as u8].into())
    }

    #[test]
    fn each_wrong_token_of_a_client_takes_longer_up_to_a_limit() {
        let guesses = Guesses::default();
        let delays: Vec<_> = (0..70).map(|_| guesses.wrong(client(1)).as_millis()).collect();
        assert_eq!(delays[..7], [250, 500, 1000, 2000, 4000, 8000, 8000]);
        assert!(delays[7..].iter().all(|delay| *delay == 8000));
        assert_eq!(guesses.wrong(client(2)), SHORTEST, "other clients are not slowed down");
    }

    #[test]
    fn beyond_the_limit_only_clients_that_know_the_token_are_looked_at() {
        let guesses = Guesses::default();
        guesses.right(client(1));
        for number in 1..=2 {
            for _ in 0..AT_ONCE {
                guesses.wrong(client(number));
            }
        }
        assert!(guesses.may_show(client(1)) && guesses.may_show(client(3)));
        assert!(!guesses.may_show(client(2)));
        guesses.answered(client(2));
        assert!(guesses.may_show(client(2)));
    }

    #[test]
    fn memory_is_limited_and_keeps_those_who_know_the_token() {
        let guesses = Guesses::default();
        guesses.right(client(0));
        for number in 1..2 * MOST {
            guesses.wrong(client(number));
        }
        let records = guesses.records();
        assert!(records.len() == MOST && records.contains_key(&client(0)));
    }
}
