//! Work that several threads do at the same time, taken in order: games, positions.

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

/// The stack of a thread that searches. It is generous, because a search recurses to its last ply and
/// beyond it through quiescence, for which the system's default may not suffice.
pub const STACK_BYTES: usize = 16 << 20;

/// A thread cannot be had.
#[derive(Debug, thiserror::Error)]
#[error("no thread can be started: {0}")]
pub struct NoThread(io::Error);

/// Has `workers`, each on a thread of its own, `work` on these `numbers`, and hands the results in
/// order to `take` until it says that it has enough, or `stop` is raised. Who works is told whether to
/// stop midway, and then gives none.
///
/// # Errors
/// Those of the work, and of `take`; if a thread cannot be started.
pub fn numbers_in_order<W: Send, R: Send, E: Send + From<NoThread>>(
    workers: Vec<W>,
    numbers: Range<u64>,
    stop: &AtomicBool,
    work: impl Fn(&mut W, u64, &dyn Fn() -> bool) -> Result<Option<R>, E> + Sync,
    take: impl FnMut(u64, &R) -> Result<bool, E>,
) -> Result<(), E> {
    let next = AtomicU64::new(numbers.start);
    // raised too when enough is known, or the work cannot go on
    let enough = AtomicBool::new(false);
    let stopped = || stop.load(Relaxed) || enough.load(Relaxed);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for mut worker in workers {
            let (sender, next, stopped, work) = (sender.clone(), &next, &stopped, &work);
            let work = move || {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= numbers.end || stopped() {
                        break;
                    }
                    let Some(done) = work(&mut worker, number, stopped).transpose() else { break };
                    if sender.send((number, done)).is_err() {
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
        let taken = in_order(results, numbers.start, take);
        enough.store(true, Relaxed);
        taken
    })
}

/// So much waits for each worker, or for being taken.
const WAITING: usize = 4;

/// Has `workers`, each on a thread of its own, `work` on these `jobs` by turns, and hands the results
/// in order to `take`; few jobs are in memory at once. Ends early where a worker gives none.
///
/// # Errors
/// Those of the jobs, and of `take`; if a thread cannot be started.
pub fn jobs_in_order<W: Send, J: Send, R: Send, E: From<NoThread>>(
    workers: Vec<W>,
    mut jobs: impl Iterator<Item = Result<J, E>>,
    work: impl Fn(&mut W, J) -> Option<R> + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    thread::scope(|scope| {
        let mut desks = Vec::with_capacity(workers.len());
        for mut worker in workers {
            let (to, jobs) = mpsc::sync_channel(WAITING);
            let (results, from) = mpsc::sync_channel(WAITING);
            let work = &work;
            let work = move || {
                let results_of = |job| work(&mut worker, job).map(|done| results.send(done));
                jobs.into_iter()
                    .map(results_of)
                    .take_while(|sent| matches!(sent, Some(Ok(()))))
                    .count();
            };
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            builder.spawn_scoped(scope, work).map_err(NoThread)?;
            desks.push((to, from));
        }
        let (mut given, mut taken) = (0, 0);
        let mut end = None;
        loop {
            // each desk has room again once the oldest of as many as fit has been taken
            if end.is_none() && given - taken < WAITING * desks.len() {
                match jobs.next().transpose() {
                    Ok(Some(job)) => match desks[given % desks.len()].0.send(job) {
                        Ok(()) => given += 1,
                        Err(_) => end = Some(Ok(())),
                    },
                    Ok(None) => end = Some(Ok(())),
                    Err(error) => end = Some(Err(error)),
                }
            } else if taken < given
                && let Ok(result) = desks[taken % desks.len()].1.recv()
            {
                take(result)?;
                taken += 1;
            } else {
                return end.unwrap_or(Ok(()));
            }
        }
    })
}

/// Hands each result to `take` as soon as all before it have been, from the number `wanted` on, until
/// `take` says that it has enough.
fn in_order<R, E>(
    results: Receiver<(u64, Result<R, E>)>,
    mut wanted: u64,
    mut take: impl FnMut(u64, &R) -> Result<bool, E>,
) -> Result<(), E> {
    let mut early = BTreeMap::new();
    for (number, result) in results {
        early.insert(number, result?);
        while let Some(result) = early.remove(&wanted) {
            if take(wanted, &result)? {
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
        results: &[(u64, Result<char, String>)],
        enough: u64,
    ) -> (Vec<char>, Result<(), String>) {
        let (sender, receiver) = mpsc::channel();
        for result in results {
            sender.send(result.clone()).unwrap();
        }
        drop(sender);
        let mut taken = Vec::new();
        let end = in_order(receiver, 1, |number, result| {
            taken.push(*result);
            Ok(number == enough)
        });
        (taken, end)
    }

    #[test]
    fn early_results_wait_for_those_before_them() {
        let results = [(2, Ok('b')), (3, Ok('c')), (1, Ok('a')), (5, Ok('e'))];
        assert_eq!(taken(&results, 9), (vec!['a', 'b', 'c'], Ok(())));
        assert_eq!(taken(&results, 2), (vec!['a', 'b'], Ok(())));
    }

    #[test]
    fn an_error_ends_it() {
        let results = [(1, Ok('a')), (2, Err("gone".to_string())), (3, Ok('c'))];
        assert_eq!(taken(&results, 9), (vec!['a'], Err("gone".into())));
    }

    #[test]
    fn jobs_come_back_in_order_and_few_wait() {
        let (begun, mut taken) = (AtomicU64::new(0), Vec::new());
        let jobs = (0..100).map(|job| {
            begun.fetch_add(1, Relaxed);
            Ok::<_, NoThread>(job)
        });
        let take = |done: u64| {
            assert!(begun.load(Relaxed) <= done / 2 + 3 * WAITING as u64);
            taken.push(done);
            Ok(())
        };
        jobs_in_order(vec![(); 3], jobs, |(), job| Some(2 * job), take).unwrap();
        assert_eq!(taken, (0..100).map(|job| 2 * job).collect::<Vec<_>>());
    }

    #[test]
    fn work_ends_where_a_worker_or_a_job_does() {
        let run = |jobs: Vec<Result<u64, NoThread>>| {
            let mut taken = Vec::new();
            let work = |(): &mut (), job| (job < 5).then_some(job);
            let ended = jobs_in_order(vec![(); 2], jobs.into_iter(), work, |job| {
                taken.push(job);
                Ok(())
            });
            (taken, ended.is_ok())
        };
        assert_eq!(run((0..50).map(Ok).collect()), ((0..5).collect(), true));
        let broken = NoThread(io::Error::other("gone"));
        // what was done before counts
        assert_eq!(run(vec![Ok(0), Err(broken)]), (vec![0], false));
    }
}
