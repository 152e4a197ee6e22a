//! Runs jobs on several threads and hands over their results in order.

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

/// The stack size of search threads, in bytes (16 MiB). A search recurses to its last ply and on
/// through quiescence, which can exceed the system's default.
pub const STACK_BYTES: usize = 16 << 20;

/// The error returned when a thread cannot be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start a thread: {0}")]
pub struct NoThread(io::Error);

/// Processes `numbers` on one thread per worker and passes the results to `take` in ascending
/// order. Ends when `take` returns `true` or `stop` is set.
///
/// `work` receives a function that reports whether to stop midway. In that case, `work` returns
/// `None`.
///
/// # Errors
/// If a thread cannot be started, or `work` or `take` fails.
pub fn numbers_in_order<W: Send, R: Send, E: Send + From<NoThread>>(
    workers: Vec<W>,
    numbers: Range<u64>,
    stop: &AtomicBool,
    work: impl Fn(&mut W, u64, &dyn Fn() -> bool) -> Result<Option<R>, E> + Sync,
    take: impl FnMut(u64, &R) -> Result<bool, E>,
) -> Result<(), E> {
    let next = AtomicU64::new(numbers.start);
    // also set when `take` has enough results or `work` fails
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

/// The capacity of each worker's job queue and of its result queue.
const WAITING: usize = 4;

/// Distributes `jobs` among the workers in turn, one thread per worker, and passes the results to
/// `take` in order. Only a few jobs are in memory at a time. Ends early if `work` returns `None`.
///
/// # Errors
/// If a thread cannot be started, or a job or `take` fails.
pub fn jobs_in_order<W: Send, J: Send, R: Send, E: From<NoThread>>(
    workers: Vec<W>,
    mut jobs: impl Iterator<Item = Result<J, E>>,
    work: impl Fn(&mut W, J) -> Option<R> + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    thread::scope(|scope| {
        let mut queues = Vec::with_capacity(workers.len());
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
            queues.push((to, from));
        }
        let (mut given, mut taken) = (0, 0);
        let mut end = None;
        loop {
            // below this limit, the queue of the next worker always has room for another job
            if end.is_none() && given - taken < WAITING * queues.len() {
                match jobs.next().transpose() {
                    Ok(Some(job)) => match queues[given % queues.len()].0.send(job) {
                        Ok(()) => given += 1,
                        Err(_) => end = Some(Ok(())),
                    },
                    Ok(None) => end = Some(Ok(())),
                    Err(error) => end = Some(Err(error)),
                }
            } else if taken < given
                && let Ok(result) = queues[taken % queues.len()].1.recv()
            {
                take(result)?;
                taken += 1;
            } else {
                return end.unwrap_or(Ok(()));
            }
        }
    })
}

/// Passes the results to `take` in ascending order from the number `wanted`, holding back those
/// that arrive early. Ends when `take` returns `true`.
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
    fn early_results_are_held_back() {
        let results = [(2, Ok('b')), (3, Ok('c')), (1, Ok('a')), (5, Ok('e'))];
        assert_eq!(taken(&results, 9), (vec!['a', 'b', 'c'], Ok(())));
        assert_eq!(taken(&results, 2), (vec!['a', 'b'], Ok(())));
    }

    #[test]
    fn an_error_stops_processing() {
        let results = [(1, Ok('a')), (2, Err("gone".to_string())), (3, Ok('c'))];
        assert_eq!(taken(&results, 9), (vec!['a'], Err("gone".into())));
    }

    #[test]
    fn results_arrive_in_order_and_few_jobs_are_queued() {
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
    fn work_ends_when_a_worker_stops_or_a_job_fails() {
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
        // results obtained before the error are still delivered
        assert_eq!(run(vec![Ok(0), Err(broken)]), (vec![0], false));
    }
}
