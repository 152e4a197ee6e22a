//! Games that are played at the same time, taken in the order of their numbers.

use std::{
    collections::BTreeMap,
    io,
    ops::Range,
    sync::{
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
        mpsc::{self, Receiver},
    },
    thread,
};

/// The stack of a thread that searches.
const STACK_BYTES: usize = 16 << 20;

/// A thread for a player cannot be had.
#[derive(Debug, thiserror::Error)]
#[error("no thread can be started: {0}")]
pub struct NoThread(io::Error);

/// Has `workers`, each on a thread of its own, `play` the games of these `numbers`, and hands them in
/// order to `take` until it says that it has enough, or `stop` is raised. Who plays is told whether to
/// stop within a game, and then gives none.
///
/// # Errors
/// Those of the games, and of `take`; if a thread cannot be started.
pub fn play_in_order<W: Send, G: Send, E: Send + From<NoThread>>(
    workers: Vec<W>,
    numbers: Range<u64>,
    stop: &AtomicBool,
    play: impl Fn(&mut W, u64, &dyn Fn() -> bool) -> Result<Option<G>, E> + Sync,
    take: impl FnMut(u64, &G) -> Result<bool, E>,
) -> Result<(), E> {
    let next = AtomicU64::new(numbers.start);
    // raised too when enough is known, or the work cannot go on
    let enough = AtomicBool::new(false);
    let stopped = || stop.load(Relaxed) || enough.load(Relaxed);
    let (sender, games) = mpsc::channel();
    thread::scope(|scope| {
        for mut worker in workers {
            let (sender, next, stopped, play) = (sender.clone(), &next, &stopped, &play);
            let work = move || {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= numbers.end || stopped() {
                        break;
                    }
                    let Some(game) = play(&mut worker, number, stopped).transpose() else { break };
                    if sender.send((number, game)).is_err() {
                        break;
                    }
                }
            };
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            if let Err(error) = builder.spawn_scoped(scope, work) {
                enough.store(true, Relaxed);
                return Err(NoThread(error).into());
            }
        }
        drop(sender);
        let taken = in_order(games, numbers.start, take);
        enough.store(true, Relaxed);
        taken
    })
}

/// Hands each game to `take` as soon as all before it have been, from the number `wanted` on, until
/// `take` says that it has enough.
fn in_order<G, E>(
    games: Receiver<(u64, Result<G, E>)>,
    mut wanted: u64,
    mut take: impl FnMut(u64, &G) -> Result<bool, E>,
) -> Result<(), E> {
    let mut early = BTreeMap::new();
    for (number, game) in games {
        early.insert(number, game?);
        while let Some(game) = early.remove(&wanted) {
            if take(wanted, &game)? {
                return Ok(());
            }
            wanted += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn taken(
        games: &[(u64, Result<char, String>)],
        enough: u64,
    ) -> (Vec<char>, Result<(), String>) {
        let (sender, receiver) = mpsc::channel();
        for game in games {
            sender.send(game.clone()).unwrap();
        }
        drop(sender);
        let mut taken = Vec::new();
        let end = in_order(receiver, 1, |number, game| {
            taken.push(*game);
            Ok(number == enough)
        });
        (taken, end)
    }

    #[test]
    fn early_games_wait_for_those_before_them() {
        let games = [(2, Ok('b')), (3, Ok('c')), (1, Ok('a')), (5, Ok('e'))];
        assert_eq!(taken(&games, 9), (vec!['a', 'b', 'c'], Ok(())));
        assert_eq!(taken(&games, 2), (vec!['a', 'b'], Ok(())));
    }

    #[test]
    fn an_error_ends_it() {
        let games = [(1, Ok('a')), (2, Err("gone".to_string())), (3, Ok('c'))];
        assert_eq!(taken(&games, 9), (vec!['a'], Err("gone".into())));
    }
}
