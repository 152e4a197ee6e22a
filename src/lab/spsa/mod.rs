//! Tunes search parameters and weights by games of the engine against itself (SPSA).
//!
//! In each iteration, two players differ in all parameters: one has a little more of each, the
//! other a little less, with random signs. Every parameter then moves towards the player that
//! won more games. <https://www.chessprogramming.org/SPSA>
//!
//! At fixed nodes, the result depends on the options alone. A run that was interrupted continues
//! from its file.

mod descent;
mod parameter;
mod state;

use crate::{
    eval::weights::Weights,
    lab::{
        bench,
        duel::{DuelError, DuelOptions, Entrant, PairPlayer, TimeControl},
        self_play::opening::Book,
    },
    profile::{EvaluatorKind, Profile, error::one_line},
    search::params::Params,
    support::{spelling::nearest, state_file::StateError, threads::numbers_in_order},
};
use descent::Schedule;
use parameter::{Parameter, Player};
use state::{Conditions, State};
use std::{
    collections::BTreeMap,
    fmt,
    num::NonZeroU64,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

/// The options of a run.
#[derive(Clone, Debug)]
pub struct SpsaOptions {
    /// The file with the state of the run.
    pub state: PathBuf,
    /// Both players have this profile.
    pub profile: Profile,
    /// Names of the parameters to tune. Empty means all.
    pub only: Vec<String>,
    /// Nodes per move.
    pub nodes: NonZeroU64,
    /// The total number of iterations.
    pub iterations: u64,
    /// Pairs of games per iteration.
    pub pairs: u64,
    /// The learning rate of the last iteration.
    pub rate: f64,
    pub book: Option<Book>,
    pub seed: u64,
    /// The number of games played in parallel. Does not affect the result.
    pub threads: usize,
    /// The hash table size of each player, in MiB.
    pub hash: usize,
}

/// The reason why a run could not start or failed.
#[derive(Debug, thiserror::Error)]
pub enum SpsaError {
    #[error(transparent)]
    State(#[from] StateError),
    #[error(transparent)]
    Duel(#[from] DuelError),
    #[error("{0}")]
    Parameter(String),
    #[error(
        "profile `{0}` evaluates with measures, which have no weights to tune; \
         name search parameters with --only"
    )]
    Measures(String),
}

impl SpsaError {
    fn unknown(name: &str) -> Self {
        let names: Vec<_> = Parameter::all().map(Parameter::name).collect();
        let near = nearest(name, names.iter().map(String::as_str));
        let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        Self::Parameter(format!(
            "unknown parameter `{}` (`spsa` without --state lists search parameters, \
             src/eval/families.rs families of weights){near}",
            one_line(name)
        ))
    }
}

/// A parameter and how far it has moved.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct TunedParameter {
    pub name: String,
    /// The value before the run. Factors of weights are in thousandths.
    pub start: i32,
    /// The present value.
    pub value: f64,
    /// The distance between both, in steps.
    pub steps: f64,
}

/// The state of a run, for display.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct SpsaReport {
    /// Finished iterations, and the total number.
    pub iterations: [u64; 2],
    pub games: u64,
    pub parameters: Vec<TunedParameter>,
    /// The weights under the present factors.
    #[serde(skip)]
    pub weights: Weights,
}

/// Tunes until all iterations are done or `stop` is set. Calls `each` after every iteration with the
/// number of finished ones.
///
/// # Errors
/// If an option or the state file is invalid, or a game cannot be played.
pub fn run(
    options: &SpsaOptions,
    stop: &AtomicBool,
    mut each: impl FnMut(u64),
) -> Result<SpsaReport, SpsaError> {
    let mut values = descent::start(&options.only).map_err(|name| SpsaError::unknown(&name))?;
    let tunes_weights =
        values.iter().any(|(parameter, _)| matches!(parameter, Parameter::Weights(..)));
    if tunes_weights && options.profile.evaluator == EvaluatorKind::Measures {
        return Err(SpsaError::Measures(options.profile.name.clone()));
    }
    let start = State { iteration: 0, conditions: conditions(options)?, values: named(&values) };
    let mut state = State::resume(&options.state, start)?;
    for (parameter, value) in &mut values {
        *value = state.values[&parameter.name()];
    }
    let schedule =
        Schedule { iterations: options.iterations, rate: options.rate, seed: options.seed };
    let start = Player { params: Params::default(), weights: options.profile.weights.clone() };
    let duel = duel_options(options)?;
    let players = (0..options.threads.max(1)).map(|_| PairPlayer::new(&duel));
    let mut players = players.collect::<Result<Vec<_>, DuelError>>()?;
    each(state.iteration);
    while state.iteration < options.iterations && !stop.load(Relaxed) {
        let pair = schedule.players(&start, &values, state.iteration);
        let Some(lead) = lead(&pair, &state, (&duel, &mut players), stop)? else { break };
        schedule.update(&mut values, state.iteration, lead);
        state.iteration += 1;
        state.values = named(&values);
        state.write(&options.state)?;
        each(state.iteration);
    }
    Ok(report(options, &state, &values, start))
}

/// Plays the games of one iteration between `pair`. Returns by how many games the first player leads,
/// or `None` if the games were stopped.
fn lead(
    pair: &descent::Players,
    state: &State,
    (duel, players): (&DuelOptions, &mut Vec<PairPlayer<'_>>),
    stop: &AtomicBool,
) -> Result<Option<i64>, DuelError> {
    for player in players.iter_mut() {
        player.set_players([&pair.plus, &pair.minus].map(|p| (&p.params, &p.weights)))?;
    }
    let pairs = state.conditions.pairs;
    let first = state.iteration * pairs;
    let (mut lead, mut played) = (0, 0);
    numbers_in_order(
        players.iter_mut().collect(),
        first..first + pairs,
        stop,
        |player, pair, stopped| player.play(duel, pair, &stopped),
        |_, half_points| {
            // a pair has four half points
            lead += i64::from(*half_points) - 2;
            played += 1;
            Ok::<_, DuelError>(false)
        },
    )?;
    Ok((played == pairs).then_some(lead))
}

fn duel_options(options: &SpsaOptions) -> Result<DuelOptions, DuelError> {
    let entrant = Entrant::new(options.profile.clone(), &[])?;
    Ok(DuelOptions {
        players: [entrant.clone(), entrant],
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

fn conditions(options: &SpsaOptions) -> Result<Conditions, DuelError> {
    let book = options.book.as_ref();
    Ok(Conditions {
        profile: format!("{} ({})", options.profile.name, options.profile.digest()),
        nodes: options.nodes.get(),
        pairs: options.pairs,
        iterations: options.iterations,
        rate: options.rate,
        seed: options.seed,
        book: book.map_or("no book".into(), |book| format!("book {}", book.digest())),
        bench: bench::signature()?,
    })
}

fn named(values: &[(Parameter, f64)]) -> BTreeMap<String, f64> {
    values.iter().map(|(parameter, value)| (parameter.name(), *value)).collect()
}

fn report(
    options: &SpsaOptions,
    state: &State,
    values: &[(Parameter, f64)],
    mut player: Player,
) -> SpsaReport {
    for (parameter, value) in values {
        parameter.set(&mut player, value.round() as i32);
    }
    let tuned = |&(parameter, value): &(Parameter, f64)| {
        let start = parameter.default();
        let steps = (value - f64::from(start)) / f64::from(parameter.step());
        TunedParameter { name: parameter.name(), start, value, steps }
    };
    SpsaReport {
        iterations: [state.iteration, options.iterations],
        games: 2 * state.iteration * options.pairs,
        parameters: values.iter().map(tuned).collect(),
        weights: player.weights,
    }
}

impl fmt::Display for SpsaReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [done, all] = self.iterations;
        writeln!(f, "{done} of {all} iterations, {} games\n", self.games)?;
        write!(f, "{:<28}{:>8}{:>10}{:>8}", "parameter", "start", "now", "steps")?;
        for TunedParameter { name, start, value, steps } in &self.parameters {
            write!(f, "\n{name:<28}{start:>8}{value:>10.1}{steps:>+8.2}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::score::Tapered, eval::feature::Feature};

    fn options(state: PathBuf, threads: usize) -> SpsaOptions {
        SpsaOptions {
            state,
            profile: Profile::builtin("neutral").unwrap(),
            only: vec!["delta_margin".into(), "razor_base".into(), "tempo_ending".into()],
            nodes: NonZeroU64::new(60).unwrap(),
            iterations: 4,
            pairs: 3,
            rate: 0.1,
            book: None,
            seed: 1,
            threads,
            hash: 1,
        }
    }

    #[test]
    fn an_interrupted_run_continues_and_threads_change_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        let whole = run(&options(path("whole"), 2), &AtomicBool::new(false), |_| {}).unwrap();
        assert_eq!((whole.iterations, whole.games), ([4, 4], 24));
        assert!(whole.parameters.iter().any(|tuned| tuned.steps != 0.0), "{whole}");
        let is_tempo = |tuned: &&TunedParameter| tuned.name == "tempo_ending";
        let factor = whole.parameters.iter().find(is_tempo).unwrap().value.round() as i32;
        let mut expected = Profile::builtin("neutral").unwrap().weights;
        let tempo = &mut expected.0[Feature::Tempo.start()];
        *tempo = Tapered::new(tempo.mg(), tempo.eg() * factor / 1000);
        assert_eq!(whole.weights, expected);

        let stop = AtomicBool::new(false);
        let interrupt = |done| stop.store(done == 2, Relaxed);
        let part = run(&options(path("part"), 1), &stop, interrupt).unwrap();
        assert_eq!(part.iterations, [2, 4]);
        let rest = run(&options(path("part"), 1), &AtomicBool::new(false), |_| {}).unwrap();
        assert_eq!(rest, whole);
        let unknown = SpsaOptions { only: vec!["razor_bas".into()], ..options(path("part"), 1) };
        let error = run(&unknown, &AtomicBool::new(false), |_| {}).unwrap_err().to_string();
        assert!(error.contains("did you mean `razor_base`?"), "{error}");
    }

    #[test]
    fn weights_are_refused_where_nothing_has_weights() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state");
        let paper = Profile::builtin("paper2012").unwrap();
        let options = SpsaOptions { profile: paper, ..options(path.clone(), 1) };
        let error = run(&options, &AtomicBool::new(false), |_| {}).unwrap_err().to_string();
        assert!(error.starts_with("profile `Paper 2012` evaluates with measures"), "{error}");
        assert!(!path.exists());
    }
}
