//! Fits the percentages and the taste of a profile, so that named measures of style move as far as possible
//! at a given price in Elo.
//!
//! In each iteration, two players differ in all percentages, with random signs (SPSA). Both play the same
//! openings against `neutral`. The aim of a player is the sum of its measures, in standard deviations
//! between games of `neutral`, plus its points with a weight. All percentages move towards the player with
//! the better aim. The weight of points rises while the players cost more than the price, and falls while
//! they cost less. <https://www.chessprogramming.org/SPSA>
//!
//! At fixed nodes, the result depends on the options alone. An interrupted run continues from its file.

mod likings;
mod progress;

pub use progress::{StyleFit, StyleFitReport};

use crate::{
    lab::{
        bench,
        duel::{DuelError, DuelOptions, Entrant, PairPlayer, TimeControl, score_of},
        self_play::opening::Book,
        style::Measure,
    },
    profile::Profile,
    support::{state_file::StateError, threads::numbers_in_order},
};
use progress::{Aims, Progress};
use std::{
    num::NonZeroU64,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

/// The options of a fit.
#[derive(Clone, Debug)]
pub struct StyleFitOptions {
    /// The file with the state of the run.
    pub state: PathBuf,
    /// The profile to start from.
    pub profile: Profile,
    /// The measures to change, and whether they should rise.
    pub aims: Vec<(Measure, bool)>,
    /// The accepted loss against `neutral`, in Elo.
    pub price: f64,
    /// Nodes per move.
    pub nodes: NonZeroU64,
    /// The total number of iterations.
    pub iterations: u64,
    /// Pairs of games of each player per iteration.
    pub pairs: u64,
    pub book: Option<Book>,
    pub seed: u64,
    /// The number of games played in parallel. Does not affect the result.
    pub threads: usize,
    /// The hash table size of each player, in MiB.
    pub hash: usize,
}

/// The reason why a fit could not start or failed.
#[derive(Debug, thiserror::Error)]
pub enum StyleFitError {
    #[error(transparent)]
    State(#[from] StateError),
    #[error(transparent)]
    Duel(#[from] DuelError),
}

/// The share of a step by which a lead of 1 moves all likings in the first iteration.
const FIRST_RATE: f64 = 0.25;
/// Decay of this share, as Spall recommends.
const ALPHA: f64 = 0.602;
/// The share of the iterations that dampens the first steps.
const DAMPING: f64 = 0.1;
/// The rise of the weight of points after an iteration that loses every point above the price.
const WEIGHT_RATE: f64 = 1.5;
/// The largest weight of points, in standard deviations of style.
const MOST_WEIGHT: f64 = 40.0;

/// Fits until all iterations are done or `stop` is set. Calls `each` after every iteration with the number
/// of finished ones.
///
/// # Errors
/// If an option or the state file is invalid, or a game cannot be played.
pub fn run(
    options: &StyleFitOptions,
    stop: &AtomicBool,
    mut each: impl FnMut(u64),
) -> Result<StyleFit, StyleFitError> {
    let mut progress = Progress::resume(&options.state, &conditions(options)?, &options.profile)?;
    let duel = duel_options(options)?;
    let players = (0..options.threads.max(1)).map(|_| PairPlayer::new(&duel));
    let mut players = players.collect::<Result<Vec<_>, DuelError>>()?;
    each(progress.iteration);
    while progress.iteration < options.iterations && !stop.load(Relaxed) {
        let Some(aims) = play(options, &progress, (&duel, &mut players), stop)? else { break };
        progress.take(
            aims,
            options.seed,
            rate(options, progress.iteration),
            score_of(-options.price),
        );
        progress.write(&options.state)?;
        each(progress.iteration);
    }
    Ok(progress.fit(options))
}

/// Returns the share of a step by which a lead of 1 moves all likings.
#[allow(clippy::cast_precision_loss, reason = "a run has far fewer iterations")]
fn rate(options: &StyleFitOptions, iteration: u64) -> f64 {
    let damping = DAMPING * options.iterations as f64;
    FIRST_RATE * libm::pow((damping + 1.0) / (damping + 1.0 + iteration as f64), ALPHA)
}

/// Plays the games of one iteration, first with one player, then with the other. Returns `None` if the games
/// were stopped.
fn play(
    options: &StyleFitOptions,
    progress: &Progress,
    (duel, players): (&DuelOptions, &mut Vec<PairPlayer<'_>>),
    stop: &AtomicBool,
) -> Result<Option<[Aims; 2]>, DuelError> {
    let (pairs, first) = (options.pairs, progress.iteration * options.pairs);
    let both = likings::players(&progress.likings, options.seed, progress.iteration);
    let profiles = both.map(|values| likings::applied(&options.profile, &values));
    let mut aims = [(); 2].map(|()| Aims::new(&options.aims));
    let mut played = 0;
    numbers_in_order(
        players.iter_mut().collect(),
        0..2 * pairs,
        stop,
        |player, number, stopped| {
            player.set_first(profiles[usize::from(number >= pairs)].clone());
            player.play_styled(duel, first + number % pairs, &stopped)
        },
        |number, games| {
            for game in games {
                aims[usize::from(number >= pairs)].add(game);
            }
            played += 1;
            Ok::<_, DuelError>(false)
        },
    )?;
    Ok((played == 2 * pairs).then_some(aims))
}

fn duel_options(options: &StyleFitOptions) -> Result<DuelOptions, DuelError> {
    let entrant = |profile| Entrant::new(profile, &[]);
    Ok(DuelOptions {
        players: [entrant(options.profile.clone())?, entrant(Profile::builtin("neutral")?)?],
        pace: TimeControl::Nodes(options.nodes),
        games: 2 * options.pairs * options.iterations,
        book: options.book.clone(),
        seed: options.seed,
        to_the_end: false,
        threads: options.threads,
        hash: options.hash,
        sprt: None,
        pgn: None,
    })
}

/// Describes everything that the games depend on.
fn conditions(options: &StyleFitOptions) -> Result<String, DuelError> {
    let StyleFitOptions { profile, price, nodes, iterations, pairs, seed, .. } = options;
    let aim = |(measure, rises): &(Measure, bool)| {
        format!("{} {}", if *rises { "raise" } else { "lower" }, measure.name())
    };
    let aims: Vec<_> = options.aims.iter().map(aim).collect();
    let book =
        options.book.as_ref().map_or("no book".into(), |book| format!("book {}", book.digest()));
    Ok(format!(
        "{} ({}), {}, price {price}, {nodes} nodes, {iterations} iterations of {pairs} pairs, seed {seed}, \
         {book}, bench {}",
        profile.name,
        profile.digest(),
        aims.join(", "),
        bench::signature()?
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(state: PathBuf, threads: usize) -> StyleFitOptions {
        StyleFitOptions {
            state,
            profile: Profile::builtin("attacker").unwrap(),
            aims: vec![(Measure::Check, true), (Measure::Exchange, false)],
            price: 40.0,
            nodes: NonZeroU64::new(20).unwrap(),
            iterations: 3,
            pairs: 1,
            book: None,
            seed: 5,
            threads,
            hash: 1,
        }
    }

    #[test]
    fn an_interrupted_fit_continues_and_threads_change_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        let whole = run(&options(path("whole"), 2), &AtomicBool::new(false), |_| {}).unwrap();
        assert_eq!((whole.report.iterations, whole.report.games), ([3, 3], 12));
        assert_ne!(whole.profile.mind, options(path("whole"), 1).profile.mind);
        let stop = AtomicBool::new(false);
        let part =
            run(&options(path("part"), 1), &stop, |done| stop.store(done == 2, Relaxed)).unwrap();
        assert_eq!(part.report.iterations, [2, 3]);
        let rest = run(&options(path("part"), 1), &AtomicBool::new(false), |_| {}).unwrap();
        assert_eq!(rest, whole);
        let other = StyleFitOptions { price: 30.0, ..options(path("part"), 1) };
        let error = run(&other, &AtomicBool::new(false), |_| {}).unwrap_err().to_string();
        assert!(error.contains("price 40") && error.contains("price 30"), "{error}");
    }

    #[test]
    fn steps_shrink() {
        let options = StyleFitOptions { iterations: 100, ..options(PathBuf::new(), 1) };
        assert!((rate(&options, 0) - FIRST_RATE).abs() < 1e-12);
        assert!(rate(&options, 99) < rate(&options, 10));
    }
}
